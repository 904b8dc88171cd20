/** What a benchmark reports: ours against a peer or a limit, measured in the same run, as a ratio with a bar. */

export interface Measure {
  readonly bench: string;
  readonly measure: string;
  readonly ours: number;
  readonly theirs: number;
  readonly unit: string;
  /** Ours by theirs; smaller is better. */
  readonly ratio: number;
  /** The ratio that is to be kept, and whether it is; absent where the measure is only told. */
  readonly bar?: number;
  readonly holds?: boolean;
}

export interface Bench {
  readonly name: string;
  /** One sentence: what is compared with what. */
  readonly summary: string;
  /** Whether it runs only when it is named, because it needs more than `npm ci` installs or takes long. */
  readonly onlyByName?: boolean;
  /** Whether it prints tables while it runs, instead of the table of measures at the end. */
  readonly printsTables?: boolean;
  /** Tells on standard error how far it is. */
  readonly run: (progress: (text: string) => void, options: BenchOptions) => Promise<Measure[]>;
}

export interface BenchOptions {
  /** How many events the local deployment is measured with. */
  readonly events?: number;
  /** How many events of deeply nested JSON the engines are measured with. */
  readonly jsonEvents?: number;
  /** The sizes that growth is measured at. */
  readonly sizes?: Sizes;
  /** Part of the name of the only measures to take. */
  readonly only?: string;
  /** Whether ingested data stays for the next run. */
  readonly keep?: boolean;
}

/** Numbers of events, fields or datasets. */
export type Sizes = { readonly [Name in 'events' | 'fields' | 'datasets']?: readonly number[] };

export function measure(
  bench: string,
  name: string,
  unit: string,
  ours: number,
  theirs: number,
  bar?: number,
): Measure {
  const ratio = ours / theirs;
  const told = { bench, measure: name, ours, theirs, unit, ratio };
  return bar === undefined ? told : { ...told, bar, holds: ratio <= bar };
}

/**
 * The round whose ratio is in the middle. Shared machines are faster by a third in one minute than in the next, so
 * the sides of a round are compared with each other only.
 */
export function middle(rounds: readonly Measure[]): Measure {
  const byRatio = [...rounds].sort((a, b) => a.ratio - b.ratio);
  return byRatio[rounds.length >> 1] as Measure;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
