/** Series over time: the marks are the times of all series together. */
import type { ChartSeries, TimeSeriesData } from '../../chart.ts';
import type { ComparedSeries } from '../../compare.ts';
import { drawnNumber, exactNumber, shortNumber, spanText, timeText } from '../format.ts';
import type { Drawing } from '../options/drawing.ts';
import {
  axisOf,
  type Earlier,
  maxAxes,
  type TimeSeriesLook,
  timeSeriesOption,
  timesOf,
  unitsOf,
} from '../options/timeSeries.ts';
import { inkOf, neutral } from '../palette.ts';
import type { Drawn, Hit, HitRow, Legend, Scale } from './drawn.ts';
import { nearestIndex } from './nearestIndex.ts';

/** Rows of the box at the pointer; the others are counted. */
const maxHitRows = 12;
/** Pixels. */
const hitRowHeight = 19;
/** Pixels from the pointer within which a line is meant. */
const nearPixels = 14;

export interface Comparison extends Earlier {
  /** Such as `1 day earlier`. */
  readonly label: string;
  readonly compared: ReadonlyMap<string, ComparedSeries>;
}

export function drawTimeSeries(
  data: TimeSeriesData,
  look: TimeSeriesLook,
  drawing: Drawing,
  comparison?: Comparison,
): Drawn {
  const { theme, timeZone } = drawing;
  const times = allTimes(data);
  const bin = data.binMilliseconds ?? 0;
  const step = bin || smallestStep(times);
  const units = unitsOf(data.series);
  const visible = data.series.filter(({ key }) => drawing.visible?.has(key) !== false);
  const isBar = look.style === 'bars';
  const shift = isBar ? bin / 2 : 0;
  const colorOf = (series: ChartSeries) =>
    series.folded === undefined
      ? inkOf(data.series.indexOf(series), theme.brightness).color
      : neutral[theme.brightness];

  const hit = (
    mark: number,
    scale: Scale,
    pointer?: readonly [number, number],
  ): Hit | undefined => {
    const time = times[mark];
    if (time === undefined) return undefined;
    const found = visible.flatMap((series) => {
      const at = indexNear(timesOf(series, data), time, step);
      const value = at === undefined ? undefined : series.y[at];
      return value === undefined || value === null ? [] : [{ series, value }];
    });
    const pixels = heights(found, look, units, scale, time + shift);
    const hot =
      pointer === undefined ? undefined : nearest(found, pixels, pointer[1], isBar || look.stacked);
    const sorted = [...found].sort((one, other) => other.value - one.value);
    const shown = sorted.slice(0, hitRows(scale.height));
    if (hot && !shown.includes(hot)) shown[shown.length - 1] = hot;
    const at = scale.pixelOf([time + shift, 0]) ?? [0, 0];
    const partial =
      (mark === 0 && data.partial.first) || (mark === times.length - 1 && data.partial.last);
    const more = sorted.length - shown.length;
    const span = isBar && bin > 0 ? spanOf(time, time + bin, data) : undefined;
    const notes = [
      ...(partial ? ['Partial bin: the time range cuts it'] : []),
      ...(more > 0 ? [`and ${more} more`] : []),
    ];
    return {
      title: bin > 0 ? spanText(time, time + bin, timeZone) : timeText(time, timeZone, step),
      ...(notes.length > 0 && { note: notes.join('; ') }),
      rows: shown.map(({ series, value }): HitRow => {
        const before = comparison?.series.find(({ key }) => key === series.key);
        const index = before && comparison && indexNear(before.x ?? comparison.times, time, step);
        const earlier = index === undefined ? undefined : before?.y[index];
        return {
          key: series.key,
          name: series.name,
          value: drawnNumber(value, series.unit),
          color: colorOf(series),
          ...(earlier !== undefined &&
            earlier !== null && { earlier: shortNumber(earlier, series.unit) }),
        };
      }),
      ...(hot && {
        hot: {
          key: hot.series.key,
          name: hot.series.name,
          ...(hot.series.origin && { origin: hot.series.origin }),
        },
      }),
      ...(span && { span }),
      time,
      at: [at[0], pointer?.[1] ?? 12],
      line: true,
    };
  };

  return {
    option: timeSeriesOption(data, look, drawing, comparison),
    legend: legendOf(data, colorOf, comparison),
    notices: noticesOf(data),
    description: describe(data, look, times, timeZone),
    marks: times.length,
    markAt: (x, y, scale) => {
      const value = scale.valueAt(x, y);
      return value && nearestIndex(times, value[0], isBar ? bin : 0);
    },
    hit,
    hasTimeAxis: true,
  };
}

/** A bin, as far as it is in the range; undefined where it is all of it. */
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

type Found = { readonly series: ChartSeries; readonly value: number };

/** The pixels between which each value is drawn; for lines both are the point. */
function heights(
  found: readonly Found[],
  look: TimeSeriesLook,
  units: readonly (string | undefined)[],
  scale: Scale,
  x: number,
): ReadonlyMap<Found, readonly [number, number]> {
  // Positive and negative values are stacked apart, by axis.
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

/** The times of all series, ascending, each once. */
export function allTimes(data: TimeSeriesData): readonly number[] {
  if (data.series.every(({ x }) => x === undefined)) return data.times;
  const all = new Set(data.times);
  for (const { x = [] } of data.series) for (const time of x) all.add(time);
  return Float64Array.from(all).sort() as unknown as readonly number[];
}

function smallestStep(times: readonly number[]): number {
  let least = Infinity;
  for (let at = 1; at < times.length; at++)
    least = Math.min(least, (times[at] as number) - (times[at - 1] as number));
  return Number.isFinite(least) ? least : 0;
}

/** The index of a time in a series, or of the one nearest to it within half a step. */
function indexNear(times: readonly number[], time: number, step: number): number | undefined {
  const index = nearestIndex(times, time, 0);
  if (index === undefined) return undefined;
  return Math.abs((times[index] as number) - time) <= step / 2 ? index : undefined;
}

function legendOf(
  data: TimeSeriesData,
  colorOf: (series: ChartSeries) => string,
  comparison: Comparison | undefined,
): Legend {
  return {
    // What is compared comes first: a narrow legend cuts off the last columns.
    columns: [
      ...(comparison ? ['Difference', comparison.label] : []),
      'Total',
      'Average',
      'Min',
      'Max',
      'Last',
    ],
    rows: data.series.map((series, index) => {
      const { figures, unit } = series;
      const { total, average, min, max, last } = figures;
      const cell = (text: string | undefined) =>
        text === undefined ? '' : exactNumber(text, unit);
      const compared = comparison?.compared.get(series.key);
      return {
        key: series.key,
        name: series.name,
        color: colorOf(series),
        dash: inkOf(index, 'dark').dash !== 'solid' && series.folded === undefined,
        cells: [
          ...(comparison ? [differenceText(compared, unit), cell(compared?.earlier)] : []),
          cell(series.additive ? total : undefined),
          average === undefined ? '' : shortNumber(Number(average), unit),
          ...[min, max, last].map(cell),
        ],
        ...(series.origin && { origin: series.origin }),
        ...(series.folded !== undefined && { folded: series.folded }),
      };
    }),
  };
}

/** As many rows of the box as the plot is high enough for. */
function hitRows(height: number): number {
  return Math.max(2, Math.min(maxHitRows, Math.floor((height - 58) / hitRowHeight)));
}

function differenceText(compared: ComparedSeries | undefined, unit: string | undefined): string {
  if (compared?.difference === undefined) return '';
  const sign = compared.difference.startsWith('-') || Number(compared.difference) === 0 ? '' : '+';
  const share =
    compared.share === undefined || !Number.isFinite(compared.share)
      ? ''
      : ` (${compared.share > 0 ? '+' : ''}${shortNumber(compared.share * 100)}%)`;
  return `${sign}${exactNumber(compared.difference, unit)}${share}`;
}

function noticesOf(data: TimeSeriesData): string[] {
  const units = unitsOf(data.series).length;
  const folded = data.series.find((series) => series.folded !== undefined)?.folded;
  const kept = data.series.filter((series) => series.folded === undefined).length;
  const left = data.leftOut ?? 0;
  return [
    ...(folded === undefined
      ? []
      : [
          `${kept} series with the greatest totals; ${folded.toLocaleString('en-US')} others are folded into one.`,
        ]),
    ...(left > 0
      ? [
          `${left.toLocaleString('en-US')} series are not drawn: their values cannot be added. Filter the query to see them.`,
        ]
      : []),
    ...(units > maxAxes
      ? [
          `${units} units: the last axis is shared. Choose fewer values to read them on their own axes.`,
        ]
      : []),
    ...(data.skipped > 0
      ? [
          `${data.skipped.toLocaleString('en-US')} ${data.skipped === 1 ? 'row has' : 'rows have'} no time or no number.`,
        ]
      : []),
  ];
}

const styleNames = { line: 'Line chart', area: 'Area chart', bars: 'Bar chart' } as const;

function describe(
  data: TimeSeriesData,
  { style, stacked }: TimeSeriesLook,
  times: readonly number[],
  timeZone: 'utc' | 'local',
): string {
  const count = data.series.length;
  const first = times[0];
  const last = times.at(-1);
  const span =
    first === undefined || last === undefined ? '' : `, ${spanText(first, last, timeZone)}`;
  const names = data.series
    .slice(0, 5)
    .map(({ name, figures, unit }) => {
      const { min, max } = figures;
      return min === undefined || max === undefined
        ? name
        : `${name}: ${exactNumber(min, unit)} to ${exactNumber(max, unit)}`;
    })
    .join('; ');
  return `${stacked ? 'Stacked ' : ''}${stacked ? styleNames[style].toLowerCase() : styleNames[style]} of ${count.toLocaleString('en-US')} series with ${times.length.toLocaleString('en-US')} times${span}. ${names}`;
}
