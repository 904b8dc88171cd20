/** The official client against the server, as a deployment on ClickHouse uses it. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, describe, it } from 'node:test';
import { ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { endless, failing, useServer } from './testServer.ts';

const ROWS = 20_000;

const server = useServer({ users: { writer: 'pass:word', default: '' } });

/** The clients of a test file are closed after it, or their connections would keep it from ending. */
const clients: ReturnType<typeof createClient>[] = [];
after(() => Promise.all(clients.map((client) => client.close())));

function clientWith(options: Parameters<typeof createClient>[0] = {}) {
  const client = createClient({
    url: server.url,
    username: 'writer',
    password: 'pass:word',
    log: { level: ClickHouseLogLevel.OFF },
    ...options,
  });
  clients.push(client);
  return client;
}

describe('the client', () => {
  it('pings', async () => {
    const client = clientWith();
    assert.deepEqual(await client.ping(), { success: true });
    assert.deepEqual(await client.ping({ select: true }), { success: true });
    const wrong = clientWith({ password: 'wrong' });
    assert.equal((await wrong.ping({ select: true })).success, false);
  });

  for (const codec of [undefined, 'gzip', 'zstd'] as const) {
    it(`inserts a stream and reads it as a stream, compressed by ${codec ?? 'nothing'}`, async () => {
      const compression = codec && { codec };
      const client = clientWith({
        compression: { request: compression ?? false, response: compression ?? false },
      });
      const table = `streamed_${codec ?? 'plain'}`;
      await client.command({
        query: `CREATE TABLE ${table} (n UInt32, s String) ENGINE = MergeTree ORDER BY n`,
      });
      async function* rows() {
        for (let n = 0; n < ROWS; n += 1) yield { n, s: `ü\n\t"${n}` };
      }
      const { summary } = await client.insert({
        table,
        values: Readable.from(rows()),
        format: 'JSONEachRow',
      });
      assert.equal(summary?.written_rows, String(ROWS));
      const result = await client.query({
        query: `SELECT n, s FROM ${table} ORDER BY n`,
        format: 'JSONEachRow',
      });
      let next = 0;
      for await (const batch of result.stream())
        for (const row of batch) {
          assert.deepEqual(row.json(), { n: next, s: `ü\n\t"${next}` });
          next += 1;
        }
      assert.equal(next, ROWS);
    });
  }

  it('inserts bytes with a query and settings of its own', async () => {
    const client = clientWith();
    await client.command({ query: 'CREATE TABLE sent (a Int64) ENGINE = MergeTree ORDER BY a' });
    const result = await client.exec({
      query: 'INSERT INTO sent FORMAT JSONEachRow',
      values: Readable.from([Buffer.from('{"a":1}\n{"a"'), Buffer.from(':2,"b":3}\n')]),
      clickhouse_settings: { input_format_skip_unknown_fields: 1, wait_for_async_insert: 1 },
    });
    for await (const _ of result.stream);
    assert.equal(result.summary?.written_rows, '2');
  });

  it('sends parameters of every kind, in the URL and in a multipart body', async () => {
    const client = clientWith();
    const values = {
      text: 'it\'s \\ a\ttab\nand "ü"',
      numbers: [1, -2],
      map: { k: "v'" },
      missing: null,
      time: '2026-01-01 00:00:00.123456789',
      large: '18446744073709551615',
    };
    for (const use_multipart_params of [false, true]) {
      const result = await client.query({
        query: `SELECT {text:String} AS text, {numbers:Array(Int64)} AS numbers, {map:Map(String, String)} AS map,
          {missing:Nullable(Int64)} AS missing, {time:DateTime64(9)} AS time, {large:UInt64} AS large`,
        query_params: values,
        format: 'JSONEachRow',
        clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
        use_multipart_params,
      });
      assert.deepEqual(await result.json(), [{ ...values, numbers: ['1', '-2'] }]);
    }
  });

  it('throws an error with its code and name, before and after rows', async () => {
    const client = clientWith();
    const unknown = client.query({ query: 'SELECT * FROM nothing' });
    await assert.rejects(unknown, (error) => {
      assert.ok(error instanceof ClickHouseError);
      assert.deepEqual([error.code, error.type], ['60', 'UNKNOWN_TABLE']);
      return true;
    });
    const result = await client.query({
      query: failing,
      format: 'JSONEachRow',
    });
    let rows = 0;
    await assert.rejects(
      async () => {
        for await (const batch of result.stream()) rows += batch.length;
      },
      (error) => {
        assert.ok(error instanceof ClickHouseError);
        assert.equal(error.code, '395');
        return true;
      },
    );
    assert.ok(rows > 0);
  });

  it('aborts a query, and kills it by its id', async () => {
    const client = clientWith();
    const aborter = new AbortController();
    const query_id = 'aborted';
    const aborted = assert.rejects(
      client.query({ query: endless, query_id, abort_signal: aborter.signal }),
      /aborted/,
    );
    await server.waitFor(query_id, true);
    aborter.abort();
    await aborted;
    await client.command({ query: `KILL QUERY WHERE query_id = '${query_id}' SYNC` });
  });

  it('has a session', async () => {
    const client = clientWith({ session_id: 'of the client' });
    await client.command({ query: 'CREATE TEMPORARY TABLE mine (a Int8)' });
    await client.insert({ table: 'mine', values: [{ a: 5 }], format: 'JSONEachRow' });
    const result = await client.query({ query: 'SELECT a FROM mine', format: 'JSONEachRow' });
    assert.deepEqual(await result.json(), [{ a: 5 }]);
  });

  it('reads progress, names and rows of a stream', async () => {
    const client = clientWith();
    const result = await client.query({
      query: 'SELECT number AS n FROM numbers(150000)',
      format: 'JSONEachRowWithProgress',
    });
    let rows = 0;
    let read = 0;
    for await (const batch of result.stream())
      for (const line of batch) {
        const { row, progress } = JSON.parse(line.text);
        if (row !== undefined) assert.equal(row.n, rows++);
        if (progress !== undefined) read = Number(progress.read_rows);
      }
    assert.equal(rows, 150_000);
    assert.equal(read, 150_000);
  });
});
