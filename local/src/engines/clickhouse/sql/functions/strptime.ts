/**
 * Reads times in formats of strptime. Only formats of digits without separators are read; a string in another format is
 * refused while the query runs.
 */
import { argument, type Call, type FunctionRow } from '../context.ts';
import { NotOnEngine } from '../notOnEngine.ts';
import { quotedText, scalar, type Value } from '../value.ts';

const fixed: Readonly<Record<string, (s: string) => string>> = {
  '%Y%m%d': (s) => `concat(${dateOf(s)}, ' 00:00:00')`,
  '%Y%m%d%H%M%S': (s) =>
    `concat(${dateOf(s)}, ' ', substring(${s}, 9, 2), ':', substring(${s}, 11, 2), ':', substring(${s}, 13, 2))`,
};

function dateOf(s: string): string {
  return `concat(substring(${s}, 1, 4), '-', substring(${s}, 5, 2), '-', substring(${s}, 7, 2))`;
}

const parts: Readonly<Record<string, string>> = {
  Y: '[0-9]{1,4}',
  y: '[0-9]{1,2}',
  m: '[0-9]{1,2}',
  d: '[0-9]{1,2}',
  H: '[0-9]{1,2}',
  I: '[0-9]{1,2}',
  M: '[0-9]{1,2}',
  S: '[0-9]{1,2}',
  f: '[0-9]{1,9}',
  p: '(?:am|pm)',
  b: '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)',
  B: '(?:january|february|march|april|may|june|july|august|september|october|november|december)',
  a: '(?:mon|tue|wed|thu|fri|sat|sun)',
  A: '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)',
  z: '[-+][0-9:]+',
  Z: '[a-z/_+-]+',
};

function patternOf(format: string): string {
  return format.replace(/%(.)|[.+()[\]{}?*|^$\\]| /g, (found, letter: string | undefined) => {
    if (found === ' ') return '\\s+';
    if (letter === undefined) return `\\${found}`;
    const part = parts[letter];
    if (part === undefined) throw new NotOnEngine(`try_strptime() with %${letter}`);
    return part;
  });
}

function formatsOf({ nodes }: Call): readonly string[] {
  const [, node] = nodes;
  const items = node?.kind === 'list' ? node.items : [node];
  return items.map((item) => {
    if (item?.kind !== 'string') throw new NotOnEngine('try_strptime() with a computed format');
    return item.value;
  });
}

export const tryStrptime: FunctionRow = (call): Value => {
  const { sql } = argument(call, 0);
  const formats = formatsOf(call);
  const known = formats.length === 1 ? fixed[formats[0] as string] : undefined;
  if (known !== undefined) {
    const parsed = `parseDateTime64BestEffortOrNull(${known(sql)}, 9, 'UTC')`;
    const isInRange = `toYear(${parsed}) = toUInt16OrZero(substring(assumeNotNull(${sql}), 1, 4))`;
    return scalar(`if(${isInRange}, ${parsed}, NULL)`, 'time');
  }
  const pattern = quotedText(`(?i)^\\s*(?:${formats.map(patternOf).join('|')})\\s*$`);
  const refused = `throwIf(ifNull(match(${sql}, ${pattern}), 0), 'ClickHouse cannot read this format of time')`;
  // The refusal is part of the value, because ClickHouse leaves out conditions that select among nulls.
  return scalar(`fromUnixTimestamp64Nano(nullIf(toInt64(${refused}), 0), 'UTC')`, 'time');
};
