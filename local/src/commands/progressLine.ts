/** Shows progress on a terminal: one line of standard error that is overwritten. Shows nothing elsewhere. */
import { printable } from '../../../language/src/index.ts';

const EVERY_MS = 100;

let last = 0;
let isShown = false;

export function showProgress(text: string): void {
  const { stderr } = process;
  const now = performance.now();
  if (stderr.isTTY !== true || now - last < EVERY_MS) return;
  last = now;
  isShown = true;
  stderr.write(`\r\u001b[2K${printable(text).slice(0, Math.max(20, (stderr.columns || 80) - 1))}`);
}

/** Clears the line for other output. */
export function clearProgress(): void {
  if (isShown) process.stderr.write('\r\u001b[2K');
  isShown = false;
  last = 0;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
