// What applying a folder to a deployment would do, as a value: nothing is written to make one.
import { naturalOrder } from '../../../api/src/plain.ts';
import { change, creation, documentText } from '../documents.ts';
import { type KindName, kinds } from '../kinds.ts';
import { maskedPaths, pathsInWords, unmasked } from '../secrets.ts';
import { equal, type Members, textAt } from '../value.ts';
import { exportedDocument, type FolderHistory } from './base.ts';
import { gather, type Held, type HeldKind, inWords, isEmpty } from './gather.ts';
import { Knowledge } from './knowledge.ts';
import { countByKey, notWritable, resourceFiles } from './layout.ts';
import { digestOf, type Lock } from './lock.ts';
import { matched } from './match.ts';
import type { Entry, FolderContent } from './readFolder.ts';
import { References } from './references.ts';
import type { ResourceStore, Running } from './store.ts';

export type Action = 'create' | 'change' | 'delete';

/** One thing to do. */
export interface Step {
  readonly action: Action;
  readonly kind: KindName;
  /** The JSON file; where the resource has none, the file that it would have. */
  readonly path: string;
  /** `monitor "Errors"` */
  readonly words: string;
  /** The identifier on the deployment; absent for what is to be created. */
  readonly id?: string;
  /** The document on the deployment, and the one of the folder, both as a folder has them. */
  readonly before?: Members;
  readonly after?: Members;
  /** The document on the deployment as it is there. */
  readonly stored?: Members;
  /** Of what is to be created: how many resources with the same key the deployment has. */
  readonly namesakes?: number;
  /** A dataset that is not there yet and is created first. */
  readonly needsDataset?: string;
  /** Where it was changed since the export, if the step would undo a change on the deployment. */
  readonly conflict?: Conflict;
  /** The document as it was exported, if both sides changed it since and it is known. */
  readonly base?: Members;
}

/** On the deployment alone, or in the folder as well. */
export type Conflict = 'deployment' | 'both';

/** What cannot be done, and why. */
export interface Refusal {
  readonly path: string;
  readonly words: string;
  readonly reason: string;
}

export interface Plan {
  readonly steps: readonly Step[];
  /** What would undo a change on the deployment that the folder has never had; not among the steps. */
  readonly conflicts: readonly Step[];
  readonly unchanged: readonly string[];
  readonly refused: readonly Refusal[];
  /** Resources without a file that stay, in words. */
  readonly kept: readonly string[];
  /** Files that nothing refers to. */
  readonly unused: readonly string[];
  /** What the folder knows of the deployment before any step is carried out. */
  readonly lock: Lock;
  /** Whether the folder does not say what was exported, so that no conflict can be found. */
  readonly isUnguarded: boolean;
}

export interface PlanOptions extends Running {
  /** Delete resources that have no file, of the kinds that the folder holds all resources of. */
  readonly deletes: boolean;
  /** The actions whose conflicts are planned as steps. */
  readonly overwrites?: readonly Action[];
  /** Where the exported documents of conflicts are found. */
  readonly history?: FolderHistory;
}

/**
 * Compares a folder, whose files have no problems, with a deployment.
 * @throws Cancelled, GatherError.
 */
export async function planApply(
  store: ResourceStore,
  content: FolderContent,
  options: PlanOptions,
): Promise<Plan> {
  const references = new References(store);
  const holdings = await gather(store, content.kinds, options, references);
  const steps: Step[] = [];
  const conflicts: Step[] = [];
  const unchanged: string[] = [];
  const knowledge = new Knowledge(content);
  const refused: Refusal[] = [];
  const kept: string[] = [];
  const datasets = holdings.datasets && new Set(holdings.datasets);
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
        knowledge.isKnown(kind, digestOf(await references.withNames(kind, earlier))),
      ));
    return document ? { ...step, base: await references.withNames(kind, document) } : step;
  };
  for (const kind of content.kinds.toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))) {
    const holding = holdings.kinds.get(kind) as HeldKind;
    const entries: Entry[] = [];
    for (const entry of content.entries.filter((one) => one.kind === kind)) {
      const document = await references.withNames(kind, entry.document);
      entries.push({ ...entry, document });
    }
    const pairs = matched(kind, entries, holding.held, content.lock);
    const counts = countByKey(
      kind,
      holding.held.map(({ document }) => document),
    );
    for (const { entry, held } of pairs.both) {
      const { path, document } = entry;
      const hasSame = held !== undefined && equal(held.document, document);
      knowledge.note(kind, path, held, hasSame);
      const words = inWords(entry);
      const reason = unreadable(entry, holding);
      if (reason !== undefined) refused.push({ path, words, reason });
      else if (hasSame) unchanged.push(path);
      else {
        const conflict = knowledge.conflict(kind, held, document);
        const step = stepFor(entry, held, datasets, counts, conflict);
        const why = await refusal(store, references, step, isPlanned);
        if (why !== undefined) refused.push({ path, words, reason: why });
        else add(conflict === 'both' ? await withBase(step) : step);
      }
    }
    knowledge.keepOnly(kind, pairs, holding);
    for (const { held, stem } of pairs.onDeployment) {
      if (isEmpty(kind, held.document)) continue;
      // What an export could not write has no file for that reason alone.
      const isWritable = notWritable(kind, held.document) === undefined;
      if (!options.deletes || !content.complete.includes(kind) || !isWritable)
        kept.push(inWords(held));
      else {
        const path = `${kinds[kind].folder}/${stem}.json`;
        const { id, document: before, stored } = held;
        const conflict = knowledge.conflict(kind, held);
        const about = { id, before, stored, ...(conflict && { conflict }) };
        add({ action: 'delete', kind, path, words: inWords(held), ...about });
      }
    }
  }
  return {
    steps: steps.toSorted(inOrder),
    conflicts: conflicts.toSorted(inOrder),
    unchanged,
    refused,
    kept,
    unused: content.unused,
    lock: knowledge.lock,
    isUnguarded: content.lock === undefined,
  };
}

/** Kinds that others may refer to come first; what is deleted goes in the opposite order, last. */
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

export function inOrder(a: Step, b: Step): number {
  const deletes = Number(a.action === 'delete') - Number(b.action === 'delete');
  if (deletes !== 0) return deletes;
  const kindsApart = ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind);
  if (kindsApart !== 0) return a.action === 'delete' ? -kindsApart : kindsApart;
  return naturalOrder(a.path, b.path);
}

function stepFor(
  entry: Entry,
  held: Held | undefined,
  datasets: ReadonlySet<string> | undefined,
  counts: ReadonlyMap<string | undefined, number>,
  conflict: Conflict | undefined,
): Step {
  const { kind, path, document, key } = entry;
  const dataset = kinds[kind].of === 'dataset' ? textAt(document, ['dataset']) : undefined;
  const isMissing = dataset !== undefined && datasets !== undefined && !datasets.has(dataset);
  return {
    action: held === undefined || isEmpty(kind, held.document) ? 'create' : 'change',
    kind,
    path,
    words: inWords(entry),
    ...(held === undefined
      ? { namesakes: counts.get(key) ?? 0 }
      : { id: held.id, before: held.document, stored: held.stored }),
    after: document,
    ...(isMissing && { needsDataset: dataset }),
    ...(conflict && { conflict }),
  };
}

/** Whether the service creates a resource or changes one: of a list per dataset there is always one. */
export function bodyAction({ kind, id }: Step): 'create' | 'update' {
  return id === undefined && kinds[kind].endpoints.create !== undefined ? 'create' : 'update';
}

/** Why a step cannot be carried out after those that are planned; undefined where it can. */
async function refusal(
  store: ResourceStore,
  references: References,
  step: Step,
  isPlanned: (kind: KindName, name: string) => boolean,
): Promise<string | undefined> {
  const { kind, after = {} } = step;
  const masks = maskedPaths(kind, after);
  if (bodyAction(step) === 'create' && masks.length > 0) {
    return `An export leaves out ${pathsInWords(masks)}, which is secret. Create the ${kinds[kind].noun} on the deployment, under the same name, then apply again.`;
  }
  const { missing } = unmasked(kind, after, step.stored ?? {});
  if (missing.length > 0) {
    return `The deployment has no stored value for ${pathsInWords(missing)}. Change the ${kinds[kind].noun} on the deployment, then export again.`;
  }
  const resolved = await references.withIds(kind, after, step.stored, isPlanned);
  if (!resolved.ok) return resolved.reason;
  const body = bodyOf(step, resolved.document);
  const problems = await store.problems(kind, bodyAction(step), body);
  return problems.length === 0 ? undefined : problems.map(sentence).join(' ');
}

function bodyOf(step: Step, after: Members): unknown {
  const { kind, stored: before } = step;
  if (bodyAction(step) === 'create' || before === undefined) return creation(kind, after);
  const { version } = kinds[kind];
  // The record is read again, with its version, before it is changed.
  return change(kind, version === undefined ? before : { ...before, [version]: 0 }, after);
}

function unreadable({ kind, document }: Entry, holding: HeldKind): string | undefined {
  if (holding.reason !== undefined) return holding.reason;
  const dataset = kinds[kind].of === 'dataset' ? textAt(document, ['dataset']) : undefined;
  return dataset === undefined ? undefined : holding.reasons.get(dataset);
}

/** Starts with the name of a member, which keeps its case. */
function sentence(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`;
}

/** Both sides of a step as text, the APL on separate lines; empty where there is nothing. */
export function sides(step: Step): { readonly before: string; readonly after: string } {
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
