/**
 * The six questions, each in APL and in the SQL that answers it fastest: whole-number division takes half
 * the time of date_trunc or time_bucket, and contains over lower half that of ILIKE.
 */

export interface Question {
  readonly name: string;
  readonly apl: string;
  /** The SQL for events within `range`, a condition on `_time`. */
  readonly sql: (range: string) => string;
}

export const questions: readonly Question[] = [
  {
    name: 'count by status',
    apl: "['events'] | summarize count() by status",
    sql: (range) =>
      `SELECT status, count(*) AS n FROM events WHERE ${range} GROUP BY status ORDER BY n DESC`,
  },
  {
    name: 'one-minute series',
    apl: "['events'] | summarize count() by bin(_time, 1m)",
    sql: (range) =>
      `SELECT make_timestamp_ns(epoch_ns("_time") // 60000000000 * 60000000000) AS minute, count(*) FROM events WHERE ${range} GROUP BY minute ORDER BY minute`,
  },
  {
    name: 'top ten of a text',
    apl: "['events'] | summarize n = count() by uri | top 10 by n",
    sql: (range) =>
      `SELECT uri, count(*) AS n FROM events WHERE ${range} GROUP BY uri ORDER BY n DESC LIMIT 10`,
  },
  {
    name: 'percentile by group',
    apl: "['events'] | summarize percentile(duration, 95) by host",
    sql: (range) =>
      `SELECT host, quantile_disc(duration, 0.95) AS p FROM events WHERE ${range} GROUP BY host ORDER BY p DESC`,
  },
  {
    name: 'substring in any case',
    apl: "['events'] | where message contains 'retries' | count",
    sql: (range) =>
      `SELECT count(*) FROM events WHERE ${range} AND contains(lower(message), 'retries')`,
  },
  {
    name: 'distinct count',
    apl: "['events'] | summarize dcount(client)",
    sql: (range) => `SELECT count(DISTINCT client) FROM events WHERE ${range}`,
  },
];
