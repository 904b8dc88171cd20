// Parses a typed number of events for a sample.
import { SAMPLE_EVENTS_MAX } from '../../../../ingest/src/samples/settings.ts';

/** Parses `250000`, `250,000`, `250k` or `2.5M`; undefined if it isn't a number in the allowed range. */
export function amountIn(text: string): number | undefined {
  const [, digits, suffix = ''] = /^(\d[\d, _]*(?:\.\d+)?)\s*([km]?)$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const factor = { '': 1, k: 1_000, m: 1_000_000 }[suffix.toLowerCase()] as number;
  const events = Math.round(Number(digits.replace(/[, _]/g, '')) * factor);
  return events >= 1 && events <= SAMPLE_EVENTS_MAX ? events : undefined;
}
