/**
 * A query cut off behind the stage at an offset: what is run to see the rows there. What does not belong
 * to it is blanked out and not taken out, so that every line and column of it is one of the query's own,
 * and what the service says of them holds for the text that was written.
 */
import type { Pipeline, QueryTree } from './syntax/tree.ts';
import { type AnyNode, pathAt } from './syntax/visit.ts';
import type { Span } from './text.ts';

export interface CutQuery extends Span {
  /** The text to run: as long as the span, which begins with the query and ends with the stage. */
  readonly text: string;
  /** The stage, or the source, that it runs up to. */
  readonly last: Span;
}

/**
 * The query up to and with the stage at `offset`. A stage inside of brackets or of a let runs as a query of
 * its own; the lets and other statements before it go along. Undefined where no pipeline is.
 */
export function queryUpTo(tree: QueryTree, offset: number): CutQuery | undefined {
  const found = pipelineAt(tree, offset);
  if (found === undefined) return undefined;
  const { stages, source } = found.pipeline;
  return cutAfter(tree, found, stages.findLast(({ start }) => start <= offset) ?? source);
}

/** The same for the source and for each stage of the pipeline at `offset`, in order. */
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
    // Another query of the same text gives rows of its own.
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

/** The innermost pipeline around the offset; between statements the one whose end is nearest before it. */
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

/** A stretch of the text with its tokens blanked out and its comments left. */
function blankCode(tree: QueryTree, start: number, end: number): string {
  let kept = '';
  for (const token of tree.tokens) {
    if (token.end <= start || token.start >= end) continue;
    kept += tree.text.slice(start + kept.length, token.start);
    kept += blank(tree.text.slice(token.start, token.end));
  }
  return kept + tree.text.slice(start + kept.length, end);
}

/** Spaces of the same length, with the line breaks where they are. */
function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}
