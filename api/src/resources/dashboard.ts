// Dashboards: versioned documents with charts and their layout on a grid. The spec states neither required members nor
// bounds. The bounds are from the service's public schema, and only identifying members are required.
import {
  DASHBOARD_GRID_COLUMNS,
  DASHBOARD_NAME_LENGTH_MAX,
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

/** Kinds known from public sources. Other kinds are allowed. */
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

export const DashboardUid = text('Permanent identifier, unique in the organization.', {
  pattern: '^[A-Za-z0-9_-]{1,128}$',
  'x-words': 'be 1 to 128 letters, digits, hyphens and underscores',
});

/** Public sources disagree on whether these options are strings or booleans, so both are accepted. */
export const ChartQueryOptions = object({
  displayNull: optional(scalar('Display of gaps: auto, null, span or zero.')),
  overlayCharts: optional(scalar('Draw several series in one chart.')),
  shownColumns: optional(scalar('Columns of a table.')),
  timeSeriesVariant: optional(scalar('Style of a time series: area, bars, line or lines.')),
  timeSeriesView: optional(
    scalar('Parts of a time series to show: charts, resultsTable, or both joined by |.'),
  ),
});

export const ChartQuery = object({
  apl: optional(text('APL query of the chart.', { maxLength: QUERY_TEXT_LENGTH_MAX })),
  mpl: optional(text('Metrics query of the chart.')),
  queryOptions: optional(ChartQueryOptions),
});

export const Chart = object({
  id: text('Identifier of the chart in the layout.'),
  type: optional(text('Type of the chart.', { examples: CHART_TYPES })),
  name: optional(text('Title of the chart.')),
  query: optional(ChartQuery),
});

const width = { minimum: 0, maximum: DASHBOARD_GRID_COLUMNS };
const height = { minimum: 0, maximum: 100 };

export const LayoutItem = object({
  i: text('Identifier of the chart.'),
  x: optional(
    integer('First column, counted from 0.', { minimum: 0, maximum: DASHBOARD_GRID_COLUMNS - 1 }),
  ),
  y: optional(integer('First row, counted from 0.', { minimum: 0 })),
  w: optional(integer('Width in columns.', { minimum: 1, maximum: DASHBOARD_GRID_COLUMNS })),
  h: optional(integer('Height in rows.', { minimum: 1, maximum: 100 })),
  minW: optional(number('Minimum width in columns.', width)),
  minH: optional(number('Minimum height in rows.', height)),
  maxW: optional(number('Maximum width in columns.', width)),
  maxH: optional(number('Maximum height in rows.', height)),
  static: optional(flag('Prevent the chart from being moved or resized.')),
});

/** The part of a dashboard that users edit. */
export const DashboardDocument = object({
  name: text('Name of the dashboard.', { minLength: 1, maxLength: DASHBOARD_NAME_LENGTH_MAX }),
  owner: optional(text('User who owns the dashboard.')),
  charts: optional(list(Chart, { maxItems: 200, description: 'Charts of the dashboard.' })),
  layout: optional(
    list(LayoutItem, {
      maxItems: 200,
      description: 'Position and size of each chart.',
    }),
  ),
  refreshTime: optional(integer('Refresh interval in seconds.', { minimum: 0 })),
  schemaVersion: optional(integer('Version of the document format.')),
  timeWindowStart: optional(text('Start of the time range, for example qr-now-1h.')),
  timeWindowEnd: optional(text('End of the time range, for example qr-now.')),
  description: optional(text('Description of the dashboard.')),
  against: optional(text('Offset of the earlier time range to compare with, for example -1h.')),
  againstTimestamp: optional(text('Start of the earlier time range to compare with.')),
  uid: optional(text('Permanent identifier of the dashboard.')),
});

export const Dashboard = object({
  id: text('Identifier assigned by the service.'),
  uid: key(text('Permanent identifier of the dashboard.')),
  dashboard: key(DashboardDocument),
  version: int64('Version to send back with a change.', { minimum: 0 }),
  createdAt: timestamp('Time of creation.'),
  createdBy: text('Identifier of the user who created it.'),
  updatedAt: timestamp('Time of the last change.'),
  updatedBy: text('Identifier of the user who last changed it.'),
});
export type Dashboard = Static<typeof Dashboard>;

const write = {
  dashboard: DashboardDocument,
  message: optional(text('Description of the change.')),
  overwrite: optional(flag('Overwrite the stored version, whichever it is.')),
  uid: optional(DashboardUid),
  version: optional(int64('Version that the change is based on.')),
};

export const DashboardWrite = object(write);
export type DashboardWrite = Static<typeof DashboardWrite>;

/** A change needs a version or `overwrite`. The service checks this after it has found the dashboard. */
export const DashboardUpdate = object(write, rules.dashboardVersion);

export const DashboardWriteResponse = object({
  dashboard: key(Dashboard),
  status: oneOf(['created', 'updated'], 'Result of the write: created or updated.'),
  overwritten: optional(flag('True if a version other than the one sent was overwritten.')),
});
export type DashboardWriteResponse = Static<typeof DashboardWriteResponse>;
