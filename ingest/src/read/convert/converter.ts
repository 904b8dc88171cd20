// Writes an event of the file as one line of JSON.

import type { Instant } from '../../../../formats/src/rfc3339.ts';
import type { Output } from '../output.ts';

export interface Converter {
  /**
   * Writes the event from `start` to `end` without a line end. Returns undefined, or the reason it isn't an event; the
   * output written so far is then invalid.
   */
  convert(buffer: Buffer, start: number, end: number, output: Output): string | undefined;
  /** The time of the last converted event, if the converter converts times. */
  readonly time: Instant | undefined;
}
