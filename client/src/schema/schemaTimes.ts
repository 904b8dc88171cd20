// A schema cache's delays, in milliseconds.

export interface SchemaTimes {
  /** Delays by the number of consecutive failures. */
  readonly retryDelays: readonly number[];
  /** The age at which a list is fetched again. */
  readonly refreshAfter: number;
  /** How long a request waits for current data if older data exists. */
  readonly patience: number;
  /** The longer wait for a deployment that is responding, so that recent changes are included. */
  readonly patienceAnswering: number;
  /** The delay during which changes are collected before they are written. */
  readonly writeAfter: number;
}

export const usualTimes: SchemaTimes = {
  retryDelays: [2_000, 5_000, 15_000, 60_000, 300_000],
  refreshAfter: 10 * 60_000,
  patience: 100,
  patienceAnswering: 1_500,
  writeAfter: 2_000,
};
