// Defines the input of a sample writer: a run of events to write as lines of JSON. Each block has its own random
// numbers, so it can be written without the preceding blocks.
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';
import type { TimeText } from './timeText.ts';

export interface Block {
  /** The index of the block's first event in the sample, from 0, and the number of events. */
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

/** Writes exactly `count` lines, each with a line feed. */
export type BlockWriter = (block: Block) => string;
