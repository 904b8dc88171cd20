/** The state that lints share, and functions to inspect expressions and report problems. */
import { partitionPoint } from '../append.ts';
import type { BoundExpression, BoundQuery, Column } from '../binding/bound.ts';
import type { Edit, Fix } from '../edits.ts';
import { type Problem, type ProblemCode, problem } from '../problems.ts';
import type { Span } from '../text.ts';

export interface Linter {
  readonly bound: BoundQuery;
  readonly text: string;
  readonly problems: Problem[];
  /** The number of `*` expressions in the query. Each reads all columns. */
  stars: number;
  /** For each name, the last offset at which the query reads it. Created on first use. */
  reads?: Map<string, number>;
  /** The start offsets of the binder's problems. Created on first use. */
  starts?: ReadonlySet<number>;
  /** The columns computed by aggregates. Created on first use. */
  aggregates?: ReadonlySet<Column>;
}

/** The maximum number of lints reported for a query. A query with more lints is usually generated. */
const maxLints = 200;

/** Reports a problem. A fix is replacement text for the span, or a set of edits. */
export function report(
  linter: Linter,
  code: ProblemCode,
  span: Span,
  values: Readonly<Record<string, string>>,
  fix?: string | Fix,
): void {
  if (linter.problems.length >= maxLints) return;
  const found = problem(code, span, values, typeof fix === 'string' ? fix : undefined);
  linter.problems.push(fix === undefined || typeof fix === 'string' ? found : { ...found, fix });
}

/** Returns the source text of a span for a message, on one line and truncated. */
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

/** Returns the value of a number literal with an optional minus sign, or undefined for any other expression. */
export function numberOf(expression: BoundExpression | undefined): number | undefined {
  if (expression?.kind === 'unary' && expression.operator === '-') {
    const value = numberOf(expression.operand);
    return value === undefined ? undefined : -value;
  }
  if (expression?.kind !== 'literal') return undefined;
  if (expression.type !== 'long' && expression.type !== 'real') return undefined;
  return expression.value === null ? undefined : Number(expression.value);
}

/** Returns the nanoseconds of a timespan literal. */
export function timespanOf(expression: BoundExpression | undefined): bigint | undefined {
  if (expression?.kind === 'unary' && expression.operator === '-') {
    const value = timespanOf(expression.operand);
    return value === undefined ? undefined : -value;
  }
  if (expression?.kind !== 'literal' || expression.type !== 'timespan') return undefined;
  return typeof expression.value === 'bigint' ? expression.value : undefined;
}

/** Returns whether an expression is a datetime. `_time` and `_sysTime` are datetimes even if their type is unknown. */
export function isTime(expression: BoundExpression | undefined): boolean {
  if (expression === undefined) return false;
  if (expression.type === 'datetime') return true;
  return (
    expression.type === 'unknown' &&
    expression.kind === 'column' &&
    (expression.name === '_time' || expression.name === '_sysTime')
  );
}

export function operatorSpan({ bound }: Linter, { left, right, operator }: Binary): Span {
  const { tokens, text } = bound.tree;
  let at = partitionPoint(tokens, ({ start }) => start < left.end);
  while (text.charAt(tokens[at]?.start ?? 0) === ')' && (tokens[at]?.end ?? 0) <= right.start) at++;
  const first = tokens[at] ?? left;
  const words = operator.startsWith('matches') || operator.startsWith('!matches') ? 2 : 1;
  return { start: first.start, end: (tokens[at + words - 1] ?? first).end };
}

/** Returns a fix that renames a call's function and makes further edits. Returns undefined for a name in brackets. */
export function renamedCall(
  linter: Linter,
  { name, start }: Call,
  to: string,
  more: readonly Edit[] = [],
): Fix | undefined {
  if (!linter.text.startsWith(name, start)) return undefined;
  return { title: `Use ${to}()`, edits: [{ start, end: start + name.length, text: to }, ...more] };
}
