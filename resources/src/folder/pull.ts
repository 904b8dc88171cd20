// Writes a deployment's resources to a folder. Files of removed resources stay unless asked otherwise. Other files
// aren't touched.
import { naturalOrder } from '../../../api/src/plain.ts';
import { type KindName, kindNames, kinds } from '../kinds.ts';
import { FORMAT, type FolderFiles, foldedPath, GIT_ATTRIBUTES, hasText, MARKER } from './files.ts';
import { type DeployedResource, describeResource, gather, isEmpty } from './gather.ts';
import { type FileText, layout, notWritableReason } from './layout.ts';
import { digestOf, type Lock, readLock, writeLock } from './lock.ts';
import { readMarker } from './marker.ts';
import { identifiableFiles } from './readFolder.ts';
import { References } from './references.ts';
import { checkCancelled, type OperationContext, type ResourceStore } from './store.ts';

/** The changes a pull would make in a folder. */
export interface PullPlan {
  readonly created: readonly FileText[];
  readonly changed: readonly FileText[];
  readonly unchanged: number;
  /** Files without a resource. */
  readonly stale: readonly string[];
  /** The number of resources by kind. */
  readonly counts: ReadonlyMap<KindName, number>;
  /** Resources that aren't exported, or only in part, with the reason, as sentences. */
  readonly skipped: readonly string[];
  /** Members left out because the service sets them. */
  readonly omittedMembers: readonly string[];
  /** The folder's lock after the pull. */
  readonly lock: Lock;
}

/**
 * Compares a folder with a deployment.
 * @throws Cancelled, GatherError, or FolderError if the folder isn't one for resources.
 */
export async function planPull(
  store: ResourceStore,
  files: FolderFiles,
  selected: readonly KindName[] = kindNames,
  context: OperationContext = {},
): Promise<PullPlan> {
  const marker = await readMarker(files);
  const references = new References(store);
  const deployment = await gather(store, selected, context, references);
  const existing = marker === undefined ? [] : await identifiableFiles(files, selected, context);
  const skipped = [...references.unreadable].map(
    ([kind, reason]) =>
      `References to ${kinds[kind].plural} are exported as identifiers, which other deployments do not have. ${reason}`,
  );
  const counts = new Map<KindName, number>();
  const texts: FileText[] = [];
  const completeKinds: KindName[] = [];
  const lock = new Map(await readLock(files));
  for (const kind of selected) {
    const { resources = [], reason, reasons = new Map() } = deployment.kinds.get(kind) ?? {};
    const { plural } = kinds[kind];
    for (const [dataset, why] of reasons) {
      skipped.push(`The ${plural}${dataset && ` of ${dataset}`} are not exported. ${why}`);
    }
    if (reason !== undefined && reasons.size === 0) {
      skipped.push(`The ${plural} are not exported. ${reason}`);
    }
    if (reason === undefined && reasons.size === 0) completeKinds.push(kind);
    const documents = exportableDocuments(resources, skipped);
    counts.set(kind, documents.length);
    const laidOut = layout(kind, documents, existing);
    texts.push(...laidOut.flatMap((resource) => resource.files));
    if (completeKinds.includes(kind)) {
      for (const path of lock.keys())
        if (path.startsWith(`${kinds[kind].folder}/`)) lock.delete(path);
    }
    for (const { path, document } of laidOut) lock.set(path, [digestOf(document)]);
  }
  const listed = [...new Set([...(marker?.kinds ?? []), ...completeKinds])].sort();
  texts.push({
    path: MARKER,
    text: `${JSON.stringify({ format: FORMAT, kinds: listed }, null, 2)}\n`,
  });
  checkCancelled(context);
  const about = { counts, skipped, omittedMembers: deployment.omittedMembers, lock };
  return { ...about, ...(await compareFiles(files, texts, completeKinds)) };
}

/** Returns the documents that can be read back exactly. Adds the reasons for the others to `skipped`. */
function exportableDocuments(
  resources: readonly DeployedResource[],
  skipped: string[],
): DeployedResource['document'][] {
  return resources.flatMap(({ kind, document }) => {
    if (isEmpty(kind, document)) return [];
    const reason = notWritableReason(kind, document);
    if (reason === undefined) return [document];
    skipped.push(`The ${describeResource({ kind, document })} is not exported. ${reason}`);
    return [];
  });
}

async function compareFiles(
  files: FolderFiles,
  texts: readonly FileText[],
  completeKinds: readonly KindName[],
): Promise<Pick<PullPlan, 'created' | 'changed' | 'unchanged' | 'stale'>> {
  const listed = await files.list();
  const existing = new Set(listed.map(({ path }) => path));
  const created = texts.filter(({ path }) => !existing.has(path));
  const changed: FileText[] = [];
  for (const file of texts) {
    if (!existing.has(file.path)) continue;
    if (!(await hasText(files, file.path, file.text))) changed.push(file);
  }
  const written = new Set(texts.map(({ path }) => path));
  const folders = new Set(completeKinds.map((kind) => kinds[kind].folder));
  const stale = [...existing].filter(
    (path) =>
      !written.has(path) && /\.(?:json|apl)$/.test(path) && folders.has(path.split('/')[0] ?? ''),
  );
  const unchanged = texts.length - created.length - changed.length;
  return { created, changed, unchanged, stale: stale.toSorted(naturalOrder) };
}

/** Applies a plan, and removes the stale files if requested. */
export async function writePull(
  plan: PullPlan,
  files: FolderFiles,
  { removeStale, ...context }: OperationContext & { readonly removeStale: boolean },
): Promise<void> {
  const removed = removeStale ? plan.stale : [];
  const texts = [...plan.created, ...plan.changed];
  const total = texts.length + removed.length;
  // Some file systems treat another spelling as the file about to be written, so it is removed first.
  const otherSpelling = new Map(removed.map((path) => [foldedPath(path), path]));
  for (const [done, { path, text }] of texts.entries()) {
    checkCancelled(context);
    context.onProgress?.({ done, total, message: path });
    const other = otherSpelling.get(foldedPath(path));
    if (other !== undefined) await files.remove(other);
    await files.write(path, text);
  }
  const written = new Set(texts.map(({ path }) => foldedPath(path)));
  for (const path of removed) {
    checkCancelled(context);
    if (!written.has(foldedPath(path))) await files.remove(path);
  }
  await writeLock(files, plan.lock);
  await writeAttributes(files);
}

/** Configures Git to keep line ends on every system, unless the folder has its own rules. */
async function writeAttributes(files: FolderFiles): Promise<void> {
  const listed = await files.list();
  if (!listed.some(({ path }) => path === GIT_ATTRIBUTES))
    await files.write(GIT_ATTRIBUTES, '* text eol=lf\n');
}
