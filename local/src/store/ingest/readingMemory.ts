/** Stores facts about a dataset's events for ingest. A restart, a vacuum or a change of settings clears them. */
import { ROW_GROUP_EVENTS } from '../../engines/duckdb/database/engine.ts';
import { ReadWriteLock } from '../locks.ts';
import { BatchQueue } from './batchQueue.ts';
import { type Gaps, mergeGaps } from './lookalikes.ts';
import type { QuickEvents, QuickOutcome } from './quickStore.ts';
import { covers, mergeShapes, type Shape } from './shape.ts';

/** Facts about events' values, by path. A path is a JSON pointer. */
export interface ValueFacts {
  /**
   * Maps a path to the gaps between lookalikes (see `lookalikes.ts`) that contain its values so far. A value in these
   * gaps was certainly a JSON string, so it can be read without its quotes. `quoted`: the path had a lookalike, so all
   * of its values are read with their quotes.
   */
  readonly strings: ReadonlyMap<string, Gaps | 'quoted'>;
  readonly absent: ReadonlySet<string>;
}

/**
 * A batch of this many events starts at once if the dataset has at most `BATCH_FIELDS` fields. DuckDB writes full row
 * groups directly to the database file, but leaves unfilled ones at the end of each batch, so a few large batches are
 * best.
 */
const BATCH_EVENTS = 6 * ROW_GROUP_EVENTS;

/** With more fields, batches have fewer events, because DuckDB buffers a value per event and field, even if absent. */
const BATCH_FIELDS = 40;

/** Returns the weight of events in a batch, whose maximum is `BATCH_EVENTS`. */
export function batchWeight(events: number, fields: number): number {
  return events * Math.max(1, fields / BATCH_FIELDS);
}

const noFacts: ValueFacts = { strings: new Map(), absent: new Set() };

export class ReadingMemory {
  /** Held by the request on the slow path, so that waiting requests can use the shape it learns. */
  readonly learning = new ReadWriteLock();
  /** Batches the requests on the fast path. */
  readonly batches = new BatchQueue<QuickEvents, QuickOutcome>(BATCH_EVENTS);
  /** The signals of JSON requests whose events are still arriving. */
  readonly arriving = new Set<AbortSignal>();
  /** All paths seen so far, with the kinds of their values. */
  shape: Shape | undefined;
  facts: ValueFacts = noFacts;
  /** Whether to parse `_time` only as RFC 3339, which is faster. */
  plainTimes = true;

  /** Adds a shape to the known shape. If nothing is new, `shape` stays the same object. */
  learnShape(shape: Shape): void {
    if (this.shape === undefined) this.shape = shape;
    else if (!covers(this.shape, shape)) this.shape = mergeShapes(this.shape, shape);
  }

  learnValues({ strings: newStrings, absent: newAbsent }: ValueFacts): void {
    const strings = new Map(this.facts.strings);
    const absent = this.facts.absent.union(newAbsent);
    let learned = absent.size > this.facts.absent.size;
    for (const [path, reading] of newStrings) {
      const known = strings.get(path);
      if (known === 'quoted') continue;
      const both =
        known === undefined || reading === 'quoted' ? reading : mergeGaps(known, reading);
      if (JSON.stringify(both) === JSON.stringify(known)) continue;
      strings.set(path, both);
      learned = true;
    }
    if (learned) this.facts = { strings, absent };
  }

  forget(): void {
    this.shape = undefined;
    this.facts = noFacts;
    this.plainTimes = true;
  }
}
