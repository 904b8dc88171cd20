/** Lints for reversed bounds, out-of-range date parts, and percentages that are out of range or given as fractions. */
import type { BoundExpression } from '../binding/bound.ts';
import { replace } from '../edits.ts';
import {
  type Binary,
  type Call,
  type Linter,
  numberOf,
  report,
  shown,
  timespanOf,
  written,
} from './linter.ts';

type Between = Extract<BoundExpression, { readonly kind: 'between' }>;

export function lintBetween(linter: Linter, { low, high, left }: Between): void {
  if (left.type === 'datetime' && high.type === 'timespan') return;
  const from = placeOf(low);
  const to = placeOf(high);
  if (from === undefined || to === undefined || from.scale !== to.scale) return;
  if (from.at <= to.at) return;
  const edits = [replace(low, written(linter, high)), replace(high, written(linter, low))];
  const span = { start: low.start, end: high.end };
  report(linter, 'empty-range', span, {}, { title: 'Swap the bounds', edits });
}

/** Returns a constant as a number, and its scale, such as `timespan`. Only numbers of the same scale are comparable. */
function placeOf(
  expression: BoundExpression,
): { readonly scale: string; readonly at: number | bigint } | undefined {
  const number = numberOf(expression);
  if (number !== undefined) return { scale: 'number', at: number };
  const span = timespanOf(expression);
  if (span !== undefined) return { scale: 'timespan', at: span };
  if (expression.kind === 'literal' && typeof expression.value === 'bigint')
    return expression.type === 'datetime' ? { scale: 'datetime', at: expression.value } : undefined;
  if (expression.kind !== 'call') return undefined;
  const [argument] = expression.arguments;
  if (expression.name === 'now' && argument === undefined) return { scale: 'now', at: 0n };
  const offset = timespanOf(argument);
  if (offset === undefined) return undefined;
  if (expression.name === 'ago') return { scale: 'now', at: -offset };
  return expression.name === 'now' ? { scale: 'now', at: offset } : undefined;
}

interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly hint?: string;
}

/** The bounds of each date part's values. `dayofweek` returns a timespan in Kusto, but a number in APL. */
const bounds: ReadonlyMap<string, Bounds> = new Map([
  ['dayofmonth', { low: 1, high: 31 }],
  ['dayofweek', { low: 0, high: 6, hint: ' 0 is Sunday.' }],
  ['dayofyear', { low: 1, high: 366 }],
  ['getmonth', { low: 1, high: 12 }],
  ['hourofday', { low: 0, high: 23 }],
  ['monthofyear', { low: 1, high: 12 }],
  ['week_of_year', { low: 1, high: 53 }],
]);

/** Whether a comparison is true for all values of a range, for none, or only for some (undefined). */
type Outcome = 'always' | 'never' | undefined;

const outcomes: Readonly<Record<string, (bounds: Bounds, value: number) => Outcome>> = {
  '==': ({ low, high }, value) => (value < low || value > high ? 'never' : undefined),
  '!=': ({ low, high }, value) => (value < low || value > high ? 'always' : undefined),
  '<': ({ low, high }, value) => (value <= low ? 'never' : value > high ? 'always' : undefined),
  '<=': ({ low, high }, value) => (value < low ? 'never' : value >= high ? 'always' : undefined),
  '>': ({ low, high }, value) => (value >= high ? 'never' : value < low ? 'always' : undefined),
  '>=': ({ low, high }, value) => (value > high ? 'never' : value <= low ? 'always' : undefined),
};

export function lintDatePart(linter: Linter, { operator, left, right }: Binary): void {
  if (left.kind !== 'call' || !Object.hasOwn(outcomes, operator)) return;
  checkDatePart(linter, left, operator, right);
}

export function lintDatePartIn(
  linter: Linter,
  { left, items, operator }: Extract<BoundExpression, { readonly kind: 'in' }>,
): void {
  if (left.kind !== 'call' || operator !== 'in' || !bounds.has(left.name)) return;
  for (const item of items) checkDatePart(linter, left, '==', item);
}

function checkDatePart(
  linter: Linter,
  { name }: Call,
  operator: string,
  other: BoundExpression,
): void {
  const range = bounds.get(name);
  const value = numberOf(other);
  if (range === undefined || value === undefined) return;
  const outcome = outcomes[operator]?.(range, value);
  if (outcome === undefined) return;
  const { low, high, hint = '' } = range;
  const values = { name: `${name}()`, low: `${low}`, high: `${high}`, outcome, hint };
  report(linter, 'out-of-range', other, values);
}

/** Checks a percentile aggregate's percentages: the second argument, or all but the first for `percentiles_array`. */
export function lintPercent(linter: Linter, call: Call): void {
  const name = `${call.name}()`;
  const percents = call.arguments.slice(1, call.name === 'percentiles_array' ? undefined : 2);
  for (const percent of percents) {
    const value = numberOf(percent);
    if (value === undefined) continue;
    if (value < 0 || value > 100) {
      const values = { expected: 'a percentage from 0 to 100', number: shown(linter, percent) };
      report(linter, 'impossible-number', percent, { name, ...values });
    } else if (value > 0 && value < 1) {
      const instead = String(Number((value * 100).toPrecision(12)));
      report(linter, 'percent-as-fraction', percent, { name, instead }, instead);
    }
  }
}
