/** The progress of a command, and its numbers. */
import { printable } from '../../../language/src/index.ts';
import { ProgressLine } from '../../../system/src/progressLine.ts';

export const progressLine = new ProgressLine(process.stderr, printable);

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

export function formatNumber(count: number): string {
  return count.toLocaleString('en-US');
}
