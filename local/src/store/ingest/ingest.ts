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
  for (;;) {
    const { reading } = datasetOf(store, name);
    const known = reading.shape;
    const quick = await quickly();
    if (quick !== undefined) return quick;
    store.arriving.delete(options.signal);
    // One request at a time goes the thorough way; what it learns may let the next go the quick one.
    const stored = await reading.learning.alone(async () =>
      reading.shape === known ? thoroughly() : undefined,
    );
    if (stored !== undefined) return stored;
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
  const { events, longest } = scan;
  const { now, labels, timeField, timeLayout, signal } = options;
  const { reading } = datasetOf(store, name);
  if (events === undefined || reading.shape === undefined) return undefined;
  return store.spool.lend([bytes], async ([path]) => {
    const own = { path: path!, events, longest, now };
    const work = async (all: readonly QuickEvents[]) => ({
      stored: await storeQuickly(store, name, format, all, options),
      requests: all.length,
    });
    const key = JSON.stringify([format, timeField, timeLayout, [...labels]]);
    store.arriving.delete(signal);
    const waiting = { item: own, weight: events, work, signal };
    const { stored, requests } = await reading.together.run({ ...waiting, key }, store.arriving);
    // One of them is to blame, and it may not be this one.
    const done =
      stored ||
      (requests > 1 &&
        (await reading.together.run({ ...waiting, key: path! }, store.arriving)).stored);
    return done ? { ingested: events, failures: [] } : undefined;
  });
}

/** The events of a request, where DuckDB can read them. */
export interface QuickEvents {
  readonly path: string;
  readonly events: number;
  /** Bytes of the longest one. */
  readonly longest: number;
  /** When the request came, in nanoseconds since 1970. */
  readonly now: bigint;
}

/** What became of requests stored together: all of their events are stored, or none. */
export interface QuickOutcome {
  readonly stored: boolean;
  readonly requests: number;
}

// Whether the events of all requests were stored; if not, none was.
async function storeQuickly(
  store: Store,
  name: string,
  format: JsonFormat,
  all: readonly QuickEvents[],
  options: IngestOptions,
): Promise<boolean> {
  const events = all.reduce((sum, each) => sum + each.events, 0);
  const longest = Math.max(...all.map((each) => each.longest));
  // A second round knows more of the strings, a third one that times are not all plain.
  for (let round = 0; round < 3; round += 1) {
    const dataset = datasetOf(store, name);
    const quick = readingOf(dataset, options);
    if (quick === undefined) return false;
    const sample = Buffer.from(format === 'array' ? `[${quick.sample}]` : `${quick.sample}\n`);
    const stored = await store.spool.lend([sample], (paths) => {
      const request = {
        files: filesSql([...paths, ...all.map(({ path }) => path)]),
        format,
        longest,
        now: all.at(-1)!.now,
        labels: options.labels,
      };
      return dataset.gate.shared(() => {
        // It may have been deleted in the meantime.
        const { reading } = datasetOf(store, name);
        return store.engine.use((session) =>
          insertQuickly(session, quick, request, events, reading),
        );
      });
    });
    if (stored === 'never') return false;
    if (!stored) continue;
    store.engine.noteWrite();
    return true;
  }
  return false;
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
    texts: reading.texts,
    timeField: options.timeField,
    timeLayout: options.timeLayout,
    plainTimes: reading.plainTimes,
  });
}

// Whether all events were stored; if not, none was, and `reading` may know more. `never` when it does not.
async function insertQuickly(
  session: Session,
  quick: QuickReading,
  request: QuickRequest,
  events: number,
  reading: ReadingMemory,
): Promise<boolean | 'never'> {
  try {
    await session.transaction(async () => {
      if ((await session.run(quick.insert(request))) !== events) throw new NotAllStored();
    });
    return true;
  } catch (error) {
    if (error instanceof EngineError && QUICK_FAILURES.has(error.kind)) {
      return othersTimes(reading, error.kind === 'value');
    }
    if (!(error instanceof NotAllStored)) throw error;
  }
  const [row] = await session.rows<unknown[]>(quick.look(request));
  return reading.learn(quick.seen(row!)) ? false : othersTimes(reading, true);
}

// Where strings are not to blame, times may be, which are then read closely from now on.
function othersTimes(reading: ReadingMemory, possible: boolean): false | 'never' {
  if (!possible || !reading.plainTimes) return 'never';
  reading.plainTimes = false;
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
