/**
 * Stores the valid events of a request in one transaction, or none of them if the body is malformed. Events of a known
 * shape (paths and kinds of values) take the fast path (`quickRead.ts`). Other events take the slow path
 * (`thoroughRead.ts`), which learns their shape.
 */
import {
  INGEST_EVENTS_MAX,
  INGEST_VALUE_BYTES_MAX,
  type IngestFailure,
} from '../../../../api/src/index.ts';
import type { Session } from '../../engines/duckdb/database/session.ts';
import { EngineError } from '../../engines/engineError.ts';
import { ApiError } from '../../errors.ts';
import type { EventBody } from '../../eventBody.ts';
import { quoteText } from '../sql.ts';
import type { Store } from '../store.ts';
import { checkedNames, csvHeader, csvShape, stageCsv } from './csv.ts';
import { countRecords } from './csvRecords.ts';
import { fixJson } from './fixJson.ts';
import type { Labels } from './labels.ts';
import { malformedJson } from './malformed.ts';
import { objectSize } from './quickRead.ts';
import { ingestQuickly, learnValues } from './quickStore.ts';
import { type JsonFormat, type Scan, scanJson } from './scan.ts';
import { discoverShape, type Shape } from './shape.ts';
import { datasetOf, mapsOf } from './target.ts';
import { STAGED_TABLE, storeThoroughly } from './thoroughRead.ts';
import { valuesAsLines } from './valueLines.ts';

export interface IngestOptions {
  readonly timeField: string;
  readonly timeLayout?: string | undefined;
  readonly labels: Labels;
  /** The time at which the request arrived, in nanoseconds since 1970. */
  readonly now: bigint;
  readonly signal: AbortSignal;
}

export interface JsonRequest {
  readonly store: Store;
  readonly name: string;
  readonly body: EventBody;
  readonly format: JsonFormat;
  readonly scan: Scan;
  readonly options: IngestOptions;
}

interface CsvOptions extends IngestOptions {
  readonly delimiter: string;
  /** The column names. Absent if the body has a header line. */
  readonly names?: readonly string[] | undefined;
}

export interface Ingested {
  readonly ingested: number;
  readonly failures: readonly IngestFailure[];
  /** The numbers of the failed events, starting from 1, in the order of `failures`. */
  readonly failed: readonly number[];
}

export const NOTHING_INGESTED: Ingested = { ingested: 0, failures: [], failed: [] };

/** Stores JSON events. Throws an ApiError if the body is malformed or has too many events. */
export async function ingestJson(
  store: Store,
  name: string,
  body: EventBody,
  givenFormat: JsonFormat,
  options: IngestOptions,
): Promise<Ingested> {
  // Put each value on its own line, because DuckDB can't read every sequence of values without separators.
  const given = givenFormat === 'unstructured' ? await body.bytes() : undefined;
  if (given !== undefined) await body.replace(valuesAsLines(given));
  const format = given === undefined ? givenFormat : 'newline_delimited';
  const malformed = (bytes: Buffer, message: string) =>
    malformedJson(given ?? bytes, givenFormat, message);
  let scan = body.scan ?? scanJson(await body.bytes(), format);
  if (scan.events !== undefined) checkCount(scan.events);
  if (scan.events === 0) {
    const bytes = format === 'array' ? await body.bytes() : undefined;
    if (bytes === undefined || /^\s*\[\s*\]\s*$/.test(bytes.toString('latin1')))
      return NOTHING_INGESTED;
    throw malformed(bytes, '');
  }
  const fix = async () => {
    const fixed = fixJson(await body.bytes(), format);
    if (fixed !== undefined) await body.replace(fixed);
    const bytes = await body.bytes();
    scan = scanJson(bytes, format);
    // `fixJson` replaces values that are nested too deeply. JSON that is still too deep has an unclosed bracket, so
    // reject it.
    if (scan.isDeep) throw malformed(bytes, '');
    return fixed !== undefined;
  };
  if (scan.isDeep || scan.longestBytes > INGEST_VALUE_BYTES_MAX) await fix();
  const request = () => ({ store, name, body, format, scan, options });
  const thoroughly = async () => {
    if (scanJson(await body.bytes(), format, true).isDeep) await fix();
    try {
      return await ingestThoroughly(request());
    } catch (error) {
      if (!isMalformed(error)) throw error;
      const broken = await body.bytes();
      if (!(await fix())) throw malformed(broken, error.message);
      try {
        return await ingestThoroughly(request());
      } catch (again) {
        throw isMalformed(again) ? malformed(broken, error.message) : again;
      }
    }
  };
  for (;;) {
    const { reading } = datasetOf(store, name);
    const known = reading.shape;
    const quick = await ingestQuickly(request());
    if (quick !== undefined) return quick;
    reading.arriving.delete(options.signal);
    // Let one request at a time learn the shape, because the others may then take the fast path.
    const stored = await reading.learning.exclusive(async () => {
      if (reading.shape !== known) return undefined;
      const result = await thoroughly();
      // Ignore errors, because the events are stored, and the dataset may have been deleted since.
      if (reading.facts.strings.size === 0) await learnValues(request()).catch(() => undefined);
      return result;
    });
    if (stored !== undefined) return stored;
  }
}

/** Stores CSV events. Throws an ApiError if the body is malformed or has too many events. */
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
  const events = countRecords(rows, options.delimiter.charCodeAt(0), names.length, firstLine);
  if (events === 0) return NOTHING_INGESTED;
  checkCount(events);
  const staging: Staging = {
    events,
    stage: (session, path) => stageCsv(session, path, names, options.delimiter, rows.length),
    countError: () =>
      new ApiError('events-malformed', { where: 'The body', problem: 'it is not valid CSV' }),
  };
  return store.spool.withFiles([rows], ([path]) =>
    stageAndStore(store, name, options, csvShape(names), path!, staging),
  );
}

function checkCount(events: number): void {
  if (events > INGEST_EVENTS_MAX)
    throw new ApiError('events-too-many', { limit: INGEST_EVENTS_MAX });
}

function isMalformed(error: unknown): error is EngineError {
  return error instanceof EngineError && error.kind === 'input';
}

async function ingestThoroughly({ store, name, body, format, scan, options }: JsonRequest) {
  return stageAndStore(store, name, options, undefined, await body.path(), {
    events: scan.events,
    stage: async (session, path) => {
      await session.run(
        `CREATE TEMP TABLE staged_events AS SELECT row_number() OVER () AS n, json
         FROM read_json_objects(${quoteText(path)}, format = ${quoteText(format)},
           maximum_object_size = ${objectSize(scan.longestBytes)})`,
      );
    },
    // The message is empty, because the caller finds the position of the error.
    countError: () => new EngineError('', 'input'),
  });
}

/** A way to load events into the table `STAGED_TABLE`. */
interface Staging {
  /** The expected number of events, which shows whether DuckDB has skipped bytes such as form feeds. */
  readonly events: number | undefined;
  readonly stage: (session: Session, path: string) => Promise<void>;
  readonly countError: () => Error;
}

function stageAndStore(
  store: Store,
  name: string,
  options: IngestOptions,
  known: Shape | undefined,
  path: string,
  { events, stage, countError }: Staging,
): Promise<Ingested> {
  const work = async (session: Session) => {
    await stage(session, path);
    const [row] = await session.rows<[bigint]>(`SELECT count(*) FROM ${STAGED_TABLE}`);
    const count = Number(row![0]);
    if (count !== (events ?? count)) throw countError();
    checkCount(count);
    if (count === 0) {
      await session.run(`DROP TABLE ${STAGED_TABLE}`);
      return NOTHING_INGESTED;
    }
    const shape =
      known ?? (await discoverShape(session, STAGED_TABLE, mapsOf(datasetOf(store, name))));
    const result = await datasetOf(store, name).lock.exclusive(async () => {
      const dataset = datasetOf(store, name);
      const { stored, widened } = await store.events.transaction(session, () =>
        storeThoroughly(session, store, dataset, shape, count, options),
      );
      if (widened !== undefined) store.datasets.publish(name, widened);
      // Don't learn the shape of CSV events, because they always take this path.
      if (known === undefined) dataset.reading.learnShape(shape);
      return stored;
    });
    await session.run(`DROP TABLE ${STAGED_TABLE}`);
    store.engine.countWrite();
    return result;
  };
  const use = () => store.engine.use(work, options.signal);
  return store.staging.run(use, options.signal, { key: name });
}
