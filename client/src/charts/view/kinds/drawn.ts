/**
 * A drawn chart: its ECharts option, and a lookup of the mark at a pixel. Marks are times, bars, slices, cells or
 * points. They are numbered, so that the pointer and the arrow keys reach the same marks.
 */
import type { MarkOrigin } from '../../../../../table/src/chart/chart.ts';
import type { Option } from '../options/drawing.ts';
import type { Ink } from '../palette.ts';

/** Converts between plot pixels and axis values. */
export interface Scale {
  /** Returns both axes' values at a pixel; undefined outside the grid. */
  valueAt(x: number, y: number): readonly [number, number] | undefined;
  pixelOf(value: readonly [number, number], yAxis?: number): readonly [number, number] | undefined;
  readonly width: number;
  readonly height: number;
}

/** A series' color in the legend and in tooltips. `dash` draws it striped. */
export interface Swatch {
  readonly color: string;
  readonly dash?: boolean;
}

export function swatchOf({ color, dash }: Ink): Swatch {
  return { color, dash: dash !== 'solid' };
}

/** An item that a click filters by: a series, a category, a row or a number. */
export interface Filterable {
  readonly key: string;
  readonly name: string;
  readonly origin?: MarkOrigin | undefined;
}

export interface HitRow extends Swatch {
  readonly key: string;
  readonly name: string;
  readonly value: string;
  readonly earlier?: string | undefined;
}

export interface Hit {
  readonly title: string;
  readonly note?: string;
  readonly rows: readonly HitRow[];
  /** The label for the earlier values, such as `1 day earlier`; absent without a comparison. */
  readonly earlierLabel?: string;
  /** The filterable item nearest to the pointer. */
  readonly hot?: Filterable;
  /** The range that a click selects, in milliseconds since 1970. */
  readonly span?: { readonly from: number; readonly to: number };
  /** The time, if the hit is one. Exact values can be requested for it. */
  readonly time?: number;
  /** The pixel next to which the tooltip is placed. If the hit is a time, a vertical line crosses it. */
  readonly at: readonly [x: number, y: number];
}

export interface LegendCell {
  readonly text: string;
  /** The exact number; absent unless `text` is rounded. */
  readonly exact?: string;
}

export interface LegendRow extends Swatch, Filterable {
  /** One cell per legend column. A cell without a value has empty text. */
  readonly cells: readonly LegendCell[];
}

export interface Legend {
  readonly columns: readonly string[];
  readonly rows: readonly LegendRow[];
}

export interface Drawn {
  readonly option: Option;
  /** The required height in pixels, if it exceeds the available height. */
  readonly height?: number;
  readonly legend?: Legend;
  /** Sentences about omitted or reduced data. */
  readonly notices: readonly string[];
  /** A summary of the chart for screen readers. */
  readonly description: string;
  readonly marks: number;
  markAt(x: number, y: number, scale: Scale): number | undefined;
  hit(mark: number, scale: Scale, pointer?: readonly [number, number]): Hit | undefined;
  /** Whether the horizontal axis is continuous time, so that a span can be selected. */
  readonly hasTimeAxis?: boolean;
}
