// The service's limits as named constants, so that schemas, the local deployment and the client use the same numbers.
// Each states its source: "spec" is the service's specification, "public" its other published documentation and
// schemas, "ours" a choice of this project.

/** Maximum number of days that an anomaly monitor compares with. Source: spec, Limits. */
export const MONITOR_COMPARE_DAYS_MAX = 7;

/** Minimum interval between runs of a monitor, in minutes. Source: spec, Limits. */
export const MONITOR_INTERVAL_MINUTES_MIN = 1;

/** Minimum time range of a monitor, in minutes. Source: spec, Limits. */
export const MONITOR_RANGE_MINUTES_MIN = 1;

/** Maximum delay before a monitor triggers, in seconds. Source: spec, Limits. */
export const MONITOR_SECOND_DELAY_MAX = 86_400;

/** Maximum tolerance of an anomaly monitor, in percent. Source: spec, Limits. */
export const MONITOR_TOLERANCE_MAX = 100;

/** Minimum of a monitor's compared days, delay and tolerance: negative values are meaningless. Source: ours. */
export const MONITOR_AMOUNT_MIN = 0;

/** Maximum length of an annotation's type. Source: spec, Limits. */
export const ANNOTATION_TYPE_LENGTH_MAX = 256;

/** Allowed characters of an annotation's type. Source: spec, Limits. */
export const ANNOTATION_TYPE_PATTERN = '^[a-z0-9-]+$';

/** Maximum length of an annotation's title. Source: spec, Limits. */
export const ANNOTATION_TITLE_LENGTH_MAX = 256;

/** Maximum length of an annotation's description. Source: spec, Limits. */
export const ANNOTATION_DESCRIPTION_LENGTH_MAX = 512;

/** Maximum length of an annotation's URL. Source: spec, Limits. */
export const ANNOTATION_URL_LENGTH_MAX = 512;

/** Minimum number of datasets of an annotation. Source: spec, Limits. */
export const ANNOTATION_DATASETS_MIN = 1;

/** Minimum length of each dataset name of an annotation. Source: spec, Limits. */
export const ANNOTATION_DATASET_LENGTH_MIN = 1;

/** Maximum number of events in an ingest request. Source: public, limits page. */
export const INGEST_EVENTS_MAX = 10_000;

/** Maximum size of a field's value in an event, in bytes; a longer string is replaced. Source: public, limits page. */
export const INGEST_VALUE_BYTES_MAX = 1_048_576;

/** Replacement for a string over `INGEST_VALUE_BYTES_MAX`. Source: public, limits page. */
export const INGEST_TEXT_TOO_LONG = '<invalid string: too long>';

/** Maximum size of a field name, in bytes. Source: public, limits page. */
export const INGEST_NAME_BYTES_MAX = 200;

/** Maximum nesting depth of an event; deeper values become null. Source: public, limits page. */
export const INGEST_NESTING_MAX = 100;

/** Maximum number of fields of a dataset, without `_time` and `_sysTime`. Source: public, limits page. */
export const DATASET_FIELDS_MAX = 1_024;

/** Maximum length of a dataset name. Source: public, dataset reference. */
export const DATASET_NAME_LENGTH_MAX = 128;

/**
 * The name of a new dataset: letters, digits, `-`, `_` and `.`, the first and last a letter or digit. Public sources
 * disagree on `_` and `.`. Both are allowed, so no dataset of the hosted service is rejected.
 */
export const DATASET_NAME_PATTERN = '^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$';

/**
 * The name of a map field: parts joined by dots, without surrounding whitespace or control characters. Names of the
 * service's own fields and names such as `__x__` are rejected. Source: public client tests for `__invalid__`, otherwise
 * ours.
 */
export const MAP_FIELD_NAME_PATTERN =
  '^(?!__.*__$|(?:_time|_sysTime|_blockInfo|_cursor|_rowId|_rowID|_source)$)PART(?:\\.PART)*$'.replaceAll(
    'PART',
    '[^.\\s\\x00-\\x1f\\x7f]+(?: +[^.\\s\\x00-\\x1f\\x7f]+)*',
  );

/** Field names reserved by the service. Source: public, limits page. */
export const RESERVED_FIELDS = ['_blockInfo', '_cursor', '_rowID', '_source', '_sysTime'] as const;

/** Prefix added to a reserved name in an ingested event. Source: public, limits page. */
export const RESERVED_FIELD_PREFIX = '_user_';

/** Maximum number of rows of a query without an explicit limit. Source: public, client tests against the service. */
export const QUERY_DEFAULT_LIMIT = 1_000;

/** Maximum length of a query, in characters. Source: public schema. */
export const QUERY_TEXT_LENGTH_MAX = 500_000;

/** Maximum length of a virtual field's expression, which every query of its dataset parses again. Source: ours. */
export const VIRTUAL_FIELD_LENGTH_MAX = 20_000;

/** Maximum `defaultLimit` of a query. Source: public schema. */
export const QUERY_DEFAULT_LIMIT_MAX = 1_000_000;

/** Maximum `maxBinAutoGroups` of a query. Source: public schema. */
export const QUERY_BIN_AUTO_GROUPS_MAX = 10_000;

/** Maximum number of libraries of a query. Source: public schema. */
export const QUERY_LIBRARIES_MAX = 50;

/** Maximum number of events or groups of a structured query. Source: public, v1 API description. */
export const STRUCTURED_LIMIT_MAX = 50_000;

/** Maximum number of concurrent queries of a batch. Source: public schema. */
export const BATCH_CONCURRENCY_MAX = 20;

/** Default number of concurrent queries of a batch. Source: public schema. */
export const BATCH_CONCURRENCY_DEFAULT = 10;

/** Maximum length of a dashboard's name. Source: public schema. */
export const DASHBOARD_NAME_LENGTH_MAX = 100;

/** Maximum number of charts of a dashboard, and of items in its layout. Source: public schema. */
export const DASHBOARD_CHARTS_MAX = 200;

/** Number of columns of a dashboard's grid. Source: public schema. */
export const DASHBOARD_GRID_COLUMNS = 12;

/** Maximum height of a chart in a dashboard's grid, in rows. Source: public schema. */
export const DASHBOARD_GRID_HEIGHT_MAX = 100;

/** Pattern of a dashboard's permanent identifier. Source: public schema. */
export const DASHBOARD_UID_PATTERN = '^[A-Za-z0-9_-]{1,128}$';

/** The owner of a dashboard that everyone in the organization may see. Not in the spec. */
export const DASHBOARD_OWNER_EVERYONE = 'X-AXIOM-EVERYONE';

/** Maximum number of dashboards per page. Source: public schema. */
export const DASHBOARD_PAGE_MAX = 1_000;

/** Default number of dashboards per page. Source: public schema. */
export const DASHBOARD_PAGE_DEFAULT = 100;

/** Maximum length of the name of a token, role, group, user or organization. Source: ours. */
export const ACCESS_NAME_LENGTH_MAX = 256;

/**
 * The greatest double below 2^63: the maximum of members that the spec calls int64. A bigint may reach 2^63 - 1.
 * Source: spec.
 */
export const INT64_MAX = 2 ** 63 - 1024;

/** The minimum 64-bit integer. Source: spec. */
export const INT64_MIN = -(2 ** 63);
