/** Returns a notebook cell's queries, each preceded by the `let` statements that it needs from earlier cells. */
import { parseQuery } from '../../../language/src/index.ts';
import { emptyScope, letsIn, neededLets } from '../cells.ts';
import { toRange } from '../convert.ts';
import type { QueryState, Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import { type CellQuery, type CellQueryLet, cellQueriesRequest } from '../protocol.ts';
import { queryFacts } from './queryFacts.ts';
import { titleOf } from './queryTitle.ts';

export const cellQueriesFeature: Feature = {
  capabilities: {},
  register(connection, workspace) {
    const snapshotOf = (uri: string) => workspace.snapshot(uri);
    connection.onRequest(
      cellQueriesRequest,
      workspace.answering([], (now) => cellQueries(now, snapshotOf)),
    );
  },
};

export function cellQueries(
  snapshot: Snapshot,
  snapshotOf: (uri: string) => Snapshot | undefined,
): CellQuery[] {
  return snapshot.queries.map((query) => cellQuery(snapshot, query, snapshotOf));
}

function cellQuery(
  snapshot: Snapshot,
  query: QueryState,
  snapshotOf: (uri: string) => Snapshot | undefined,
): CellQuery {
  const { tree, bound } = query.analysis;
  const needed = neededLets(query, snapshot.scope ?? emptyScope);
  let above = '';
  const lets = needed.lets.flatMap(({ name, statement, uri, index }): CellQueryLet[] => {
    const cell = snapshotOf(uri);
    const placed = cell && letsIn(cell)[index];
    const offset = above.length;
    // Start a new line after each statement, so that no line of the text belongs to two cells.
    above += `${statement};\n`;
    if (cell === undefined || placed === undefined) return [];
    const start = placed.bound.start;
    const range = toRange(cell.lines, { start, end: start + statement.length }, placed.query.start);
    return [{ name, offset, length: statement.length, uri, range }];
  });
  const text = above + tree.text;
  return {
    text,
    range: toRange(snapshot.lines, query),
    title: titleOf(tree.text, tree),
    facts: queryFacts(above === '' ? tree : parseQuery(text)),
    above: above.length,
    lets,
    declares: bound.lets.map(({ name }) => name),
    runs: bound.pipelines.length > 0,
    ...(needed.conflict === undefined ? {} : { conflict: needed.conflict }),
  };
}
