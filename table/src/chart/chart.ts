/**
 * Charts as plain data, shared by the host, the worker that computes them and the pages that draw them: the kinds, the
 * user's choices and the worker's results. Columns are identified by their index in the table.
 */

/** The chart kinds in the order in which they are offered. */
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

/** Ways to draw missing values: a gap, zero, the last value, or a straight line. */
export const missingValues = ['gap', 'zero', 'carry', 'linear'] as const;
export type MissingValues = (typeof missingValues)[number];

/** The user's choices for a chart. Absent choices are derived from the shape of the answer. */
export interface ChartChoice {
  readonly kind?: ChartKind;
  readonly style?: SeriesStyle;
  readonly stacked?: boolean;
  readonly missing?: MissingValues;
  readonly values?: readonly number[];
}

/** The chart kinds that suit an answer, default first, and the answer's columns by use. */
export interface ChartShape {
  /** Empty if the answer can't be drawn as a chart. */
  readonly kinds: readonly ChartKind[];
  readonly time?: number;
  readonly values: readonly number[];
  readonly defaultValues: readonly number[];
  /** The columns that name a series or a category. */
  readonly groups: readonly number[];
  /** The column with `histogram` buckets. */
  readonly histogram?: number;
  /** The default style of time series. */
  readonly style: SeriesStyle;
  /** Whether time series are stacked by default. */
  readonly stacked: boolean;
}

/** A chart choice completed with defaults. */
export interface ChartRequest {
  readonly kind: ChartKind;
  readonly time?: number;
  readonly values: readonly number[];
  readonly groups: readonly number[];
  readonly histogram?: number;
  readonly missing: MissingValues;
  /** Whether series are stacked, which requires that every series has a value at every time. */
  readonly stacked: boolean;
  /** The maximum number of series or categories. Those beyond it are folded into one. */
  readonly maxSeries: number;
  /** The maximum number of points per series. Longer series keep only the extremes of time spans. */
  readonly maxPoints: number;
  /** The time zone for group names that are times. */
  readonly timeZone: 'utc' | 'local';
}

/** A series' summary values as exact text, computed from all points, including those that fill gaps. */
export interface SeriesFigures {
  readonly points: number;
  /** The total of the answer's values, excluding those that fill gaps. */
  readonly total?: string;
  readonly average?: string;
  readonly min?: string;
  readonly max?: string;
  readonly last?: string;
}

/** The table row that a mark represents, so that a click on the mark can add a filter to the query. */
export interface MarkOrigin {
  /** The index, in display order, of a row that has the mark's group values. */
  readonly row: number;
  /** The columns whose values in that row identify the mark. */
  readonly columns: readonly number[];
}

/** A series or a category. */
interface ChartMark {
  /** A key of the column and the group values, which stays the same between runs of a query. */
  readonly key: string;
  /** The group's values or the column's name, with control characters made visible and long text cut. */
  readonly name: string;
  readonly column: number;
  /** The unit as in `fieldsMetaMap`; `ns` for timespans. */
  readonly unit?: string;
  /** Absent for the mark that combines folded marks. */
  readonly origin?: MarkOrigin;
  /** The number of marks folded into this one. */
  readonly folded?: number;
}

export interface ChartSeries extends ChartMark {
  /** Whether values can be added, such as counts and sums, so that their total is meaningful. */
  readonly additive?: boolean;
  /** The points' times in milliseconds since 1970, ascending and distinct; absent if the chart's `times` apply. */
  readonly x?: readonly number[];
  /** One value per point; null if missing. */
  readonly y: readonly (number | null)[];
  readonly figures: SeriesFigures;
}

/** Counts of data that a chart leaves out. */
interface Omitted {
  /** The number of series or categories beyond the limit that aren't folded because their values can't be added. */
  readonly leftOut?: number;
  /** The number of rows or list items that have no time or a non-numeric value. */
  readonly skipped: number;
}

/** Whether the range cuts off parts of the first and the last bin. */
export interface PartialBins {
  readonly first: boolean;
  readonly last: boolean;
}

export interface TimeSeriesData extends Omitted {
  readonly kind: 'timeSeries';
  readonly series: readonly ChartSeries[];
  /** The times for series without `x`. */
  readonly times: readonly number[];
  readonly binMilliseconds?: number;
  /** The answer's time range in milliseconds, if known. */
  readonly from?: number;
  readonly to?: number;
  readonly partial: PartialBins;
  /** The number of points that have no value in the answer, including filled points. */
  readonly missing: number;
  readonly reduced: boolean;
}

/** A category with its value, for top lists, pies and statistics. */
export interface ChartCategory extends ChartMark {
  readonly value: number | null;
  /** The value as exact text; absent for null. */
  readonly text?: string;
}

/** The categories' measure: a column of the answer, or one of several values in a column. */
export interface CategoryMeasure {
  readonly name: string;
  /** How the values of several rows were combined; absent if the answer has one value per category. */
  readonly combined?: 'max' | 'last';
}

export interface CategoriesData extends Omitted {
  readonly kind: 'topList' | 'pie';
  /** Absent if there are several measures, each with its own categories. */
  readonly measure?: CategoryMeasure;
  /** The categories, greatest value first, with the folded category last. */
  readonly categories: readonly ChartCategory[];
  /** Whether categories are in a natural order instead, such as by histogram bucket. */
  readonly ordered?: boolean;
}

/** The change from the first to the last complete bin; from the first to the last value if rows aren't bins. */
export interface StatisticChange {
  readonly share: number;
  /** The times of the compared values, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

export interface StatisticData {
  readonly kind: 'statistic';
  readonly statistics: readonly (ChartCategory & {
    /** The trend's points, if rows have times. */
    readonly trend?: { readonly x: readonly number[]; readonly y: readonly (number | null)[] };
    /** Absent if there aren't two comparable values. */
    readonly change?: StatisticChange;
  })[];
  readonly binMilliseconds?: number;
  /** Whether the range cuts off the first or last bin, so that changes exclude it; absent if rows have no times. */
  readonly partial?: PartialBins;
  /**
   * The times of the first and last bin with data, if the range has empty bins before or after them. Changes exclude
   * these bins, because they may be partial.
   */
  readonly data?: { readonly first?: number; readonly last?: number };
  /** The number of statistics beyond the limit. */
  readonly leftOut?: number;
}

export interface HeatmapData extends Omitted {
  readonly kind: 'heatmap';
  /** The start times of the columns in milliseconds. */
  readonly times: readonly number[];
  /** The rows from bottom to top. A histogram's rows are named by their buckets' bounds. */
  readonly rows: readonly Pick<ChartMark, 'name' | 'origin' | 'folded'>[];
  /** The cells as `[time index, row index, value]`. */
  readonly cells: readonly (readonly [number, number, number])[];
  readonly unit?: string;
}

type ScatterAxis = Pick<ChartMark, 'column' | 'name' | 'unit'>;

export interface ScatterData {
  readonly kind: 'scatter';
  /** The two axes' columns. `x` may be a time column. */
  readonly x: ScatterAxis & { readonly isTime: boolean };
  readonly y: ScatterAxis;
  readonly series: readonly (Omit<ChartMark, 'column' | 'unit'> & {
    readonly points: readonly (readonly [x: number, y: number])[];
  })[];
  /** The number of points in the answer. Fewer are drawn if points cover one another. */
  readonly points: number;
  readonly skipped: number;
}

/** The columns of a log. Its rows are requested in windows, like a table's rows. */
export interface LogStreamData {
  readonly kind: 'logStream';
  readonly time: number;
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

/** The exact values of series at one time. */
export interface ChartPoint {
  /** RFC 3339 in UTC, with the answer's precision. */
  readonly time: string;
  /** The values by series key; null if the series has no value at this time. */
  readonly values: Readonly<Record<string, string | null>>;
}
