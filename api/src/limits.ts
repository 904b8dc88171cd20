// Limits, names and patterns that several modules use. Each comment states the source of its value. "The spec" is the
// service's specification, and "the public schema" is the service's other published schema.

/** Maximum length of an annotation's title. From the Limits section of the spec. */
export const ANNOTATION_TITLE_LENGTH_MAX = 256;

/** Maximum number of events in an ingest request. From the service's limits page. */
export const INGEST_EVENTS_MAX = 10_000;

/** Maximum size of a string in an event, in bytes. Longer strings are replaced. From the service's limits page. */
export const INGEST_VALUE_BYTES_MAX = 1_048_576;

/** Replacement for a string that exceeds `INGEST_VALUE_BYTES_MAX`. From the service's limits page. */
export const INGEST_TEXT_TOO_LONG = '<invalid string: too long>';

/** Maximum size of a field name, in bytes. From the service's limits page. */
export const INGEST_NAME_BYTES_MAX = 200;

/** Maximum nesting depth of an event. Deeper values become null. From the service's limits page. */
export const INGEST_NESTING_MAX = 100;

/** Maximum number of a dataset's fields, not counting `_time` and `_sysTime`. From the service's limits page. */
export const DATASET_FIELDS_MAX = 1_024;

/** Maximum length of a dataset name. From the service's reference page for datasets. */
export const DATASET_NAME_LENGTH_MAX = 128;

/**
 * A dataset name has letters, digits, `-`, `_` and `.`, and begins and ends with a letter or digit. Public sources
 * disagree on `_` and `.`. Both are allowed, so that the pattern accepts all datasets of the hosted service.
 */
export const DATASET_NAME_PATTERN = '^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$';

/**
 * The name of a map field consists of parts joined by dots, without control characters or surrounding whitespace. The
 * names of the service's own fields, and names such as `__x__`, are rejected. The rejection of `__invalid__` is from
 * tests of the service's public clients. All other rules are this project's choice.
 */
export const MAP_FIELD_NAME_PATTERN =
  '^(?!__.*__$|(?:_time|_sysTime|_blockInfo|_cursor|_rowId|_rowID|_source)$)PART(?:\\.PART)*$'.replaceAll(
    'PART',
    '[^.\\s\\x00-\\x1f\\x7f]+(?: +[^.\\s\\x00-\\x1f\\x7f]+)*',
  );

/** Names of fields that the service reserves. From the service's limits page. */
export const RESERVED_FIELDS = ['_blockInfo', '_cursor', '_rowID', '_source', '_sysTime'] as const;

/** Prefix that ingest adds to a reserved field name in an event. From the service's limits page. */
export const RESERVED_FIELD_PREFIX = '_user_';

/**
 * Maximum number of rows if neither the query nor the request sets a limit. From public clients' tests against the
 * service.
 */
export const QUERY_DEFAULT_LIMIT = 1_000;

/** Maximum length of a query, in characters. From the public schema. */
export const QUERY_TEXT_LENGTH_MAX = 500_000;

/** Maximum length of a virtual field's expression. Chosen by this project, because each query has to parse it. */
export const VIRTUAL_FIELD_LENGTH_MAX = 20_000;

/** Default number of queries that a batch runs concurrently. From the public schema. */
export const BATCH_CONCURRENCY_DEFAULT = 10;

/** Maximum length of a dashboard's name. From the public schema. */
export const DASHBOARD_NAME_LENGTH_MAX = 100;

/** Number of columns in a dashboard's layout grid. From the public schema. */
export const DASHBOARD_GRID_COLUMNS = 12;

/** Owner of dashboards that everyone in the organization may see. Not in the spec. */
export const DASHBOARD_OWNER_EVERYONE = 'X-AXIOM-EVERYONE';

/** Default number of dashboards on a page of a list. From the public schema. */
export const DASHBOARD_PAGE_DEFAULT = 100;

/** Maximum length of the name of a token, role, group, user or organization. Chosen by this project. */
export const ACCESS_NAME_LENGTH_MAX = 256;

/** Maximum of the spec's int64 integers: the greatest double below 2^63. A bigint may be up to 2^63 - 1. */
export const INT64_MAX = 2 ** 63 - 1024;

export const INT64_MIN = -(2 ** 63);
