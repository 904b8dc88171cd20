// What sample data is asked for with.

export type SampleKind = 'http-logs' | 'app-logs' | 'traces' | 'metrics';

export interface SampleSettings {
  readonly kind: SampleKind;
  /** From 1 to `SAMPLE_EVENTS_MAX`. */
  readonly events: number;
  readonly spanMs: number;
  /** No event is later. Milliseconds since 1970. */
  readonly endMs: number;
  /** The same seed gives the same events: with another end, only their times move. */
  readonly seed: number;
}

export const SAMPLE_EVENTS_MAX = 10_000_000;
