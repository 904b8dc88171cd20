/** Converts a span chosen in a chart to a time range. */
import { type TimeRange, timestamp } from '../../time/timeRange.ts';

/** The span length in milliseconds from which spans are extended to whole seconds. */
const wholeSecondsFrom = 120_000;

/** Returns a span's range, in whole seconds if the span is long. Returns undefined if a time isn't supported. */
export function rangeOfSpan(from: number, to: number): TimeRange | undefined {
  const step = to - from >= wholeSecondsFrom ? 1_000 : 1;
  const [start, end] = [
    timestamp(BigInt(Math.floor(from / step) * step) * 1_000_000n),
    timestamp(BigInt(Math.ceil(to / step) * step) * 1_000_000n),
  ];
  if (start === undefined || end === undefined || start === end) return undefined;
  return { start: { kind: 'at', time: start }, end: { kind: 'at', time: end } };
}
