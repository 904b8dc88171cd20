/** Stores with a real worker thread, for tests. */
import { readdir } from 'node:fs/promises';
import { keptAnswer } from '../../../client/src/answers/disk/keptFiles.ts';
import type { HeldAnswer } from '../../../client/src/answers/heldAnswer.ts';
import type { KeptAnswer } from '../../../client/src/answers/protocol.ts';
import { ResultsStore, type StoreOptions } from '../../../client/src/answers/resultsStore.ts';
import type { AnswerAbout } from '../../../table/src/answer.ts';

export const workerFile = new URL('../../../client/src/answers/worker/main.ts', import.meta.url);

export function newStore(options: Partial<StoreOptions> = {}): ResultsStore {
  return new ResultsStore({ worker: workerFile, maxBytes: 512 * 1024 * 1024, ...options });
}

export const about = (title: string, askedAt = 1_763_716_442_000): AnswerAbout => ({
  title,
  query: "['logs']",
  deployment: 'Local',
  startTime: 'now-1h',
  endTime: 'now',
  rangeLabel: 'last 1 hour',
  askedAt,
  statesColumnOrder: false,
});

/** Writes a body to the store in chunks. */
export async function arrive(
  store: ResultsStore,
  body: string | Iterable<Uint8Array>,
  { title = 'logs', keep = false, askedAt = 1_763_716_442_000 } = {},
): Promise<HeldAnswer> {
  const arriving = store.begin(about(title, askedAt), keep);
  for (const chunk of typeof body === 'string' ? [Buffer.from(body)] : body)
    await arriving.write(chunk);
  return await arriving.finish({
    roundTripMilliseconds: 12,
    traceId: 'trace',
    historyId: 'history',
  });
}

/** Reads the headers of the answers in a store's folder, newest first, without those that cannot be read. */
export async function keptAnswers(folder: string): Promise<KeptAnswer[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const read = names.map((name) => keptAnswer(folder, name.slice(0, -'.json'.length)));
  return (await Promise.all(read)).filter((answer) => answer !== undefined).reverse();
}
