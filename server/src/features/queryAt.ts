/** The query to run for a cursor, up to its end or up to one stage, or all queries of a document. */

import { queryUpTo as cutAt } from '../../../language/src/editing.ts';
import { parseQuery, queryAt as queryAtOffset } from '../../../language/src/index.ts';
import { toOffset, toRange } from '../convert.ts';
import type { QueryState, Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import {
  type QueryAtParams,
  type QueryAtResult,
  type QueryText,
  type QueryUpToParams,
  type QueryUpToResult,
  queryAtRequest,
  queryUpToRequest,
  type StatesColumnOrderParams,
  statesColumnOrderRequest,
} from '../protocol.ts';
import { statesColumnOrder } from './columnOrder.ts';
import { shortened, titleOf } from './queryTitle.ts';

export const queryAtFeature: Feature = {
  capabilities: {},
  register(connection, workspace) {
    connection.onRequest(queryAtRequest, (params: QueryAtParams) => {
      const now = workspace.snapshot(params.uri);
      return now ? queryAt(now, params) : [];
    });
    connection.onRequest(queryUpToRequest, (params: QueryUpToParams) => {
      const now = workspace.snapshot(params.uri);
      return now ? queryUpTo(now, params) : null;
    });
    connection.onRequest(statesColumnOrderRequest, ({ text }: StatesColumnOrderParams) =>
      statesColumnOrder(parseQuery(text)),
    );
  },
};

export function queryAt(snapshot: Snapshot, params: QueryAtParams): QueryAtResult {
  if (params.position === undefined)
    return snapshot.queries.map((query) => queryText(snapshot, query));
  const query = queryAtOffset(snapshot.queries, toOffset(snapshot.lines, params.position));
  return query === undefined ? [] : [queryText(snapshot, query)];
}

export function queryUpTo(snapshot: Snapshot, { position }: QueryUpToParams): QueryUpToResult {
  const offset = toOffset(snapshot.lines, position);
  const query = queryAtOffset(snapshot.queries, offset);
  if (query === undefined) return null;
  const { tree } = query.analysis;
  const cut = cutAt(tree, offset - query.start);
  if (cut === undefined) return null;
  const [last] = tree.text.slice(cut.last.start, cut.last.end).split(/[\r\n]/, 1);
  return {
    text: cut.text,
    range: toRange(snapshot.lines, cut, query.start),
    title: `${titleOf(tree.text, tree)}, up to ${shortened(last ?? '')}`,
    statesColumnOrder: statesColumnOrder(parseQuery(cut.text)),
  };
}

function queryText(snapshot: Snapshot, query: QueryState): QueryText {
  const { tree } = query.analysis;
  return {
    text: tree.text,
    range: toRange(snapshot.lines, query),
    title: titleOf(tree.text, tree),
    statesColumnOrder: statesColumnOrder(tree),
  };
}
