// A schema cache's delays, in milliseconds.

export const usualTimes = {
  /** Delays by the number of consecutive failures. */
  retryDelays: [2_000, 5_000, 15_000, 60_000, 300_000],
  /** The age at which a list is fetched again. */
  refreshAfter: 10 * 60_000,
  /** How long a request waits for current data if older data exists. */
  patience: 100,
  /** The longer wait for a deployment that is responding, so that recent changes are included. */
  patienceAnswering: 1_500,
  /** The delay during which changes are collected before they are written. */
  writeAfter: 2_000,
};
export type SchemaTimes = Readonly<typeof usualTimes>;
