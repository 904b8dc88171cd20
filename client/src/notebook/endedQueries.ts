// Converts a cell's finished queries to and from the form stored across reloads. Does not import vscode.
import type { AnswerHead } from '../../../table/src/answer.ts';
import type { AnswerId } from '../answers/protocol.ts';
import type { ResultsStore } from '../answers/resultsStore.ts';
import type { FailedTabState, ResultTabState, TabAction, TabQuery } from '../answers/tabs.ts';
import type { KeptQuery, KeptRun } from './keptOutputs.ts';

export type EndedQuery = { readonly query: TabQuery } & (
  | { readonly state: ResultTabState; readonly head: AnswerHead }
  | { readonly state: FailedTabState; readonly place?: string }
);

export interface Keeping {
  /** Returns the name of an answer's file; undefined if the answer isn't on disk. */
  fileOf(answer: AnswerId): string | undefined;
  /** Returns whether a deployment's results may be stored. Applies to failures too, because they may quote values. */
  keeps(deployment: string): boolean;
}

/** Converts queries to the stored form. Omits results that aren't on disk, and failures that must not be stored. */
export function keptQueries(
  ended: readonly EndedQuery[],
  { fileOf, keeps }: Keeping,
): readonly KeptQuery[] {
  return ended.flatMap((one): KeptQuery | [] => {
    const { query } = one;
    if ('head' in one) {
      const file = fileOf(one.state.answer);
      return file === undefined ? [] : { query, file };
    }
    if (!keeps(query.deployment ?? '')) return [];
    const { kind: _kind, actions: _actions, ...failure } = one.state;
    const { place } = one;
    return { query, failure, ...(place !== undefined && { place }) };
  });
}

type Store = Pick<ResultsStore, 'restoreKept' | 'drop'>;

/** Reads a stored run's queries for the cell with this URI. Rejects if an answer can't be read. */
export async function readQueries(
  { outputs }: KeptRun,
  uri: string,
  store: Store,
  runAgain: TabAction,
): Promise<EndedQuery[]> {
  const read: EndedQuery[] = [];
  try {
    for (const output of outputs) {
      // Use the cell's current URI, which may have changed since the run.
      const { place, ...others } = output.query;
      const query = { ...others, ...(place && { place: { ...place, uri } }) };
      if ('file' in output) {
        const { id, head } = await store.restoreKept(output.file);
        read.push({ query, state: { kind: 'result', answer: id }, head });
      } else {
        const { failure, place: at } = output;
        const state = { kind: 'failed', ...failure, actions: [runAgain] } as const;
        read.push({ query, state, ...(at !== undefined && { place: at }) });
      }
    }
  } catch (error) {
    await dropQueries(read, store);
    throw error;
  }
  return read;
}

/** Removes the queries' answers from memory, but not from disk. */
export async function dropQueries(
  ended: readonly EndedQuery[],
  store: Pick<Store, 'drop'>,
): Promise<void> {
  for (const { state } of ended)
    if (state.kind === 'result') await store.drop(state.answer).catch(() => undefined);
}
