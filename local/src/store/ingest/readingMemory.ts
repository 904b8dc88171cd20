/** Ingest's memory of a dataset's events, empty after a restart, a vacuum or a change of settings. */
import { ROW_GROUP_EVENTS } from '../duckdb.ts';
import { ReadWriteLock } from '../locks.ts';
import { BatchQueue } from './batchQueue.ts';
import { type Gaps, mergeGaps } from './lookalikes.ts';
import type { QuickEvents, QuickOutcome } from './quickStore.ts';
import { covers, mergeShapes, type Shape } from './shape.ts';

/** Facts about the values of events, by path (as a JSON pointer). */
export interface ValueFacts {
  /** Strings in known gaps are read without quotes. Other strings are recognized by their quotes. */
  readonly strings: ReadonlyMap<string, Gaps | 'quoted'>;
  /** Paths without a value in some event. */
  readonly absent: ReadonlySet<string>;
}

/**
 * Events with which a batch starts without waiting: six row groups. DuckDB writes a full row group straight to the
 * database file. At the end of each batch, its threads busy-wait for each other and leave unfilled row groups, so few
 * large batches are best.
 */
const BATCH_EVENTS = 6 * ROW_GROUP_EVENTS;

const noFacts: ValueFacts = { strings: new Map(), absent: new Set() };

export class ReadingMemory {
  /** Held by the request on the thorough path: the shape it learns may let others take the quick path. */
  readonly learning = new ReadWriteLock();
  /** Batches the requests on the quick path. While one batch is being committed, the next is read. */
  readonly batches = new BatchQueue<QuickEvents, QuickOutcome>(BATCH_EVENTS, 2);
  /** Signals of the JSON requests whose events are still arriving. */
  readonly arriving = new Set<AbortSignal>();
  /** Every path seen, with the kinds of its values; undefined until events were learned from. */
  shape: Shape | undefined;
  /** Facts about the values so far. The object is replaced whenever something is learned. */
  facts: ValueFacts = noFacts;
  /** Whether to read every `_time` as RFC 3339, which is faster, until events fail for no other reason. */
  plainTimes = true;

  /** Adds the shape of events. `shape` stays the same object if nothing is new. */
  learnShape(shape: Shape): void {
    if (this.shape === undefined) this.shape = shape;
    else if (!covers(this.shape, shape)) this.shape = mergeShapes(this.shape, shape);
  }

  /** Adds facts about values. `facts` stays the same object if nothing is new. */
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
