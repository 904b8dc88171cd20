// Requests that run queries: on an edge deployment, on the general API host, and in a batch. The bounds are from the
// public schema.
import { BATCH_CONCURRENCY_DEFAULT, QUERY_TEXT_LENGTH_MAX } from '../limits.ts';
import { rules } from '../rules.ts';
import {
  anyObject,
  flag,
  integer,
  key,
  list,
  object,
  oneOf,
  optional,
  queryTime,
  type Static,
  text,
} from '../schema.ts';

export const EDGE_FORMATS = ['legacy', 'tabular', 'tabular-rows'] as const;
export const GENERAL_FORMATS = ['legacy', 'tabular'] as const;

/** Members of `queryOptions` in the spec. All of them are strings. */
export const QUERY_OPTIONS = [
  'against',
  'againstStart',
  'againstTimestamp',
  'aggChartOpts',
  'caseSensitive',
  'containsTimeFilter',
  'datasets',
  'displayNull',
  'editorContent',
  'endColumn',
  'endLineNumber',
  'endTime',
  'integrationsFilter',
  'nanosecondPrecision',
  'openIntervals',
  'overlayCharts',
  'queryObject',
  'quickRange',
  'resolution',
  'resultsHistogram',
  'selection',
  'shownColumns',
  'startColumn',
  'startLineNumber',
  'startTime',
  'timeSeriesVariant',
  'timeSeriesView',
] as const;

type OptionName = (typeof QUERY_OPTIONS)[number];
const optionText = () => optional(text());

/** State of the client's user interface. */
export const QueryOptions = object(
  Object.fromEntries(QUERY_OPTIONS.map((name) => [name, optionText()])) as {
    [Name in OptionName]: ReturnType<typeof optionText>;
  },
);

export const OrderItem = object({
  field: text('Column to sort by.'),
  desc: flag('Sort in descending order.'),
});
export type OrderItem = Static<typeof OrderItem>;

/** The default order of a query that doesn't sort its rows. */
export const DefaultOrder = list(OrderItem);

const common = {
  apl: text('APL query.', { maxLength: QUERY_TEXT_LENGTH_MAX }),
  cursor: optional(text('Cursor at the end of the previous page.')),
  startTime: optional(queryTime('Start of the time range.')),
  endTime: optional(queryTime('End of the time range.')),
  includeCursor: optional(flag('Include the row at the cursor.')),
  queryOptions: optional(QueryOptions),
  variables: optional(anyObject('Values of the query parameters, by name.')),
};

const cursorField = optional(flag('Add the column _cursor to the result.'));

/**
 * Body of a query to the general API host, which ignores members for edge deployments. An exception is
 * `includeCursorField`, which a public client uses for paging.
 */
export const GeneralQueryRequest = object({ ...common, includeCursorField: cursorField });
export type GeneralQueryRequest = Static<typeof GeneralQueryRequest>;

export const EdgeQueryRequest = object({
  ...common,
  defaultLimit: optional(
    integer('Maximum number of rows if the query has no limit.', {
      minimum: 0,
      maximum: 1_000_000,
    }),
  ),
  defaultOrder: optional(DefaultOrder),
  includeCursorField: cursorField,
  libraries: optional(list(text(), { maxItems: 50 })),
  maxBinAutoGroups: optional(
    integer('Maximum number of groups that bin_auto creates.', { minimum: 0, maximum: 10_000 }),
  ),
});
export type EdgeQueryRequest = Static<typeof EdgeQueryRequest>;

const source = {
  'apl-source': optional(text('Source of the query, for example console or dashboard.')),
  'apl-source-id': optional(text('Identifier of the source, for example of a dashboard.')),
};

const saving = {
  nocache: optional(flag('Ignore cached results.')),
  saveAsKind: optional(
    text('Save the query to the history as this kind: apl, analytics or stream.'),
  ),
};

export const EdgeQueryParameters = object({
  format: oneOf(EDGE_FORMATS, 'Format of the result.'),
  ...saving,
  id: optional(text('Dataset of the saved query.')),
  'streaming-duration': optional(text('Duration of the stream, such as 5s.')),
  ...source,
  totals: optional(flag('Add a table of totals to metrics results.')),
});

export const GeneralQueryParameters = object({
  format: oneOf(GENERAL_FORMATS, 'Format of the result.'),
  ...saving,
  dataset_name: optional(text('Dataset of the saved query.')),
});

/** A metrics query in a batch. Not in the spec. */
export const MetricsQueryRequest = object({
  startTime: queryTime('Start of the time range.'),
  endTime: queryTime('End of the time range.'),
  mpl: text('Metrics query.', { maxLength: QUERY_TEXT_LENGTH_MAX }),
});

/** Not in the spec. */
export const BatchItem = object(
  {
    queryId: key(text('Identifier of the query in the results.', { minLength: 1 })),
    aplRequest: optional(EdgeQueryRequest),
    mplRequest: optional(MetricsQueryRequest),
  },
  rules.batchRequest,
);
export type BatchItem = Static<typeof BatchItem>;

/** Body of a batch of queries. Not in the spec. */
export const BatchRequest = list(BatchItem);

/** Query parameters of a batch. Not in the spec. */
export const BatchParameters = object({
  maxConcurrency: optional(
    integer('Maximum number of queries that run concurrently.', {
      minimum: 1,
      maximum: 20,
      default: BATCH_CONCURRENCY_DEFAULT,
    }),
  ),
  nocache: saving.nocache,
  ...source,
});
