/** Types and helpers that refactorings share. */
import type { QueryAnalysis } from '../analysis.ts';
import { partitionPoint } from '../append.ts';
import type { BoundStage } from '../binding/bound.ts';
import { type Edit, type Fix, insert, replace } from '../edits.ts';
import { isPlainName } from '../names.ts';
import type { QueryTree, Stage } from '../syntax/tree.ts';
import { triviaIn } from '../syntax/trivia.ts';
import { type AnyNode, pathAt } from '../syntax/visit.ts';
import type { Span } from '../text.ts';

/** A change that preserves the query's result, or whose title states the difference. */
export interface Refactoring extends Fix {
  readonly kind: 'extract' | 'inline' | 'rewrite';
  /**
   * The position of the generated name, which the user may change: `behind` characters after `offset`. No edit moves
   * `offset`.
   */
  readonly rename?: { readonly offset: number; readonly behind: number };
}

export interface Place {
  readonly analysis: QueryAnalysis;
  readonly text: string;
  /** The selection without surrounding whitespace. Empty for a cursor. */
  readonly span: Span;
  /** The nodes around the start of the span, from the statement inward. */
  readonly path: readonly AnyNode[];
}

export type Offer = (place: Place) => readonly Refactoring[];

export function rewrite(title: string, ...edits: Edit[]): readonly Refactoring[] {
  return [{ kind: 'rewrite', title, edits }];
}

/** Returns the place of a selection or cursor. Clamps offsets outside the text. */
export function placeOf(analysis: QueryAnalysis, selected: Span): Place {
  const { tree } = analysis;
  const { text } = tree;
  const last = Math.max(0, Math.min(selected.end, text.length));
  const first = Math.max(0, Math.min(selected.start, last));
  const start = last - text.slice(first, last).trimStart().length;
  const end = start + text.slice(start, last).trimEnd().length;
  return { analysis, text, span: { start, end }, path: pathAt(tree, start) };
}

export function stageOf({ path }: Place): Stage | undefined {
  return path.findLast((node) => node.kind === 'Stage');
}

/** Returns the stage `distance` stages after the current one, or before it if `distance` is negative. */
export function neighbour({ path }: Place, distance: number): Stage | undefined {
  const at = path.findLastIndex(({ kind }) => kind === 'Stage');
  const pipeline = path[at - 1];
  if (at < 0 || pipeline?.kind !== 'Pipeline') return undefined;
  return pipeline.stages[pipeline.stages.indexOf(path[at] as Stage) + distance];
}

export function boundStageOf(place: Place, stage: Stage): BoundStage | undefined {
  return place.analysis.bound.stages.find(({ start }) => start === stage.start);
}

export function textOf({ text }: Place, { start, end }: Span): string {
  return text.slice(start, end);
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}

function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}

export function newLineAt(text: string, offset: number): string {
  return (text.includes('\r\n') ? '\r\n' : '\n') + indentAt(text, offset);
}

/** Returns the whitespace before a new stage: a line break if the given stage starts a line, or else a space. */
export function gapAt(text: string, { start }: Stage): string {
  return startsLine(text, start) ? newLineAt(text, start) : ' ';
}

export function hasComment(tree: QueryTree, span: Span): boolean {
  let end = span.start;
  for (const token of tree.tokens) {
    if (token.end <= span.start) continue;
    const gap = { start: Math.max(end, span.start), end: Math.min(token.start, span.end) };
    if (gap.start < gap.end && triviaIn(tree.text, gap).some(({ kind }) => kind === 'comment'))
      return true;
    if (token.start >= span.end) return false;
    end = token.end;
  }
  return false;
}

/** Returns whether a stage makes a time series. After a time series, a limit counts groups instead of rows. */
export function isTimeSeries(place: Place, stage: Stage | undefined): boolean {
  const operator = stage && boundStageOf(place, stage)?.operator;
  return operator?.kind === 'summarize' && operator.timeGroup !== undefined;
}

export function isLimit(stage: Stage | undefined): boolean {
  return stage?.operator.kind === 'LimitOperator' || stage?.operator.kind === 'TopOperator';
}

export function extraction(
  { text }: Place,
  title: string,
  at: number,
  declaration: string,
  use: Edit,
): readonly Refactoring[] {
  const inserted = insert(at, declaration + newLineAt(text, at));
  return [
    {
      kind: 'extract',
      title,
      rename: { offset: at, behind: 'let '.length },
      edits: use.start === at ? [replace(use, inserted.text + use.text)] : [inserted, use],
    },
  ];
}

export function commentEnd(text: string, offset: number): number {
  return offset + (/^[ \t]*\/\/[^\r\n]*/.exec(text.slice(offset))?.[0].length ?? 0);
}

/** Returns `base`, with a number appended if the query already contains that name. */
export function freeName({ analysis }: Place, base: string): string {
  const { references, stages } = analysis.bound;
  const isColumn = (name: string) =>
    stages.some(({ input, output }) =>
      [input, output].some(({ list }) => list.some((column) => column.name === name)),
    );
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}${number}`;
    const isUsed = references.some((reference) => reference.name === name);
    if (!isUsed && !isColumn(name) && isPlainName(name)) return name;
  }
}

export function* within<Item extends Span>(list: readonly Item[], span: Span): Iterable<Item> {
  for (let i = partitionPoint(list, ({ start }) => start < span.start); i < list.length; i++) {
    const item = list[i] as Item;
    if (item.start >= span.end) return;
    if (item.end <= span.end) yield item;
  }
}
