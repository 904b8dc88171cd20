/**
 * A DuckDB in memory with the planner's macros and one dataset, `logs`, for tests that run what is planned.
 * The dataset has a column of every type, one of several types, nulls, and names that need quoting.
 */
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { bindQuery, parseQuery, type Schema } from '../../../language/src/index.ts';
import { planQuery } from '../../../local/src/planner/index.ts';
import type { Plan, PlanContext, PlannedTable } from '../../../local/src/planner/plan.ts';
import { type DatasetLayout, wireType } from '../../../local/src/store/layout.ts';
import { makeMacros } from './macros.ts';

const field = (
  name: string,
  type: DatasetLayout['fields'][number]['variants'][number]['type'],
) => ({
  name,
  variants: [{ type, column: name }],
});

export const logs: DatasetLayout = {
  name: 'logs',
  table: '"logs"',
  numbering: 1,
  fields: [
    field('_sysTime', 'datetime'),
    field('_time', 'datetime'),
    field('duration', 'timespan'),
    field('geo.city', 'string'),
    field('method', 'string'),
    field('ms', 'float'),
    field('ok', 'boolean'),
    field('status', 'integer'),
    field('tags', 'map'),
    {
      name: 'value',
      variants: [
        { type: 'integer', column: 'value' },
        { type: 'string', column: 'value (string)' },
      ],
    },
  ],
};

const rows = `
CREATE TABLE logs ("_sysTime" TIMESTAMP_NS, "_time" TIMESTAMP_NS, duration BIGINT, "geo.city" VARCHAR,
  method VARCHAR, ms DOUBLE, ok BOOLEAN, status BIGINT, tags JSON, value BIGINT, "value (string)" VARCHAR);
INSERT INTO logs VALUES
  ('2024-05-02 00:00:00', '2024-05-01 10:00:00.000000001', 1500000000, 'Berlin', 'GET', 12.5, true, 200, '{"user":{"id":7},"labels":["a","b"]}', 7, NULL),
  ('2024-05-02 00:00:00', '2024-05-01 10:05:00', 250000, 'Paris', 'GET', 3.25, true, 200, '{"user":{"id":"x"},"labels":[]}', NULL, 'seven'),
  ('2024-05-02 00:00:00', '2024-05-01 10:30:00', 90000000000, 'New York', 'POST', 800, false, 500, '{"user":null}', 12, NULL),
  ('2024-05-02 00:00:00', '2024-05-01 11:00:00', NULL, NULL, 'get', NULL, NULL, NULL, NULL, NULL, NULL),
  ('2024-05-02 00:00:00', '2024-05-01 11:15:00', 0, 'São Paulo', 'PUT', 0, false, 404, '{"user":{"id":9},"labels":["b"]}', NULL, ''),
  ('2024-05-02 00:00:00', '2024-04-30 11:15:00', 1, 'before the range', 'PUT', 1, true, 1, NULL, NULL, NULL);
`;

/** 2024-05-01, the range of every query here. */
const start = 1_714_521_600_000_000_000n;

/** What externaldata reads, by address: the files in `files/`, which DuckDB finds by their names alone. */
const externalFiles = new Map(
  [
    { path: 'people.csv', width: 5, isList: false },
    { path: 'people.ndjson', width: 4, isList: false },
    { path: 'people.json', width: 4, isList: true },
    { path: 'notes.txt', width: 2, isList: false },
    { path: 'empty.csv', width: 1, isList: false },
  ].map((file) => [`https://files.test/${file.path}`, file]),
);

export const context: PlanContext = {
  externalFiles,
  layoutOf: (name) => (name === 'logs' ? logs : undefined),
  datasetNames: () => ['logs'],
  range: { start, end: start + 86_400_000_000_000n },
  now: start + 43_200_000_000_000n,
  defaultLimit: 1000,
};

export const schema: Schema = {
  complete: true,
  datasets: [
    { name: 'logs', fields: logs.fields.map((of) => ({ name: of.name, type: wireType(of) })) },
  ],
};

export async function openEngine() {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const folder = join(import.meta.dirname, 'files');
  await connection.run(`SET file_search_path = '${folder.replaceAll("'", "''")}'`);
  await makeMacros(connection);
  await connection.run(rows);
  return {
    /** The rows of some SQL, as JSON values; whole numbers of 64 bits are texts. */
    rows: async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson(),
    types: async (sql: string) =>
      (await connection.runAndReadAll(sql)).columnTypes().map((type) => type.toString()),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

export type Engine = Awaited<ReturnType<typeof openEngine>>;

export function plan(query: string, changes: Partial<PlanContext> = {}): Plan {
  return planQuery(bindQuery(parseQuery(query), schema), { ...context, ...changes });
}

/** What a query becomes and answers, as the goldens write it. */
export async function outcome(query: string, engine: Engine): Promise<string> {
  let planned: Plan;
  try {
    planned = plan(query);
  } catch (error) {
    const { code, start: from, end: to, message } = error as Record<string, unknown>;
    if (code === undefined) throw error;
    return `--- refused\n${code} at ${from} to ${to}\n${message}`;
  }
  const parts = [await tableOutcome('', planned.main, engine)];
  if (planned.totals !== undefined) {
    parts.push(await tableOutcome('totals ', planned.totals, engine));
  }
  return parts.join('\n');
}

async function tableOutcome(prefix: string, table: PlannedTable, engine: Engine): Promise<string> {
  const answers = await engine.rows(table.sql);
  const columns = table.columns.map(({ name, type }) => `${name}:${type}`).join(', ');
  const lines = answers.map((row) => JSON.stringify(row));
  return [`--- ${prefix}sql`, table.sql, `--- ${prefix}rows`, columns, ...lines].join('\n');
}
