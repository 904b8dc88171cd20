// Edits that the extension is about to make, such as removing a pipe. A run waits for them, because the document's text
// is temporary until then.

import { setTimeout as sleep } from 'node:timers/promises';

const maxWaitMs = 2_000;

const pending = new WeakMap<object, Set<Promise<unknown>>>();

export function editing<T>(document: object, work: Promise<T>): Promise<T> {
  const all = pending.get(document) ?? new Set();
  pending.set(document, all.add(work));
  const end = () => void all.delete(work);
  work.then(end, end);
  return work;
}

/** Resolves once a document has no pending edits, after `maxMs` at the latest. Never rejects. */
export async function settled(document: object, maxMs = maxWaitMs): Promise<void> {
  const deadline = Date.now() + maxMs;
  for (let all = pending.get(document); all?.size; all = pending.get(document)) {
    const left = deadline - Date.now();
    if (left <= 0) return;
    const waiting = new AbortController();
    const expired = sleep(left, undefined, { signal: waiting.signal }).catch(() => undefined);
    await Promise.race([Promise.allSettled(all), expired]);
    waiting.abort();
  }
}
