/** Compares each series of a time series with the same series over an earlier span. */
import type { ChartSeries, TimeSeriesData } from '../../../table/src/chart/chart.ts';

/** A comparison of a series' total if its values are additive, or of its average otherwise. */
export interface ComparedSeries {
  readonly earlier?: string;
  /** The current value minus the earlier value, as text. */
  readonly difference?: string;
  /** The difference divided by the absolute earlier value. */
  readonly share?: number;
}

/** Shifts the earlier series by `offset` milliseconds to the current times, and compares all series by key. */
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

/** Subtracts two numbers in text form: exactly if neither has an exponent, otherwise as doubles. */
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
