/** Compares a time series with that of an earlier span, series by series. */
import type { ChartSeries, TimeSeriesData } from '../../../table/src/chart/chart.ts';

/** The figure of a series that is compared: its total where values may be added, otherwise its average. */
export interface ComparedSeries {
  /** The figure of the earlier series, as exact text. */
  readonly earlier?: string;
  /** The figure minus the earlier one, as text. */
  readonly difference?: string;
  /** The difference as a share of the earlier figure. */
  readonly share?: number;
}

/**
 * Returns the earlier series at the times at which they are drawn now, and what is compared, by the keys of the series
 * of both spans. `offset` is how many milliseconds earlier the other span is.
 */
export function compareSeries(now: TimeSeriesData, earlier: TimeSeriesData, offset: number) {
  const shifted = (times: readonly number[]) => times.map((time) => time + offset);
  const before = new Map(earlier.series.map((series) => [series.key, series]));
  const after = new Map(now.series.map((series) => [series.key, series]));
  const keys = new Set([...after.keys(), ...before.keys()]);
  return {
    series: earlier.series.map((series) => ({
      ...series,
      ...(series.x && { x: shifted(series.x) }),
    })),
    times: shifted(earlier.times),
    compared: new Map(Array.from(keys, (key) => [key, compared(after.get(key), before.get(key))])),
  };
}

function compared(now: ChartSeries | undefined, earlier: ChartSeries | undefined): ComparedSeries {
  const [value, other] = [figureOf(now), figureOf(earlier)];
  if (other === undefined) return {};
  if (value === undefined) return { earlier: other };
  const difference = differenceOf(value, other);
  const share = Number(difference) / Math.abs(Number(other));
  return { earlier: other, difference, ...(Number.isFinite(share) && { share }) };
}

function figureOf(series: ChartSeries | undefined): string | undefined {
  return series?.additive === true ? series.figures.total : series?.figures.average;
}

const decimal = /^(-?)(\d+)(?:\.(\d+))?$/;

/** The difference of two numbers as text: exact where both are written without an exponent. */
export function differenceOf(left: string, right: string): string {
  const [a, b] = [decimal.exec(left), decimal.exec(right)];
  if (a === null || b === null) return String(Number(left) - Number(right));
  const digits = Math.max(a[3]?.length ?? 0, b[3]?.length ?? 0);
  const scaled = ([, sign, whole, fraction = '']: RegExpExecArray) =>
    BigInt(`${sign}${whole}${fraction.padEnd(digits, '0')}`);
  const difference = scaled(a) - scaled(b);
  const text = String(difference < 0n ? -difference : difference).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const fraction = text.slice(text.length - digits).replace(/0+$/, '');
  return `${difference < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
