/**
 * The five questions of JSONBench (https://github.com/ClickHouse/JSONBench), over generated events of the same shape:
 * against ClickHouse's JSON type in JSONBench's own table, and against DuckDB with each event in one column of JSON.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type Measure, measure, middle, timed } from '../measure.ts';
import { blueskyEvent } from './bluesky.ts';
import { type Dataset, pathsOf, withEngines } from './datasets.ts';
import type { Part } from './parts.ts';
import { ROUNDS } from './rounds.ts';
import { answerRows, assertSame } from './rows.ts';
import { bluesky } from './tables.ts';

const CLICKHOUSE_BAR = 2;
const DUCKDB_BAR = 0.2;

/** Events are stored at their arrival, as JSONBench knows no time but the number in `time_us`. */
const always = { startTime: '2000-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' };

interface Question {
  readonly name: string;
  readonly apl: string;
  readonly clickhouse: string;
  readonly duckdb: string;
}

const apl = {
  creates: "kind == 'commit' and ['commit.operation'] == 'create'",
  posts:
    "kind == 'commit' and ['commit.operation'] == 'create' and ['commit.collection'] == 'app.bsky.feed.post'",
};
const clickhouse = {
  creates: "data.kind = 'commit' AND data.commit.operation = 'create'",
  posts:
    "data.kind = 'commit' AND data.commit.operation = 'create' AND data.commit.collection = 'app.bsky.feed.post'",
  time: 'fromUnixTimestamp64Micro(data.time_us)',
};
const duckdb = {
  creates: "(j->>'$.kind') = 'commit' AND (j->>'$.commit.operation') = 'create'",
  posts:
    "(j->>'$.kind') = 'commit' AND (j->>'$.commit.operation') = 'create' AND (j->>'$.commit.collection') = 'app.bsky.feed.post'",
  time: "(j->>'$.time_us')::BIGINT",
};
const three = "('app.bsky.feed.post', 'app.bsky.feed.repost', 'app.bsky.feed.like')";

const questions: readonly Question[] = [
  {
    name: 'JSONBench 1, top kinds of event',
    apl: "['events'] | summarize n = count() by event = ['commit.collection'] | order by n desc",
    clickhouse:
      'SELECT data.commit.collection AS event, count() AS n FROM events GROUP BY event ORDER BY n DESC',
    duckdb:
      "SELECT j->>'$.commit.collection' AS event, count(*) AS n FROM events GROUP BY event ORDER BY n DESC",
  },
  {
    name: 'JSONBench 2, with users',
    apl: `['events'] | where ${apl.creates} | summarize n = count(), users = dcount(did) by event = ['commit.collection'] | order by n desc`,
    clickhouse: `SELECT data.commit.collection AS event, count() AS n, uniqExact(data.did) AS users FROM events WHERE ${clickhouse.creates} GROUP BY event ORDER BY n DESC`,
    duckdb: `SELECT j->>'$.commit.collection' AS event, count(*) AS n, count(DISTINCT j->>'$.did') AS users FROM events WHERE ${duckdb.creates} GROUP BY event ORDER BY n DESC`,
  },
  {
    name: 'JSONBench 3, by hour of day',
    apl: `['events'] | where ${apl.creates} and ['commit.collection'] in ${three} | summarize n = count() by event = ['commit.collection'], hour = hourofday(unixtime_microseconds_todatetime(time_us)) | order by hour asc, event asc`,
    clickhouse: `SELECT data.commit.collection AS event, toHour(${clickhouse.time}) AS hour, count() AS n FROM events WHERE ${clickhouse.creates} AND data.commit.collection IN ${three} GROUP BY event, hour ORDER BY hour, event`,
    duckdb: `SELECT j->>'$.commit.collection' AS event, hour(make_timestamp(${duckdb.time})) AS hour, count(*) AS n FROM events WHERE ${duckdb.creates} AND (j->>'$.commit.collection') IN ${three} GROUP BY event, hour ORDER BY hour, event`,
  },
  {
    name: 'JSONBench 4, first three users to post',
    apl: `['events'] | where ${apl.posts} | summarize first = min(unixtime_microseconds_todatetime(time_us)) by did | top 3 by first asc | project did`,
    clickhouse: `SELECT data.did::String AS did, min(${clickhouse.time}) AS first FROM events WHERE ${clickhouse.posts} GROUP BY did ORDER BY first LIMIT 3`,
    duckdb: `SELECT j->>'$.did' AS did, make_timestamp(min(${duckdb.time})) AS first FROM events WHERE ${duckdb.posts} GROUP BY did ORDER BY first LIMIT 3`,
  },
  {
    name: 'JSONBench 5, longest spans of activity',
    apl: `['events'] | where ${apl.posts} | summarize first = min(unixtime_microseconds_todatetime(time_us)), last = max(unixtime_microseconds_todatetime(time_us)) by did | extend span = datetime_diff('millisecond', last, first) | top 3 by span | project did`,
    clickhouse: `SELECT data.did::String AS did, date_diff('milliseconds', min(${clickhouse.time}), max(${clickhouse.time})) AS span FROM events WHERE ${clickhouse.posts} GROUP BY did ORDER BY span DESC LIMIT 3`,
    duckdb: `SELECT j->>'$.did' AS did, date_diff('milliseconds', make_timestamp(min(${duckdb.time})), make_timestamp(max(${duckdb.time}))) AS span FROM events WHERE ${duckdb.posts} GROUP BY did ORDER BY span DESC LIMIT 3`,
  },
];

const against = {
  clickhouse: (name: string) => `${name}: ClickHouse's JSON type`,
  duckdb: (name: string) => `${name}: DuckDB's JSON`,
};

export const jsonBenchPart: Part = {
  name: 'jsonbench',
  rows: questions.flatMap(({ name }) => [against.clickhouse(name), against.duckdb(name)]),
  run: ({ jsonEvents, wanted, ...setting }) => {
    const dataset = { name: 'bluesky', events: jsonEvents, line: blueskyEvent, table: bluesky };
    return withEngines(dataset, setting, async ({ ours, theirs }) => {
      const json = await openDuckDb(pathsOf(dataset, setting), dataset);
      const found: Measure[] = [];
      try {
        for (const question of questions) {
          const { name } = question;
          const [overClickhouse, overDuckDb] = [against.clickhouse(name), against.duckdb(name)];
          if (!wanted(overClickhouse) && !wanted(overDuckDb)) continue;
          setting.progress(name);
          const answer = answerRows(await ours.query(question.apl, always));
          // The peers' other columns are there for the order alone.
          const compared = Object.keys(answer[0] ?? {});
          assertSame(overClickhouse, answer, await theirs.rows(question.clickhouse), compared);
          assertSame(overDuckDb, answer, await json.rows(question.duckdb), compared);
          const rounds: Measure[][] = [[], []];
          for (let round = 0; round < ROUNDS; round += 1) {
            const took = await timed(() => ours.query(question.apl, always));
            const clickhouseTook = await theirs.run(question.clickhouse);
            rounds[0]!.push(
              measure('engines', overClickhouse, 'ms', took, clickhouseTook, CLICKHOUSE_BAR),
            );
            if (!wanted(overDuckDb)) continue;
            const duckdbTook = await timed(() => json.rows(question.duckdb));
            rounds[1]!.push(measure('engines', overDuckDb, 'ms', took, duckdbTook, DUCKDB_BAR));
          }
          found.push(...rounds.filter((side) => side.length > 0).map(middle));
        }
      } finally {
        json.close();
      }
      return found.filter((row) => wanted(row.measure));
    });
  },
};

/** Opens the database of JSON events, which is filled first unless it is there. */
async function openDuckDb({ data, file }: ReturnType<typeof pathsOf>, { name, events }: Dataset) {
  const path = join(data, 'json.duckdb');
  const isFilled = existsSync(path);
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJS();
  const close = () => {
    connection.closeSync();
    instance.closeSync();
  };
  try {
    if (!isFilled) {
      await connection.run(
        `CREATE TABLE events AS SELECT json AS j FROM read_ndjson_objects('${file.replaceAll("'", "''")}')`,
      );
      await connection.run('CHECKPOINT');
    }
    const [count] = await rows('SELECT count(*)::INTEGER AS n FROM events');
    if (count?.['n'] !== events)
      throw new Error(
        `${name}: ${count?.['n']} events in ${path} instead of ${events}. Remove it.`,
      );
    return { rows, close };
  } catch (error) {
    close();
    if (!isFilled) rmSync(path, { force: true });
    throw error;
  }
}
