/**
 * The quick path: DuckDB reads events of a known shape straight into columns. The first event is a sample that
 * determines the columns, so an unknown key is an error. Strings are read without quotes if unambiguous, everything
 * else as JSON. A filter passes only values that certainly have the expected types. If some don't pass even after
 * `quickStore.ts` has learned from them, the request takes the thorough path.
 */
import { randomBytes } from 'node:crypto';
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

// A key that only the sample has, to distinguish its row from the events. It is random, so no event can have it.
const SAMPLE_KEY = `sample-${randomBytes(16).toString('hex')}`;

/** The maximum depth of nested objects. Deeper ones are read on the thorough path. */
const STRUCT_DEPTH_MAX = 16;

// Joins a row whose order DuckDB considers undefined, so it need not sort the pieces that its threads read.
const WITHOUT_ORDER = 'CROSS JOIN (SELECT one FROM (SELECT random() < 2 AS one) GROUP BY one)';

/** Maximum number of leaves: DuckDB's search for common subexpressions is quadratic in the number of columns. */
const LEAVES_MAX = 256;

/** Parameters for reading the events of one request, or of several that are stored together. */
export interface QuickRequest {
  /** The files as SQL, the sample first. */
  readonly files: string;
  readonly format: JsonFormat;
  /** The maximum `longestBytes` of the scans. */
  readonly longestBytes: number;
  /** Arrival time of the last request, in nanoseconds since 1970. */
  readonly now: bigint;
  readonly labels: Labels;
  /** Whether to keep the order of events in the files, which costs a sixth more. */
  readonly ordered: boolean;
}

export interface QuickReading {
  readonly sample: string;
  /** Returns the INSERT statement, which omits events that don't pass the filter, so count the stored events. */
  readonly insertSql: (request: QuickRequest) => string;
  /** Returns a query whose single row is the input of `factsOf`. */
  readonly factsSql: (request: QuickRequest) => string;
  /** Converts the row that `factsSql` selects to facts about the values. */
  readonly factsOf: (row: readonly unknown[]) => ValueFacts;
}

interface Reading {
  readonly leaf: Leaf;
  /** Whether the sample reads the value as a string without quotes rather than as JSON. */
  readonly plain: boolean;
  readonly mayBeAbsent: boolean;
  readonly sql: string;
}

/** Returns undefined if events of the shape need the thorough path, as do those that deviate from the facts. */
export function quickReading(
  shape: Shape,
  layout: DatasetLayout,
  maps: ReadonlySet<string>,
  { facts, plainTimes }: Pick<ReadingMemory, 'facts' | 'plainTimes'>,
  options: IngestOptions,
): QuickReading | undefined {
  const leaves = leavesOf(shape, maps);
  if (leaves.length > LEAVES_MAX || !isPlainShape(shape, maps)) return undefined;
  // Strings and numbers are both read as times, so their type does not matter here.
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
  const plain = others.filter((reading) => reading.plain);
  const plainPaths = new Set(
    readings.filter((reading) => reading.plain).map((reading) => pointer(reading.leaf.path)),
  );
  const values: LeafValue[] = [];
  const columns = top.map((_, index) => `c${index}`);
  // An event that is null or has no known key needs the thorough path.
  const isKnownEvent = `NOT (${columns.map((column) => `${column} IS NULL`).join(' AND ')})`;
  const checks = others.every(({ mayBeAbsent }) => mayBeAbsent) ? [isKnownEvent] : [];
  const time = timeReading(readings, plainTimes, options);
  checks.push(...time.checks);
  for (const reading of others) {
    const types = typesByField.get(reading.leaf.field) ?? new Set();
    const known = facts.strings.get(pointer(reading.leaf.path));
    const { check, value } = leafReading(reading, types, known === 'quoted' ? undefined : known);
    checks.push(check);
    values.push(value);
  }
  const source = (request: QuickRequest) =>
    `FROM read_json(${request.files}, format = ${quoteText(request.format)}, sample_size = 1,
        maximum_sample_files = 1, map_inference_threshold = -1, field_appearance_threshold = 0,
        maximum_object_size = ${objectSize(request.longestBytes)}) AS t(${[...columns, 'mark'].join(', ')})
      ${request.ordered ? '' : WITHOUT_ORDER} WHERE mark IS NULL`;
  return {
    sample: sampleOf(shape, [], plainPaths, maps, true),
    insertSql: (request) => {
      const now = `make_timestamp_ns(${request.now})`;
      const { names, values: select } = columnsOf(layout, values, request.labels, {
        time: time.value(now),
        systemTime: now,
      });
      return `INSERT INTO ${layout.table} (${names.join(', ')}) SELECT ${select.join(', ')}
        ${source(request)} AND ${checks.map((check) => `(${check})`).join(' AND ')}`;
    },
    factsSql: (request) =>
      `SELECT ${[
        ...readings.map(({ sql }) => `bool_or(${sql} IS NULL AND ${isKnownEvent})`),
        ...plain.map(({ sql }) => `bool_or(${isLookalike(sql)}), min(${sql}), max(${sql})`),
      ].join(', ')} ${source(request)}`,
    factsOf: (row) => ({
      strings: new Map(
        plain.flatMap(({ leaf }, index) => {
          const [lookalike, min, max] = row.slice(readings.length + 3 * index);
          if (typeof min !== 'string' || typeof max !== 'string') return [];
          const reading = lookalike === true ? 'quoted' : gapsOf(min, max);
          return [[pointer(leaf.path), reading] as const];
        }),
      ),
      absent: new Set(
        readings.filter((_, index) => row[index] === true).map(({ leaf }) => pointer(leaf.path)),
      ),
    }),
  };
}

// Reports whether DuckDB can read the shape as structs, whose fields can't differ by case alone, be empty or contain
// control characters, and can't have both objects and other values. Nested structs become slow long before the limit.
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

// Lets NULL pass if an event may lack the value. The test costs a twentieth of all work, so omit it if possible.
function passIfAbsent(condition: string, mayBeAbsent: boolean): string {
  return mayBeAbsent ? `(${condition}) IS NOT FALSE` : condition;
}

// Returns the filter for a leaf, and its value in the columns of its field, which has `types`.
function leafReading(
  { leaf, plain, mayBeAbsent, sql }: Reading,
  types: ReadonlySet<StoredType>,
  gaps: Gaps | undefined,
) {
  const value = (sqlFor: LeafValue['sqlFor']): LeafValue => ({ field: leaf.field, sqlFor });
  if (plain) {
    return {
      // Until the path's strings have been examined, no string passes.
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
  };
}

// With `plainTimes`, reads `_time` as RFC 3339 only. Other times are then errors.
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

/** Half of the buffer size of DuckDB's reader. Small buffers fit the cache, but leave more pieces to sort. */
export function objectSize(longestBytes: number): number {
  return Math.max(longestBytes + 16, 2 * 1_048_576);
}

export function filesSql(paths: readonly string[]): string {
  return `[${paths.map(quoteText).join(', ')}]`;
}
