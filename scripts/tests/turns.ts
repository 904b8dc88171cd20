// Which of the longest test files run today. They take turns, so that `npm test` stays short: each file is in one
// turn, and the last digit of the seed, which is the day, names the turn that runs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const list = join(import.meta.dirname, 'turns.json');

export interface Turn {
  /** From 0. */
  readonly number: number;
  /** How many turns there are. */
  readonly count: number;
  /** Files of this turn. */
  readonly files: readonly string[];
  /** Files of the other turns, which do not run. */
  readonly others: ReadonlySet<string>;
}

/** Reads the files of all turns, from the root of the repository. */
export function readTurns(): readonly (readonly string[])[] {
  return JSON.parse(readFileSync(list, 'utf8')) as string[][];
}

/** Gives the turn of a seed, a number of decimal digits. */
export function turnOf(seed: string): Turn {
  const turns = readTurns();
  const number = Number(seed) % turns.length;
  const others = turns.filter((_, index) => index !== number).flat();
  return { number, count: turns.length, files: turns[number] ?? [], others: new Set(others) };
}

/** Says how many files of the longest run, and how all of them do. */
export function turnLine({ number, count, files, others }: Turn): string {
  const all = files.length + others.size;
  return `Turn ${number} of ${count}: ${files.length} of the ${all} longest files. npm test -- --all runs all.`;
}
