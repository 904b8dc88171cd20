/** What every lint is handed: the bound query, and how to report. */
import type { BoundExpression, BoundQuery, Column } from '../binding/bound.ts';
import type { Edit, Fix } from '../edits.ts';
import { type Problem, type ProblemCode, problem } from '../problems.ts';
import type { Span } from '../text.ts';

export interface Linter {
  readonly bound: BoundQuery;
  readonly text: string;
  readonly problems: Problem[];
  /** How many stars stand for all columns. */
  stars: number;
  /** By name the last place where it is read; made when it is first asked for. */
  reads?: Map<string, number>;
  /** Where problems of the binder start; made when it is first asked for. */
  starts?: ReadonlySet<number>;
  /** The columns that aggregates compute; made when it is first asked for. */
  aggregates?: ReadonlySet<Column>;
}

/** The maximum number of lints for a query. Queries with more are usually generated. */
const mostLints = 200;

/** The fix of a lint: a replacement for the span, or edits elsewhere. */
export type LintFix = string | Fix;

export function report(
  linter: Linter,
  code: ProblemCode,
  span: Span,
  values: Readonly<Record<string, string>>,
  fix?: LintFix,
): void {
  if (linter.problems.length >= mostLints) return;
  const found = problem(code, span, values, typeof fix === 'string' ? fix : undefined);
  linter.problems.push(fix === undefined || typeof fix === 'string' ? found : { ...found, fix });
}

/** The source text of a span for a message: on one line and truncated. */
export function shown(linter: Linter, span: Span): string {
  const text = linter.text.slice(span.start, Math.min(span.end, span.start + 40));
  const line = text.replace(/\s+/g, ' ');
  return span.end - span.start > 40 ? `${line}…` : line;
}

export function written(linter: Linter, span: Span): string {
  return linter.text.slice(span.start, span.end);
}

type Literal = Extract<BoundExpression, { readonly kind: 'literal' }>;
export type Call = Extract<BoundExpression, { readonly kind: 'call' }>;
export type ColumnUse = Extract<BoundExpression, { readonly kind: 'column' }>;
export type Binary = Extract<BoundExpression, { readonly kind: 'binary' }>;

export function isText(
  expression: BoundExpression | undefined,
): expression is Literal & { readonly value: string } {
  return expression?.kind === 'literal' && typeof expression.value === 'string';
}

/** The value of a plain number, with its sign; undefined for everything else, timespans too. */
export function numberOf(expression: BoundExpression | undefined): number | undefined {
  if (expression?.kind === 'unary' && expression.operator === '-') {
    const value = numberOf(expression.operand);
    return value === undefined ? undefined : -value;
  }
  if (expression?.kind !== 'literal') return undefined;
  if (expression.type !== 'long' && expression.type !== 'real') return undefined;
  return expression.value === null ? undefined : Number(expression.value);
}

/** Whether the expression is a constant timespan, and how long; negative ones too. */
export function timespanOf(expression: BoundExpression | undefined): bigint | undefined {
  if (expression?.kind === 'unary' && expression.operator === '-') {
    const value = timespanOf(expression.operand);
    return value === undefined ? undefined : -value;
  }
  if (expression?.kind !== 'literal' || expression.type !== 'timespan') return undefined;
  return typeof expression.value === 'bigint' ? expression.value : undefined;
}

/** Whether the expression is a time: by its type, or because every event's `_time` is one. */
export function isTime(expression: BoundExpression | undefined): boolean {
  if (expression === undefined) return false;
  if (expression.type === 'datetime') return true;
  return (
    expression.type === 'unknown' &&
    expression.kind === 'column' &&
    (expression.name === '_time' || expression.name === '_sysTime')
  );
}

/** Where the operator between two operands is written. */
export function operatorSpan({ bound }: Linter, { left, right, operator }: Binary): Span {
  const { tokens, text } = bound.tree;
  let low = 0;
  let high = tokens.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tokens[middle]?.start ?? 0) < left.end) low = middle + 1;
    else high = middle;
  }
  // Brackets around the left operand close before its operator.
  while (text.charAt(tokens[low]?.start ?? 0) === ')' && (tokens[low]?.end ?? 0) <= right.start)
    low++;
  const first = tokens[low] ?? left;
  const words = operator.startsWith('matches') || operator.startsWith('!matches') ? 2 : 1;
  return { start: first.start, end: (tokens[low + words - 1] ?? first).end };
}

/** Where the name of a call is written; undefined when it is written in brackets and quotes. */
export function nameSpan(linter: Linter, { name, start }: Call): Span | undefined {
  return linter.text.startsWith(name, start) ? { start, end: start + name.length } : undefined;
}

/** Another function in the place of a call's, with further changes; undefined when that cannot be written. */
export function renamedCall(
  linter: Linter,
  call: Call,
  name: string,
  more: readonly Edit[] = [],
): Fix | undefined {
  const span = nameSpan(linter, call);
  if (span === undefined) return undefined;
  return { title: `Use ${name}()`, edits: [{ ...span, text: name }, ...more] };
}
