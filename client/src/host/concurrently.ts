// Processes a list's items with limited concurrency, for example because a service limits requests.

/**
 * Calls `work` for each item, in their order, with at most `maxConcurrent` calls running. Resolves with the results in
 * the order of the items. After an abort no call starts, and results of items that were not started are undefined.
 * After an error no call starts either, and the result rejects with the first error.
 */
export async function concurrently<Item, Result>(
  items: readonly Item[],
  maxConcurrent: number,
  work: (item: Item, index: number) => Promise<Result>,
  signal?: AbortSignal,
): Promise<(Result | undefined)[]> {
  const results: (Result | undefined)[] = items.map(() => undefined);
  const waiting = items.entries();
  let hasFailed = false;
  const workOnNext = async (): Promise<void> => {
    while (!hasFailed && !signal?.aborted) {
      const { done, value } = waiting.next();
      if (done) return;
      const [index, item] = value;
      try {
        results[index] = await work(item, index);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const workers = Math.max(1, Math.min(maxConcurrent, items.length));
  await Promise.all(Array.from({ length: workers }, workOnNext));
  return results;
}
