/**
 * The quick way in: DuckDB reads events of a known shape straight into columns. A sample event put
 * before them fixes the columns, so that a key it lacks is an error; strings are read without their
 * quotes, all else as JSON text, and a value that has no place raises an error. Any error stores
 * nothing, and the events go the thorough way, which learns from them.
 */
import { randomBytes } from 'node:crypto';
import type { DatasetLayout, StoredType } from '../layout.ts';
import { quoteText } from '../sql.ts';
import { columnsOf, type LeafValue } from './columns.ts';
import type { Labels } from './labels.ts';
import { type Leaf, leavesOf } from './leaves.ts';
import { pointer, type Shape } from './shape.ts';
import { timeOfText } from './times.ts';
import { bounded, fits, looksLikeOther, storedAs } from './values.ts';

// A key that only the sample has tells its row from those of the events. Nobody outside knows it.
const MARK = `sample-${randomBytes(16).toString('hex')}`;

/** What an error of the quick way begins with when a string needs its quotes; the path follows. */
export const GUARD_ERROR = 'guard:';

export interface QuickReading {
  /** The sample event, as a line of NDJSON. */
  readonly sample: string;
  /** The insert, given files as SQL, the request's time in nanoseconds, its labels, and the bytes of its longest value. */
  readonly insert: (
    files: string,
    format: string,
    now: bigint,
    labels: Labels,
    size: number,
  ) => string;
}

export interface QuickOptions {
  readonly maps: ReadonlySet<string>;
  /** Paths (as pointers) whose strings are told apart by their quotes. */
  readonly guarded: ReadonlySet<string>;
  readonly timeField: string;
  readonly timeLayout: string | undefined;
}

interface Reading {
  readonly leaf: Leaf;
  /** How the sample reads it: as text without quotes, or as JSON. */
  readonly plain: boolean;
  /** The SQL of what was read. */
  readonly sql: string;
}

/** The quick way for a shape, or undefined when its events can only go the thorough way. */
export function quickReading(
  shape: Shape,
  layout: DatasetLayout,
  options: QuickOptions,
): QuickReading | undefined {
  const leaves = leavesOf(shape, options.maps);
  if (!isPlainShape(shape, options.maps)) return undefined;
  const timeFields = new Set(['_time', options.timeField]);
  const isPlain = (leaf: Leaf) =>
    timeFields.has(leaf.field) && leaf.field === '_time'
      ? true
      : leaf.kinds.size === 1 &&
        leaf.kinds.has('string') &&
        !options.guarded.has(pointer(leaf.path));
  const top = [...shape.children.keys()];
  const readings: Reading[] = leaves.map((leaf) => ({
    leaf,
    plain: isPlain(leaf),
    sql: leaf.path
      .slice(1)
      .reduce(
        (sql, key) => `struct_extract(${sql}, ${quoteText(key)})`,
        `c${top.indexOf(leaf.path[0]!)}`,
      ),
  }));
  const typesOf = new Map(
    layout.fields.map((field) => [
      field.name,
      new Set(field.variants.map((variant) => variant.type)),
    ]),
  );
  const plainPaths = new Set(
    readings.filter((reading) => reading.plain).map((reading) => pointer(reading.leaf.path)),
  );
  const values: LeafValue[] = [];
  const mustBeEmpty: string[] = [];
  for (const reading of readings) {
    if (reading.leaf.field === '_time') continue;
    const types = typesOf.get(reading.leaf.field);
    if (types === undefined) mustBeEmpty.push(reading.sql);
    else values.push(leafValue(reading, types));
  }
  const columns = top.map((_, index) => `c${index}`);
  return {
    sample: `${sampleOf(shape, [], plainPaths, options.maps, true)}\n`,
    insert: (files, format, now, labels, size) => {
      const nowSql = `make_timestamp_ns(${now})`;
      const { names, values: select } = columnsOf(layout, values, labels, {
        time: timeSql(readings, options, nowSql),
        systemTime: emptyCheck(mustBeEmpty, nowSql),
      });
      return `INSERT INTO ${layout.table} (${names.join(', ')}) SELECT ${select.join(', ')}
        FROM read_json(${files}, format = ${quoteText(format)}, sample_size = 1,
          maximum_object_size = ${Math.max(size + 16, 16_777_216)}, maximum_sample_files = 1, map_inference_threshold = -1, field_appearance_threshold = 0)
          AS t(${[...columns, 'mark'].join(', ')})
        WHERE mark IS NULL`;
    },
  };
}

// Columns of a struct cannot differ by case alone, and a path that holds objects and other values
// too cannot be a struct.
function isPlainShape(shape: Shape, maps: ReadonlySet<string>, path = ''): boolean {
  const names = new Set<string>();
  for (const [key, child] of shape.children) {
    const childPath = path === '' ? key : `${path}.${key}`;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
    if (names.has(key.toLowerCase()) || key === '' || /[\x00-\x1f]/.test(key)) return false;
    names.add(key.toLowerCase());
    if (maps.has(childPath)) continue;
    if (child.children.size > 0 && child.kinds.size > 1) return false;
    if (!isPlainShape(child, maps, childPath)) return false;
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
  if (marked) members.push(`${JSON.stringify(MARK)}:"x"`);
  return `{${members.join(',')}}`;
}

function leafValue({ leaf, plain, sql }: Reading, types: ReadonlySet<StoredType>): LeafValue {
  if (plain) {
    const guard = `error(${quoteText(GUARD_ERROR + pointer(leaf.path))})`;
    return {
      field: leaf.field,
      as: (type) =>
        type === 'string'
          ? `CASE WHEN ${looksLikeOther(sql)} THEN ${guard} ELSE ${bounded(sql)} END`
          : 'NULL',
    };
  }
  const x = `CAST(${sql} AS VARCHAR)`;
  const [first] = types;
  return {
    field: leaf.field,
    as: (type, all) => {
      const stored = storedAs(type, all, x);
      // The check stands in one column only.
      if (type !== first) return stored;
      return `CASE WHEN ${x} IS NULL OR ${fits(all, x)} THEN ${stored} ELSE error('place') END`;
    },
  };
}

function timeSql(readings: readonly Reading[], options: QuickOptions, now: string): string {
  const sources: string[] = [];
  for (const name of new Set([options.timeField, '_time'])) {
    for (const { leaf, plain, sql } of readings) {
      if (leaf.field !== name) continue;
      const text = plain ? sql : `json_extract_string(${sql}, '$')`;
      const layout = name === options.timeField ? options.timeLayout : undefined;
      const time = timeOfText(text, layout);
      sources.push(`CASE WHEN ${text} IS NOT NULL THEN coalesce(${time}, error('time')) END`);
    }
  }
  return sources.length === 0 ? now : `coalesce(${sources.join(', ')}, ${now})`;
}

function emptyCheck(values: readonly string[], result: string): string {
  if (values.length === 0) return result;
  const some = values.map((sql) => `coalesce(CAST(${sql} AS VARCHAR), '{}') <> '{}'`);
  return `CASE WHEN ${some.join(' OR ')} THEN error('place') ELSE ${result} END`;
}

/** The files of a request and its sample, as `read_json` takes them. */
export function filesSql(paths: readonly string[]): string {
  return `[${paths.map(quoteText).join(', ')}]`;
}
