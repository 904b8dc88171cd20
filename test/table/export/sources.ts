// Tables for the tests of exports, values that are easily damaged, and a task that can be observed and cancelled.
import { stringifyJson } from '../../../api/src/index.ts';
import { copyRows, exportRows } from '../../../table/src/export/exportRows.ts';
import type { Cell } from '../../../table/src/result.ts';
import { Cancelled, type LongTask, type RowSource } from '../../../table/src/rowSource.ts';

/** A number as the service wrote it, with more digits than the nearest double. */
export class Written {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Value = Cell | Written;

/** Returns a table of columns as `name: type`, with rows of values. */
export function table(
  columns: Readonly<Record<string, string>> | readonly (readonly [string, string])[],
  rows: readonly (readonly Value[])[],
  name = 'Results',
): RowSource {
  const list = (Array.isArray(columns) ? columns : Object.entries(columns)) as [string, string][];
  const declared = list.map(([columnName, type]) => ({ name: columnName, type }));
  return {
    name,
    columns: declared,
    rowCount: rows.length,
    cell(row, column) {
      const value = rows[row]?.[column] as Value;
      return value instanceof Written ? Number(value.text) : value;
    },
    text(row, column) {
      return textOf(rows[row]?.[column] as Value, declared[column]?.type as string);
    },
  };
}

function textOf(value: Value, type: string): string | null {
  if (value === null) return null;
  if (value instanceof Written) return value.text;
  if (typeof value === 'string') return value;
  if (typeof value === 'object') return stringifyJson(value);
  if (Object.is(value, -0)) return '-0.0';
  const text = String(value);
  return type === 'float' && /^-?\d+$/.test(text) ? `${text}.0` : text;
}

export const longText = `${'0123456789abcdef'.repeat(65_535)}😀 end \n of it`;

const proto = JSON.parse('{"__proto__":{"constructor":9007199254740991},"a.b":[null,""]}');

/** Columns with easily damaged names, by type. */
export const hostileColumns = {
  n: 'integer',
  wide: 'integer',
  real: 'float',
  flag: 'boolean',
  time: 'datetime',
  span: 'timespan',
  text: 'string',
  ['__proto__']: 'string',
  constructor: 'string',
  'a.b': 'map',
  'it\'s "q" | `x`': 'string',
} as const;

/** `__proto__` in a literal would be the prototype, so the names are listed. */
export const hostileNames: readonly (readonly [string, string])[] = [
  ['n', 'integer'],
  ['wide', 'integer'],
  ['real', 'float'],
  ['flag', 'boolean'],
  ['time', 'datetime'],
  ['span', 'timespan'],
  ['text', 'string'],
  ['__proto__', 'string'],
  ['constructor', 'string'],
  ['a.b', 'map'],
  ['it\'s "q" | `x`', 'string'],
];

export const hostileRows: readonly (readonly Value[])[] = [
  [
    1,
    9007199254740993n,
    -0,
    true,
    '2024-01-01T00:00:00.123456789Z',
    '1h30m0s',
    '',
    'a',
    null,
    proto,
    '|',
  ],
  [
    -5,
    2n ** 63n - 1n,
    1e-7,
    false,
    '1969-12-31T23:59:59.999999999Z',
    '-1ns',
    null,
    '',
    'b',
    { x: 9007199254740993n },
    '`',
  ],
  [
    0,
    -(2n ** 63n),
    1e300,
    null,
    '2024-02-29T12:00:00Z',
    '1.5ms',
    'null',
    'NULL',
    '',
    [1, [2, 'x']],
    '\\',
  ],
  [null, 0, 0.1 + 0.2, true, null, null, '😀 שלום ‮ \u2028', '=1+1', '+1', null, 'a\nb'],
  [
    999,
    null,
    5e-324,
    false,
    '2262-04-11T23:47:15Z',
    '25h1m1s',
    '<img src=x onerror=alert(1)>',
    '-1',
    '@x',
    {},
    'a\r\nb',
  ],
  [
    7,
    42,
    12,
    true,
    '1700-01-01T00:00:00.000000001Z',
    '0s',
    'tab\there, "quoted"',
    "it's",
    '\\u0041 \\n',
    [],
    ' padded ',
  ],
  [
    8,
    43,
    null,
    true,
    '2024-01-01T00:00:00.5Z',
    '2µs',
    longText,
    '_x000D_',
    '\u0001\u007f\ufeff',
    ['\u0000'],
    ',;|\t',
  ],
];

export const hostile = () => table(hostileNames, hostileRows);

/** A task that pauses whenever a pause is due, and can be cancelled. */
export class Task implements LongTask {
  readonly reports: { done: number; total: number }[] = [];
  /** The longest time between two pauses, in milliseconds. */
  longest = 0;
  readonly #every: number;
  #asked = 0;
  readonly #onPause: (done: number, total: number) => boolean | undefined;
  #since = performance.now();

  /** `onPause` returns true to cancel. */
  constructor(
    every = 8,
    onPause: (done: number, total: number) => boolean | undefined = () => undefined,
  ) {
    this.#every = every;
    this.#onPause = onPause;
  }

  /** Checks the clock on every fourth call only, as a task may. */
  get due(): boolean {
    if (this.#every > 0 && (++this.#asked & 3) !== 0) return false;
    return performance.now() - this.#since >= this.#every;
  }

  async pause(done: number, total: number): Promise<void> {
    this.longest = Math.max(this.longest, performance.now() - this.#since);
    this.reports.push({ done, total });
    if (this.#onPause(done, total)) throw new Cancelled();
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}

/** Returns the summary and the bytes of an export. */
export async function exported(source: RowSource, format: string, options = {}, task = new Task()) {
  const chunks: Uint8Array[] = [];
  const sink = { write: (chunk: Uint8Array) => void chunks.push(chunk) };
  const summary = await exportRows(source, format, options, sink, task);
  return { ...summary, body: Buffer.concat(chunks) };
}

export async function exportedText(source: RowSource, format: string, options = {}) {
  return (await exported(source, format, options)).body.toString();
}

export async function copied(
  source: RowSource,
  format: string,
  options = {},
  maxLength = Number.POSITIVE_INFINITY,
) {
  return await copyRows(source, format, options, maxLength, new Task());
}

/** Returns a seeded generator of numbers below a bound, so that a failing run can be repeated. */
export function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * below);
  };
}
