/**
 * What ingest remembers of the events of a dataset between requests: their shape, and how the strings
 * of each path are read. It is learned anew after a restart.
 */
import { Gate } from '../gate.ts';

import { type Gaps, joined } from './lookalikes.ts';
import type { QuickEvents, QuickOutcome } from './quickStore.ts';
import type { Shape } from './shape.ts';
import { Together } from './together.ts';

/**
 * How the strings of a path are told from other values: by the gaps they lie in, read without their
 * quotes, or by their quotes.
 */
export type TextReading = Gaps | 'quoted';

/** The rows from which on DuckDB writes straight to the database file. */
const ROW_GROUP = 122_880;

export class ReadingMemory {
  /** Held by the request that learns the first shape, so that others wait and then go the quick way. */
  readonly learning = new Gate();
  /** The requests that go the quick way. */
  readonly together = new Together<QuickEvents, QuickOutcome>(ROW_GROUP);
  /** Every path seen, with the kinds of its values; undefined before the first events. */
  shape: Shape | undefined;
  /** By path, as a pointer. */
  readonly texts = new Map<string, TextReading>();
  /** Whether every `_time` so far was RFC 3339 text, which has a quick reading of its own. */
  plainTimes = true;

  /** Adds what was seen of strings. False when it was known before. */
  learn(seen: ReadonlyMap<string, TextReading>): boolean {
    let learned = false;
    for (const [path, reading] of seen) {
      const known = this.texts.get(path);
      if (known === 'quoted') continue;
      const both = known === undefined || reading === 'quoted' ? reading : joined(known, reading);
      if (JSON.stringify(both) === JSON.stringify(known)) continue;
      this.texts.set(path, both);
      learned = true;
    }
    return learned;
  }

  forget(): void {
    this.shape = undefined;
    this.texts.clear();
    this.plainTimes = true;
  }
}
