/** Explains durations, times, Unix times, and numbers compared with a field that has a unit. */
import {
  type AnyNode,
  type BoundQuery,
  functionNamed,
  parameterAt,
  pathAt,
  type Span,
  type syntax,
} from '../../../../language/src/index.ts';
import { inline, plain } from '../../markdown.ts';

export interface Found {
  readonly span: Span;
  readonly text: string;
}

export function literalHover(bound: BoundQuery, at: number): Found | undefined {
  const path = pathAt(bound.tree, at);
  const node = path.at(-1);
  if (node?.kind !== 'Literal' || at >= node.end) return undefined;
  const text = explained(node, path, bound);
  return text === undefined ? undefined : { span: node, text };
}

function explained(
  literal: syntax.Literal,
  path: readonly AnyNode[],
  bound: BoundQuery,
): string | undefined {
  const { type, value } = literal;
  if (type === 'timespan' && typeof value === 'bigint') {
    return `A duration of ${durationWords(value)}: ${value.toLocaleString('en-US')} ns.`;
  }
  if (type === 'datetime' && typeof value === 'bigint')
    return `The time ${inline(timeText(value))}.`;
  if ((type === 'long' || type === 'real') && value !== null && value !== undefined) {
    const number = Number(value);
    return argumentTime(literal, path) ?? measured(number, unitBeside(literal, path, bound));
  }
  return undefined;
}

// ── Durations and times ───────────────────────────────────────────────────────────────────────────

const steps: readonly (readonly [nanoseconds: bigint, name: string])[] = [
  [86_400_000_000_000n, 'day'],
  [3_600_000_000_000n, 'hour'],
  [60_000_000_000n, 'minute'],
  [1_000_000_000n, 'second'],
  [1_000_000n, 'millisecond'],
  [1_000n, 'microsecond'],
  [1n, 'nanosecond'],
];

/** Formats nanoseconds as words: `1 day 2 hours`. */
export function durationWords(nanoseconds: bigint): string {
  let rest = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const parts: string[] = [];
  for (const [length, name] of steps) {
    const count = rest / length;
    rest %= length;
    if (count > 0n)
      parts.push(`${count.toLocaleString('en-US')} ${name}${count === 1n ? '' : 's'}`);
  }
  const words = parts.length === 0 ? '0 seconds' : parts.join(' ');
  return nanoseconds < 0n ? `minus ${words}` : words;
}

/** The maximum distance of a JavaScript date from 1970, in milliseconds. */
const farthest = 8_640_000_000_000_000n;

/** Formats nanoseconds since 1970 as a UTC time, with as many digits as needed. */
export function timeText(nanoseconds: bigint): string {
  const perMilli = 1_000_000n;
  const below = ((nanoseconds % perMilli) + perMilli) % perMilli;
  const milliseconds = (nanoseconds - below) / perMilli;
  if (milliseconds > farthest || milliseconds < -farthest) return `${nanoseconds} ns since 1970`;
  const [whole, thousandths = ''] = new Date(Number(milliseconds)).toISOString().split(/[.Z]/);
  const fraction = `${thousandths}${String(below).padStart(6, '0')}`.replace(/0+$/, '');
  return fraction === '' ? `${whole}Z` : `${whole}.${fraction}Z`;
}

// ── Numbers ───────────────────────────────────────────────────────────────────────────────────────

const unitNanoseconds: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  '\u00b5s': 1e3,
  '\u03bcs': 1e3,
  ms: 1e6,
  s: 1e9,
  secs: 1e9,
  mins: 6e10,
  hours: 3.6e12,
  days: 8.64e13,
};

const unitBytes: Readonly<Record<string, number>> = {
  bytes: 1,
  kbytes: 1024,
  mbytes: 1024 ** 2,
  gbytes: 1024 ** 3,
  decbytes: 1,
  deckbytes: 1e3,
  decmbytes: 1e6,
  decgbytes: 1e9,
};

const byteSteps = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** Describes a number in its unit, and in a larger unit if that is more readable. Returns undefined without a unit. */
function measured(number: number, unit: string | undefined): string | undefined {
  if (unit === undefined) return undefined;
  const said = `${number.toLocaleString('en-US')} ${plain(unit)}`;
  const nanoseconds = unitNanoseconds[unit];
  const longest = 1e15;
  if (nanoseconds !== undefined && Math.abs(number * nanoseconds) < longest * 1e9) {
    const words = durationWords(BigInt(Math.round(number * nanoseconds)));
    return `${said}: ${words}.`;
  }
  const bytes = unitBytes[unit];
  if (bytes === undefined) return `${said}.`;
  let size = number * bytes;
  let step = 0;
  while (Math.abs(size) >= 1024 && step < byteSteps.length - 1) {
    size /= 1024;
    step++;
  }
  return `${said}: ${Number(size.toFixed(2)).toLocaleString('en-US')} ${byteSteps[step]}.`;
}

function unitBeside(
  literal: syntax.Literal,
  path: readonly AnyNode[],
  bound: BoundQuery,
): string | undefined {
  const around = path.findLast(
    ({ kind }) => kind === 'Binary' || kind === 'Between' || kind === 'InExpression',
  );
  if (around?.kind !== 'Binary' && around?.kind !== 'Between' && around?.kind !== 'InExpression') {
    return undefined;
  }
  // Explain only numbers in comparisons, because the unit of a factor or summand may differ from the field's unit.
  if (around.kind === 'Binary' && !/^(?:[<>]=?|[=!]=|<>)$/.test(around.operator)) return undefined;
  const sides = around.kind === 'Binary' ? [around.left, around.right] : [around.left];
  const field = sides.find(
    (side) => side.kind === 'NameReference' && side !== (literal as AnyNode),
  );
  if (field === undefined) return undefined;
  const reference = bound.references.find(
    ({ start, end }) => start === field.start && end === field.end,
  );
  return reference?.meaning.kind === 'column' ? reference.meaning.column.unit : undefined;
}

/** Nanoseconds per unit of Unix time. */
const countedIn: Readonly<Record<string, bigint>> = {
  seconds: 1_000_000_000n,
  milliseconds: 1_000_000n,
  microseconds: 1_000n,
  nanoseconds: 1n,
};

/** Describes the time given by a number that is an argument of a Unix time conversion. */
function argumentTime(literal: syntax.Literal, path: readonly AnyNode[]): string | undefined {
  const call = path.at(-2);
  if (call?.kind !== 'Call' || typeof literal.value !== 'bigint') return undefined;
  const signature = functionNamed(call.name.name)?.signatures[0];
  if (signature?.returns !== 'datetime') return undefined;
  const index = call.arguments.indexOf(literal);
  const unit = parameterAt(signature, index, call.arguments.length)?.unit;
  const scale = unit === undefined ? undefined : countedIn[unit];
  return scale === undefined ? undefined : `The time ${inline(timeText(literal.value * scale))}.`;
}
