// How long each test file took: of the last run, or of a run on two cores where there was none.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../host/paths.ts';
import type { TestKind } from '../testFiles.ts';

const lastTimes = join(repository, '.test-times.json');
const weights = join(import.meta.dirname, 'weights.json');

const usual: Readonly<Record<TestKind, number>> = { plain: 0.2, unit: 1, page: 15, window: 100 };

export interface FileTime {
  readonly file: string;
  readonly seconds: number;
}

export interface Times {
  /** Of the whole run. */
  readonly seconds: number;
  /** Files that needed a second run. */
  readonly rerun: readonly string[];
  /** The slowest first. */
  readonly files: readonly FileTime[];
}

/** Gives the seconds that a file is expected to take. */
export function expectedSeconds(): (file: string, kind: TestKind) => number {
  const last = existsSync(lastTimes)
    ? (JSON.parse(readFileSync(lastTimes, 'utf8')) as Times).files
    : [];
  const known = new Map(last.map(({ file, seconds }) => [file, seconds]));
  const committed: Readonly<Record<string, number>> = JSON.parse(readFileSync(weights, 'utf8'));
  return (file, kind) => known.get(file) ?? committed[file] ?? usual[kind];
}

export function writeTimes(times: Times): void {
  writeFileSync(lastTimes, `${JSON.stringify(times, null, 2)}\n`);
}

export function slowestFirst(files: readonly FileTime[]): FileTime[] {
  return [...files].sort((a, b) => b.seconds - a.seconds);
}
