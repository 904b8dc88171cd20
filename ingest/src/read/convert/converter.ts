// Writes an event of the file as one line of JSON.

import type { Output } from '../output.ts';
import type { Instant } from '../times/instant.ts';

export interface Converter {
  /**
   * Writes the event from `start` to `end` without a line end, and returns nothing, or why it is not an event. What
   * is written then is of no account.
   */
  convert(buffer: Buffer, start: number, end: number, output: Output): string | undefined;
  /** The time of the event that was converted last, where it is converted here. */
  readonly time: Instant | undefined;
}
