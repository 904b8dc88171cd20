/** Defines the state while a query is bound, and reports unknown names. */
import { closest } from '../catalog/closest.ts';
import { kustoOperators } from '../catalog/kusto.ts';
import type { ScalarType } from '../catalog/types.ts';
import { patternOf, quoteName } from '../names.ts';
import { transformNames } from '../operators/names.ts';
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
import { columnMeant } from './meantColumns.ts';

/** The meaning of a name that refers to neither a column nor a dataset. */
export type NamedValue =
  | { readonly kind: 'scalar'; readonly type: ScalarType; readonly text?: string | undefined }
  | { readonly kind: 'table'; readonly pipeline: BoundPipeline }
  /** `text` is the string value sent with the request or, if none was sent, the default value. */
  | { readonly kind: 'parameter'; readonly type: ScalarType; readonly text?: string | undefined };

/** Returns whether the type of a `let` value is unknown, so that the value may be a scalar, a table or a function. */
export function isUnreadable(value: NamedValue | undefined): boolean {
  return value?.kind === 'scalar' && value.type === 'unknown';
}

export interface Binder {
  readonly datasets: Datasets;
  readonly problems: Problem[];
  readonly references: Reference[];
  readonly stages: BoundStage[];
  /** All declared names, including variables sent with the request and `let` statements outside the query. */
  readonly values: Map<string, NamedValue>;
  /** The names declared in the query text. */
  readonly declared: Set<string>;
  /** The datasets matched by each wildcard, cached by pattern. */
  readonly patterns: Map<string, readonly BoundPipeline[]>;
  /** The number of closest-name searches left. Initially `maxHints`. */
  hints: number;
  /** The number of comparisons left for finding misspelled names. Initially `maxTypoComparisons`. */
  slips: number;
  /** The number of columns that may still be copied. Initially `maxCopiedColumns`. */
  copies: number;
}

export interface Scope {
  readonly binder: Binder;
  /** The columns in scope. Undefined in expressions that can't use columns, as in `print` or a scalar `let`. */
  readonly row: Row | undefined;
  /** The left and right columns in a join condition, for `$left` and `$right`. */
  readonly sides?: { readonly left: Row; readonly right: Row };
  /**
   * The position of the expression, which determines whether aggregates are allowed:
   * - `allowed`: a summarize item
   * - `expected`: a summarize item that is only a column or its property
   * - `inside`: an argument of an aggregate, or of an unknown function that may be one
   * - `group`: an item after `by`
   * - `refused`: any other position
   */
  readonly aggregates: 'refused' | 'allowed' | 'expected' | 'inside' | 'group';
}

/** The maximum number of closest-name searches per query. It limits the cost of thousands of unknown names. */
export const maxHints = 100;

/** The maximum number of comparisons per query that decide whether an unknown name is misspelled. */
export const maxTypoComparisons = 20_000;

/**
 * The maximum number of columns that one query may copy, because each join or `arg_max(x, *)` may double them. Real
 * queries copy far fewer. Above the maximum, column lists are treated as incomplete.
 */
export const maxCopiedColumns = 20_000;

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

/** Returns the closest candidate, or undefined if none is close or the maximum number of searches is reached. */
export function hintFor(
  binder: Binder,
  name: string,
  candidates: Iterable<string>,
): string | undefined {
  if (binder.hints <= 0) return undefined;
  binder.hints--;
  return closest(name, candidates);
}

export function reportMisspelt(
  binder: Binder,
  code: ProblemCode,
  span: Span,
  name: string,
  candidates: Iterable<string>,
  values: Readonly<Record<string, string>> = { name },
): void {
  const hint = hintFor(binder, name, candidates);
  report(binder, code, span, { ...values, hint: didYouMean(hint) }, hint);
}

function reportUnknownName(
  binder: Binder,
  code: ProblemCode,
  span: Span,
  name: string,
  hint: string | undefined,
): void {
  const suggestion = hint === undefined ? undefined : quoteName(hint);
  const values = { name: quoteName(name), hint: didYouMean(suggestion) };
  report(binder, code, span, values, suggestion);
}

/** Reports an unknown column. Call this function only if all columns are known or the name resembles a known name. */
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
  const near = hintFor(binder, name, namesInScope(binder, row, name));
  // Limit this search too, because it compares every column.
  const meant = row === undefined || binder.hints <= 0 ? near : columnMeant(row, name, near);
  reportUnknownName(binder, 'unknown-column', span, name, meant);
}

function* namesInScope(binder: Binder, row: Row | undefined, name: string): Iterable<string> {
  if (row !== undefined) yield* row.namesNear(name);
  for (const [other, value] of binder.values) if (value.kind !== 'table') yield other;
}

export function reportUnknownOperator(name: string, keyword: Span, binder: Binder): void {
  if (name === '') return;
  const instead = kustoOperators.get(name);
  if (instead !== undefined) {
    report(binder, 'kusto-operator', keyword, { name, instead });
    return;
  }
  reportMisspelt(binder, 'unknown-operator', keyword, name, transformNames);
}

/** Reports an unknown dataset. Call this function only if the schema lists all datasets. */
export function reportUnknownDataset(binder: Binder, span: Span, name: string): void {
  referToUnknown(binder, span, name);
  const hint = hintFor(binder, name, datasetsInScope(binder));
  reportUnknownName(binder, 'unknown-dataset', span, name, hint);
}

function* datasetsInScope(binder: Binder): Iterable<string> {
  yield* binder.datasets.names;
  for (const [name, value] of binder.values) if (value.kind === 'table') yield name;
}

/** Reports a quoted name that contains stars, because quotes make stars literal. Returns whether it reported a name. */
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

export function unbound(span: Span): BoundExpression {
  return { kind: 'error', type: 'unknown', start: span.start, end: span.end };
}
