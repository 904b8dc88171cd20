// Limits and related names and patterns, for the schemas and all programs. Most limits of a single member are in its
// schema. Each limit states its source: "spec" is the service's specification, "public" its other published
// documentation and schemas, "ours" a choice of this project.

/** Maximum length of an annotation's title. Source: spec, Limits. */
export const ANNOTATION_TITLE_LENGTH_MAX = 256;

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

/** Default number of concurrent queries of a batch. Source: public schema. */
export const BATCH_CONCURRENCY_DEFAULT = 10;

/** Maximum length of a dashboard's name. Source: public schema. */
export const DASHBOARD_NAME_LENGTH_MAX = 100;

/** Number of columns of a dashboard's grid. Source: public schema. */
export const DASHBOARD_GRID_COLUMNS = 12;

/** The owner of a dashboard that everyone in the organization may see. Not in the spec. */
export const DASHBOARD_OWNER_EVERYONE = 'X-AXIOM-EVERYONE';

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
