/**
 * Takes the events of one request in: all that can be stored, in one transaction, or nothing when the
 * body is broken. Events of a known shape go the quick way; all others the thorough way, which learns.
 */
import {
  INGEST_EVENTS_MAX,
  INGEST_VALUE_BYTES_MAX,
  type IngestFailure,
} from '../../../../api/src/index.ts';
import { ApiError } from '../../errors.ts';
import type { Dataset } from '../datasets.ts';
import { EngineError, type Session } from '../duckdb.ts';
import { quoteText } from '../sql.ts';
import type { Store } from '../store.ts';
import { checkedNames, csvHeader, csvShape, stageCsv } from './csv.ts';
import { type Labels, labelAdditions } from './labels.ts';
import { lacking } from './leaves.ts';
import { malformedJson } from './malformed.ts';
import { mendJson } from './mend.ts';
import { filesSql, GUARD_ERROR, quickReading } from './quickRead.ts';
import { type JsonFormat, type Scan, scanJson } from './scan.ts';
import { discoverShape, mergeShapes, type Shape } from './shape.ts';
import { STAGED, type Stored, storeThoroughly } from './thoroughRead.ts';

export interface IngestOptions {
  readonly timeField: string;
  /** A Go layout, where the request gives one. */
  readonly timeLayout?: string | undefined;
  readonly labels: Labels;
  /** When the request came, in nanoseconds since 1970. */
  readonly now: bigint;
  readonly signal: AbortSignal;
}

export interface CsvOptions extends IngestOptions {
  readonly delimiter: string;
  /** The names of the columns, when the body has no line of them. */
  readonly names?: readonly string[] | undefined;
}

export interface Ingested {
  readonly ingested: number;
  readonly failures: readonly IngestFailure[];
}

/** Stores JSON events. Throws an ApiError when the body is broken or has too many events. */
export async function ingestJson(
  store: Store,
  name: string,
  body: Buffer,
  format: JsonFormat,
  options: IngestOptions,
): Promise<Ingested> {
  let bytes = body;
  let scan = scanJson(bytes, format);
  if (scan.lines !== undefined) checkCount(scan.lines);
  if (scan.deep || scan.longest > INGEST_VALUE_BYTES_MAX) {
    bytes = mendJson(bytes, format) ?? bytes;
    scan = scanJson(bytes, format);
    // What is still deep has brackets that never close.
    if (scan.deep) throw malformedJson(bytes, format, '');
  }
  const quick = await ingestQuickly(store, name, bytes, format, scan, options);
  if (quick !== undefined) return quick;
  try {
    return await ingestThoroughly(store, name, bytes, format, scan, options);
  } catch (error) {
    if (!isMalformed(error)) throw error;
    const mended = mendJson(bytes, format);
    if (mended === undefined) throw malformedJson(bytes, format, error.message);
    try {
      return await ingestThoroughly(store, name, mended, format, scanJson(mended, format), options);
    } catch (again) {
      throw isMalformed(again) ? malformedJson(bytes, format, error.message) : again;
    }
  }
}

/** Stores CSV events. Throws an ApiError when the body is broken or has too many events. */
export async function ingestCsv(
  store: Store,
  name: string,
  body: Buffer,
  options: CsvOptions,
): Promise<Ingested> {
  const header = options.names === undefined ? csvHeader(body, options.delimiter) : undefined;
  const names = header?.names ?? checkedNames(options.names ?? []);
  const rows = body.subarray(header?.start ?? 0);
  return store.spool.lend([rows], ([path]) =>
    stageAndStore(store, name, options, csvShape(names), (session) =>
      stageCsv(session, path!, names, options.delimiter, {
        longest: rows.length,
        linesBefore: header?.lines ?? 0,
      }),
    ),
  );
}

function checkCount(events: number): void {
  if (events > INGEST_EVENTS_MAX)
    throw new ApiError('events-too-many', { limit: INGEST_EVENTS_MAX });
}

function isMalformed(error: unknown): error is EngineError {
  return error instanceof EngineError && error.kind === 'input';
}

/** The dataset as it is now. Throws when there is none of that name (any more). */
function datasetOf(store: Store, name: string): Dataset {
  const dataset = store.datasets.get(name);
  if (dataset === undefined)
    throw new ApiError('dataset-not-found', { name: JSON.stringify(name) });
  return dataset;
}

function mapsOf(dataset: Dataset): ReadonlySet<string> {
  return new Set(dataset.document.mapFields ?? []);
}

// Undefined when the quick way does not take these events.
async function ingestQuickly(
  store: Store,
  name: string,
  bytes: Buffer,
  format: JsonFormat,
  scan: Scan,
  options: IngestOptions,
): Promise<Ingested | undefined> {
  if (format === 'unstructured') return undefined;
  // Each round guards the strings of one more path, and the next request has them guarded already.
  for (let round = 0; round < GUARD_ROUNDS_MAX; round += 1) {
    const dataset = datasetOf(store, name);
    const { reading, layout } = dataset;
    const maps = mapsOf(dataset);
    if (reading.shape === undefined) return undefined;
    const labels = labelAdditions(options.labels);
    if (lacking([], layout, maps, labels, Number.MAX_SAFE_INTEGER).additions.length > 0) {
      return undefined;
    }
    const quick = quickReading(reading.shape, layout, {
      maps,
      guarded: reading.guarded,
      timeField: options.timeField,
      timeLayout: options.timeLayout,
    });
    if (quick === undefined) return undefined;
    const parts = [Buffer.from(format === 'array' ? `[${quick.sample}]` : quick.sample), bytes];
    try {
      const ingested = await store.spool.lend(parts, (paths) =>
        dataset.gate.shared(() => {
          datasetOf(store, name);
          const insert = quick.insert(
            filesSql(paths),
            format,
            options.now,
            options.labels,
            scan.longest,
          );
          return store.engine.use(
            (session) =>
              session.transaction(async () => {
                const count = await session.run(insert);
                checkCount(count);
                return count;
              }),
            options.signal,
          );
        }),
      );
      return { ingested, failures: [] };
    } catch (error) {
      if (
        !(error instanceof EngineError) ||
        !['input', 'value', 'statement'].includes(error.kind)
      ) {
        throw error;
      }
      if (!error.message.startsWith(GUARD_ERROR)) return undefined;
      reading.guarded.add(error.message.slice(GUARD_ERROR.length));
    }
  }
  return undefined;
}

const GUARD_ROUNDS_MAX = 32;

function ingestThoroughly(
  store: Store,
  name: string,
  bytes: Buffer,
  format: JsonFormat,
  scan: Scan,
  options: IngestOptions,
): Promise<Ingested> {
  return store.spool.lend([bytes], ([path]) =>
    stageAndStore(store, name, options, undefined, async (session) => {
      await session.run(
        `CREATE TEMP TABLE staged_events AS SELECT row_number() OVER () AS n, json
         FROM read_json_objects(${quoteText(path!)}, format = ${quoteText(format)},
           maximum_object_size = ${objectSize(scan.longest)})`,
      );
    }),
  );
}

/** The bytes DuckDB must have room for in one value. */
export function objectSize(longest: number): number {
  return Math.max(longest + 16, 16_777_216);
}

// Stages the events with `stage`, finds their shape unless it is known, and stores them.
function stageAndStore(
  store: Store,
  name: string,
  options: IngestOptions,
  known: Shape | undefined,
  stage: (session: Session) => Promise<void>,
): Promise<Ingested> {
  return store.engine.use(async (session) => {
    await stage(session);
    const [row] = await session.rows<[bigint]>(`SELECT count(*) FROM ${STAGED}`);
    const count = Number(row![0]);
    if (count === 0) throw new ApiError('events-empty');
    checkCount(count);
    const shape = known ?? (await discoverShape(session, STAGED, mapsOf(datasetOf(store, name))));
    const stored = await datasetOf(store, name).gate.alone(async () => {
      const dataset = datasetOf(store, name);
      const result: Stored = await session.transaction(() =>
        storeThoroughly(session, store.datasets, dataset, shape, {
          maps: mapsOf(dataset),
          timeField: options.timeField,
          timeLayout: options.timeLayout,
          labels: options.labels,
          now: options.now,
        }),
      );
      if (result.widened !== undefined) store.datasets.publish(name, result.widened);
      // CSV comes this way always, so there is nothing to learn from it.
      if (known === undefined) {
        dataset.reading.shape = mergeShapes(dataset.reading.shape ?? shape, shape);
      }
      return result;
    });
    await session.run(`DROP TABLE ${STAGED}`);
    return { ingested: stored.ingested, failures: stored.failures };
  }, options.signal);
}
