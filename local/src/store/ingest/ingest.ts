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
import { EngineError, type EngineErrorKind, type Session } from '../duckdb.ts';
import { quoteText } from '../sql.ts';
import type { Store } from '../store.ts';
import { checkedNames, csvHeader, csvShape, stageCsv } from './csv.ts';
import { countRecords } from './csvRecords.ts';
import { type Labels, labelAdditions } from './labels.ts';
import { lacking } from './leaves.ts';
import { malformedJson } from './malformed.ts';
import type { ReadingMemory } from './memory.ts';
import { mendJson } from './mend.ts';
import {
  filesSql,
  objectSize,
  type QuickReading,
  type QuickRequest,
  quickReading,
} from './quickRead.ts';
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
  if (scan.events !== undefined) checkCount(scan.events);
  const mend = () => {
    bytes = mendJson(bytes, format) ?? bytes;
    scan = scanJson(bytes, format);
    // What is still deep has brackets that never close.
    if (scan.deep) throw malformedJson(bytes, format, '');
  };
  if (scan.deep || scan.longest > INGEST_VALUE_BYTES_MAX) mend();
  const quickly = () => ingestQuickly(store, name, bytes, format, scan, options);
  const thoroughly = async () => {
    if (scanJson(bytes, format, true).deep) mend();
    try {
      return await ingestThoroughly(store, name, bytes, format, scan, options);
    } catch (error) {
      if (!isMalformed(error)) throw error;
      const broken = bytes;
      mend();
      if (bytes === broken) throw malformedJson(bytes, format, error.message);
      try {
        return await ingestThoroughly(store, name, bytes, format, scan, options);
      } catch (again) {
        throw isMalformed(again) ? malformedJson(broken, format, error.message) : again;
      }
    }
  };
  const quick = await quickly();
  if (quick !== undefined) return quick;
  // One request at a time goes the thorough way; what it learns may let the next go the quick one.
  const { reading } = datasetOf(store, name);
  const known = reading.shape;
  return reading.learning.alone(async () => {
    const learned = reading.shape === known ? undefined : await quickly();
    return learned ?? thoroughly();
  });
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
  const firstLine = 1 + (header?.lines ?? 0);
  checkCount(countRecords(rows, options.delimiter.charCodeAt(0), names.length, firstLine));
  return store.spool.lend([rows], ([path]) =>
    stageAndStore(store, name, options, csvShape(names), (session) =>
      stageCsv(session, path!, names, options.delimiter, rows.length),
    ),
  );
}

function checkCount(events: number): void {
  if (events === 0) throw new ApiError('events-empty');
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
  const { events } = scan;
  if (events === undefined) return undefined;
  // A second round knows which strings need their quotes, and that times are not all plain.
  for (let round = 0; round < 2; round += 1) {
    const dataset = datasetOf(store, name);
    const { reading } = dataset;
    const quick = readingOf(dataset, options);
    if (quick === undefined) return undefined;
    const parts = [
      Buffer.from(format === 'array' ? `[${quick.sample}]` : `${quick.sample}\n`),
      bytes,
    ];
    const stored = await store.spool.lend(parts, (paths) => {
      const { longest } = scan;
      const { now, labels } = options;
      const request = { files: filesSql(paths), format, longest, now, labels };
      return dataset.gate.shared(() => {
        // It may have been deleted in the meantime.
        datasetOf(store, name);
        return store.engine.use(
          (session) => insertQuickly(session, quick, request, events, reading),
          options.signal,
        );
      });
    });
    if (!stored) continue;
    store.engine.noteWrite();
    return { ingested: events, failures: [] };
  }
  return undefined;
}

function readingOf(dataset: Dataset, options: IngestOptions): QuickReading | undefined {
  const { reading, layout } = dataset;
  if (reading.shape === undefined) return undefined;
  const maps = mapsOf(dataset);
  const labels = labelAdditions(options.labels);
  const { additions } = lacking([], layout, maps, labels, Number.MAX_SAFE_INTEGER);
  if (additions.length > 0) return undefined;
  return quickReading(reading.shape, layout, {
    maps,
    guarded: reading.guarded,
    timeField: options.timeField,
    timeLayout: options.timeLayout,
    plainTimes: reading.plainTimes,
  });
}

// Whether all events were stored; if not, none was, and `reading` may know more.
async function insertQuickly(
  session: Session,
  quick: QuickReading,
  request: QuickRequest,
  events: number,
  reading: ReadingMemory,
): Promise<boolean> {
  try {
    await session.transaction(async () => {
      if ((await session.run(quick.insert(request))) !== events) throw new NotAllStored();
    });
    return true;
  } catch (error) {
    if (error instanceof EngineError && QUICK_FAILURES.has(error.kind)) {
      reading.plainTimes = false;
      return false;
    }
    if (!(error instanceof NotAllStored)) throw error;
  }
  const [doubts] = await session.rows<(boolean | null)[]>(quick.doubts(request));
  const doubtful = quick.paths.filter((_, index) => doubts?.[index] === true);
  for (const path of doubtful) reading.guarded.add(path);
  if (doubtful.length === 0) reading.plainTimes = false;
  return false;
}

class NotAllStored extends Error {}

// What the events can be the cause of, and not the engine.
const QUICK_FAILURES: ReadonlySet<EngineErrorKind> = new Set(['input', 'value', 'statement']);

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
    store.engine.noteWrite();
    return { ingested: stored.ingested, failures: stored.failures };
  }, options.signal);
}
