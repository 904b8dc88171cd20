/**
 * The six questions, each in APL and in the SQL that answers it fastest: whole-number division takes half
 * the time of date_trunc or time_bucket, and contains over lower half that of ILIKE.
 */

export interface Question {
  readonly name: string;
  readonly apl: string;
  /** The SQL for events of `table` within `range`, a condition on `_time`. */
  readonly sql: (table: string, range: string) => string;
}

export const questions: readonly Question[] = [
  {
    name: 'count by status',
    apl: "['events'] | summarize count() by status",
    sql: (table, range) =>
      `SELECT status, count(*) AS n FROM ${table} WHERE ${range} GROUP BY status ORDER BY n DESC`,
  },
  {
    name: 'one-minute series',
    apl: "['events'] | summarize count() by bin(_time, 1m)",
    sql: (table, range) =>
      `SELECT make_timestamp_ns(epoch_ns("_time") // 60000000000 * 60000000000) AS minute, count(*) FROM ${table} WHERE ${range} GROUP BY minute ORDER BY minute`,
  },
  {
    name: 'top ten of a text',
    apl: "['events'] | summarize n = count() by uri | top 10 by n",
    sql: (table, range) =>
      `SELECT uri, count(*) AS n FROM ${table} WHERE ${range} GROUP BY uri ORDER BY n DESC LIMIT 10`,
  },
  {
    name: 'percentile by group',
    apl: "['events'] | summarize percentile(duration, 95) by host",
    sql: (table, range) =>
      `SELECT host, quantile_disc(duration, 0.95) AS p FROM ${table} WHERE ${range} GROUP BY host ORDER BY p DESC`,
  },
  {
    name: 'substring in any case',
    apl: "['events'] | where message contains 'retries' | count",
    sql: (table, range) =>
      `SELECT count(*) FROM ${table} WHERE ${range} AND contains(lower(message), 'retries')`,
  },
  {
    name: 'distinct count',
    apl: "['events'] | summarize dcount(client)",
    sql: (table, range) => `SELECT count(DISTINCT client) FROM ${table} WHERE ${range}`,
  },
];
