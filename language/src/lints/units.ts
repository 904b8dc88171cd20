/** Lints for units: APL converts datetimes and timespans to and from nanoseconds, not Kusto's ticks or seconds. */
import type { BoundExpression } from '../binding/bound.ts';
import { replace } from '../edits.ts';
import {
  type Binary,
  type Call,
  isText,
  isTime,
  type Linter,
  numberOf,
  renamedCall,
  report,
  shown,
  timespanOf,
  written,
} from './linter.ts';

/** The minimum plausible values in nanoseconds: 1 ms for a timespan, and 11 days after 1970 for a datetime. */
const leastSpan = 1e6;
const leastTime = 1e15;

const toNumber: ReadonlySet<string> = new Set(['todouble', 'toint', 'tolong', 'toreal']);
const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<>', '<', '<=', '>', '>=']);

function countOfNanoseconds(
  linter: Linter,
  expression: BoundExpression,
): { readonly what: string; readonly least: number } | undefined {
  if (expression.kind === 'column') {
    const { column } = expression;
    const numeric = expression.type === 'long' || expression.type === 'real';
    if (column?.unit !== 'ns' || !numeric) return undefined;
    return { what: shown(linter, expression), least: 1_000 };
  }
  if (expression.kind !== 'call' || !toNumber.has(expression.name)) return undefined;
  const [value] = expression.arguments;
  const what = `${expression.name}() of a ${isTime(value) ? 'datetime' : 'timespan'}`;
  if (isTime(value)) return { what, least: leastTime };
  return value?.type === 'timespan' ? { what, least: leastSpan } : undefined;
}

export function lintNanoseconds(linter: Linter, { operator, left, right }: Binary): void {
  if (!comparisons.has(operator)) return;
  checkCount(linter, left, right);
  checkCount(linter, right, left);
}

function checkCount(linter: Linter, counted: BoundExpression, other: BoundExpression): void {
  const number = numberOf(other);
  if (number === undefined || number === 0) return;
  const count = countOfNanoseconds(linter, counted);
  if (count === undefined || Math.abs(number) >= count.least) return;
  const hint =
    counted.kind === 'call' && counted.arguments[0]?.type === 'timespan'
      ? ` Compare the timespan with a literal such as ${shown(linter, other)}s.`
      : '';
  const values = { what: count.what, number: shown(linter, other), shown: spelledOut(number) };
  report(linter, 'nanoseconds', other, { ...values, hint });
}

function spelledOut(nanoseconds: number): string {
  const units = ['ns', 'µs', 'ms', 's'];
  let value = nanoseconds;
  let unit = 0;
  while (Math.abs(value) >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${value} ${units[unit]}`;
}

/** Units of numeric timestamps. `below` is the upper bound of present-day times in the unit. */
const timeUnits = [
  { below: 1e11, name: 'seconds', function: 'unixtime_seconds_todatetime' },
  { below: 1e14, name: 'milliseconds', function: 'unixtime_milliseconds_todatetime' },
  { below: 1e17, name: 'microseconds', function: 'unixtime_microseconds_todatetime' },
  { below: Infinity, name: 'nanoseconds', function: 'unixtime_nanoseconds_todatetime' },
] as const;

/** The minimum plausible Unix time. A smaller number probably isn't a time. */
const leastUnixTime = 1e8;

export function lintTimeFromNumber(linter: Linter, call: Call): void {
  const [argument] = call.arguments;
  if (argument?.kind !== 'literal') return;
  const read =
    call.name === 'todatetime'
      ? timeUnits[3]
      : timeUnits.find((unit) => unit.function === call.name);
  const number = numberOf(argument);
  if (read === undefined || number === undefined || number < leastUnixTime) return;
  const actual = timeUnits.find(({ below }) => number < below) ?? timeUnits[3];
  if (actual === read) return;
  const values = {
    name: `${call.name}()`,
    unit: read.name,
    number: shown(linter, argument),
    actual: actual.name,
    instead: `${actual.function}()`,
  };
  report(linter, 'unix-time-unit', argument, values, renamedCall(linter, call, actual.function));
}

/** Reports `totimespan(5)`, which is only 5 ns, and strings such as `'2d'` or `'1.02:03:04'`, which become null. */
export function lintToTimespan(linter: Linter, call: Call): void {
  const [argument] = call.arguments;
  const number = numberOf(argument);
  const name = 'totimespan()';
  if (argument === undefined) return;
  if (number !== undefined && number !== 0 && Math.abs(number) < leastSpan) {
    const text = shown(linter, argument);
    const hint = ` Use a literal such as ${text}s.`;
    const values = { what: name, number: text, shown: spelledOut(number), hint };
    report(linter, 'nanoseconds', argument, values);
    return;
  }
  if (!isText(argument)) return;
  const instead = literalOf(argument.value.trim());
  if (instead === undefined) return;
  const found = argument.value.includes('d') ? 'days' : shown(linter, argument);
  const fix = { title: `Use ${instead}`, edits: [replace(call, instead)] };
  report(linter, 'timespan-text', argument, { name, found, instead }, fix);
}

/** Returns the APL timespan literal for a string such as `2d`, or `1.02:03:04` in Kusto's format. */
function literalOf(text: string): string | undefined {
  if (/^-?\d+(\.\d+)?d$/.test(text)) return text;
  const parts = /^(?:(\d+)\.)?(\d{1,2}):(\d{2}):(\d{2})$/.exec(text);
  if (parts === null) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((n) => Number(n ?? 0));
  const total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
  if (total % 86_400 === 0) return `${total / 86_400}d`;
  if (total % 3_600 === 0) return `${total / 3_600}h`;
  return total % 60 === 0 ? `${total / 60}m` : `${total}s`;
}

/** Reports a datetime bin width that is a plain number, as in `bin(_time, 60)`, or implausibly short. */
export function lintBinWidth(linter: Linter, call: Call): void {
  const [value, width] = call.arguments;
  const number = numberOf(width);
  if (value === undefined || width === undefined || number === undefined) return;
  if (isTime(value)) {
    const example = `${shown(linter, width)}s`;
    report(linter, 'bin-width', width, { example }, example);
    return;
  }
  checkCount(linter, value, width);
}

export function lintAgo(linter: Linter, call: Call): void {
  const [span] = call.arguments;
  const length = timespanOf(span);
  if (span?.kind !== 'unary' || length === undefined || length >= 0n) return;
  const instead = `ago(${written(linter, span.operand)})`;
  const edits = [replace(span, written(linter, span.operand))];
  report(linter, 'future-ago', span, { instead }, { title: `Use ${instead}`, edits });
}

/** Reports `_time > 1h` if the type of `_time` is unknown. If the type is known, the binder reports it. */
export function lintSpanForTime(linter: Linter, { operator, left, right }: Binary): void {
  if (!comparisons.has(operator) || left.type !== 'unknown' || !isTime(left)) return;
  if (timespanOf(right) === undefined || right.kind !== 'literal') return;
  const instead = `ago(${written(linter, right)})`;
  const values = { operator, left: 'a datetime', right: 'a timespan', hint: ` Use ${instead}.` };
  report(linter, 'operand-type', right, values, instead);
}
