/**
 * A chart of some kind, ready to be drawn: the option of the library, and the mark at a pixel. Marks are
 * numbered, so that the pointer and the arrow keys reach the same ones: times of a time series, bars of a
 * list, slices, cells, points.
 */
import type { MarkOrigin } from '../../../../../table/src/chart/chart.ts';
import type { Option } from '../options/drawing.ts';
import type { Ink } from '../palette.ts';

/** Converts pixels of the plot into values of its axes, and back. */
export interface Scale {
  /** Values of both axes at a pixel; undefined outside of the grid. */
  valueAt(x: number, y: number): readonly [number, number] | undefined;
  pixelOf(value: readonly [number, number], yAxis?: number): readonly [number, number] | undefined;
  readonly width: number;
  readonly height: number;
}

/** The color of a series in its legend and tooltips, in stripes where its line is dashed. */
export interface Swatch {
  readonly color: string;
  readonly dash?: boolean;
}

export function swatchOf({ color, dash }: Ink): Swatch {
  return { color, dash: dash !== 'solid' };
}

/** What a click filters by: a series, a category, a row or a number. */
export interface Filterable {
  readonly key: string;
  readonly name: string;
  readonly origin?: MarkOrigin | undefined;
}

export interface HitRow extends Swatch {
  readonly key: string;
  readonly name: string;
  readonly value: string;
  /** Its value in the earlier answer. */
  readonly earlier?: string | undefined;
}

export interface Hit {
  readonly title: string;
  readonly note?: string;
  readonly rows: readonly HitRow[];
  /** The label of the earlier values, such as `1 day earlier`; absent without a comparison. */
  readonly earlierLabel?: string;
  /** The row that the pointer is nearest to. */
  readonly hot?: Filterable;
  /** The times between which a click selects the range, in milliseconds since 1970. */
  readonly span?: { readonly from: number; readonly to: number };
  /** The time whose exact values can be requested. */
  readonly time?: number;
  /** The pixel of the line, next to which the box is placed. */
  readonly at: readonly [x: number, y: number];
  /** Whether the line goes through the whole plot. */
  readonly line: boolean;
}

export interface LegendCell {
  readonly text: string;
  /** Where the text is rounded. */
  readonly exact?: string;
}

export interface LegendRow extends Swatch, Filterable {
  /** By the columns of the legend; empty text for none. */
  readonly cells: readonly LegendCell[];
}

export interface Legend {
  readonly columns: readonly string[];
  readonly rows: readonly LegendRow[];
}

export interface Drawn {
  readonly option: Option;
  /** The height in pixels that it needs, where that is more than its place has. */
  readonly height?: number;
  readonly legend?: Legend;
  /** Sentences about omitted or reduced data. */
  readonly notices: readonly string[];
  /** A summary of the chart for screen readers. */
  readonly description: string;
  /** How many marks the arrow keys go through. */
  readonly marks: number;
  markAt(x: number, y: number, scale: Scale): number | undefined;
  hit(mark: number, scale: Scale, pointer?: readonly [number, number]): Hit | undefined;
  /** Whether a span of the horizontal axis can be chosen. */
  readonly hasTimeAxis: boolean;
}
