/** Handles the client's requests about runnable queries, in a document or in a given text. */
import { queryUpTo as cutAt, queriesUpToEach } from '../../../language/src/editing.ts';
import { parseQuery, type Span, syntaxErrors } from '../../../language/src/index.ts';
import { toRange } from '../convert.ts';
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
    connection.onRequest(queryAtRequest, workspace.answering([], queryAt));
    connection.onRequest(queryUpToRequest, workspace.answering(null, queryUpTo));
    connection.onRequest(stageCountsRequest, workspace.answering([], stageCounts));
    connection.onRequest(queryFactsRequest, ({ text }: QueryFactsParams) =>
      queryFacts(parseQuery(text)),
    );
    connection.onRequest(syntaxErrorsRequest, ({ texts }: SyntaxErrorsParams) =>
      texts.map(firstSyntaxError),
    );
    connection.onRequest<FollowPlan, void>(followPlanRequest, ({ text }: FollowPlanParams) =>
      followPlan(parseQuery(text)),
    );
  },
};

function firstSyntaxError(text: string): SyntaxErrorAt | null {
  const [first] = syntaxErrors(text);
  return first === undefined ? null : { offset: first.start, message: first.message };
}

export function queryAt(snapshot: Snapshot, params: QueryAtParams): QueryAtResult {
  if (params.position === undefined)
    return snapshot.queries.map((query) => queryText(snapshot, query));
  const found = snapshot.at(snapshot.lines.offsetAt(params.position));
  return found === undefined ? [] : [queryText(snapshot, found.query)];
}

export function queryUpTo(snapshot: Snapshot, { position }: QueryUpToParams): QueryUpToResult {
  const found = snapshot.at(snapshot.lines.offsetAt(position));
  if (found === undefined) return null;
  const { query, at } = found;
  const { tree } = query.analysis;
  const cut = cutAt(tree, at);
  if (cut === undefined) return null;
  return {
    text: cut.text,
    range: toRange(snapshot.lines, cut, query.start),
    title: `${titleOf(tree.text, tree)}, up to ${shortened(firstLine(tree.text, cut.last))}`,
    facts: queryFacts(parseQuery(cut.text)),
  };
}

export function stageCounts(
  snapshot: Snapshot,
  { position }: StageCountsParams,
): StageCountsResult {
  const found = snapshot.at(snapshot.lines.offsetAt(position));
  if (found === undefined) return [];
  const { query, at } = found;
  const { tree } = query.analysis;
  return queriesUpToEach(tree, at).map(({ text, last }) => ({
    // Put the count on a separate line, because the stage may end with a comment.
    text: `${text}\n| count`,
    range: toRange(snapshot.lines, last, query.start),
    title: shortened(firstLine(tree.text, last, /^\|\s*/)),
  }));
}

function firstLine(text: string, { start, end }: Span, skipped: string | RegExp = ''): string {
  return (
    text
      .slice(start, end)
      .replace(skipped, '')
      .split(/[\r\n]/, 1)[0] ?? ''
  );
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
