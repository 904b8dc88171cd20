/**
 * Charts as plain data, shared by the host, the worker that computes them and the pages that draw them:
 * which kinds there are, what a person can choose, and what the worker returns for a choice. Columns are
 * named by their index in the table.
 */

/** In the order in which they are offered. */
export const chartKinds = [
  'timeSeries',
  'topList',
  'pie',
  'heatmap',
  'scatter',
  'statistic',
  'logStream',
] as const;
export type ChartKind = (typeof chartKinds)[number];

export const seriesStyles = ['line', 'area', 'bars'] as const;
export type SeriesStyle = (typeof seriesStyles)[number];

/** How missing values are drawn: as a gap, as zero, as the last value, or on a straight line. */
export const missingValues = ['gap', 'zero', 'carry', 'linear'] as const;
export type MissingValues = (typeof missingValues)[number];

/** The person's choices for a chart. The answer's shape decides absent ones. */
export interface ChartChoice {
  readonly kind?: ChartKind;
  readonly style?: SeriesStyle;
  readonly stacked?: boolean;
  readonly missing?: MissingValues;
  readonly values?: readonly number[];
}

/** The charts that an answer offers, the default first, and its columns by use. */
export interface ChartShape {
  /** Empty where nothing can be drawn. */
  readonly kinds: readonly ChartKind[];
  /** The column of times. */
  readonly time?: number;
  readonly values: readonly number[];
  readonly defaultValues: readonly number[];
  /** The columns that name a series or a category. */
  readonly groups: readonly number[];
  /** The column with the buckets of `histogram`. */
  readonly histogram?: number;
  /** The default style of time series. */
  readonly style: SeriesStyle;
  /** Whether they are stacked by default. */
  readonly stacked: boolean;
}

/** A choice with defaults for what it leaves open. */
export interface ChartRequest {
  readonly kind: ChartKind;
  readonly time?: number;
  readonly values: readonly number[];
  readonly groups: readonly number[];
  readonly histogram?: number;
  readonly missing: MissingValues;
  /** Stacked values need every series at every time. */
  readonly stacked: boolean;
  /** Series or categories beyond this number are folded into one. */
  readonly maxSeries: number;
  /** Points of a series beyond this number are reduced to the extremes of spans of time. */
  readonly maxPoints: number;
  /** For groups of times, whose names are times. */
  readonly timeZone: 'utc' | 'local';
}

/** Figures of a series as exact text, over all points that are drawn, including those that fill gaps. */
export interface SeriesFigures {
  readonly points: number;
  /** Of the answer's values, without those that fill gaps. */
  readonly total?: string;
  readonly average?: string;
  readonly min?: string;
  readonly max?: string;
  readonly last?: string;
}

/** The row of the table that identifies a mark, so that a click can add its filter to the query. */
export interface MarkOrigin {
  /** A row of the table in display order that has the values of the group columns. */
  readonly row: number;
  /** The columns whose values in that row identify the mark. */
  readonly columns: readonly number[];
}

/** A series or a category. */
interface ChartMark {
  /** Stable between two runs of a query: the column and the values of the groups. */
  readonly key: string;
  /** The values of the groups, or the name of the column; cut when it is very long, control characters visible. */
  readonly name: string;
  readonly column: number;
  /** The unit of its numbers in the terms of `fieldsMetaMap`; `ns` for timespans. */
  readonly unit?: string;
  /** Absent for the mark into which others are folded. */
  readonly origin?: MarkOrigin;
  /** The number of marks that were folded into this one. */
  readonly folded?: number;
}

export interface ChartSeries extends ChartMark {
  /** Whether its values may be added, as counts and sums: only then does its total mean something. */
  readonly additive?: boolean;
  /** Milliseconds since 1970, ascending, without repeats; absent where the `times` of the chart apply. */
  readonly x?: readonly number[];
  /** By point; null for a missing value. */
  readonly y: readonly (number | null)[];
  readonly figures: SeriesFigures;
}

/** Counts of data that a chart leaves out. */
interface Omitted {
  /** Series or categories beyond the bound that cannot be folded, since their values cannot be added. */
  readonly leftOut?: number;
  /** Rows without a time, or whose values are not numbers. */
  readonly skipped: number;
}

/** Whether the first and the last bin are cut by the range. */
export interface PartialBins {
  readonly first: boolean;
  readonly last: boolean;
}

export interface TimeSeriesData extends Omitted {
  readonly kind: 'timeSeries';
  readonly series: readonly ChartSeries[];
  /** The times of the series that have no `x`. */
  readonly times: readonly number[];
  /** The length of a bin in milliseconds, where rows are bins. */
  readonly binMilliseconds?: number;
  /** The times of the answer's range in milliseconds, where it is known. */
  readonly from?: number;
  readonly to?: number;
  readonly partial: PartialBins;
  /** The number of points without a value in the answer, including filled ones. */
  readonly missing: number;
  /** Whether points were reduced for the screen. */
  readonly reduced: boolean;
}

/** A category with its value; for top lists, pies and statistics. */
export interface ChartCategory extends ChartMark {
  readonly value: number | null;
  /** The exact text of the value; absent for null. */
  readonly text?: string;
}

/** The measure of categories: a column of the answer, or one of its values per category. */
export interface CategoryMeasure {
  readonly name: string;
  /** How values of several rows were combined; absent if the answer has one value per category. */
  readonly combined?: 'max' | 'last';
}

export interface CategoriesData extends Omitted {
  readonly kind: 'topList' | 'pie';
  /** Absent where categories are of several columns. */
  readonly measure?: CategoryMeasure;
  /** The greatest first; the folded one last. */
  readonly categories: readonly ChartCategory[];
  /** Whether they have a natural order instead, such as the buckets of a histogram. */
  readonly ordered?: boolean;
}

/** From the first to the last complete bin; for rows that are not bins, from the first to the last value. */
export interface StatisticChange {
  readonly share: number;
  /** The times of both, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

export interface StatisticData {
  readonly kind: 'statistic';
  readonly statistics: readonly (ChartCategory & {
    /** The points of its trend, where rows have times. */
    readonly trend?: { readonly x: readonly number[]; readonly y: readonly (number | null)[] };
    /** Absent without two values to compare. */
    readonly change?: StatisticChange;
  })[];
  /** The length of a bin in milliseconds, where rows are bins. */
  readonly binMilliseconds?: number;
  /** The bins that changes leave out, since the range cuts them; absent where rows have no times. */
  readonly partial?: PartialBins;
  /**
   * The times of the bins in which the data begins or ends before the range does. Changes leave them out, since they
   * may be partial, and the empty ones outside of them.
   */
  readonly data?: { readonly first?: number; readonly last?: number };
  /** Statistics beyond the bound. */
  readonly leftOut?: number;
}

export interface HeatmapData extends Omitted {
  readonly kind: 'heatmap';
  /** The starts of the columns in milliseconds. */
  readonly times: readonly number[];
  /** The names of the rows, from the lowest; for histograms the bounds of the buckets. */
  readonly rows: readonly Pick<ChartMark, 'name' | 'origin' | 'folded'>[];
  /** `[index of time, index of row, value]`. */
  readonly cells: readonly (readonly [number, number, number])[];
  readonly unit?: string;
}

type ScatterAxis = Pick<ChartMark, 'column' | 'name' | 'unit'>;

export interface ScatterData {
  readonly kind: 'scatter';
  /** The two columns; `x` may be the column of times. */
  readonly x: ScatterAxis & { readonly isTime: boolean };
  readonly y: ScatterAxis;
  readonly series: readonly (Omit<ChartMark, 'column' | 'unit'> & {
    readonly points: readonly (readonly [x: number, y: number])[];
  })[];
  /** Points that the answer has; more than are drawn where they would cover each other. */
  readonly points: number;
  readonly skipped: number;
}

/** The columns of a log. Its rows are requested in windows, like those of a table. */
export interface LogStreamData {
  readonly kind: 'logStream';
  readonly time: number;
  /** The column of the message. */
  readonly message?: number;
  readonly severity?: number;
}

export type ChartData =
  | TimeSeriesData
  | CategoriesData
  | StatisticData
  | HeatmapData
  | ScatterData
  | LogStreamData;

/** The exact values of series at one of their times. */
export interface ChartPoint {
  /** RFC 3339 in UTC, as exact as the answer has it. */
  readonly time: string;
  /** By series key; null where the series has no value there. */
  readonly values: Readonly<Record<string, string | null>>;
}
