// Limits of the tools. All tokens are counted by `estimateTokens`, which never undercounts ordinary text.

/** Maximum number of tools that a client is offered. */
export const TOOLS_MAX = 10;

/** Maximum tokens of the definitions of all tools together. */
export const DEFINITION_TOKENS_MAX = 3_000;

/** Maximum tokens of the guide. */
export const GUIDE_TOKENS_MAX = 2_000;

/** Maximum tokens of an answer, including its fences and notes. */
export const ANSWER_TOKENS_MAX = 8_000;

/** Maximum tokens of the list of columns in an answer with rows. */
export const COLUMN_TOKENS_MAX = 2_500;

/** Maximum characters of a cell. A longer cell is shortened, and its length is given. */
export const CELL_CHARACTERS_MAX = 200;

/** Maximum characters of a stored query in a list of queries. */
export const LISTED_QUERY_CHARACTERS_MAX = 1_000;

/** Maximum rows requested from the deployment if the query has no limit. */
export const ROWS_MAX = 1_000;

/** Maximum number of runs at the same time. Others wait. */
export const RUNS_MAX = 2;

/** Time limit of a run in milliseconds. */
export const RUN_TIMEOUT_MS = 60_000;

/** Longest time range, in milliseconds, of a query without a limit or an aggregate. */
export const UNLIMITED_RANGE_MS = 24 * 60 * 60 * 1_000;

/** Time range if neither the call nor the query has one. */
export const DEFAULT_FROM = 'now-1h';

/** Number of answers whose remaining rows can be requested. */
export const KEPT_ANSWERS_MAX = 4;

/** Maximum number of values, rows times columns, of kept answers together. */
export const KEPT_VALUES_MAX = 4_000_000;

/** Milliseconds for which datasets and fields are reused. */
export const SCHEMA_MS_MAX = 30_000;

/** Maximum length of a query. */
export const QUERY_CHARACTERS_MAX = 50_000;

/** Maximum number of events in a call that ingests. */
export const EVENTS_MAX = 1_000;

/** Number of latest events from which the values of fields are counted. */
export const SAMPLED_EVENTS = 1_000;

/** Maximum number of fields whose values are counted in one call. */
export const SAMPLED_FIELDS_MAX = 60;
