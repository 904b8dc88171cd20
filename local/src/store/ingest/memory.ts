/**
 * What ingest remembers of the events of a dataset between requests: their shape, how the strings of each
 * path are read, and which paths lack values. It is learned anew after a restart.
 */
import { ROW_GROUP_EVENTS } from '../duckdb.ts';
import { Gate } from '../gate.ts';
import { type Gaps, joined } from './lookalikes.ts';
import type { QuickEvents, QuickOutcome } from './quickStore.ts';
import { covers, mergeShapes, type Shape } from './shape.ts';
import { Together } from './together.ts';

/**
 * How the strings of a path are told from other values: by the gaps they lie in, read without their
 * quotes, or by their quotes.
 */
export type TextReading = Gaps | 'quoted';

/** What was seen of the values of events, by path (as a pointer). */
export interface Seen {
  /** How the strings of a path are read. */
  readonly texts: ReadonlyMap<string, TextReading>;
  /** The paths at which some event had no value. */
  readonly absent: ReadonlySet<string>;
}

/**
 * Six row groups: from one on, DuckDB writes straight to the database file. At the end of each lot its
 * threads wait for each other, busily, and leave row groups behind that are not full: so few large lots.
 */
const LOT_EVENTS = 6 * ROW_GROUP_EVENTS;

const nothingSeen: Seen = { texts: new Map(), absent: new Set() };

export class ReadingMemory {
  /** Held by the request that goes the thorough way; what it learns may let others go the quick one. */
  readonly learning = new Gate();
  /** The requests that go the quick way. While one lot is being committed, the next is read. */
  readonly together = new Together<QuickEvents, QuickOutcome>(LOT_EVENTS, 2);
  /** The JSON requests, by their signals, whose events are on their way. */
  readonly arriving = new Set<AbortSignal>();
  /** Every path seen, with the kinds of its values; undefined before the first events. */
  shape: Shape | undefined;
  /** Another object whenever something is learned. */
  seen: Seen = nothingSeen;
  /** Whether every `_time` so far was RFC 3339 text, which has a quick reading of its own. */
  plainTimes = true;

  /** Adds what was seen of events; the shape stays the same object where that is nothing new. */
  learnShape(seen: Shape): void {
    if (this.shape === undefined) this.shape = seen;
    else if (!covers(this.shape, seen)) this.shape = mergeShapes(this.shape, seen);
  }

  /** Adds what was seen of values; `seen` stays the same object where that is nothing new. */
  learnValues({ texts: newTexts, absent: newAbsent }: Seen): void {
    const texts = new Map(this.seen.texts);
    const absent = this.seen.absent.union(newAbsent);
    let learned = absent.size > this.seen.absent.size;
    for (const [path, reading] of newTexts) {
      const known = texts.get(path);
      if (known === 'quoted') continue;
      const both = known === undefined || reading === 'quoted' ? reading : joined(known, reading);
      if (JSON.stringify(both) === JSON.stringify(known)) continue;
      texts.set(path, both);
      learned = true;
    }
    if (learned) this.seen = { texts, absent };
  }

  forget(): void {
    this.shape = undefined;
    this.seen = nothingSeen;
    this.plainTimes = true;
  }
}
