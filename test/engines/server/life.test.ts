/** The life of the server's process: what it keeps, how its end is known, and what a kill loses. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { request } from 'undici';
import { endless, TestServer } from './testServer.ts';

const ROUNDS = 5;
const ROWS = 1_000;

let server: TestServer;
beforeEach(async () => {
  server = new TestServer();
  await server.start();
});
afterEach(() => server.end());

describe('the process', () => {
  it('keeps tables and rows for the next one', async () => {
    await server.run('CREATE TABLE kept (a Int64) ENGINE = MergeTree ORDER BY a');
    await server.run('INSERT INTO kept VALUES (1)');
    assert.deepEqual(await server.server.stop(), { code: 0, signal: null });
    await server.start();
    assert.equal(await server.run('SELECT a FROM kept'), '1\n');
  });

  it('ends although a query runs, whose client sees the connection end', async () => {
    const failed = assert.rejects(server.run(endless, { query_id: 'running' }));
    await server.waitFor('running', true);
    assert.deepEqual(await server.server.stop(), { code: 0, signal: null });
    await failed;
  });

  it('tells of its death, and can come back at the same port', async () => {
    const { port } = server.server;
    const pending = assert.rejects(server.run(endless, { query_id: 'running' }));
    await server.waitFor('running', true);
    process.kill(server.server.pid, 'SIGKILL');
    assert.deepEqual(await server.server.exited, { code: null, signal: 'SIGKILL' });
    await pending;
    await assert.rejects(request(`${server.url}/ping`), { code: 'ECONNREFUSED' });
    await server.start({ port });
    assert.equal(await server.run('SELECT 1'), '1\n');
  });

  it('ends before it listens at a port that is taken', async () => {
    const second = new TestServer();
    const started = second.start({ port: server.server.port });
    await assert.rejects(started, /ended before it listened \(code 1\)/);
    await second.end();
  });

  it('has each acknowledged block after a kill, and each repeated block once', async () => {
    await server.run(
      'CREATE TABLE blocks (block UInt32, row UInt32) ENGINE = MergeTree ORDER BY (block, row) SETTINGS non_replicated_deduplication_window = 1000',
    );
    const insert = (block: number) =>
      server.send({
        parameters: {
          query: 'INSERT INTO blocks FORMAT JSONEachRow',
          insert_deduplication_token: `block ${block}`,
        },
        body: Array.from({ length: ROWS }, (_, row) => `{"block":${block},"row":${row}}\n`).join(
          '',
        ),
      });
    let block = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const until = block + 5 + round;
      const killed = (async () => {
        for (;;) {
          try {
            if ((await insert(block)).status !== 200) return;
          } catch {
            return;
          }
          block += 1;
        }
      })();
      while (block < until) await new Promise((resolve) => setTimeout(resolve, 1));
      await server.server.kill();
      await killed;
      await server.start();
      // Whether the last block is stored can't be known, so it is sent again.
      assert.equal((await insert(block)).status, 200);
      block += 1;
    }
    const counts = await server.run(
      'SELECT count(), uniqExact(block, row), max(block) FROM blocks',
    );
    assert.equal(counts, `${block * ROWS}\t${block * ROWS}\t${block - 1}\n`);
  });
});

describe('statements of a cluster', () => {
  it('are run if they need one shard, and checked otherwise', async () => {
    await server.run('CREATE TABLE shard (a Int64) ENGINE = MergeTree ORDER BY a');
    await server.run(
      "CREATE TABLE whole AS shard ENGINE = Distributed('{cluster}', default, shard, rand())",
    );
    await server.run('INSERT INTO whole SETTINGS distributed_foreground_insert = 1 VALUES (1)');
    assert.equal(await server.run('SELECT a FROM whole'), '1\n');
    const create =
      "CREATE TABLE replicated (a Int64) ENGINE = ReplicatedMergeTree('/tables/{shard}/replicated', '{replica}') ORDER BY a";
    await assert.rejects(server.run(create), /Code: 225\. .*ZooKeeper/);
    await server.run(`SELECT formatQuery('${create.replaceAll("'", "''")}')`);
    const grant = "SELECT formatQuery('GRANT SELECT, INSERT ON aplomb.* TO writer')";
    assert.match(await server.run(grant), /^GRANT SELECT, INSERT/);
  });
});
