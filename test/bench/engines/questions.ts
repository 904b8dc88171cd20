/**
 * The questions about log events, each in APL and in the SQL that a user of ClickHouse would write for the same answer.
 * Distinct counts and percentiles are exact on both sides.
 */
import type { Question } from './rounds.ts';

const BAR = 1.5;
const SEARCH_BAR = 2;

/** A trace's id that no event has. */
const missing = '0123456789abcdef0123456789abcdef';

/** The columns of strings, by their names in SQL. */
const texts = [
  ...['level', 'method', 'uri', 'host', 'client', 'trace_id', 'message', 'geo.city', 'geo.country'],
  ...['kubernetes.pod', 'kubernetes.namespace', 'kubernetes.node'],
];

export const latest: Question = {
  name: 'latest 100 of a filter',
  apl: "['events'] | where level == 'error' | sort by _time desc | take 100",
  sql: "SELECT * FROM events WHERE level = 'error' AND RANGE ORDER BY _time DESC LIMIT 100",
};

export const oneId: Question = {
  name: 'one id',
  settleMs: 5_000,
  apl: `['events'] | where trace_id == '${missing}'`,
  sql: `SELECT * FROM events WHERE trace_id = '${missing}' AND RANGE`,
  bar: BAR,
};

export const questions: readonly Question[] = [
  {
    name: 'count by status',
    apl: "['events'] | summarize n = count() by status",
    sql: 'SELECT status, count() AS n FROM events WHERE RANGE GROUP BY status ORDER BY n DESC',
    bar: BAR,
  },
  {
    name: 'one-minute series',
    apl: "['events'] | summarize n = count() by bin(_time, 1m)",
    sql: 'SELECT toStartOfMinute(_time) AS minute, count() AS n FROM events WHERE RANGE GROUP BY minute ORDER BY minute',
    bar: BAR,
    compared: ['n'],
  },
  {
    name: 'two keys and bins',
    apl: "['events'] | summarize n = count(), longest = max(duration) by level, status, bin(_time, 1h)",
    sql: 'SELECT level, status, toStartOfHour(_time) AS hour, count() AS n, max(duration) AS longest FROM events WHERE RANGE GROUP BY level, status, hour',
    bar: BAR,
    compared: ['level', 'status', 'n', 'longest'],
  },
  {
    name: 'top ten of a text',
    apl: "['events'] | summarize n = count() by uri | top 10 by n",
    sql: 'SELECT uri, count() AS n FROM events WHERE RANGE GROUP BY uri ORDER BY n DESC LIMIT 10',
    bar: BAR,
    compared: ['n'],
  },
  {
    name: 'percentile by group',
    apl: "['events'] | summarize p = percentile(duration, 95) by host",
    // A little less, because ClickHouse takes the value after the nearest rank where 95 % is a whole number of events.
    sql: 'SELECT host, quantileExact(0.9499999999)(duration) AS p FROM events WHERE RANGE GROUP BY host ORDER BY p DESC',
    bar: BAR,
  },
  {
    name: 'regex',
    apl: "['events'] | where message matches regex 'session [0-9a-f]+ was given up' | summarize n = count()",
    sql: "SELECT count() AS n FROM events WHERE match(message, 'session [0-9a-f]+ was given up') AND RANGE",
    bar: BAR,
  },
  {
    name: 'substring in any case',
    apl: "['events'] | where message contains 'retries' | summarize n = count()",
    sql: "SELECT count() AS n FROM events WHERE message ILIKE '%retries%' AND RANGE",
    bar: BAR,
  },
  {
    name: 'distinct count',
    apl: "['events'] | summarize n = dcount(client)",
    sql: 'SELECT uniqExact(client) AS n FROM events WHERE RANGE',
    bar: BAR,
  },
  {
    name: 'distinct count of a unique text',
    apl: "['events'] | summarize n = dcount(trace_id)",
    sql: 'SELECT uniqExact(trace_id) AS n FROM events WHERE RANGE',
    bar: BAR,
  },
  oneId,
  latest,
  {
    name: "search 'Zürich' over all fields",
    apl: "['events'] | search 'Zürich' | summarize n = count()",
    sql: `SELECT count() AS n FROM events WHERE RANGE AND (${anyText((text) => `${text} ILIKE '%zürich%'`)})`,
    bar: SEARCH_BAR,
  },
];

/**
 * Searches of events with 200 fields of numbers, most of them missing in each event. A word may be in a string only; a
 * number may also be in a field of numbers. `search` compares terms, so the SQL for a number, which may be part of a
 * longer one, compares tokens.
 */
export function sparseSearches(numbers: readonly string[]): readonly Question[] {
  const equal = [...numbers, 'status'].map((number) => `${number} = 4242`).join(' OR ');
  const token = anyText((text) => `hasTokenCaseInsensitive(${text}, '4242')`);
  return [
    {
      name: "search 'Zürich' over 200 sparse fields",
      apl: "['events'] | search 'Zürich' | summarize n = count()",
      sql: `SELECT count() AS n FROM events WHERE RANGE AND (${anyText((text) => `${text} ILIKE '%zürich%'`)})`,
      bar: SEARCH_BAR,
    },
    {
      name: "search '4242' over 200 sparse fields",
      apl: "['events'] | search '4242' | summarize n = count()",
      sql: `SELECT count() AS n FROM events WHERE RANGE AND (${token} OR ${equal})`,
      bar: SEARCH_BAR,
    },
  ];
}

function anyText(test: (text: string) => string): string {
  return texts.map(test).join(' OR ');
}
