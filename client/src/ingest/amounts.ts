// Adds up and formats the sizes, durations and line numbers of files and runs, for the host and pages.
import { grouped } from '../../../formats/src/counts.ts';
import type { LineRange } from '../../../ingest/src/contract.ts';

const sizes = ['B', 'kB', 'MB', 'GB', 'TB'];

export function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

export function doubtOf({ doubt }: { readonly doubt: readonly LineRange[] }): number {
  return sum(doubt, ({ events }) => events);
}

/** Formats a size: `512 B`, `4.2 kB`, `2.0 GB`. */
export function bytesInWords(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < sizes.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${unit === 0 || size >= 99.95 ? Math.round(size) : size.toFixed(1)} ${sizes[unit]}`;
}

/** Formats the remaining time: `12 s left`, `3 min left`, `2 h 5 min left`; empty if it is unknown. */
export function timeLeftInWords(seconds: number | undefined): string {
  if (seconds === undefined || !Number.isFinite(seconds)) return '';
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s left`;
  return `${minutesInWords(seconds)} left`;
}

function minutesInWords(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Formats a range of lines: `line 7`, `lines 7 to 9`. */
export function linesInWords(firstLine: number, lastLine: number): string {
  return firstLine === lastLine
    ? `line ${grouped(firstLine)}`
    : `lines ${grouped(firstLine)} to ${grouped(lastLine)}`;
}

/** Formats at most `max` line ranges: `line 7, lines 9 to 12 and 3 more places`. */
export function rangesInWords(ranges: readonly LineRange[], max: number, noun: string): string {
  const named = ranges.slice(0, max).map((range) => linesInWords(range.firstLine, range.lastLine));
  const more = ranges.length - max;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more ${noun}` : ''}`;
}

export function durationInWords(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1_000;
  return seconds < 90 ? `${seconds.toFixed(1)} s` : minutesInWords(seconds);
}
