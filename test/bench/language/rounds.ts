/** Two works timed in turn, so that what else the machine does falls on both alike. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { median } from '../measure.ts';

setFlagsFromString('--expose-gc');
/** Collects garbage, so that nobody pays for what the other has left. */
export const collect = runInNewContext('gc') as () => void;

export interface Pair {
  readonly ours: number;
  readonly theirs: number;
}

export interface Rounds {
  /** Rounds before the clock counts, in which the engine gets to know the code. */
  readonly warm: number;
  readonly counted: number;
}

/** Medians in milliseconds. Ours may take more rounds, since they are short. */
export function inTurn(
  rounds: { readonly ours: Rounds; readonly theirs: Rounds },
  ours: () => unknown,
  theirs: () => unknown,
): Pair {
  for (let i = 0; i < rounds.ours.warm; i++) ours();
  for (let i = 0; i < rounds.theirs.warm; i++) theirs();
  const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  const each = Math.ceil(rounds.ours.counted / rounds.theirs.counted);
  for (let i = 0; i < rounds.theirs.counted; i++) {
    collect();
    times.theirs.push(took(theirs));
    collect();
    for (let k = 0; k < each; k++) times.ours.push(took(ours));
  }
  return { ours: median(times.ours), theirs: median(times.theirs) };
}

export function took(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
