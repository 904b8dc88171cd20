/**
 * What a refactoring is, where it is asked for, and what refactorings share: the text around a place, and
 * names that nothing else in the query has.
 */
import type { QueryAnalysis } from '../analysis.ts';
import type { BoundStage } from '../binding/bound.ts';
import type { Fix } from '../edits.ts';
import { isPlainName } from '../names.ts';
import type { QueryTree, Stage } from '../syntax/tree.ts';
import { triviaIn } from '../syntax/trivia.ts';
import { type AnyNode, pathAt } from '../syntax/visit.ts';
import type { Span } from '../text.ts';

/** A change that leaves the answer of the query as it is, or says in its title what becomes different. */
export interface Refactoring extends Fix {
  readonly kind: 'extract' | 'inline' | 'rewrite';
  /** Where a name stands afterwards that wants a better one: so far behind an offset that stays as it is. */
  readonly rename?: { readonly offset: number; readonly behind: number };
}

/** The place that refactorings are asked for. */
export interface Place {
  readonly analysis: QueryAnalysis;
  readonly text: string;
  /** What is selected, without the white space around it; empty for a cursor. */
  readonly span: Span;
  /** The nodes around the start of the span, from the statement inwards. */
  readonly path: readonly AnyNode[];
}

/** One refactoring, or several of one sort: what it offers at a place. */
export type Offer = (place: Place) => readonly Refactoring[];

/** The place of a selection, given in offsets of the query's text; both ends are drawn into the text. */
export function placeOf(analysis: QueryAnalysis, selected: Span): Place {
  const { tree } = analysis;
  const { text } = tree;
  let end = Math.max(0, Math.min(selected.end, text.length));
  let start = Math.max(0, Math.min(selected.start, end));
  while (start < end && isSpace(text, start)) start++;
  while (end > start && isSpace(text, end - 1)) end--;
  return { analysis, text, span: { start, end }, path: pathAt(tree, start) };
}

function isSpace(text: string, at: number): boolean {
  return /\s/.test(text.charAt(at));
}

/** The innermost stage around the place. */
export function stageOf({ path }: Place): Stage | undefined {
  return path.findLast((node) => node.kind === 'Stage');
}

/** A stage by its distance from the one around the place, in the same pipeline. */
export function neighbour({ path }: Place, distance: number): Stage | undefined {
  const at = path.findLastIndex(({ kind }) => kind === 'Stage');
  const pipeline = path[at - 1];
  if (at < 0 || pipeline?.kind !== 'Pipeline') return undefined;
  return pipeline.stages[pipeline.stages.indexOf(path[at] as Stage) + distance];
}

/** What is known of a stage: the columns that flow in and out. */
export function boundStageOf(place: Place, stage: Stage): BoundStage | undefined {
  return place.analysis.bound.stages.find(({ start }) => start === stage.start);
}

/** The text of a span. */
export function textOf({ text }: Place, { start, end }: Span): string {
  return text.slice(start, end);
}

/** The white space that the line of an offset begins with. */
export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

/** Whether nothing but white space stands before an offset on its line. */
export function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}

function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}

/** The line break that the text uses. */
export function newlineOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Whether a comment stands in a span that lies between tokens, or has tokens beside comments in it. */
export function hasComment(tree: QueryTree, span: Span): boolean {
  let end = span.start;
  for (const token of tree.tokens) {
    if (token.end <= span.start) continue;
    const gap = { start: Math.max(end, span.start), end: Math.min(token.start, span.end) };
    if (gap.start < gap.end && triviaIn(tree.text, gap).some(isComment)) return true;
    if (token.start >= span.end) return false;
    end = token.end;
  }
  return false;
}

function isComment({ kind }: { readonly kind: string }): boolean {
  return kind === 'comment';
}

/** The end of a comment that follows an offset on its line; the offset itself where there is none. */
export function commentEnd(text: string, offset: number): number {
  return offset + (/^[ \t]*\/\/[^\r\n]*/.exec(text.slice(offset))?.[0].length ?? 0);
}

/** `base`, or `base` with a number: a name that no column, dataset or let of the query has. */
export function freeName({ analysis }: Place, base: string): string {
  const { references, stages } = analysis.bound;
  const isColumn = (name: string) =>
    stages.some(({ input, output }) => {
      return [input, output].some(({ list }) => list.some((column) => column.name === name));
    });
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}${number}`;
    const isUsed = references.some((reference) => reference.name === name);
    if (!isUsed && !isColumn(name) && isPlainName(name)) return name;
  }
}

/** The items of a list in text order that lie in a span; found without looking at those before it. */
export function* within<Item extends Span>(list: readonly Item[], span: Span): Iterable<Item> {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] as Item).start < span.start) low = middle + 1;
    else high = middle;
  }
  for (; low < list.length; low++) {
    const item = list[low] as Item;
    if (item.start >= span.end) return;
    if (item.end <= span.end) yield item;
  }
}
