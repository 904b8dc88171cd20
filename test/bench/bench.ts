// What a benchmark is: a name, and measures of ours beside theirs, taken in one run.

/** One measure. `ratio` is what the bar bounds; a measure without a bar is there to be read. */
export interface Measure {
  readonly measure: string;
  readonly ours: number;
  readonly theirs: number;
  readonly unit: string;
  /** Ours to theirs, so that less is better; the benchmark may take a base off both first. */
  readonly ratio: number;
  /** The greatest ratio that holds, or null. */
  readonly bar: number | null;
}

export interface Bench {
  readonly name: string;
  /** What the figures are measured on, in a line. */
  readonly about: string;
  /** Measures; `log` tells of progress. */
  readonly run: (log: (message: string) => void) => Promise<Measure[]>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Milliseconds that `work` takes, for each of `runs` runs. */
export async function timed(runs: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times;
}
