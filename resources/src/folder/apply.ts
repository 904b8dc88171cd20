// Applies the steps of a plan one by one. A failed step doesn't stop the others, unless they would fail for the same
// reason. Planning again finds the remaining steps.
import { creationBody, documentOf, updateBody } from '../documents.ts';
import { type KindName, kinds } from '../kinds.ts';
import { equal, type Members, textAt } from '../value.ts';
import { deployedDocument, isPerDataset } from './gather.ts';
import { countByKey, keyOf } from './layout.ts';
import { digestOf, type Lock } from './lock.ts';
import { bodyAction, compareSteps, type Plan, type Step } from './plan.ts';
import { References } from './references.ts';
import type { OperationContext, ResourceStore, StoreResult } from './store.ts';

export interface StepResult {
  readonly step: Step;
  readonly outcome: 'done' | 'failed' | 'notDone';
  /** The failure, or the members the service stored differently, as a sentence. */
  readonly reason?: string;
}

export interface ApplyReport {
  readonly results: readonly StepResult[];
  /** The reason the remaining steps weren't applied. */
  readonly stopReason?: string;
  readonly datasets: readonly string[];
  /** The digest of the deployment's current document, by the path of each applied file. */
  readonly applied: ReadonlyMap<string, string>;
}

/** Applies steps. Never throws: canceling ends it after the current request. */
export async function applySteps(
  store: ResourceStore,
  steps: readonly Step[],
  context: OperationContext = {},
): Promise<ApplyReport> {
  const results: StepResult[] = [];
  const datasets: string[] = [];
  const applied = new Map<string, string>();
  let stopReason: string | undefined;
  const references = new References(store);
  const sameKeyCounter = new SameKeyCounter(store);
  // The user may have chosen them from a list with another order.
  for (const [done, step] of steps.toSorted(compareSteps).entries()) {
    if (stopReason === undefined && context.signal?.aborted) stopReason = 'Cancelled.';
    if (stopReason !== undefined) {
      results.push({ step, outcome: 'notDone' });
      continue;
    }
    context.onProgress?.({ done, total: steps.length, message: step.label });
    const resolved = await references.withIds(step.kind, step.after ?? {}, step.stored);
    const answer = resolved.ok
      ? await applyWithDataset({ store, sameKeyCounter }, step, resolved.document, datasets)
      : { ...resolved, isFatal: false };
    references.forget(step.kind);
    if (resolved.ok && answer.ok) {
      const digest = await digestAfter(references, step, answer.value);
      if (digest !== undefined) applied.set(step.path, digest);
      const reason = difference(step, resolved.document, answer.value);
      results.push({ step, outcome: 'done', ...(reason !== undefined && { reason }) });
    } else if (!answer.ok) {
      results.push({ step, outcome: 'failed', reason: answer.reason });
      if (answer.isFatal) stopReason = answer.reason;
    }
  }
  return { results, ...(stopReason !== undefined && { stopReason }), datasets, applied };
}

/** Returns the lock after some steps of a plan were applied. */
export function lockAfter({ lock }: Plan, { results, applied }: ApplyReport): Lock {
  const after = new Map(lock);
  for (const { step, outcome } of results) {
    const digest = applied.get(step.path);
    if (digest !== undefined) after.set(step.path, [digest]);
    else if (outcome === 'done') after.delete(step.path);
  }
  return after;
}

/** Returns the digest of the record the service stored; undefined if it was deleted. */
async function digestAfter(
  references: References,
  { kind, action, after }: Step,
  record: Members | undefined,
): Promise<string | undefined> {
  if (action === 'delete' || record === undefined) return undefined;
  const dataset = textAt(after, ['dataset']);
  return digestOf(await references.withNames(kind, deployedDocument(kind, record, dataset)));
}

interface Target {
  readonly store: ResourceStore;
  readonly sameKeyCounter: SameKeyCounter;
}

/** Applies a step, after creating the dataset if it is missing. */
async function applyWithDataset(
  target: Target,
  step: Step,
  after: Members,
  created: string[],
): Promise<StoreResult<Members | undefined>> {
  const { needsDataset } = step;
  if (needsDataset !== undefined && !created.includes(needsDataset)) {
    const answer = await target.store.createDataset(needsDataset);
    if (!answer.ok) return answer;
    created.push(needsDataset);
  }
  return applyStep(target, step, after);
}

/** Applies a step. `after` is the document to write, with the deployment's identifiers. */
async function applyStep(
  { store, sameKeyCounter }: Target,
  step: Step,
  after: Members,
): Promise<StoreResult<Members | undefined>> {
  const { kind, action } = step;
  if (bodyAction(step) === 'create') {
    const count = await sameKeyCounter.count(kind, after);
    if (!count.ok) return count;
    if (count.value > (step.sameKeyCount ?? 0)) return changedSince('created');
    return store.create(kind, creationBody(kind, after));
  }
  const dataset = textAt(after, ['dataset']) ?? textAt(step.before, ['dataset']);
  const id = step.id ?? dataset ?? '';
  if (step.stored === undefined) return store.update(kind, id, creationBody(kind, after));
  const stored = await store.get(kind, id);
  if (!stored.ok) return stored;
  const now = deployedDocument(kind, stored.value, kinds[kind].listMember && dataset);
  if (!equal(now, step.stored)) return changedSince('changed');
  if (action !== 'delete') return store.update(kind, id, updateBody(kind, stored.value, after));
  const { listMember } = kinds[kind];
  const deleted =
    listMember === undefined ? await store.delete(kind, id) : await store.update(kind, id, []);
  return deleted.ok ? { ok: true, value: undefined } : deleted;
}

function changedSince(what: 'created' | 'changed'): StoreResult<never> {
  const reason = `It was ${what} on the deployment after the plan was made. Plan again.`;
  return { ok: false, reason, isFatal: false };
}

/**
 * Counts the deployment's resources with the same key, as of the first creation of the kind. A plan may be under review
 * for a long time, and the service allows duplicate names.
 */
class SameKeyCounter {
  readonly #store: ResourceStore;
  readonly #counts = new Map<
    string,
    Promise<StoreResult<ReadonlyMap<string | undefined, number>>>
  >();

  constructor(store: ResourceStore) {
    this.#store = store;
  }

  async count(kind: KindName, document: Members): Promise<StoreResult<number>> {
    const dataset = isPerDataset(kind) ? textAt(document, ['dataset']) : undefined;
    const list = JSON.stringify([kind, dataset]);
    const reading = this.#counts.get(list) ?? this.#read(kind, dataset);
    this.#counts.set(list, reading);
    const counts = await reading;
    return counts.ok ? { ok: true, value: counts.value.get(keyOf(kind, document)) ?? 0 } : counts;
  }

  async #read(
    kind: KindName,
    dataset: string | undefined,
  ): Promise<StoreResult<ReadonlyMap<string | undefined, number>>> {
    const listed = await this.#store.list(kind, dataset);
    if (!listed.ok) return listed;
    const documents = listed.value.map((record) => deployedDocument(kind, record, dataset));
    return { ok: true, value: countByKey(kind, documents) };
  }
}

/** Describes how the stored resource differs from the file. A service may add members or drop unknown ones. */
function difference(
  { kind, action }: Step,
  after: Members,
  record: Members | undefined,
): string | undefined {
  if (action === 'delete' || record === undefined) return undefined;
  const stored = documentOf(kind, record);
  const expected = kinds[kind].listMember === undefined ? after : { ...after, dataset: undefined };
  const names = [...new Set([...Object.keys(stored), ...Object.keys(expected)])];
  const differing = names.filter((name) => !equal(stored[name], expected[name])).sort();
  if (differing.length === 0) return undefined;
  return `The service stored ${differing.join(', ')} differently. Export again to update the folder.`;
}
