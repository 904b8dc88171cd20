/**
 * Answers the client's requests about queries to run: the query at a cursor, entirely or up to a stage, all queries of
 * a document, queries that count the rows after each stage, and the facts, the syntax errors and the follow plan of
 * given text.
 */

import { queryUpTo as cutAt, queriesUpToEach } from '../../../language/src/editing.ts';
import { parseQuery, queryAt as queryAtOffset, syntaxErrors } from '../../../language/src/index.ts';
import { toOffset, toRange } from '../convert.ts';
import type { QueryState, Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import {
  type FollowPlan,
  type FollowPlanParams,
  followPlanRequest,
  type QueryAtParams,
  type QueryAtResult,
  type QueryFactsParams,
  type QueryText,
  type QueryUpToParams,
  type QueryUpToResult,
  queryAtRequest,
  queryFactsRequest,
  queryUpToRequest,
  type StageCountsParams,
  type StageCountsResult,
  type SyntaxErrorAt,
  type SyntaxErrorsParams,
  stageCountsRequest,
  syntaxErrorsRequest,
} from '../protocol.ts';
import { followPlan } from './followPlan.ts';
import { queryFacts } from './queryFacts.ts';
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
    connection.onRequest(queryFactsRequest, ({ text }: QueryFactsParams) =>
      queryFacts(parseQuery(text)),
    );
    connection.onRequest(syntaxErrorsRequest, ({ texts }: SyntaxErrorsParams) =>
      texts.map(firstSyntaxError),
    );
    connection.onRequest<FollowPlan, void>(followPlanRequest, ({ text }: FollowPlanParams) =>
      followPlan(parseQuery(text)),
    );
    connection.onRequest(stageCountsRequest, (params: StageCountsParams) => {
      const now = workspace.snapshot(params.uri);
      return now ? stageCounts(now, params) : [];
    });
  },
};

function firstSyntaxError(text: string): SyntaxErrorAt | null {
  const [first] = syntaxErrors(text);
  return first === undefined ? null : { offset: first.start, message: first.message };
}

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
    facts: queryFacts(parseQuery(cut.text)),
  };
}

export function stageCounts(
  snapshot: Snapshot,
  { position }: StageCountsParams,
): StageCountsResult {
  const offset = toOffset(snapshot.lines, position);
  const query = queryAtOffset(snapshot.queries, offset);
  if (query === undefined) return [];
  const { tree } = query.analysis;
  return queriesUpToEach(tree, offset - query.start).map(({ text, last }) => ({
    // Put the count on a separate line, because the stage may end with a comment.
    text: `${text}\n| count`,
    range: toRange(snapshot.lines, last, query.start),
    title: shortened(
      tree.text
        .slice(last.start, last.end)
        .replace(/^\|\s*/, '')
        .split(/[\r\n]/, 1)[0] ?? '',
    ),
  }));
}

function queryText(snapshot: Snapshot, query: QueryState): QueryText {
  const { tree } = query.analysis;
  return {
    text: tree.text,
    range: toRange(snapshot.lines, query),
    title: titleOf(tree.text, tree),
    facts: queryFacts(tree),
  };
}
