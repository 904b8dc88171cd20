/**
 * Stores events of a known shape, with one statement for all waiting requests that have the same options. A failed
 * attempt reveals facts about the values, so that the next attempt can succeed.
 */

import type { Session } from '../../engines/duckdb/database/session.ts';
import { EngineError, type EngineErrorKind } from '../../engines/engineError.ts';
import type { EventStore } from '../../engines/events.ts';
import type { Dataset } from '../datasetRecords.ts';
import type { DatasetLayout } from '../layout.ts';
import type { Store } from '../store.ts';
import type { Ingested, IngestOptions, JsonRequest } from './ingest.ts';
import { labelAdditions } from './labels.ts';
import { missingAdditions } from './leaves.ts';
import {
  type FoundFacts,
  filesSql,
  type QuickReading,
  type QuickRequest,
  quickReading,
} from './quickRead.ts';
import { batchWeight, type ReadingMemory } from './readingMemory.ts';
import type { JsonFormat } from './scan.ts';
import { datasetOf, mapsOf } from './target.ts';

/** Stores all events on the fast path, or returns undefined without storing any. */
export async function ingestQuickly({
  store,
  name,
  body,
  format,
  scan: { events, longestBytes },
  options,
}: JsonRequest): Promise<Ingested | undefined> {
  const { now, labels, timeField, timeLayout, signal } = options;
  const dataset = datasetOf(store, name);
  if (events === undefined || readingOf(dataset, options) === undefined) return undefined;
  const { batches, arriving } = dataset.reading;
  const own = { path: await body.path(), events, longestBytes, now };
  const work = async (all: readonly QuickEvents[], onRead: () => void) => ({
    stored: await storeQuickly(store, name, format, all, options, onRead),
    requests: all.length,
  });
  const key = JSON.stringify([format, timeField, timeLayout, [...labels]]);
  arriving.delete(signal);
  const weight = batchWeight(events, dataset.layout.fields.length);
  const entry = { key, item: own, weight, work, signal };
  let { stored, requests } = await batches.run(entry, arriving);
  // Retry this request alone, because another request of the batch may have caused the failure.
  const single = { ...entry, key: own.path, weight: Number.POSITIVE_INFINITY };
  if (!stored && requests > 1) ({ stored } = await batches.run(single, arriving));
  return stored ? { ingested: events, failures: [], failed: [] } : undefined;
}

export interface QuickEvents {
  readonly path: string;
  readonly events: number;
  /** The length of the longest line in bytes, or of the entire file if the format has no lines. */
  readonly longestBytes: number;
  /** The time at which the request arrived, in nanoseconds since 1970. */
  readonly now: bigint;
}

/** The outcome of a batch, whose events are either all stored or all not stored. */
export interface QuickOutcome {
  readonly stored: boolean;
  readonly requests: number;
}

async function storeQuickly(
  store: Store,
  name: string,
  format: JsonFormat,
  all: readonly QuickEvents[],
  options: IngestOptions,
  onRead: () => void,
): Promise<boolean> {
  const events = all.reduce((sum, each) => sum + each.events, 0);
  const longestBytes = Math.max(...all.map((each) => each.longestBytes));
  for (let round = 0; round < 3; round += 1) {
    const dataset = datasetOf(store, name);
    const { reading } = dataset;
    const before = { facts: reading.facts, plainTimes: reading.plainTimes };
    const quick = readingOf(dataset, options);
    if (quick === undefined) return false;
    const stored: 'outdated' | true | Failure = await store.spool.withFiles(
      [sampleFile(quick, format)],
      (paths) => {
        const request = {
          files: filesSql([...paths, ...all.map(({ path }) => path)]),
          format,
          events,
          longestBytes,
          now: all.at(-1)!.now,
          labels: options.labels,
          // Keep the order of events only for a single request, because concurrent requests have no defined order.
          ordered: all.length === 1,
        };
        return dataset.lock.shared((): Promise<'outdated' | true | Failure> => {
          // Check the layout, because a trim or a vacuum may have changed it since the statement was built.
          if (datasetOf(store, name).layout !== dataset.layout) return Promise.resolve('outdated');
          return store.engine.use((session) =>
            insertQuickly(store.events, session, dataset.layout, quick, request, onRead),
          );
        });
      },
    );
    if (stored === 'outdated') {
      round -= 1;
      continue;
    }
    if (stored === true) {
      store.engine.countWrite();
      return true;
    }
    if (!learnsFrom(stored, reading, before)) return false;
  }
  return false;
}

/** Learns facts from stored events, so that the next request succeeds on the first attempt. */
export async function learnValues({
  store,
  name,
  body,
  format,
  scan: { longestBytes },
  options,
}: JsonRequest): Promise<void> {
  const dataset = datasetOf(store, name);
  const quick = readingOf(dataset, options);
  if (quick === undefined) return;
  const { now, labels, signal } = options;
  const path = await body.path();
  await store.spool.withFiles([sampleFile(quick, format)], (paths) =>
    store.engine.use(async (session) => {
      const files = filesSql([...paths, path]);
      const request = { files, format, events: 0, longestBytes, now, labels, ordered: false };
      const [row] = await session.rows<unknown[]>(quick.factsSql(request));
      dataset.reading.learnValues(quick.factsOf(row!));
    }, signal),
  );
}

function sampleFile({ sample }: QuickReading, format: JsonFormat): Buffer {
  return Buffer.from(format === 'array' ? `[${sample}]` : `${sample}\n`);
}

function readingOf(dataset: Dataset, options: IngestOptions): QuickReading | undefined {
  const { reading, layout } = dataset;
  if (reading.shape === undefined) return undefined;
  const maps = mapsOf(dataset);
  const additions = missingAdditions([], layout, maps, labelAdditions(options.labels));
  if (additions.length > 0) return undefined;
  return quickReading(reading.shape, layout, maps, reading, options);
}

/** Why no event was stored: facts about the values, or the kind of engine error. */
type Failure = FoundFacts | EngineErrorKind;

// Returns true if the events were stored, and otherwise the reason.
async function insertQuickly(
  events: EventStore,
  session: Session,
  layout: DatasetLayout,
  quick: QuickReading,
  request: QuickRequest,
  onRead: () => void,
): Promise<true | Failure> {
  const checkCount = (count: number) => {
    if (count !== request.events) throw new NotAllStored();
    onRead();
  };
  try {
    await events.transaction(session, () =>
      events.insert(session, layout, quick.rows(request), checkCount),
    );
    return true;
  } catch (error) {
    if (error instanceof EngineError && QUICK_FAILURES.has(error.kind)) return error.kind;
    if (!(error instanceof NotAllStored)) throw error;
  }
  const [row] = await session.rows<unknown[]>(quick.factsSql(request));
  return quick.factsOf(row!);
}

function learnsFrom(
  failure: Failure,
  reading: ReadingMemory,
  before: Pick<ReadingMemory, 'facts' | 'plainTimes'>,
): boolean {
  if (typeof failure !== 'string') {
    reading.learnValues(failure);
    if (failure.lacksField) return false;
  }
  if (reading.facts !== before.facts || reading.plainTimes !== before.plainTimes) return true;
  // If the values didn't cause the failure, the times may have, so parse all time formats from now on.
  if (!before.plainTimes || (typeof failure === 'string' && failure !== 'value')) return false;
  reading.plainTimes = false;
  return true;
}

class NotAllStored extends Error {}

// Kinds of errors that events can cause, such as too many fields for the memory. All other kinds are engine failures.
const QUICK_FAILURES: ReadonlySet<EngineErrorKind> = new Set([
  'input',
  'value',
  'statement',
  'memory',
]);
