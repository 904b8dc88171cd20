// Converts the finished queries of a cell to the form that is kept over a reload, and back. Free of vscode.
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
  /** Returns the name of an answer on disk; undefined if it is not kept. */
  fileOf(answer: AnswerId): string | undefined;
  /** Returns whether a deployment's results are kept. Its failures may quote values, so the rule covers them too. */
  keeps(deployment: string): boolean;
}

/** Converts queries to the form that is kept, and leaves out queries that must not be kept. */
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

/** Reads the queries of a run for the cell with this URI. Fails if one of the answers cannot be read. */
export async function readQueries(
  { outputs }: KeptRun,
  uri: string,
  store: Store,
  runAgain: TabAction,
): Promise<EndedQuery[]> {
  const read: EndedQuery[] = [];
  try {
    for (const output of outputs) {
      // After a reload a cell may have another URI.
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

/** Removes the answers of queries from memory. They stay on disk. */
export async function dropQueries(
  ended: readonly EndedQuery[],
  store: Pick<Store, 'drop'>,
): Promise<void> {
  for (const { state } of ended)
    if (state.kind === 'result') await store.drop(state.answer).catch(() => undefined);
}
