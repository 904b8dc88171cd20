/** Queries while they run: they are stopped, limited, left by their clients, and report how far they are. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { request } from 'undici';
import { endless, useServer } from './testServer.ts';

const server = useServer();

describe('a running query', () => {
  it('is stopped by KILL QUERY with its id', async () => {
    const failed = assert.rejects(
      server.run(endless, { query_id: 'victim' }),
      /^Error: Code: 394\. /,
    );
    await server.waitFor('victim', true);
    const killed = await server.run("KILL QUERY WHERE query_id = 'victim' SYNC");
    assert.match(killed, /^finished\t/);
    await failed;
  });

  it('ends at max_execution_time and max_memory_usage', async () => {
    const slow = await server.send({ body: endless, parameters: { max_execution_time: '0.2' } });
    assert.deepEqual([slow.status, slow.text.slice(0, 9)], [408, 'Code: 159']);
    const large = await server.send({
      body: 'SELECT number, count() FROM numbers(10000000) GROUP BY number FORMAT Null',
      parameters: { max_memory_usage: '10000000' },
    });
    assert.deepEqual([large.status, large.text.slice(0, 9)], [500, 'Code: 241']);
  });

  it('goes on when the client is gone, unless it is told to stop', async () => {
    for (const [id, stops] of [
      ['kept', '0'],
      ['left', '1'],
    ] as const) {
      const aborter = new AbortController();
      const parameters = { query_id: id, cancel_http_readonly_queries_on_client_close: stops };
      const sent = request(`${server.url}/?${new URLSearchParams(parameters)}`, {
        method: 'POST',
        body: endless,
        signal: aborter.signal,
      });
      const failed = assert.rejects(sent);
      await server.waitFor(id, true);
      aborter.abort();
      await failed;
    }
    await server.waitFor('left', false);
    await server.waitFor('kept', true);
    await server.run("KILL QUERY WHERE query_id = 'kept' SYNC");
  });

  it('ends when the client leaves in the middle of its rows', async () => {
    const aborter = new AbortController();
    const response = await request(`${server.url}/?query_id=rows`, {
      method: 'POST',
      body: 'SELECT number FROM numbers(1000000000000)',
      signal: aborter.signal,
    });
    await response.body[Symbol.asyncIterator]().next();
    aborter.abort();
    response.body.on('error', () => undefined);
    await server.waitFor('rows', false);
  });

  it('has its id for itself', async () => {
    const failed = assert.rejects(server.run(endless, { query_id: 'twin' }), /Code: 394/);
    await server.waitFor('twin', true);
    await assert.rejects(server.run('SELECT 1', { query_id: 'twin' }), /Code: 216\. /);
    await server.run("KILL QUERY WHERE query_id = 'twin' SYNC");
    await failed;
  });

  it('does not hold up others', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const failed = ids.map((id) =>
      assert.rejects(server.run(endless, { query_id: id, max_threads: '1' })),
    );
    for (const id of ids) await server.waitFor(id, true);
    assert.equal(await server.run('SELECT 1'), '1\n');
    for (const id of ids) await server.run(`KILL QUERY WHERE query_id = '${id}' SYNC`);
    await Promise.all(failed);
  });

  it('reports its progress among the rows, rising, and no progress of blocks', async () => {
    const sql = 'SELECT sum(sipHash64(number)) AS s FROM numbers(60000000)';
    const text = await server.run(`${sql} FORMAT JSONEachRowWithProgress`, { max_threads: '1' });
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const read = lines.flatMap(({ progress }) => (progress ? [Number(progress.read_rows)] : []));
    assert.ok(read.length > 2, text);
    assert.deepEqual(
      read,
      read.toSorted((one, other) => one - other),
    );
    assert.equal(read.at(-1), 60_000_000);
    const others = lines.filter(({ progress }) => progress === undefined);
    assert.deepEqual(
      others.map((line) => Object.keys(line)[0]),
      ['meta', 'row'],
    );
  });

  it('reports the rows it has read in the summary', async () => {
    await server.run('CREATE TABLE examined (a Int64) ENGINE = MergeTree ORDER BY a');
    await server.run('INSERT INTO examined SELECT number FROM numbers(50000)');
    const { headers } = await server.send({ body: 'SELECT count() FROM examined WHERE a % 3 = 0' });
    assert.equal(JSON.parse(headers['x-clickhouse-summary']!).read_rows, '50000');
  });
});
