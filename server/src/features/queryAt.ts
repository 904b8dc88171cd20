/** The query to run for a cursor, or all queries of a document. */

import { queryAt as queryAtOffset } from '../../../language/src/index.ts';
import { toOffset, toRange } from '../convert.ts';
import type { QueryState, Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import {
  type QueryAtParams,
  type QueryAtResult,
  type QueryText,
  queryAtRequest,
} from '../protocol.ts';

export const queryAtFeature: Feature = {
  capabilities: {},
  register(connection, workspace) {
    connection.onRequest(queryAtRequest, (params: QueryAtParams) => {
      const now = workspace.snapshot(params.uri);
      return now ? queryAt(now, params) : [];
    });
  },
};

export function queryAt(snapshot: Snapshot, params: QueryAtParams): QueryAtResult {
  if (params.position === undefined)
    return snapshot.queries.map((query) => queryText(snapshot, query));
  const query = queryAtOffset(snapshot.queries, toOffset(snapshot.lines, params.position));
  return query === undefined ? [] : [queryText(snapshot, query)];
}

function queryText(snapshot: Snapshot, query: QueryState): QueryText {
  return {
    text: query.analysis.tree.text,
    range: toRange(snapshot.lines, query),
    title: titleOf(query.analysis.tree.text),
  };
}

const longestTitle = 80;

/** The comment just above the query's first word, or else its first line. */
export function titleOf(text: string): string {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  const first = lines.findIndex((line) => line !== '' && !line.startsWith('//'));
  const above = lines[first - 1];
  const comment = above?.startsWith('//') ? above.replace(/^\/+\s*/, '') : '';
  const title = comment !== '' ? comment : (lines[first] ?? '');
  return title.length > longestTitle ? `${title.slice(0, longestTitle - 1)}…` : title;
}
