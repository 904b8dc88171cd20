/** The refactoring types and shared helpers: the text around a place, and unused names. */
import type { QueryAnalysis } from '../analysis.ts';
import type { BoundStage } from '../binding/bound.ts';
import type { Fix } from '../edits.ts';
import { isPlainName } from '../names.ts';
import type { QueryTree, Stage } from '../syntax/tree.ts';
import { triviaIn } from '../syntax/trivia.ts';
import { type AnyNode, pathAt } from '../syntax/visit.ts';
import type { Span } from '../text.ts';

/** A change that preserves the query's result, or states the difference in its title. */
export interface Refactoring extends Fix {
  readonly kind: 'extract' | 'inline' | 'rewrite';
  /**
   * The position of a generated name that the user may want to change. It is `behind` units after `offset`, an offset
   * that the edits don't move.
   */
  readonly rename?: { readonly offset: number; readonly behind: number };
}

/** The place at which refactorings are requested. */
export interface Place {
  readonly analysis: QueryAnalysis;
  readonly text: string;
  /** The selection without surrounding whitespace. Empty for a cursor. */
  readonly span: Span;
  /** The nodes around the start of the span, from the statement inward. */
  readonly path: readonly AnyNode[];
}

/** Returns the refactorings of one kind available at a place. */
export type Offer = (place: Place) => readonly Refactoring[];

/** Returns the place of a selection in the query's text. Offsets outside the text are clamped. */
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

/** Returns the innermost stage around the place. */
export function stageOf({ path }: Place): Stage | undefined {
  return path.findLast((node) => node.kind === 'Stage');
}

/** Returns the stage that is `distance` stages after the one around the place. The distance may be negative. */
export function neighbour({ path }: Place, distance: number): Stage | undefined {
  const at = path.findLastIndex(({ kind }) => kind === 'Stage');
  const pipeline = path[at - 1];
  if (at < 0 || pipeline?.kind !== 'Pipeline') return undefined;
  return pipeline.stages[pipeline.stages.indexOf(path[at] as Stage) + distance];
}

/** Returns the bound stage, which has the input and output columns. */
export function boundStageOf(place: Place, stage: Stage): BoundStage | undefined {
  return place.analysis.bound.stages.find(({ start }) => start === stage.start);
}

/** Returns the text of a span. */
export function textOf({ text }: Place, { start, end }: Span): string {
  return text.slice(start, end);
}

/** Returns the indentation of the line at an offset. */
export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

/** Returns whether only whitespace precedes an offset on its line. */
export function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}

function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}

/** Returns the line break used in the text. */
export function newlineOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Returns whether a span between or across tokens contains a comment. */
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

/** Returns the end of a comment that follows an offset on its line, or else the offset. */
export function commentEnd(text: string, offset: number): number {
  return offset + (/^[ \t]*\/\/[^\r\n]*/.exec(text.slice(offset))?.[0].length ?? 0);
}

/** Returns `base`, with a number if necessary, so that no column, dataset or let of the query has the name. */
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

/** Returns the items inside a span from an array in text order. Finds the first one by binary search. */
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
