// Defines splitters, which find the events in a file's bytes. A splitter gets the file window by window and reports the
// complete events. The incomplete rest moves to the start of the next window.
import { isUtf8 } from 'node:buffer';

export interface EventSink {
  /**
   * Receives an event: the bytes from `start` to `end`, valid until the call returns. The following bytes begin at
   * `next`, on line `nextLine`.
   */
  event(
    buffer: Buffer,
    start: number,
    end: number,
    next: number,
    line: number,
    nextLine: number,
  ): void;
  /** Receives bytes that aren't an event. */
  broken(
    buffer: Buffer,
    start: number,
    end: number,
    line: number,
    lastLine: number,
    reason: string,
  ): void;
  /** Whether the sink needs no more events. */
  readonly isFull: boolean;
}

export interface Splitter {
  /**
   * Splits the bytes from `start` to `end` and returns where the incomplete rest begins. `final` means the file ends
   * here. `isValidUtf8` means all bytes are known to be UTF-8. May change line ends and bytes already split.
   */
  split(
    buffer: Buffer,
    start: number,
    end: number,
    final: boolean,
    isValidUtf8: boolean,
    sink: EventSink,
  ): number;
  /** The line at the start of the incomplete rest, from 1. */
  readonly line: number;
  /** Whether the incomplete rest is inside a JSON array. */
  readonly inArray?: boolean;
}

export const NEWLINE = 0x0a;
export const RETURN = 0x0d;
export const SPACE = 0x20;
export const TAB = 0x09;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const BACKSLASH = 0x5c;
export const OPEN_CURLY = 0x7b;
export const CLOSE_CURLY = 0x7d;
export const OPEN_SQUARE = 0x5b;
export const CLOSE_SQUARE = 0x5d;

/** Returns whether a byte is JSON whitespace or another whitespace byte that is ignored between events. */
export function isSpace(byte: number): boolean {
  return byte === SPACE || (byte >= TAB && byte <= RETURN);
}

/** Returns whether bytes are UTF-8 without zeros, which neither JSON nor CSV may contain. */
export function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

export const notUtf8 = 'It has bytes that are not text. Save the file as UTF-8.';

export function tooLong(eventBytes: number): string {
  return `It exceeds the limit of ${Math.floor(eventBytes / 1024 / 1024)} MB for an event.`;
}
