/**
 * Queries with the answers of Kusto's own engine, run here: a case's rows in the notation of the corpus, and
 * whether two answers are the same. Columns are compared by place, times to the microsecond (Kusto counts
 * 100 nanoseconds), approximate aggregates to five per cent, rows without an order as a bag.
 */
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { analyzeQuery } from '../../language/src/index.ts';
import { planQuery } from '../../local/src/planner/index.ts';
import { makeMacros } from '../local/planner/macros.ts';

/** A cell: a scalar, `{ timespan: '1.00:00:00' }`, or `{ dynamic: … }`. */
export type Cell = unknown;

export interface Case {
  readonly id: string;
  readonly query: string;
  readonly ordered: boolean;
  readonly expectedColumns: readonly { readonly name: string; readonly type: string }[];
  readonly expectedRows: readonly (readonly Cell[])[];
}

export type Answer =
  | { readonly types: readonly string[]; readonly rows: readonly (readonly Cell[])[] }
  | { readonly refused: string };

export function readCases(path: string): readonly Case[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

export async function openOracle() {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await makeMacros(connection);
  const now = 1_767_225_600_000_000_000n;
  return {
    /** Runs a query; what fails without a code is an exception. */
    answer: async (query: string): Promise<Answer> => {
      const { bound, problems } = analyzeQuery(query);
      const error = problems.find(({ severity }) => severity === 'error');
      if (error !== undefined) return { refused: error.code };
      let plan: ReturnType<typeof planQuery>;
      try {
        plan = planQuery(bound, {
          layoutOf: () => undefined,
          datasetNames: () => [],
          range: { start: now - 10n ** 18n, end: now },
          now,
          defaultLimit: 100_000,
        });
      } catch (refusal) {
        const { code } = refusal as { code?: string };
        if (code === undefined) throw refusal;
        return { refused: code };
      }
      const types = plan.main.columns.map(({ type }) => type);
      const rows = (await connection.runAndReadAll(plan.main.sql)).getRowsJson();
      return { types, rows: rows.map((row) => row.map((cell, i) => read(cell, types[i] ?? ''))) };
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** A cell that DuckDB answered, as the corpus writes it; a timespan is its number of nanoseconds. */
function read(cell: unknown, type: string): Cell {
  if (cell === null) return null;
  switch (type) {
    case 'integer':
      return whole(BigInt(String(cell)));
    case 'timespan':
      return { timespan: BigInt(String(cell)) };
    case 'datetime':
      return `${String(cell).replace(' ', 'T')}Z`;
    case 'float':
    case 'boolean':
    case 'string':
      return cell;
    default:
      return { dynamic: JSON.parse(String(cell)) };
  }
}

function whole(number: bigint): number | string {
  const safe = number <= Number.MAX_SAFE_INTEGER && number >= Number.MIN_SAFE_INTEGER;
  return safe ? Number(number) : String(number);
}

const wireTypes: Readonly<Record<string, string>> = {
  long: 'integer',
  int: 'integer',
  real: 'float',
  decimal: 'float',
  string: 'string',
  bool: 'boolean',
  datetime: 'datetime',
  timespan: 'timespan',
  guid: 'string',
};

/** Kusto's type as the service writes it on the wire; every kind of dynamic is one here. */
export function wireType(kusto: string): string {
  return wireTypes[kusto] ?? 'dynamic';
}

export function sameTypes(actual: readonly string[], expected: readonly string[]): boolean {
  const scalars = new Set(Object.values(wireTypes));
  const plain = actual.map((type) => (scalars.has(type) ? type : 'dynamic'));
  return plain.length === expected.length && plain.every((type, i) => type === expected[i]);
}

// ── Values ────────────────────────────────────────────────────────────────────────────────────────

const day = 86_400_000_000_000n;

/** The microseconds of `1.02:03:04.5`, or of a number of nanoseconds. */
function microseconds(of: string | bigint): bigint {
  if (typeof of === 'bigint') return of / 1000n;
  const found = /^(-?)(?:(\d+)\.)?(\d+):(\d+):(\d+)(?:\.(\d+))?$/.exec(of);
  if (found === null) throw new Error(`${of} is no timespan.`);
  const [, sign, days = '0', hours, minutes, seconds, fraction = ''] = found;
  const length =
    BigInt(days) * day +
    (BigInt(hours ?? 0) * 3600n + BigInt(minutes ?? 0) * 60n + BigInt(seconds ?? 0)) * 10n ** 9n +
    BigInt(fraction.padEnd(9, '0').slice(0, 9));
  return (sign === '-' ? -length : length) / 1000n;
}

const time = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/;

/** A value that can be compared: times are to the microsecond, keys of maps in order. */
function plain(cell: unknown): unknown {
  if (typeof cell === 'string') {
    const found = time.exec(cell);
    if (found !== null) return `${found[1]}.${(found[2] ?? '').padEnd(6, '0').slice(0, 6)}Z`;
    // The digits of a percent escape may be of either case.
    return cell.replace(/%[0-9a-f]{2}/gi, (digits) => digits.toUpperCase());
  }
  if (Array.isArray(cell)) return cell.map(plain);
  if (cell === null || typeof cell !== 'object') return cell;
  if ('timespan' in cell) return `${microseconds(cell.timespan as string | bigint)}µs`;
  if ('dynamic' in cell) return plain(cell.dynamic);
  const members = Object.entries(cell).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, value]) => [key, plain(value)]));
}

interface Comparison {
  readonly tolerance: number;
  /** Whether the items of arrays were put together in no order. */
  readonly bags: boolean;
}

function same(actual: unknown, expected: unknown, how: Comparison): boolean {
  if (typeof actual === 'number' && typeof expected === 'number') {
    const room = how.tolerance * Math.max(Math.abs(actual), Math.abs(expected));
    return actual === expected || Math.abs(actual - expected) <= room;
  }
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return allSame(actual, expected, how) || (how.bags && sameBag(actual, expected, how));
  }
  if (isMap(actual) && isMap(expected)) {
    const keys = Object.keys(actual);
    const alike = keys.join('\n') === Object.keys(expected).join('\n');
    return alike && keys.every((key) => same(actual[key], expected[key], how));
  }
  return actual === expected || isTextOf(actual, expected, how);
}

function allSame(actual: readonly unknown[], expected: readonly unknown[], how: Comparison) {
  return (
    actual.length === expected.length && actual.every((item, i) => same(item, expected[i], how))
  );
}

/** Whether the items can be paired off. */
function sameBag(
  actual: readonly unknown[],
  expected: readonly unknown[],
  how: Comparison,
  alike: typeof same = same,
): boolean {
  const left = [...expected];
  for (const item of actual) {
    const found = left.findIndex((other) => alike(item, other, how));
    if (found === -1) return false;
    left.splice(found, 1);
  }
  return left.length === 0;
}

function isMap(of: unknown): of is Record<string, unknown> {
  return typeof of === 'object' && of !== null && !Array.isArray(of);
}

/** The corpus lost the quotes of a dynamic text that reads as JSON: `dynamic("3")` is written `3` there. */
function isTextOf(actual: unknown, expected: unknown, how: Comparison): boolean {
  if (typeof actual !== 'string' || typeof expected === 'string') return false;
  try {
    return same(plain(JSON.parse(actual)), expected, how);
  } catch {
    return false;
  }
}

/** A row's cells are compared in their places, whatever holds for the items of an array in a cell. */
function sameRow(actual: unknown, expected: unknown, how: Comparison): boolean {
  const [a, e] = [actual as unknown[], expected as unknown[]];
  return a.length === e.length && a.every((cell, i) => same(cell, e[i], how));
}

/** The places of the columns that the last sort of a query names, when all of them are in the answer. */
function orderedBy(of: Case): readonly number[] | undefined {
  const sorting = [...of.query.matchAll(/\|\s*(?:sort|order)\s+by\s+([^|]+)/g)].at(-1)?.[1];
  const names = sorting?.split(',').map((key) => key.trim().split(/\s/)[0] ?? '');
  const places = names?.map((name) => of.expectedColumns.findIndex((one) => one.name === name));
  return places?.includes(-1) ? undefined : places;
}

export function sameRows(
  of: Case,
  actual: readonly (readonly Cell[])[],
  expected: readonly (readonly Cell[])[],
): boolean {
  const listed = of.query.search(/\bmake_(list|set)/);
  const how = {
    tolerance: /percentile|dcount/.test(of.query) ? 0.05 : 1e-9,
    bags: listed >= 0 && !/\|\s*(sort|order) by/.test(of.query.slice(0, listed)),
  };
  const [a, e] = [plain(actual), plain(expected)] as [unknown[][], unknown[][]];
  if (!of.ordered) return sameBag(a, e, how, sameRow);
  if (a.length === e.length && a.every((row, i) => sameRow(row, e[i], how))) return true;
  // Rows that are equal in what the query orders by may change places.
  const places = orderedBy(of);
  if (places === undefined || !sameBag(a, e, how, sameRow)) return false;
  return a.every((row, i) => places.every((place) => same(row[place], e[i]?.[place], how)));
}
