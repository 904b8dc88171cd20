// What the writer of a kind of sample gets: a run of events that it writes as lines of JSON. Each block has
// random numbers of its own, so that any block can be written without those before it.
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';
import type { TimeText } from './timeText.ts';

export interface Block {
  /** The number of its first event in the sample, from 0, and how many it has. */
  readonly first: number;
  readonly count: number;
  readonly random: Random;
  readonly timeline: Timeline;
  readonly seed: number;
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  readonly time: TimeText;
}

/** Exactly `count` lines, each with its line feed. */
export type BlockWriter = (block: Block) => string;
