/** Finds the series' values at a time, and the value nearest to the pointer. */
import type { ChartSeries, TimeSeriesData } from '../../../../../table/src/chart/chart.ts';
import { drawnNumber, spanText, timeText } from '../format.ts';
import { type Drawing, inkOfKey, visibleOf } from '../options/drawing.ts';
import { axisOf, shiftOf, timesOf, unitsOf } from '../options/timeAxis.ts';
import type { TimeSeriesLook } from '../options/timeSeries.ts';
import { type Drawn, type Hit, type HitRow, type Scale, swatchOf } from './drawn.ts';
import { sentences } from './leftOut.ts';
import { nearestIndex } from './nearestIndex.ts';
import type { Comparison } from './timeSeries.ts';

/** The maximum number of rows in the tooltip. Its last line counts the omitted rows. */
const maxHitRows = 12;
/** The height in pixels of a tooltip row, and of the title, note, hint and edges together. */
const [hitRowHeight, hitFrameHeight] = [19, 70];
/** The minimum height in pixels above a plot, which the tooltip may cover. */
const heightAbovePlot = 70;
/** The maximum distance in pixels between the pointer and a line for the line to be highlighted. */
const nearPixels = 14;

type Found = { readonly series: ChartSeries; readonly value: number };

/** `times` are the times of all series. Times within half of `step` milliseconds count as equal. */
export function timeSeriesHit(
  data: TimeSeriesData,
  look: TimeSeriesLook,
  drawing: Drawing,
  { times, step }: { readonly times: readonly number[]; readonly step: number },
  comparison: Comparison | undefined,
): Drawn['hit'] {
  const { timeZone } = drawing;
  const bin = data.binMilliseconds ?? 0;
  const units = unitsOf(data.series);
  const visible = visibleOf(data.series, drawing);
  const isBar = look.style === 'bars';
  const shift = shiftOf(data, look.style);

  return (mark: number, scale: Scale, pointer?: readonly [number, number]): Hit | undefined => {
    const time = times[mark];
    if (time === undefined) return undefined;
    const found = valuesAt(visible, data, time, step);
    const pixels = heights(found, look, units, scale, time + shift);
    const hot =
      pointer === undefined ? undefined : nearest(found, pixels, pointer[1], isBar || look.stacked);
    const sorted = found.toSorted((one, other) => other.value - one.value);
    const rowsMax = hitRows(scale.height, comparison !== undefined);
    const shown = sorted.slice(0, rowsMax);
    if (hot && !shown.includes(hot)) shown[shown.length - 1] = hot;
    const before = comparison
      ? valuesAt(visibleOf(comparison.series, drawing), comparison, time, step)
      : [];
    const earlier = new Map(before.map((one) => [one.series.key, textOf(one)]));
    const row = (series: ChartSeries, value: string): HitRow => ({
      key: series.key,
      name: series.name,
      value,
      ...swatchOf(inkOfKey(series, drawing)),
      earlier: earlier.get(series.key),
    });
    const known = new Set(found.map(({ series }) => series.key));
    const ended = before.filter(({ series }) => !known.has(series.key));
    const rows = [
      ...shown.map((one) => row(one.series, textOf(one))),
      ...ended.map(({ series }) => row(series, 'no value')),
    ].slice(0, rowsMax);
    const more = sorted.length + ended.length - rows.length;
    const isPartial =
      (mark === 0 && data.partial.first) || (mark === times.length - 1 && data.partial.last);
    const notes = sentences(
      isPartial && 'Partial bin: the time range cuts it',
      more > 0 && `and ${more} more`,
    );
    const span = isBar && bin > 0 ? spanOf(time, time + bin, data) : undefined;
    const at = scale.pixelOf([time + shift, 0]) ?? [0, 0];
    return {
      title: bin > 0 ? spanText(time, time + bin, timeZone) : timeText(time, timeZone, step),
      ...(notes.length > 0 && { note: notes.join('; ') }),
      rows,
      ...(comparison && { earlierLabel: comparison.label }),
      ...(hot && { hot: hot.series }),
      ...(span && { span }),
      time,
      at: [at[0], pointer?.[1] ?? 12],
    };
  };
}

function valuesAt(
  all: readonly ChartSeries[],
  shared: Pick<TimeSeriesData, 'times'>,
  time: number,
  step: number,
): Found[] {
  return all.flatMap((series) => {
    const at = indexNear(timesOf(series, shared), time, step);
    const value = at === undefined ? undefined : series.y[at];
    return value === undefined || value === null ? [] : [{ series, value }];
  });
}

function textOf({ series, value }: Found): string {
  return drawnNumber(value, series.unit);
}

/** Returns the part of a bin that is within the range; undefined if there is none or it is the entire range. */
function spanOf(
  start: number,
  end: number,
  range: Pick<TimeSeriesData, 'from' | 'to'>,
): Hit['span'] {
  const from = Math.max(start, range.from ?? start);
  const to = Math.min(end, range.to ?? end);
  const isAll = from === range.from && to === range.to;
  return from < to && !isAll ? { from, to } : undefined;
}

/** Returns the number of tooltip rows that fit in the combined height of the plot and the space above it. */
function hitRows(height: number, compares: boolean): number {
  const room = height + heightAbovePlot - hitFrameHeight - (compares ? hitRowHeight : 0);
  return Math.max(2, Math.min(maxHitRows, Math.floor(room / hitRowHeight)));
}

/** Returns the vertical pixel range that each value covers. An unstacked line's range has equal bounds. */
function heights(
  found: readonly Found[],
  look: TimeSeriesLook,
  units: readonly (string | undefined)[],
  scale: Scale,
  x: number,
): ReadonlyMap<Found, readonly [number, number]> {
  // Stack an axis's positive and negative values separately.
  const sums = new Map<string, number>();
  const pixels = new Map<Found, readonly [number, number]>();
  for (const one of found) {
    const axis = axisOf(units, one.series.unit);
    const key = `${axis} ${one.value < 0}`;
    const base = look.stacked ? (sums.get(key) ?? 0) : 0;
    sums.set(key, base + one.value);
    const top = scale.pixelOf([x, base + one.value], axis)?.[1];
    const bottom = scale.pixelOf([x, base], axis)?.[1];
    if (top === undefined || bottom === undefined) continue;
    const covers = look.style === 'bars' || look.stacked;
    pixels.set(one, covers ? [Math.min(top, bottom), Math.max(top, bottom)] : [top, top]);
  }
  return pixels;
}

function nearest(
  found: readonly Found[],
  pixels: ReadonlyMap<Found, readonly [number, number]>,
  y: number,
  covers: boolean,
): Found | undefined {
  let best: Found | undefined;
  let least = covers ? 3 : nearPixels;
  for (const one of found) {
    const [top, bottom] = pixels.get(one) ?? [Infinity, Infinity];
    const distance = y < top ? top - y : y > bottom ? y - bottom : 0;
    if (distance < least || (distance === 0 && best === undefined)) {
      best = one;
      least = distance;
    }
  }
  return best;
}

/** Returns the index of the time nearest to `time`, if it is within half a step. */
function indexNear(times: readonly number[], time: number, step: number): number | undefined {
  const index = nearestIndex(times, time, 0);
  if (index === undefined) return undefined;
  return Math.abs((times[index] as number) - time) <= step / 2 ? index : undefined;
}
