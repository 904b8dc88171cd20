/** The time range of a span that was chosen in a chart. */
import { type TimeRange, timestamp } from '../../time/timeRange.ts';

/** From this span on a chosen range has whole seconds. */
const wholeSecondsFrom = 120_000;

/** A span as a range, in whole seconds where it is long; undefined outside the times that can be written. */
export function rangeOfSpan(from: number, to: number): TimeRange | undefined {
  const step = to - from >= wholeSecondsFrom ? 1_000 : 1;
  const [start, end] = [
    timestamp(BigInt(Math.floor(from / step) * step) * 1_000_000n),
    timestamp(BigInt(Math.ceil(to / step) * step) * 1_000_000n),
  ];
  if (start === undefined || end === undefined || start === end) return undefined;
  return { start: { kind: 'at', time: start }, end: { kind: 'at', time: end } };
}
