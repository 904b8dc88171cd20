/**
 * Edits that the extension is about to make, such as taking away a pipe that Enter has put. A run waits for
 * those of its document: right after typing, the text is one that the editor shows for a moment only.
 */

const maxWaitMs = 2_000;

/** By document, what may still edit it. */
const pending = new WeakMap<object, Set<Promise<unknown>>>();

/** Announces work that may end in an edit of a document. Returns the work. */
export function editing<T>(document: object, work: Promise<T>): Promise<T> {
  const all = pending.get(document) ?? new Set();
  pending.set(document, all.add(work));
  const end = () => void all.delete(work);
  work.then(end, end);
  return work;
}

/** Resolves when nothing that may edit a document is pending, at the latest after `maxMs`. Never rejects. */
export async function settled(document: object, maxMs = maxWaitMs): Promise<void> {
  const deadline = Date.now() + maxMs;
  for (let all = pending.get(document); all?.size; all = pending.get(document)) {
    const left = deadline - Date.now();
    if (left <= 0) return;
    let timer: NodeJS.Timeout | undefined;
    const expired = new Promise((resolve) => {
      timer = setTimeout(resolve, left);
    });
    await Promise.race([Promise.allSettled(all), expired]);
    clearTimeout(timer);
  }
}
