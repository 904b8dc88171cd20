/**
 * The slow path: loads events into a temporary table as JSON, discovers their shape, adds the missing columns to the
 * dataset, and extracts each value by its path. Events that can't be stored are reported with the reason.
 */
import { INGEST_NAME_BYTES_MAX } from '../../../../api/src/index.ts';
import type { Session } from '../../engines/duckdb/database/session.ts';
import { ApiError } from '../../errors.ts';
import { formatNanos } from '../../time.ts';
import { type Addition, type Dataset, TIME_FIELD } from '../datasetRecords.ts';
import type { DatasetLayout } from '../layout.ts';
import { quoteText } from '../sql.ts';
import type { Store } from '../store.ts';
import { columnsOf, type LeafValue } from './columns.ts';
import type { Ingested, IngestOptions } from './ingest.ts';
import { labelAdditions } from './labels.ts';
import { type Leaf, leavesOf, missingAdditions, nameFits } from './leaves.ts';
import { locator, type Shape } from './shape.ts';
import { mapsOf, REQUEST_FIELDS_MAX } from './target.ts';
import { timeSql } from './times.ts';
import { parsed, storedAs, storedOfKind } from './values.ts';

/** The temporary table of a request's events. `n` is the event's number, starting from 1, and `json` the event. */
export const STAGED_TABLE = 'temp.staged_events';

// The temporary table of the extracted values. Without it, DuckDB would extract the values again for every column.
const EXTRACTED_TABLE = 'temp.extracted_events';

/** Stores staged events in the caller's transaction, under the dataset's exclusive lock. Returns any new layout. */
export async function storeThoroughly(
  session: Session,
  { datasets, events }: Pick<Store, 'datasets' | 'events'>,
  dataset: Dataset,
  shape: Shape,
  staged: number,
  options: IngestOptions,
): Promise<{ readonly stored: Ingested; readonly widened: DatasetLayout | undefined }> {
  const maps = mapsOf(dataset);
  const leaves = leavesOf(shape, maps);
  if (leaves.length > REQUEST_FIELDS_MAX) {
    throw new ApiError('events-too-different', { count: leaves.length, limit: REQUEST_FIELDS_MAX });
  }
  const { layout } = dataset;
  await session.run(`CREATE TEMP TABLE extracted_events AS ${eventsSql(leaves, options)}`);
  const existing = new Set(layout.fields.map(({ name }) => name));
  const room = datasets.freeFields(layout);
  const labels = labelsThatFit(labelAdditions(options.labels), existing, room);
  for (const { field } of labels) existing.add(field);
  const roomForEvents = room - (existing.size - layout.fields.length);
  const added = await fieldsThatFit(session, leaves, existing, roomForEvents, datasets.fieldsMax);
  const fitting = leaves.filter(({ field }) => existing.has(field) || added.has(field));
  const additions = missingAdditions(fitting, layout, maps, labels);
  const widened =
    additions.length > 0 ? await events.addColumns(session, dataset, additions) : layout;
  const failures = await session.rows<[n: bigint, problem: string, time: bigint | null]>(
    `SELECT n, problem, epoch_ns(time) FROM ${EXTRACTED_TABLE} WHERE problem IS NOT NULL ORDER BY n`,
  );
  const readings = leaves.map(leafReading);
  const columns = columnsOf(
    widened,
    readings.flatMap(({ value }) => value ?? []),
    options.labels,
    { time: 'time', systemTime: `make_timestamp_ns(${options.now})` },
  );
  // Name the values in a subquery, because DuckDB takes quadratic time to find repeated expressions.
  const read = ['time', ...readings.map(({ sql }, index) => `${sql} AS x${index}`)].join(', ');
  const from = `FROM (SELECT ${read} FROM (FROM ${EXTRACTED_TABLE} WHERE problem IS NULL ORDER BY n))`;
  const rows = { ...columns, from, countMax: staged };
  const ingested = await events.insert(session, widened, rows);
  await session.run(`DROP TABLE ${EXTRACTED_TABLE}`);
  const stored = {
    ingested,
    failures: failures.map(([n, problem, time]) => ({
      timestamp: formatNanos(time ?? options.now),
      error: `event ${n}: ${problem}`,
    })),
    failed: failures.map(([n]) => Number(n)),
  };
  return { stored, widened: widened === layout ? undefined : widened };
}

// Returns SQL for a leaf value, which is NULL if the value is absent or null. Column `v` lists all leaf values.
function valueSql(index: number): string {
  return `v[${index + 1}]`;
}

/** SQL for reading a leaf into the column `x0`, `x1` and so on, and for storing that column. */
interface LeafReading {
  readonly sql: string;
  /** Undefined for `_time`, which is computed from the event's time. */
  readonly value: LeafValue | undefined;
}

function leafReading({ field, kinds }: Leaf, index: number): LeafReading {
  const sql = valueSql(index);
  const x = `x${index}`;
  const [only] = kinds;
  if (field === TIME_FIELD) return { sql, value: undefined };
  return kinds.size === 1
    ? {
        sql: parsed(only!, sql),
        value: { field, sqlFor: (type, all) => storedOfKind(only!, type, all, x) ?? 'NULL' },
      }
    : { sql, value: { field, sqlFor: (type, all) => storedAs(type, all, x) } };
}

function pointersSql(leaves: readonly Leaf[]): string {
  return `[${leaves.map((leaf) => quoteText(locator(leaf.path))).join(', ')}]`;
}

function labelsThatFit(labels: readonly Addition[], existing: ReadonlySet<string>, room: number) {
  const added = new Set<string>();
  return labels.filter(({ field }) => {
    if (existing.has(field) || added.has(field)) return true;
    if (added.size === room) return false;
    added.add(field);
    return true;
  });
}

/** Rejects events whose new fields exceed the limit. Returns the new fields of the other events. */
async function fieldsThatFit(
  session: Session,
  leaves: readonly Leaf[],
  existing: ReadonlySet<string>,
  room: number,
  fieldsMax: number,
): Promise<ReadonlySet<string>> {
  const fresh = leaves.filter(({ field }) => nameFits(field) && !existing.has(field));
  const fields = new Set(fresh.map(({ field }) => field));
  if (fields.size === 0) return fields;
  const [[problems] = [0n]] = await session.rows<[bigint]>(
    `SELECT count(problem) FROM ${EXTRACTED_TABLE}`,
  );
  if (problems === 0n && fields.size <= room) return fields;
  const found = await session.rows<[n: bigint, leaves: string]>(
    `SELECT n, array_to_string(${presentIndexesSql(fresh)}, ',') FROM ${STAGED_TABLE} JOIN ${EXTRACTED_TABLE} USING (n)
     WHERE problem IS NULL ORDER BY n`,
  );
  const added = new Set<string>();
  const refused: bigint[] = [];
  for (const [n, indices] of found) {
    const own = indices.split(',').filter((index) => index !== '');
    const more = new Set(own.map((index) => fresh[Number(index)]!.field)).difference(added);
    if (added.size + more.size > room) refused.push(n);
    else for (const field of more) added.add(field);
  }
  if (refused.length > 0)
    await session.run(
      `UPDATE ${EXTRACTED_TABLE} SET problem = 'it has a new field, and the dataset has ${fieldsMax} already'
       WHERE n IN (SELECT unnest([${refused.join(', ')}]))`,
    );
  return added;
}

function eventsSql(leaves: readonly Leaf[], options: IngestOptions): string {
  // Extract nothing if there are no leaves. For a value that isn't an object, the list is NULL.
  const list =
    leaves.length === 0
      ? 'CAST([] AS VARCHAR[])'
      : `list_transform(json_extract(json, ${pointersSql(leaves)}), lambda e: nullif(CAST(e AS VARCHAR), 'null'))`;
  const extracted = `CASE WHEN json_type(json) = 'OBJECT' THEN ${list} END`;
  const strings = timeStringsSql(leaves, options);
  const cases = strings.map(({ text, time }) => `WHEN ${text} IS NOT NULL THEN ${time}`).join(' ');
  const now = `make_timestamp_ns(${options.now})`;
  const time = cases === '' ? now : `CASE ${cases} ELSE ${now} END`;
  const source = cases === '' ? 'NULL' : `coalesce(${strings.map(({ text }) => text).join(', ')})`;
  // Materialized, the lists of values would be in memory three times.
  return `WITH
    extracted AS NOT MATERIALIZED (SELECT n, json, ${extracted} AS v FROM ${STAGED_TABLE}),
    timed AS NOT MATERIALIZED (SELECT n, v, json, ${time} AS time, ${source} AS time_text FROM extracted)
    SELECT n, v, time, CASE
      WHEN v IS NULL THEN 'it is not a JSON object'
      ${nameProblemSql(leaves.filter((leaf) => !nameFits(leaf.field)))}
      WHEN time IS NULL THEN concat('its time cannot be read: ', substring(time_text, 1, 100), '. Times are between 1677-09-22 and 2262-04-11')
    END AS problem
    FROM timed`;
}

function timeStringsSql(leaves: readonly Leaf[], { timeField, timeLayout }: IngestOptions) {
  return [...new Set([timeField, TIME_FIELD])].flatMap((name) =>
    leaves.flatMap((leaf, index) => {
      if (leaf.field !== name) return [];
      const text = `json_extract_string(${valueSql(index)}, '$')`;
      return [{ text, time: timeSql(text, name === timeField ? timeLayout : undefined) }];
    }),
  );
}

function nameProblemSql(leaves: readonly Leaf[]): string {
  if (leaves.length === 0) return '';
  return `WHEN len(${presentIndexesSql(leaves)}) > 0 THEN 'it has a field whose name is empty or longer than ${INGEST_NAME_BYTES_MAX} bytes'`;
}

function presentIndexesSql(leaves: readonly Leaf[]): string {
  return `list_filter(list_transform(json_extract(json, ${pointersSql(leaves)}),
    lambda e, i: CASE WHEN CAST(e AS VARCHAR) NOT IN ('null', '{}') THEN i - 1 END), lambda i: i IS NOT NULL)`;
}
