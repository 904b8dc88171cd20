/**
 * What binding one query gathers and looks names up in, and the reports that need a closest name. Every
 * part of the binder is a function that is handed one of these.
 */
import { closest } from '../catalog/index.ts';
import type { ScalarType } from '../catalog/types.ts';
import { patternOf, quoteName } from '../names.ts';
import { didYouMean, type Problem, type ProblemCode, problem } from '../problems.ts';
import type { Span } from '../text.ts';
import type {
  BoundExpression,
  BoundPipeline,
  BoundStage,
  Column,
  Meaning,
  Reference,
} from './bound.ts';
import type { Row } from './columns.ts';
import type { Datasets } from './datasets.ts';

/** A name that is neither a column nor a dataset. */
export type NamedValue =
  | { readonly kind: 'scalar'; readonly type: ScalarType; readonly text?: string | undefined }
  | { readonly kind: 'table'; readonly pipeline: BoundPipeline }
  /** `text` is the value where it is one: what the request sends, else the default. */
  | { readonly kind: 'parameter'; readonly type: ScalarType; readonly text?: string | undefined };

/** Whether nothing is known of a let, since its value could not be read: it may be a table or a function. */
export function isUnreadable(value: NamedValue | undefined): boolean {
  return value?.kind === 'scalar' && value.type === 'unknown';
}

export interface Binder {
  readonly datasets: Datasets;
  readonly problems: Problem[];
  readonly references: Reference[];
  readonly stages: BoundStage[];
  /** Lets and parameters that are declared so far. */
  readonly values: Map<string, NamedValue>;
  /** The names among `values` that the text itself declares; each may do so once. */
  readonly declared: Set<string>;
  /** The tables that each wildcard over datasets stands for, found once. */
  readonly patterns: Map<string, readonly BoundPipeline[]>;
  /** How many more closest names are looked for: a text with thousands of wrong names must stay cheap. */
  hints: number;
  /** How many more times a name is compared with one that is certain. */
  slips: number;
  /** How many more columns joins and `arg_max(x, *)` may copy: each can double what there is. */
  copies: number;
}

/** What an expression may name, and where it stands. */
export interface Scope {
  readonly binder: Binder;
  /** The columns; undefined where there is no row, as in `print` and in a scalar let. */
  readonly row: Row | undefined;
  /** What `$left` and `$right` stand for, in the conditions of a join. */
  readonly sides?: { readonly left: Row; readonly right: Row };
  /**
   * Whether an aggregate may stand here: `allowed` in an item of a summarize, where a column should
   * not stand; `expected` where the item is nothing but a column; `inside` in an aggregate's own
   * arguments; `group` behind `by`.
   */
  readonly aggregates: 'refused' | 'allowed' | 'expected' | 'inside' | 'group';
}

/** How many closest names are looked for in one query. */
export const mostHints = 100;

/** How many times a name of one query is compared with one that is certain. */
export const mostSlips = 20_000;

/**
 * How many columns the joins of one query may copy. No dataset has a hundredth of it; a hostile text that
 * joins a wide dataset to itself hundreds of times does, and then its columns count as not all known.
 */
export const mostCopiedColumns = 20_000;

/** Takes `count` columns from what the query may copy; false when there are not so many left. */
export function mayCopyColumns(binder: Binder, count: number): boolean {
  if (count > binder.copies) return false;
  binder.copies -= count;
  return true;
}

export function report(
  binder: Binder,
  code: ProblemCode,
  span: Span,
  values?: Readonly<Record<string, string>>,
  suggestion?: string,
): void {
  binder.problems.push(problem(code, span, values, suggestion));
}

export function refer(binder: Binder, span: Span, name: string, meaning: Meaning): void {
  const { start, end } = span;
  binder.references.push({ name, meaning, definition: false, start, end });
}

export function define(binder: Binder, span: Span, name: string, meaning: Meaning): void {
  const { start, end } = span;
  binder.references.push({ name, meaning, definition: true, start, end });
}

/** The candidate that `name` is most likely a misspelling of, as long as the query has hints left. */
export function hintFor(
  binder: Binder,
  name: string,
  candidates: Iterable<string>,
): string | undefined {
  if (binder.hints <= 0) return undefined;
  binder.hints--;
  return closest(name, candidates);
}

/** Reports an unknown column in a scope whose columns are all known. */
export function reportUnknownColumn(
  binder: Binder,
  row: Row | undefined,
  span: Span,
  name: string,
) {
  referToUnknown(binder, span, name);
  if (row?.isMaking(name)) {
    report(binder, 'sibling-column', span, { name: quoteName(name) });
    return;
  }
  const operator = row?.droppedBy(name);
  if (operator !== undefined) {
    report(binder, 'dropped-column', span, { name: quoteName(name), operator });
    return;
  }
  const hint = hintFor(binder, name, namesInScope(binder, row, name));
  const suggestion = hint === undefined ? undefined : quoteName(hint);
  const values = { name: quoteName(name), hint: didYouMean(suggestion) };
  report(binder, 'unknown-column', span, values, suggestion);
}

/** The names that `name` may be a misspelling of, among others. */
function* namesInScope(binder: Binder, row: Row | undefined, name: string): Iterable<string> {
  if (row !== undefined) yield* row.namesNear(name);
  for (const [other, value] of binder.values) if (value.kind !== 'table') yield other;
}

/** Reports an unknown dataset in a schema whose datasets are all known. */
export function reportUnknownDataset(binder: Binder, span: Span, name: string): void {
  referToUnknown(binder, span, name);
  const hint = hintFor(binder, name, datasetsInScope(binder));
  const suggestion = hint === undefined ? undefined : quoteName(hint);
  const values = { name: quoteName(name), hint: didYouMean(suggestion) };
  report(binder, 'unknown-dataset', span, values, suggestion);
}

function* datasetsInScope(binder: Binder): Iterable<string> {
  yield* binder.datasets.names;
  for (const [name, value] of binder.values) if (value.kind === 'table') yield name;
}

/**
 * Reports a name in quotes that has stars in it and is none of those known, where a pattern may stand; true
 * when it did. `code` is what an unknown name is called there, `complete` whether all names are known.
 */
export function reportQuotedPattern(
  binder: Binder,
  span: Span,
  name: string,
  code: 'unknown-column' | 'unknown-dataset',
  complete: boolean,
): boolean {
  if (!name.includes('*')) return false;
  const instead = patternOf(name, code === 'unknown-dataset');
  if (complete) {
    const hint = ` In quotes, '*' is a literal character. Use ${instead} instead.`;
    report(binder, code, span, { name: quoteName(name), hint }, instead);
  } else {
    report(binder, 'quoted-wildcard', span, { instead }, instead);
  }
  return true;
}

const unknown: Meaning = { kind: 'unknown' };

export function referToUnknown(binder: Binder, span: Span, name: string): void {
  refer(binder, span, name, unknown);
}

export function referToColumn(binder: Binder, span: Span, column: Column): void {
  refer(binder, span, column.name, { kind: 'column', column });
}

/** What stands in place of an expression that could not be bound. */
export function unbound(span: Span): BoundExpression {
  return { kind: 'error', type: 'unknown', start: span.start, end: span.end };
}
