/** The progress line of the commands, and the number formats of their messages. */
import { printable } from '../../../language/src/index.ts';
import { ProgressLine } from '../../../system/src/progressLine.ts';

export const progressLine = new ProgressLine(process.stderr, printable);

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

export function formatNumber(count: number): string {
  return count.toLocaleString('en-US');
}
