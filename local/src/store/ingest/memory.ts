/**
 * What ingest remembers of the events of a dataset between requests: their shape, and which of their
 * strings look like other values. It is learned anew after a restart.
 */
import { Gate } from '../gate.ts';
import type { Shape } from './shape.ts';

export class ReadingMemory {
  /** Held by the request that learns the first shape, so that others wait and then go the quick way. */
  readonly learning = new Gate();
  /** Every path seen, with the kinds of its values; undefined before the first events. */
  shape: Shape | undefined;
  /** Paths, as pointers, whose strings must be told from numbers and the like by their quotes. */
  readonly guarded = new Set<string>();
  /** Whether every `_time` so far was RFC 3339 text, which has a quick reading of its own. */
  plainTimes = true;

  forget(): void {
    this.shape = undefined;
    this.guarded.clear();
    this.plainTimes = true;
  }
}
