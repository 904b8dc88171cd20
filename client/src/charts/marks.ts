/** Marks drawn over a chart's series: annotations and monitor thresholds. Also the offsets for comparisons. */
import { counted } from '../../../formats/src/counts.ts';

export interface ChartAnnotation {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly type: string;
  /** The mark's time or start, in milliseconds since 1970. */
  readonly time: number;
  /** The mark's end; absent for a point in time. */
  readonly endTime?: number;
}

export interface ChartThreshold {
  readonly monitor: string;
  readonly value: number;
  /** The watched column, if the monitor names one. */
  readonly column?: string;
}

export interface ChartMarks {
  readonly annotations: readonly ChartAnnotation[];
  readonly thresholds: readonly ChartThreshold[];
  /** Sentences that explain why marks are missing. */
  readonly notes: readonly string[];
}

export const noMarks: ChartMarks = { annotations: [], thresholds: [], notes: [] };

/** The time by which a compared span precedes the answer's span. */
export type EarlierOffset = { readonly minutes: number };

export const earlierOffsets: readonly { readonly label: string; readonly minutes: number }[] = [
  { label: '1 hour earlier', minutes: 60 },
  { label: '1 day earlier', minutes: 1_440 },
  { label: '1 week earlier', minutes: 10_080 },
];

/** Formats an offset, such as `1 day earlier` or `90 minutes earlier`. */
export function earlierLabel({ minutes }: EarlierOffset): string {
  const known = earlierOffsets.find((offset) => offset.minutes === minutes);
  if (known) return known.label;
  const steps = [
    [10_080, 'week'],
    [1_440, 'day'],
    [60, 'hour'],
    [1, 'minute'],
  ] as const;
  const [size, name] = steps.find(([length]) => minutes % length === 0) ?? steps[3];
  const count = minutes / size;
  return `${counted(count, name)} earlier`;
}
