// Formats amounts of files and runs, for hosts and pages.
import { grouped } from '../../../formats/src/counts.ts';

const sizes = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `512 B`, `4.2 kB`, `2.0 GB`. */
export function bytesInWords(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < sizes.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${unit === 0 || size >= 99.95 ? Math.round(size) : size.toFixed(1)} ${sizes[unit]}`;
}

/** `12 s left`, `3 min left`, `2 h 5 min left`. */
export function timeLeftInWords(seconds: number | undefined): string {
  if (seconds === undefined || !Number.isFinite(seconds)) return '';
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s left`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min left`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}

/** `line 7`, `lines 7 to 9`. */
export function linesInWords(firstLine: number, lastLine: number): string {
  return firstLine === lastLine
    ? `line ${grouped(firstLine)}`
    : `lines ${grouped(firstLine)} to ${grouped(lastLine)}`;
}

export function durationInWords(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 90) return `${seconds.toFixed(1)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
