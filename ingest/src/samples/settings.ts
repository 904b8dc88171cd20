// The settings of a sample.

export type SampleKind = 'http-logs' | 'app-logs' | 'traces' | 'metrics';

export interface SampleSettings {
  readonly kind: SampleKind;
  /** From 1 to `SAMPLE_EVENTS_MAX`. */
  readonly events: number;
  readonly spanMs: number;
  /** The upper limit of event times, in milliseconds since 1970. */
  readonly endMs: number;
  /** Equal seeds give equal events. With another end, only their times move. */
  readonly seed: number;
}

export const SAMPLE_EVENTS_MAX = 10_000_000;
