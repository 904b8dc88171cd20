// Carries out steps of a plan, one after the other. What fails does not hold up the others, unless it would happen to
// them as well; planning again finds what is left to do.
import { change, creation, documentOf } from '../documents.ts';
import { type KindName, kinds } from '../kinds.ts';
import { equal, type Members, textAt } from '../value.ts';
import { heldDocument, ofDataset } from './gather.ts';
import { countByKey, keyOf } from './layout.ts';
import { digestOf, type Lock } from './lock.ts';
import { bodyAction, inOrder, type Plan, type Step } from './plan.ts';
import { References } from './references.ts';
import type { Answer, ResourceStore, Running } from './store.ts';

export interface StepResult {
  readonly step: Step;
  readonly outcome: 'done' | 'failed' | 'notDone';
  /** Why it failed, or in what the stored resource differs from the file, as a sentence. */
  readonly reason?: string;
}

export interface ApplyReport {
  readonly results: readonly StepResult[];
  /** Why the rest was not done. */
  readonly ended?: string;
  readonly datasets: readonly string[];
  /** The digest of what the deployment has now, by the path of each file that was applied. */
  readonly applied: ReadonlyMap<string, string>;
}

/** Never throws: a cancel ends it after the request that is under way. */
export async function applySteps(
  store: ResourceStore,
  steps: readonly Step[],
  running: Running = {},
): Promise<ApplyReport> {
  const results: StepResult[] = [];
  const datasets: string[] = [];
  const applied = new Map<string, string>();
  let ended: string | undefined;
  const references = new References(store);
  const namesakes = new Namesakes(store);
  // A person may have chosen them from a list with another order.
  for (const [done, step] of steps.toSorted(inOrder).entries()) {
    if (ended === undefined && running.signal?.aborted) ended = 'Cancelled.';
    if (ended !== undefined) {
      results.push({ step, outcome: 'notDone' });
      continue;
    }
    running.onProgress?.({ done, total: steps.length, message: step.words });
    const resolved = await references.withIds(step.kind, step.after ?? {}, step.stored);
    const answer = resolved.ok
      ? await withDataset({ store, namesakes }, step, resolved.document, datasets)
      : { ...resolved, ends: false };
    references.forget(step.kind);
    if (resolved.ok && answer.ok) {
      const digest = await digestAfter(references, step, answer.value);
      if (digest !== undefined) applied.set(step.path, digest);
      const reason = difference(step, resolved.document, answer.value);
      results.push({ step, outcome: 'done', ...(reason !== undefined && { reason }) });
    } else if (!answer.ok) {
      results.push({ step, outcome: 'failed', reason: answer.reason });
      if (answer.ends) ended = answer.reason;
    }
  }
  return { results, ...(ended !== undefined && { ended }), datasets, applied };
}

/** What the folder knows of the deployment after some steps of a plan. */
export function lockAfter({ lock }: Plan, { results, applied }: ApplyReport): Lock {
  const after = new Map(lock);
  for (const { step, outcome } of results) {
    const digest = applied.get(step.path);
    if (digest !== undefined) after.set(step.path, [digest]);
    else if (outcome === 'done') after.delete(step.path);
  }
  return after;
}

/** The digest of what the service stored; undefined where it has deleted it. */
async function digestAfter(
  references: References,
  { kind, action, after }: Step,
  record: Members | undefined,
): Promise<string | undefined> {
  if (action === 'delete' || record === undefined) return undefined;
  const dataset = textAt(after, ['dataset']);
  return digestOf(await references.withNames(kind, heldDocument(kind, record, dataset)));
}

interface Target {
  readonly store: ResourceStore;
  readonly namesakes: Namesakes;
}

/** Carries out a step, after it has created the dataset that is missing. */
async function withDataset(
  target: Target,
  step: Step,
  after: Members,
  created: string[],
): Promise<Answer<Members | undefined>> {
  const { needsDataset } = step;
  if (needsDataset !== undefined && !created.includes(needsDataset)) {
    const answer = await target.store.createDataset(needsDataset);
    if (!answer.ok) return answer;
    created.push(needsDataset);
  }
  return carryOut(target, step, after);
}

/** `after` is the document to write, with the identifiers of the deployment. */
async function carryOut(
  { store, namesakes }: Target,
  step: Step,
  after: Members,
): Promise<Answer<Members | undefined>> {
  const { kind, action } = step;
  if (bodyAction(step) === 'create') {
    const there = await namesakes.count(kind, after);
    if (!there.ok) return there;
    if (there.value > (step.namesakes ?? 0)) return changedSince('created');
    return store.create(kind, creation(kind, after));
  }
  const dataset = textAt(after, ['dataset']) ?? textAt(step.before, ['dataset']);
  const id = step.id ?? dataset ?? '';
  if (step.stored === undefined) return store.update(kind, id, creation(kind, after));
  const stored = await store.get(kind, id);
  if (!stored.ok) return stored;
  const now = heldDocument(kind, stored.value, kinds[kind].listIn && dataset);
  if (!equal(now, step.stored)) return changedSince('changed');
  if (action !== 'delete') return store.update(kind, id, change(kind, stored.value, after));
  const { listIn } = kinds[kind];
  const deleted =
    listIn === undefined ? await store.delete(kind, id) : await store.update(kind, id, []);
  return deleted.ok ? { ok: true, value: undefined } : deleted;
}

function changedSince(what: 'created' | 'changed'): Answer<never> {
  const reason = `It was ${what} on the deployment after the plan was made. Plan again.`;
  return { ok: false, reason, ends: false };
}

/**
 * How many resources the deployment had with the same key, as of the first create of the kind. A plan may be reviewed
 * for long, and the service creates several of one name.
 */
class Namesakes {
  readonly #store: ResourceStore;
  readonly #counts = new Map<string, Promise<Answer<ReadonlyMap<string | undefined, number>>>>();

  constructor(store: ResourceStore) {
    this.#store = store;
  }

  async count(kind: KindName, document: Members): Promise<Answer<number>> {
    const dataset = ofDataset(kind) ? textAt(document, ['dataset']) : undefined;
    const list = JSON.stringify([kind, dataset]);
    const reading = this.#counts.get(list) ?? this.#read(kind, dataset);
    this.#counts.set(list, reading);
    const counts = await reading;
    return counts.ok ? { ok: true, value: counts.value.get(keyOf(kind, document)) ?? 0 } : counts;
  }

  async #read(
    kind: KindName,
    dataset: string | undefined,
  ): Promise<Answer<ReadonlyMap<string | undefined, number>>> {
    const listed = await this.#store.list(kind, dataset);
    if (!listed.ok) return listed;
    const documents = listed.value.map((record) => heldDocument(kind, record, dataset));
    return { ok: true, value: countByKey(kind, documents) };
  }
}

/** In what the stored resource is not what the file says: a service may add members, or drop those it does not know. */
function difference(
  { kind, action }: Step,
  after: Members,
  record: Members | undefined,
): string | undefined {
  if (action === 'delete' || record === undefined) return undefined;
  const stored = documentOf(kind, record);
  const wanted = kinds[kind].listIn === undefined ? after : { ...after, dataset: undefined };
  const names = [...new Set([...Object.keys(stored), ...Object.keys(wanted)])];
  const differing = names.filter((name) => !equal(stored[name], wanted[name])).sort();
  if (differing.length === 0) return undefined;
  return `The service stored ${differing.join(', ')} differently. Export again to update the folder.`;
}
