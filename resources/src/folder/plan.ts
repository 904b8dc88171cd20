// Plans the changes to apply a folder to a deployment. Planning writes nothing.
import { naturalOrder } from '../../../api/src/plain.ts';
import { creationBody, documentText, updateBody } from '../documents.ts';
import { type KindName, kinds } from '../kinds.ts';
import { formatPaths, maskedPaths, restoreSecrets } from '../secrets.ts';
import { equal, type Members, textAt } from '../value.ts';
import { exportedDocument, type FolderHistory } from './exportedDocument.ts';
import {
  type DeployedKind,
  type DeployedResource,
  describeResource,
  gather,
  isEmpty,
} from './gather.ts';
import { KnownDigests } from './knownDigests.ts';
import { countByKey, notWritableReason, resourceFiles } from './layout.ts';
import { digestOf, type Lock } from './lock.ts';
import { matchFiles } from './match.ts';
import type { Entry, FolderContent } from './readFolder.ts';
import { References } from './references.ts';
import type { OperationContext, ResourceStore } from './store.ts';

export type Action = 'create' | 'change' | 'delete';

/** One planned change. */
export interface Step {
  readonly action: Action;
  readonly kind: KindName;
  /** The JSON file, or the one the resource would have. */
  readonly path: string;
  /** The resource in words, such as `monitor "Errors"`. */
  readonly label: string;
  /** The identifier on the deployment; absent if the resource doesn't exist there. */
  readonly id?: string;
  /** The documents of the deployment and of the folder, both in the folder's form. */
  readonly before?: Members;
  readonly after?: Members;
  /** The document in the deployment's form. */
  readonly stored?: Members;
  /** For a create: the number of resources on the deployment with the same key. */
  readonly sameKeyCount?: number;
  /** A missing dataset, which is created first. */
  readonly needsDataset?: string;
  /** Set if the step would undo a change made on the deployment since the export. */
  readonly conflict?: Conflict;
  /** The exported document, if it is known and both sides changed it since. */
  readonly base?: Members;
}

/** The side that changed: only the deployment, or the folder too. */
export type Conflict = 'deployment' | 'both';

/** A change that can't be applied, and the reason. */
export interface Refusal {
  readonly path: string;
  readonly label: string;
  readonly reason: string;
}

export interface Plan {
  readonly steps: readonly Step[];
  /** Steps that would undo a deployment change the folder has never had. They aren't part of `steps`. */
  readonly conflicts: readonly Step[];
  readonly unchanged: readonly string[];
  readonly refused: readonly Refusal[];
  /** Resources without a file that are kept, in words. */
  readonly kept: readonly string[];
  /** Unreferenced files. */
  readonly unused: readonly string[];
  /** The folder's lock before any step is applied. */
  readonly lock: Lock;
  /** Whether the folder has no lock, so conflicts can't be detected. */
  readonly isUnguarded: boolean;
}

export interface PlanOptions extends OperationContext {
  /** Delete resources without a file, of the kinds whose resources are all in the folder. */
  readonly deletes: boolean;
  /** The actions to plan as steps despite a conflict. */
  readonly overwrites?: readonly Action[];
  /** The source of exported documents for conflicts. */
  readonly history?: FolderHistory;
}

/**
 * Compares a deployment with a folder whose files have no problems.
 * @throws Cancelled, GatherError.
 */
export async function planApply(
  store: ResourceStore,
  content: FolderContent,
  options: PlanOptions,
): Promise<Plan> {
  const references = new References(store);
  const deployment = await gather(store, content.kinds, options, references);
  const steps: Step[] = [];
  const conflicts: Step[] = [];
  const unchanged: string[] = [];
  const knownDigests = new KnownDigests(content);
  const refused: Refusal[] = [];
  const kept: string[] = [];
  const datasets = deployment.datasets && new Set(deployment.datasets);
  const planned = new Set<string>();
  const isPlanned = (to: KindName, name: string) => planned.has(`${to} ${name}`);
  const add = (step: Step) => {
    if (step.conflict !== undefined && !options.overwrites?.includes(step.action)) {
      conflicts.push(step);
      return;
    }
    steps.push(step);
    const name = textAt(step.after, kinds[step.kind].name);
    if (name !== undefined) planned.add(`${step.kind} ${name}`);
  };
  const withBase = async (step: Step): Promise<Step> => {
    const { kind, path } = step;
    const { history } = options;
    const document =
      history &&
      (await exportedDocument(path, history, async (earlier) =>
        knownDigests.isKnown(kind, digestOf(await references.withNames(kind, earlier))),
      ));
    return document ? { ...step, base: await references.withNames(kind, document) } : step;
  };
  for (const kind of content.kinds.toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))) {
    const deployedKind = deployment.kinds.get(kind) as DeployedKind;
    const entries: Entry[] = [];
    for (const entry of content.entries.filter((one) => one.kind === kind)) {
      const document = await references.withNames(kind, entry.document);
      entries.push({ ...entry, document });
    }
    const pairs = matchFiles(kind, entries, deployedKind.resources, content.lock);
    const counts = countByKey(
      kind,
      deployedKind.resources.map(({ document }) => document),
    );
    for (const { entry, deployed } of pairs.entries) {
      const { path, document } = entry;
      const hasSame = deployed !== undefined && equal(deployed.document, document);
      knownDigests.record(kind, path, deployed, hasSame);
      const label = describeResource(entry);
      const reason = unreadableReason(entry, deployedKind);
      if (reason !== undefined) refused.push({ path, label, reason });
      else if (hasSame) unchanged.push(path);
      else {
        const conflict = knownDigests.conflict(kind, deployed, document);
        const step = createStep(entry, deployed, datasets, counts, conflict);
        const why = await refusalReason(store, references, step, isPlanned);
        if (why !== undefined) refused.push({ path, label, reason: why });
        else add(conflict === 'both' ? await withBase(step) : step);
      }
    }
    knownDigests.dropRemoved(kind, pairs, deployedKind);
    for (const { deployed, stem } of pairs.withoutFile) {
      if (isEmpty(kind, deployed.document)) continue;
      // A resource that couldn't be exported has no file for that reason only.
      const isWritable = notWritableReason(kind, deployed.document) === undefined;
      if (!options.deletes || !content.complete.includes(kind) || !isWritable)
        kept.push(describeResource(deployed));
      else {
        const path = `${kinds[kind].folder}/${stem}.json`;
        const { id, document: before, stored } = deployed;
        const conflict = knownDigests.conflict(kind, deployed);
        const about = { id, before, stored, ...(conflict && { conflict }) };
        add({ action: 'delete', kind, path, label: describeResource(deployed), ...about });
      }
    }
  }
  return {
    steps: steps.toSorted(compareSteps),
    conflicts: conflicts.toSorted(compareSteps),
    unchanged,
    refused,
    kept,
    unused: content.unused,
    lock: knownDigests.lock,
    isUnguarded: content.lock === undefined,
  };
}

/** The order of kinds: referenced kinds come first. Deletions come last, in the opposite order. */
const ORDER: readonly KindName[] = [
  'mapFields',
  'virtualFields',
  'views',
  'savedQueries',
  'annotations',
  'notifiers',
  'monitors',
  'dashboards',
];

export function compareSteps(a: Step, b: Step): number {
  const deletes = Number(a.action === 'delete') - Number(b.action === 'delete');
  if (deletes !== 0) return deletes;
  const kindsApart = ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind);
  if (kindsApart !== 0) return a.action === 'delete' ? -kindsApart : kindsApart;
  return naturalOrder(a.path, b.path);
}

function createStep(
  entry: Entry,
  deployed: DeployedResource | undefined,
  datasets: ReadonlySet<string> | undefined,
  counts: ReadonlyMap<string | undefined, number>,
  conflict: Conflict | undefined,
): Step {
  const { kind, path, document, key } = entry;
  const dataset = kinds[kind].scope === 'dataset' ? textAt(document, ['dataset']) : undefined;
  const isMissing = dataset !== undefined && datasets !== undefined && !datasets.has(dataset);
  return {
    action: deployed === undefined || isEmpty(kind, deployed.document) ? 'create' : 'change',
    kind,
    path,
    label: describeResource(entry),
    ...(deployed === undefined
      ? { sameKeyCount: counts.get(key) ?? 0 }
      : { id: deployed.id, before: deployed.document, stored: deployed.stored }),
    after: document,
    ...(isMissing && { needsDataset: dataset }),
    ...(conflict && { conflict }),
  };
}

/** Returns whether the service creates or updates a resource. Each dataset's list always exists. */
export function bodyAction({ kind, id }: Step): 'create' | 'update' {
  return id === undefined && kinds[kind].endpoints.create !== undefined ? 'create' : 'update';
}

/** Returns the reason a step can't be applied after the planned ones; undefined if it can. */
async function refusalReason(
  store: ResourceStore,
  references: References,
  step: Step,
  isPlanned: (kind: KindName, name: string) => boolean,
): Promise<string | undefined> {
  const { kind, after = {} } = step;
  const masks = maskedPaths(kind, after);
  if (bodyAction(step) === 'create' && masks.length > 0) {
    return `An export leaves out ${formatPaths(masks)}, which is secret. Create the ${kinds[kind].noun} on the deployment, under the same name, then apply again.`;
  }
  const { missing } = restoreSecrets(kind, after, step.stored ?? {});
  if (missing.length > 0) {
    return `The deployment has no stored value for ${formatPaths(missing)}. Change the ${kinds[kind].noun} on the deployment, then export again.`;
  }
  const resolved = await references.withIds(kind, after, step.stored, isPlanned);
  if (!resolved.ok) return resolved.reason;
  const body = bodyOf(step, resolved.document);
  const problems = await store.problems(kind, bodyAction(step), body);
  return problems.length === 0 ? undefined : problems.map(sentence).join(' ');
}

function bodyOf(step: Step, after: Members): unknown {
  const { kind, stored: before } = step;
  if (bodyAction(step) === 'create' || before === undefined) return creationBody(kind, after);
  const { version } = kinds[kind];
  // The record and its version are read again before the change.
  return updateBody(kind, version === undefined ? before : { ...before, [version]: 0 }, after);
}

function unreadableReason(
  { kind, document }: Entry,
  deployedKind: DeployedKind,
): string | undefined {
  if (deployedKind.reason !== undefined) return deployedKind.reason;
  const dataset = kinds[kind].scope === 'dataset' ? textAt(document, ['dataset']) : undefined;
  return dataset === undefined ? undefined : deployedKind.reasons.get(dataset);
}

/** Ends text with a period. Doesn't capitalize it, because it starts with a member's name. */
function sentence(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`;
}

/** Returns both sides of a step as text, with the APL on separate lines; empty for a missing side. */
export function sideTexts(step: Step): { readonly before: string; readonly after: string } {
  const stem = step.path.slice(step.path.indexOf('/') + 1, -'.json'.length);
  const text = (document: Members | undefined) =>
    document === undefined ? '' : reviewText(step.kind, document, stem);
  return { before: text(step.before), after: text(step.after) };
}

function reviewText(kind: KindName, document: Members, stem: string): string {
  const [json, ...apl] = resourceFiles(kind, document, stem).files;
  const parts = apl.map(({ path, text }) => `\n// ${path}\n${text}`);
  return `${json?.text ?? documentText(document)}${parts.join('')}`;
}
