// Reads a deployment's resources of some kinds, as documents.
import { documentOf } from '../documents.ts';
import { idOf, type KindName, kinds } from '../kinds.ts';
import type { Members } from '../value.ts';
import { titleOf } from './layout.ts';
import { References } from './references.ts';
import { checkCancelled, type OperationContext, type ResourceStore } from './store.ts';

export interface DeployedResource {
  readonly kind: KindName;
  readonly id: string;
  /** The document as in a folder: names replace the identifiers of other resources. */
  readonly document: Members;
  /** The document as on the deployment. */
  readonly stored: Members;
}

export interface DeployedKind {
  readonly resources: readonly DeployedResource[];
  /** The reason the kind can't be read at all. */
  readonly reason?: string;
  /** The reason it can't be read, by dataset. The key is empty for a kind that doesn't belong to datasets. */
  readonly reasons: ReadonlyMap<string, string>;
}

export interface DeploymentContent {
  readonly kinds: ReadonlyMap<KindName, DeployedKind>;
  /** The names of the datasets; undefined if no kind needs them or they can't be read. */
  readonly datasets?: readonly string[];
  /** Members missing from documents because the service sets them. */
  readonly omittedMembers: readonly string[];
}

/**
 * Reads all resources of some kinds, with names in place of other resources' identifiers.
 * @throws Cancelled, or a GatherError if every request would fail, for example without a connection or a valid token.
 */
export async function gather(
  store: ResourceStore,
  selected: readonly KindName[],
  context: OperationContext = {},
  references = new References(store),
): Promise<DeploymentContent> {
  const needsDatasets = selected.some((kind) => kinds[kind].scope === 'dataset');
  const datasets = needsDatasets ? await store.datasets() : undefined;
  if (datasets?.ok === false && datasets.isFatal) throw new GatherError(datasets.reason);
  const found = new Map<KindName, DeployedKind>();
  const omittedMembers = new Set<string>();
  const names = datasets?.ok ? datasets.value : [];
  const total = selected.reduce((sum, kind) => sum + (isPerDataset(kind) ? names.length : 1), 0);
  let done = 0;
  for (const kind of selected) {
    if (isPerDataset(kind) && datasets?.ok === false) {
      found.set(kind, { resources: [], reason: datasets.reason, reasons: new Map() });
      continue;
    }
    const resources: DeployedResource[] = [];
    const reasons = new Map<string, string>();
    for (const dataset of isPerDataset(kind) ? names : [undefined]) {
      checkCancelled(context);
      context.onProgress?.({ done, total, message: kinds[kind].plural });
      done += 1;
      const answer = await store.list(kind, dataset);
      checkCancelled(context);
      if (answer.ok) {
        for (const record of answer.value) {
          const document = deployedDocument(kind, record, dataset);
          for (const name of Object.keys(record)) {
            if (!Object.hasOwn(document, name)) omittedMembers.add(name);
          }
          const id = idOf(kind, record) ?? dataset ?? '';
          resources.push({
            kind,
            id,
            document: await references.withNames(kind, document),
            stored: document,
          });
        }
      } else if (answer.isFatal) throw new GatherError(answer.reason);
      else reasons.set(dataset ?? '', answer.reason);
    }
    const reason = reasons.get('');
    found.set(kind, { resources, ...(reason !== undefined && { reason }), reasons });
  }
  return {
    kinds: found,
    ...(datasets?.ok && { datasets: names }),
    omittedMembers: [...omittedMembers].sort(),
  };
}

/** Nothing can be read, for example without a connection or a valid token. */
export class GatherError extends Error {
  override readonly name = 'GatherError';
}

/** Returns a record's document. A list's document gets its dataset, which the record doesn't name. */
export function deployedDocument(
  kind: KindName,
  record: Members,
  dataset: string | undefined,
): Members {
  const document = documentOf(kind, record);
  return kinds[kind].listMember === undefined ? document : { dataset, ...document };
}

export function isPerDataset(kind: KindName): boolean {
  return kinds[kind].scope === 'dataset';
}

/** Returns whether a document is empty: a dataset without map fields has an empty list. */
export function isEmpty(kind: KindName, document: Members): boolean {
  const { listMember } = kinds[kind];
  const list = listMember === undefined ? undefined : document[listMember];
  return Array.isArray(list) && list.length === 0;
}

/** Describes a resource: `monitor "Errors"`. */
export function describeResource({
  kind,
  document,
}: Pick<DeployedResource, 'kind' | 'document'>): string {
  return `${kinds[kind].noun} ${JSON.stringify(titleOf(kind, document))}`;
}
