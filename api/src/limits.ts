// The service's limits as named constants, so that schemas, the local deployment and the client
// quote the same numbers. Each says where it comes from: "spec" is the service's specification,
// "public" its published documentation and schemas beyond that, "ours" a choice of this project.

/** Days an anomaly monitor compares with, at most. Source: spec, Limits. */
export const MONITOR_COMPARE_DAYS_MAX = 7;

/** Minutes between two runs of a monitor, at least. Source: spec, Limits. */
export const MONITOR_INTERVAL_MINUTES_MIN = 1;

/** Minutes a monitor looks back over, at least. Source: spec, Limits. */
export const MONITOR_RANGE_MINUTES_MIN = 1;

/** Seconds a monitor waits before it triggers, at most. Source: spec, Limits. */
export const MONITOR_SECOND_DELAY_MAX = 86_400;

/** Tolerance of an anomaly monitor in percent, at most. Source: spec, Limits. */
export const MONITOR_TOLERANCE_MAX = 100;

/** Days compared, seconds of delay and tolerance of a monitor, at least: none is meaningful below. Source: ours. */
export const MONITOR_AMOUNT_MIN = 0;

/** Characters of an annotation's type, at most. Source: spec, Limits. */
export const ANNOTATION_TYPE_LENGTH_MAX = 256;

/** Characters an annotation's type may consist of. Source: spec, Limits. */
export const ANNOTATION_TYPE_PATTERN = '^[a-z0-9-]+$';

/** Characters of an annotation's title, at most. Source: spec, Limits. */
export const ANNOTATION_TITLE_LENGTH_MAX = 256;

/** Characters of an annotation's description, at most. Source: spec, Limits. */
export const ANNOTATION_DESCRIPTION_LENGTH_MAX = 512;

/** Characters of an annotation's URL, at most. Source: spec, Limits. */
export const ANNOTATION_URL_LENGTH_MAX = 512;

/** Datasets an annotation belongs to, at least. Source: spec, Limits. */
export const ANNOTATION_DATASETS_MIN = 1;

/** Characters of each dataset name of an annotation, at least. Source: spec, Limits. */
export const ANNOTATION_DATASET_LENGTH_MIN = 1;

/** Events in one ingest request, at most. Source: public, limits page. */
export const INGEST_EVENTS_MAX = 10_000;

/** Bytes of one field's value in an event, at most; longer text is replaced. Source: public, limits page. */
export const INGEST_VALUE_BYTES_MAX = 1_048_576;

/** What stands in place of text over `INGEST_VALUE_BYTES_MAX`. Source: public, limits page. */
export const INGEST_TEXT_TOO_LONG = '<invalid string: too long>';

/** Bytes of a field name, at most. Source: public, limits page. */
export const INGEST_NAME_BYTES_MAX = 200;

/** Levels an event may nest; what lies deeper becomes null. Source: public, limits page. */
export const INGEST_NESTING_MAX = 100;

/** Fields of one dataset, at most, `_time` and `_sysTime` not counted. Source: public, limits page. */
export const DATASET_FIELDS_MAX = 1_024;

/** Characters of a dataset name, at most. Source: public, dataset reference. */
export const DATASET_NAME_LENGTH_MAX = 128;

/**
 * A name given to a new dataset: letters, digits, `-`, `_` and `.`, the first and last a letter or
 * digit. Public sources disagree on `_` and `.`; the wider reading is taken, so that no dataset of
 * the hosted service is refused.
 */
export const DATASET_NAME_PATTERN = '^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$';

/**
 * A name given to a map field: parts joined by dots, without white space around them or control characters in
 * them. Names of the service's own fields and of the form `__x__` are refused. Source: public client tests for
 * `__invalid__`, otherwise ours.
 */
export const MAP_FIELD_NAME_PATTERN =
  '^(?!__.*__$|(?:_time|_sysTime|_blockInfo|_cursor|_rowId|_rowID|_source)$)PART(?:\\.PART)*$'.replaceAll(
    'PART',
    '[^.\\s\\x00-\\x1f\\x7f]+(?: +[^.\\s\\x00-\\x1f\\x7f]+)*',
  );

/** Field names the service keeps for itself. Source: public, limits page. */
export const RESERVED_FIELDS = ['_blockInfo', '_cursor', '_rowID', '_source', '_sysTime'] as const;

/** What is put before a reserved name that an event brings along. Source: public, limits page. */
export const RESERVED_FIELD_PREFIX = '_user_';

/** Rows returned when a query states no limit. Source: public, client tests against the service. */
export const QUERY_DEFAULT_LIMIT = 1_000;

/** Characters of a query's text, at most. Source: public schema. */
export const QUERY_TEXT_LENGTH_MAX = 500_000;

/** Characters of a virtual field's expression, at most: every query of its dataset reads it again. Source: ours. */
export const VIRTUAL_FIELD_LENGTH_MAX = 20_000;

/** `defaultLimit` of a query, at most. Source: public schema. */
export const QUERY_DEFAULT_LIMIT_MAX = 1_000_000;

/** `maxBinAutoGroups` of a query, at most. Source: public schema. */
export const QUERY_BIN_AUTO_GROUPS_MAX = 10_000;

/** Libraries of one query, at most. Source: public schema. */
export const QUERY_LIBRARIES_MAX = 50;

/** Events or groups of a structured query at most. Source: public, v1 API description. */
export const STRUCTURED_LIMIT_MAX = 50_000;

/** Queries of one batch that run side by side, at most. Source: public schema. */
export const BATCH_CONCURRENCY_MAX = 20;

/** Queries of one batch that run side by side when nothing is said. Source: public schema. */
export const BATCH_CONCURRENCY_DEFAULT = 10;

/** Characters of a dashboard's name, at most. Source: public schema. */
export const DASHBOARD_NAME_LENGTH_MAX = 100;

/** Charts of a dashboard, at most; its layout has the same bound. Source: public schema. */
export const DASHBOARD_CHARTS_MAX = 200;

/** Columns of a dashboard's grid. Source: public schema. */
export const DASHBOARD_GRID_COLUMNS = 12;

/** Rows one chart may span in a dashboard's grid, at most. Source: public schema. */
export const DASHBOARD_GRID_HEIGHT_MAX = 100;

/** A dashboard's stable outside identifier. Source: public schema. */
export const DASHBOARD_UID_PATTERN = '^[A-Za-z0-9_-]{1,128}$';

/** The owner of a dashboard that everyone in the organisation may see. Not in the spec. */
export const DASHBOARD_OWNER_EVERYONE = 'X-AXIOM-EVERYONE';

/** Dashboards in one page of the listing, at most. Source: public schema. */
export const DASHBOARD_PAGE_MAX = 1_000;

/** Dashboards in one page of the listing when nothing is said. Source: public schema. */
export const DASHBOARD_PAGE_DEFAULT = 100;

/** Characters of the name of a token, role, group, user or organisation, at most. Source: ours. */
export const ACCESS_NAME_LENGTH_MAX = 256;

/** The greatest double below 2^63, the bound of members that the spec calls int64. A bigint may reach 2^63 - 1. Source: spec. */
export const INT64_MAX = 2 ** 63 - 1024;

/** The least 64-bit integer. Source: spec. */
export const INT64_MIN = -(2 ** 63);
