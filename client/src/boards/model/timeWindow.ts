/** Reads a dashboard document's time range: `qr-now-1h`, milliseconds since 1970, or ISO 8601. */
import {
  type Bound,
  fallbackTimeRange,
  type TimeRange,
  type TimeUnit,
  timestamp,
} from '../../time/timeRange.ts';
import { unitSeconds } from '../../words/timeText.ts';

/** Returns the document's time range, or the last hour if the range is missing or invalid. */
export function windowOf(start: unknown, end: unknown): TimeRange {
  const [from, to] = [boundOf(start), boundOf(end)];
  if (from === undefined) return fallbackTimeRange;
  return { start: from, end: to ?? { kind: 'now' } };
}

function boundOf(value: unknown): Bound | undefined {
  const text = (typeof value === 'number' ? String(value) : value) as string;
  if (typeof text !== 'string') return undefined;
  const written = text.trim().replace(/^qr-/, '');
  if (written === 'now') return { kind: 'now' };
  const [, amount, unit] = /^now-(\d{1,9})([smhdw])$/.exec(written) ?? [];
  if (amount !== undefined) return { kind: 'ago', amount: Number(amount), unit: unit as TimeUnit };
  const at = /^-?\d+$/.test(written) ? Number(written) : Date.parse(written);
  if (!Number.isFinite(at)) return undefined;
  const time = timestamp(BigInt(Math.trunc(at)) * 1_000_000n);
  return time === undefined ? undefined : { kind: 'at', time };
}

/** Returns the comparison offset in minutes, such as 1,440 for `-1d`. */
export function againstMinutes(value: unknown): number | undefined {
  const [, amount, unit] =
    (typeof value === 'string' && /^-(\d{1,4})([mhdw])$/.exec(value.trim())) || [];
  const minutes = (Number(amount) * (unitSeconds[unit ?? ''] ?? Number.NaN)) / 60;
  return minutes > 0 ? minutes : undefined;
}
