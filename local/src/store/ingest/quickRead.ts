/**
 * The fast path: DuckDB reads events of a known shape directly into columns.
 * - A sample that precedes the events determines the columns, so a key that the sample lacks is an error.
 * - Strings that can't be mistaken for other values are read without quotes, and everything else as JSON.
 * - A filter passes only events whose values certainly have the expected types. If some events don't pass even after
 *   `quickStore.ts` has learned from the failure, the request takes the slow path.
 */
import { randomBytes } from 'node:crypto';
import type { ComputedRows } from '../../engines/events.ts';
import { TIME_FIELD } from '../datasetRecords.ts';
import { type DatasetLayout, type StoredType, typesOf } from '../layout.ts';
import { quoteText } from '../sql.ts';
import { columnsOf, type LeafValue } from './columns.ts';
import type { IngestOptions } from './ingest.ts';
import type { Labels } from './labels.ts';
import { type Leaf, leavesOf } from './leaves.ts';
import { type Gaps, gapsOf, isInGaps, isLookalike } from './lookalikes.ts';
import type { ReadingMemory, ValueFacts } from './readingMemory.ts';
import type { JsonFormat } from './scan.ts';
import { pointer, type Shape } from './shape.ts';
import { timeSql } from './times.ts';
import { fits, plainValue, storedAs } from './values.ts';

// A random key that occurs only in the sample, which distinguishes the sample from the events.
const SAMPLE_KEY = `sample-${randomBytes(16).toString('hex')}`;

/** The maximum depth of objects on the fast path. */
const STRUCT_DEPTH_MAX = 16;

// Joins a one-row subquery, which stops DuckDB from restoring the insertion order across threads.
const WITHOUT_ORDER = 'CROSS JOIN (SELECT one FROM (SELECT random() < 2 AS one) GROUP BY one)';

/** The maximum number of leaves on the fast path, which bounds its memory. */
const LEAVES_MAX = 4_096;

/** The maximum number of leaves with several types, arrays or maps, whose SQL DuckDB plans in quadratic time. */
const MIXED_LEAVES_MAX = 256;

export interface QuickRequest {
  /** The list of files as SQL. The sample is the first file. */
  readonly files: string;
  readonly format: JsonFormat;
  readonly events: number;
  readonly longestBytes: number;
  /** The time at which the last request arrived, in nanoseconds since 1970. */
  readonly now: bigint;
  readonly labels: Labels;
  /** Whether to keep the order of events in the files. Keeping the order takes a sixth longer. */
  readonly ordered: boolean;
}

export interface QuickReading {
  readonly sample: string;
  /** Returns the rows to insert. They lack events that fail the filter, so compare their number. */
  readonly rows: (request: QuickRequest) => ComputedRows;
  readonly factsSql: (request: QuickRequest) => string;
  readonly factsOf: (row: readonly unknown[]) => FoundFacts;
}

export interface FoundFacts extends ValueFacts {
  /** Whether an event has a field that the dataset lacks, so that a retry would fail too. */
  readonly lacksField: boolean;
}

interface Reading {
  readonly leaf: Leaf;
  /** Whether to read the value as a string without quotes rather than as JSON. */
  readonly plain: boolean;
  readonly mayBeAbsent: boolean;
  readonly sql: string;
}

/** Returns how to read events of the shape, or undefined if they must take the slow path. */
export function quickReading(
  shape: Shape,
  layout: DatasetLayout,
  maps: ReadonlySet<string>,
  { facts, plainTimes }: Pick<ReadingMemory, 'facts' | 'plainTimes'>,
  options: IngestOptions,
): QuickReading | undefined {
  const leaves = leavesOf(shape, maps);
  if (leaves.length > LEAVES_MAX || !isPlainShape(shape, maps)) return undefined;
  // `_time` accepts both strings and numbers, so it is always read as a string.
  const isPlain = (leaf: Leaf) =>
    leaf.field === TIME_FIELD ||
    (leaf.kinds.size === 1 &&
      leaf.kinds.has('string') &&
      facts.strings.get(pointer(leaf.path)) !== 'quoted');
  const top = [...shape.children.keys()];
  const readings: Reading[] = leaves.map((leaf) => ({
    leaf,
    plain: isPlain(leaf),
    mayBeAbsent: facts.absent.has(pointer(leaf.path)),
    sql: leaf.path
      .slice(1)
      .reduce(
        (sql, key) => `struct_extract(${sql}, ${quoteText(key)})`,
        `c${top.indexOf(leaf.path[0]!)}`,
      ),
  }));
  const typesByField = new Map(layout.fields.map((field) => [field.name, typesOf(field)]));
  const others = readings.filter(({ leaf }) => leaf.field !== TIME_FIELD);
  const isPlainOther = ({ leaf, plain }: Reading) => plain && leaf.field !== TIME_FIELD;
  const plainPaths = new Set(
    readings.filter((reading) => reading.plain).map((reading) => pointer(reading.leaf.path)),
  );
  const values: LeafValue[] = [];
  let mixedLeaves = 0;
  const columns = top.map((_, index) => `c${index}`);
  // An event that is null or has no known key must take the slow path.
  const isKnownEvent = `NOT (${columns.map((column) => `${column} IS NULL`).join(' AND ')})`;
  const checks = others.every(({ mayBeAbsent }) => mayBeAbsent) ? [isKnownEvent] : [];
  const time = timeReading(readings, plainTimes, options);
  checks.push(...time.checks);
  for (const reading of others) {
    const types = typesByField.get(reading.leaf.field) ?? new Set();
    const known = facts.strings.get(pointer(reading.leaf.path));
    const gaps = known === 'quoted' ? undefined : known;
    const { check, value, mixed = false } = leafReading(reading, types, gaps);
    checks.push(check);
    values.push(value);
    if (mixed) mixedLeaves += 1;
  }
  if (mixedLeaves > MIXED_LEAVES_MAX) return undefined;
  const source = (request: QuickRequest) =>
    `FROM read_json(${request.files}, format = ${quoteText(request.format)}, sample_size = 1,
        maximum_sample_files = 1, map_inference_threshold = -1, field_appearance_threshold = 0,
        maximum_object_size = ${objectSize(request.longestBytes)}) AS t(${[...columns, 'mark'].join(', ')})
      ${request.ordered ? '' : WITHOUT_ORDER} WHERE mark IS NULL`;
  return {
    sample: sampleOf(shape, [], plainPaths, maps, true),
    rows: (request) => {
      const now = `make_timestamp_ns(${request.now})`;
      const times = { time: time.value(now), systemTime: now };
      return {
        ...columnsOf(layout, values, request.labels, times),
        from: `${source(request)} AND ${checks.map((check) => `(${check})`).join(' AND ')}`,
        countMax: request.events,
      };
    },
    // Compute the leaves in a subquery and repeat only their names, because DuckDB takes quadratic time to find
    // repeated expressions.
    factsSql: (request) =>
      `SELECT ${[
        'count(*) FILTER (known)',
        ...readings.map((_, index) => `count(x${index})`),
        ...readings.flatMap((reading, index) =>
          isPlainOther(reading)
            ? [`bool_or(${isLookalike(`x${index}`)})`, `min(x${index})`, `max(x${index})`]
            : [],
        ),
      ].join(', ')} FROM (SELECT ${[
        `${isKnownEvent} AS known`,
        ...readings.map(({ sql }, index) => `${sql} AS x${index}`),
      ].join(', ')} ${source(request)})`,
    factsOf: ([known, ...row]) => ({
      strings: new Map(
        readings.filter(isPlainOther).flatMap(({ leaf }, index) => {
          const first = readings.length + 3 * index;
          const [lookalike, min, max] = row.slice(first, first + 3);
          if (typeof min !== 'string' || typeof max !== 'string') return [];
          const reading = lookalike === true ? 'quoted' : gapsOf(min, max);
          return [[pointer(leaf.path), reading] as const];
        }),
      ),
      absent: new Set(
        readings.filter((_, index) => row[index] !== known).map(({ leaf }) => pointer(leaf.path)),
      ),
      lacksField: readings.some(
        ({ leaf }, index) =>
          leaf.field !== TIME_FIELD &&
          !typesByField.has(leaf.field) &&
          // Empty objects need no field.
          !leaf.kinds.has('object') &&
          row[index] !== 0n,
      ),
    }),
  };
}

// Reports whether DuckDB can read the shape as structs. A struct's fields can't differ only in case, be empty, contain
// control characters, or have both objects and other values. Nested structs get slow far below DuckDB's depth limit.
function isPlainShape(shape: Shape, maps: ReadonlySet<string>, path = '', depth = 1): boolean {
  if (depth > STRUCT_DEPTH_MAX) return false;
  const names = new Set<string>();
  for (const [key, child] of shape.children) {
    const childPath = path === '' ? key : `${path}.${key}`;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
    if (names.has(key.toLowerCase()) || key === '' || /[\x00-\x1f]/.test(key)) return false;
    names.add(key.toLowerCase());
    if (maps.has(childPath)) continue;
    if (child.children.size > 0 && child.kinds.size > 1) return false;
    if (!isPlainShape(child, maps, childPath, depth + 1)) return false;
  }
  return true;
}

function sampleOf(
  shape: Shape,
  path: readonly string[],
  plainPaths: ReadonlySet<string>,
  maps: ReadonlySet<string>,
  marked: boolean,
): string {
  const members = [...shape.children].map(([key, child]) => {
    const childPath = [...path, key];
    const nested = child.children.size > 0 && !maps.has(childPath.join('.'));
    const value = nested
      ? sampleOf(child, childPath, plainPaths, maps, false)
      : plainPaths.has(pointer(childPath))
        ? '"x"'
        : 'null';
    return `${JSON.stringify(key)}:${value}`;
  });
  if (marked) members.push(`${JSON.stringify(SAMPLE_KEY)}:"x"`);
  return `{${members.join(',')}}`;
}

// Returns a condition that accepts NULL only if events may lack the value. Testing for NULL takes 5 % of the time.
function passIfAbsent(condition: string, mayBeAbsent: boolean): string {
  return mayBeAbsent ? `(${condition}) IS NOT FALSE` : condition;
}

// Returns how to check and read a leaf's value. `types` are the types of the leaf's field.
function leafReading(
  { leaf, plain, mayBeAbsent, sql }: Reading,
  types: ReadonlySet<StoredType>,
  gaps: Gaps | undefined,
): { readonly check: string; readonly value: LeafValue; readonly mixed?: boolean } {
  const value = (sqlFor: LeafValue['sqlFor']): LeafValue => ({ field: leaf.field, sqlFor });
  // Reject all strings if the dataset has no more room for their field.
  if (plain && !types.has('string')) return { check: `${sql} IS NULL`, value: value(() => 'NULL') };
  if (plain) {
    return {
      // Reject all strings until the strings at this path have been examined.
      check: passIfAbsent(
        gaps === undefined ? `${sql} <> ${sql}` : isInGaps(sql, gaps),
        mayBeAbsent,
      ),
      value: value((type) => (type === 'string' ? sql : 'NULL')),
    };
  }
  const x = `CAST(${sql} AS VARCHAR)`;
  const [only] = types;
  const single = types.size === 1 ? plainValue(only!, x) : undefined;
  if (single !== undefined && !leaf.kinds.has('object')) {
    return { check: passIfAbsent(single.check, mayBeAbsent), value: value(() => single.value) };
  }
  return {
    check: mayBeAbsent ? `${x} IS NULL OR ${fits(types, x)}` : fits(types, x),
    value: value((type, all) => storedAs(type, all, x)),
    mixed: true,
  };
}

function timeReading(
  readings: readonly Reading[],
  plainTimes: boolean,
  { timeField, timeLayout }: IngestOptions,
) {
  const sources = [...new Set([timeField, TIME_FIELD])].flatMap((name) =>
    readings.filter(({ leaf }) => leaf.field === name).map((reading) => ({ name, reading })),
  );
  const [first] = sources;
  if (first === undefined) return { checks: [], value: (now: string) => now };
  const isPlain = plainTimes && timeLayout === undefined && timeField === TIME_FIELD;
  if (isPlain && sources.length === 1) {
    const { sql, mayBeAbsent } = first.reading;
    const time = `CAST(${sql} AS TIMESTAMP_NS)`;
    return {
      checks: [passIfAbsent(`${sql} >= '0' AND ${sql} < ':'`, mayBeAbsent)],
      value: (now: string) => (mayBeAbsent ? `coalesce(${time}, ${now})` : time),
    };
  }
  const strings = sources.map(({ name, reading: { plain, sql } }) => {
    const text = plain ? sql : `json_extract_string(${sql}, '$')`;
    return { text, time: timeSql(text, name === timeField ? timeLayout : undefined) };
  });
  const when = strings.map(({ text, time }) => `WHEN ${text} IS NOT NULL THEN ${time}`).join(' ');
  return {
    checks: [`(CASE ${when} ELSE make_timestamp_ns(0) END) IS NOT NULL`],
    value: (now: string) => `CASE ${when} ELSE ${now} END`,
  };
}

/** Returns half of DuckDB's read buffer size. Small buffers fit the cache, but leave more pieces to sort. */
export function objectSize(longestBytes: number): number {
  return Math.max(longestBytes + 16, 2 * 1_048_576);
}

export function filesSql(paths: readonly string[]): string {
  return `[${paths.map(quoteText).join(', ')}]`;
}
