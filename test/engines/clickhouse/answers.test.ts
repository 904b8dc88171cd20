/** A result is read from ClickHouse in slices, whatever the borders of the chunks in which it arrives. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { request } from 'undici';
import { bindQuery, parseQuery } from '../../../language/src/index.ts';
import {
  ROWS_FORMAT,
  readSlices,
  rowsStatement,
  type Slice,
} from '../../../local/src/engines/clickhouse/answers.ts';
import { planForClickHouse } from '../../../local/src/engines/clickhouse/plan.ts';
import { columnsOfLayout, querySettings } from '../../../local/src/engines/clickhouse/sql/index.ts';
import { context, type Engine, logs, openEngine, schema } from '../../local/planner/engine.ts';
import { useServer } from '../server/testServer.ts';
import { copyTable } from './twoEngines.ts';

async function collected(
  slices: AsyncIterable<Slice>,
): Promise<{ count: number; columns: string[] }[]> {
  const found: { count: number; columns: string[] }[] = [];
  for await (const { count, columns } of slices)
    found.push({ count, columns: columns.map((column) => Buffer.from(column).toString()) });
  return found;
}

async function* inChunks(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
}

it('cells that cross the borders of chunks stay whole', async () => {
  for (const size of [1, 2, 3, 100]) {
    const slices = await collected(readSlices(inChunks('1\t"é"\n2\t"x"\n3\tnull\n', size), 2, 2));
    assert.deepEqual(slices, [
      { count: 2, columns: ['1,2', '"é","x"'] },
      { count: 1, columns: ['3', 'null'] },
    ]);
  }
});

describe('on ClickHouse', () => {
  const server = useServer();
  let duckdb: Engine;
  before(async () => {
    duckdb = await openEngine();
    await copyTable(logs, duckdb, server);
  });
  after(() => duckdb.close());

  it('the columns of a query arrive as JSON', async () => {
    const query =
      'logs | where status >= 200 | project _time, duration, method, ms, tags, n = 9007199254740993';
    const { main, plan } = planForClickHouse(bindQuery(parseQuery(query), schema), context, () =>
      columnsOfLayout(logs, '_row'),
    );
    const settings = Object.entries(querySettings).map(([name, value]) => [name, String(value)]);
    const parameters = new URLSearchParams([
      ...settings,
      ['default_format', ROWS_FORMAT],
    ] as string[][]);
    const response = await request(`${server.url}/?${parameters}`, {
      method: 'POST',
      body: rowsStatement(main, plan.main),
    });
    const [slice] = await collected(readSlices(response.body, main.columns.length, 100));
    assert.deepEqual(slice, {
      count: 4,
      columns: [
        '"2024-05-01T11:15:00Z","2024-05-01T10:30:00Z","2024-05-01T10:05:00Z","2024-05-01T10:00:00.000000001Z"',
        '"0s","1m30s","250µs","1.5s"',
        '"PUT","POST","GET","GET"',
        '0.0,800.0,3.25,12.5',
        '{"user":{"id":9},"labels":["b"]},{"user":null},{"user":{"id":"x"},"labels":[]},{"user":{"id":7},"labels":["a","b"]}',
        '9007199254740993,9007199254740993,9007199254740993,9007199254740993',
      ],
    });
  });
});
