// Dashboards: documents of charts and their places on a grid, stored under a version. The spec names
// no required members and no bounds; the bounds here are those of the service's public schema, and
// only what identifies a thing is required.
import {
  DASHBOARD_CHARTS_MAX,
  DASHBOARD_GRID_COLUMNS,
  DASHBOARD_GRID_HEIGHT_MAX,
  DASHBOARD_NAME_LENGTH_MAX,
  DASHBOARD_UID_PATTERN,
  QUERY_TEXT_LENGTH_MAX,
} from '../limits.ts';
import { rules } from '../rules.ts';
import {
  flag,
  int64,
  integer,
  key,
  list,
  number,
  object,
  oneOf,
  optional,
  type Static,
  scalar,
  text,
  timestamp,
} from '../schema.ts';

/** Kinds of chart known from public sources. The spec leaves the set open, and so does the schema. */
export const CHART_TYPES = [
  'TimeSeries',
  'Heatmap',
  'LogStream',
  'Pie',
  'Scatter',
  'Table',
  'TopK',
  'Statistic',
  'Note',
  'MonitorList',
  'SmartFilter',
  'Spacer',
] as const;

/** The identifier a dashboard keeps for life. */
export const DashboardUid = text('The stable identifier, unique in the organisation.', {
  pattern: DASHBOARD_UID_PATTERN,
  'x-words': 'be 1 to 128 letters, digits, hyphens and underscores',
});

/** How a chart shows its query; sources differ on text or truth values, so both are taken. */
export const ChartQueryOptions = object({
  displayNull: optional(scalar('How gaps are drawn: auto, null, span or zero.')),
  overlayCharts: optional(scalar('Whether several series share one chart.')),
  shownColumns: optional(scalar('The columns a table shows.')),
  timeSeriesVariant: optional(scalar('area, bars, line or lines.')),
  timeSeriesView: optional(scalar('charts, resultsTable, or both joined by |.')),
});
export type ChartQueryOptions = Static<typeof ChartQueryOptions>;

export const ChartQuery = object({
  apl: optional(text('The APL query of the chart.', { maxLength: QUERY_TEXT_LENGTH_MAX })),
  mpl: optional(text('The metrics query of the chart. Not in the spec.')),
  queryOptions: optional(ChartQueryOptions),
});
export type ChartQuery = Static<typeof ChartQuery>;

export const Chart = object({
  id: text('The identifier the layout refers to.'),
  type: optional(text('The kind of chart.', { examples: CHART_TYPES })),
  name: optional(text('The heading of the chart.')),
  query: optional(ChartQuery),
});
export type Chart = Static<typeof Chart>;

const width = { minimum: 0, maximum: DASHBOARD_GRID_COLUMNS };
const height = { minimum: 0, maximum: DASHBOARD_GRID_HEIGHT_MAX };

export const LayoutItem = object({
  i: text('The chart that stands here.'),
  x: optional(
    integer('The first column, from 0.', { minimum: 0, maximum: DASHBOARD_GRID_COLUMNS - 1 }),
  ),
  y: optional(integer('The first row, from 0.', { minimum: 0 })),
  w: optional(integer('Columns spanned.', { minimum: 1, maximum: DASHBOARD_GRID_COLUMNS })),
  h: optional(integer('Rows spanned.', { minimum: 1, maximum: DASHBOARD_GRID_HEIGHT_MAX })),
  minW: optional(number('Columns spanned at least.', width)),
  minH: optional(number('Rows spanned at least.', height)),
  maxW: optional(number('Columns spanned at most.', width)),
  maxH: optional(number('Rows spanned at most.', height)),
  static: optional(flag('Whether it stays where it is.')),
});
export type LayoutItem = Static<typeof LayoutItem>;

/** What a person writes: the dashboard itself. */
export const DashboardDocument = object({
  name: text('What the dashboard is called.', {
    minLength: 1,
    maxLength: DASHBOARD_NAME_LENGTH_MAX,
  }),
  owner: optional(text('The user who owns it.')),
  charts: optional(list(Chart, { maxItems: DASHBOARD_CHARTS_MAX, description: 'The charts.' })),
  layout: optional(
    list(LayoutItem, { maxItems: DASHBOARD_CHARTS_MAX, description: 'Where each chart stands.' }),
  ),
  refreshTime: optional(integer('Seconds between two refreshes.', { minimum: 0 })),
  schemaVersion: optional(integer('The version of this document format.')),
  timeWindowStart: optional(text('The start of the time range, for example qr-now-1h.')),
  timeWindowEnd: optional(text('The end of the time range, for example qr-now.')),
  description: optional(text('What the dashboard shows.')),
  against: optional(text('The earlier range it is compared with, for example -1h.')),
  againstTimestamp: optional(text('The earlier point it is compared with.')),
  uid: optional(text('The stable identifier it is addressed by.')),
});
export type DashboardDocument = Static<typeof DashboardDocument>;

/** A dashboard as the service holds it. */
export const Dashboard = object({
  id: text('The identifier the service gave it.'),
  uid: key(text('The stable identifier it is addressed by.')),
  dashboard: key(DashboardDocument),
  version: int64('The version to send back with a change.', { minimum: 0 }),
  createdAt: timestamp('When it was made.'),
  createdBy: text('The identifier of the user who made it.'),
  updatedAt: timestamp('When it was last changed.'),
  updatedBy: text('The identifier of the user who last changed it.'),
});
export type Dashboard = Static<typeof Dashboard>;

const write = {
  dashboard: DashboardDocument,
  message: optional(text('What the change is about.')),
  overwrite: optional(flag('Whether to write over a version one has not seen.')),
  uid: optional(DashboardUid),
  version: optional(int64('The version the change starts from.')),
};

/** A dashboard as it is sent, whether it exists already or not. */
export const DashboardWrite = object(write);
export type DashboardWrite = Static<typeof DashboardWrite>;

/**
 * A dashboard as it is sent to change a stored one: without `overwrite` the version is required.
 * Whether it is stored only the service knows, so the service reads such a body with this schema
 * once it has found the record.
 */
export const DashboardUpdate = object(write, rules.dashboardVersion);
export type DashboardUpdate = Static<typeof DashboardUpdate>;

export const DASHBOARD_WRITE_STATUSES = ['created', 'updated'] as const;

export const DashboardWriteResponse = object({
  dashboard: key(Dashboard),
  status: oneOf(DASHBOARD_WRITE_STATUSES, 'Whether it was there before.'),
  overwritten: optional(flag('Whether a version was written over that the sender had not seen.')),
});
export type DashboardWriteResponse = Static<typeof DashboardWriteResponse>;
