/**
 * Cuts a query off after the stage at an offset, to run it and show the rows at that stage. Other text is replaced with
 * spaces instead of removed, so all lines and columns in service errors also apply to the original text.
 */
import type { Pipeline, QueryTree } from './syntax/tree.ts';
import { type AnyNode, pathAt } from './syntax/visit.ts';
import type { Span } from './text.ts';

export interface CutQuery extends Span {
  /** The text to run. It has the length of the original text from the query's start to the stage's end. */
  readonly text: string;
  /** The span of the last stage that runs, or of the source if no stage runs. */
  readonly last: Span;
}

/**
 * Returns the query up to and including the stage at `offset`. A pipeline in brackets or in a `let` statement runs as a
 * separate query, together with the preceding statements that aren't queries. An offset between statements refers to
 * the preceding statement. Returns undefined in a statement that isn't a pipeline.
 */
export function queryUpTo(tree: QueryTree, offset: number): CutQuery | undefined {
  const found = pipelineAt(tree, offset);
  if (found === undefined) return undefined;
  const { stages, source } = found.pipeline;
  return cutAfter(tree, found, stages.findLast(({ start }) => start <= offset) ?? source);
}

/** Returns the query up to each stage of the pipeline at `offset`, first the query with only the source. */
export function queriesUpToEach(tree: QueryTree, offset: number): CutQuery[] {
  const found = pipelineAt(tree, offset);
  if (found === undefined || found.pipeline.source.kind === 'Missing') return [];
  const { source, stages } = found.pipeline;
  return [source, ...stages].map((last) => cutAfter(tree, found, last));
}

function cutAfter(tree: QueryTree, { statement, pipeline }: Found, last: Span): CutQuery {
  const { text, statements } = tree;
  let kept = '';
  for (const before of statements) {
    if (before.start >= statement.start) break;
    // Blank out an earlier query statement, because its rows would be returned as well.
    const piece = text.slice(kept.length, before.end);
    kept += before.kind === 'QueryStatement' ? blank(piece) : piece;
  }
  kept += blankCode(tree, kept.length, pipeline.start);
  const end = Math.max(last.end, pipeline.start);
  return { text: kept + text.slice(kept.length, end), last, start: 0, end };
}

interface Found {
  readonly statement: AnyNode;
  readonly pipeline: Pipeline;
}

/**
 * Returns the innermost pipeline around the offset. Between statements, returns the pipeline of the preceding
 * statement. Before all statements, returns the pipeline of the first statement.
 */
function pipelineAt(tree: QueryTree, offset: number): Found | undefined {
  const path = pathAt(tree, offset);
  const inside = path.findLast((node) => node.kind === 'Pipeline');
  const [around] = path;
  if (inside !== undefined && around !== undefined) return { statement: around, pipeline: inside };
  if (around !== undefined) return undefined;
  const above = tree.statements.findLast(({ start }) => start <= offset) ?? tree.statements[0];
  if (above?.kind === 'QueryStatement') return { statement: above, pipeline: above.pipeline };
  if (above?.kind !== 'LetStatement' || above.value.kind !== 'Pipeline') return undefined;
  return { statement: above, pipeline: above.value };
}

/** Replaces the tokens of a range with spaces, but keeps comments. */
function blankCode(tree: QueryTree, start: number, end: number): string {
  let kept = '';
  for (const token of tree.tokens) {
    if (token.end <= start || token.start >= end) continue;
    kept += tree.text.slice(start + kept.length, token.start);
    kept += blank(tree.text.slice(token.start, token.end));
  }
  return kept + tree.text.slice(start + kept.length, end);
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}
