// Trim and vacuum: deleted data disappears at once, also from counts and blocks, and stays deleted
// after a restart.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Deployment } from './deployment.ts';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
});
after(() => local.close());

const HOUR = 3_600_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

async function done(method: string, path: string, body?: object) {
  const answer = await local.call(method, path, body);
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
}

const info = (name: string) => done('GET', `/v1/datasets/${name}/info`);

describe('trim', () => {
  it('keeps counts and times correct even if entire blocks are emptied, before and after a restart', async () => {
    await local.dataset('trimmed');
    // Three blocks of 61,440 events and the start of another.
    for (let from = 0; from < 190_000; from += 10_000) {
      const old = Array.from({ length: 10_000 }, (_, i) => ({
        _time: ago(9 * HOUR - (from + i) * 10),
        n: from + i,
      }));
      await local.stored('trimmed', old);
    }
    await local.stored('trimmed', [{ _time: ago(HOUR), n: -1 }]);
    const before = await info('trimmed');
    assert.ok(before.numBlocks >= 3, `${before.numBlocks}`);
    const trimmed = await done('POST', '/v1/datasets/trimmed/trim', { maxDuration: '2h' });
    assert.deepEqual(trimmed, { numDeleted: 190_000 });
    const check = async () => {
      const { numEvents, numBlocks, minTime, maxTime } = await info('trimmed');
      assert.deepEqual([numEvents, numBlocks, minTime], [1, 1, maxTime]);
      const { body } = await local.query('trimmed | project n', { startTime: ago(24 * HOUR) });
      const { status, tables } = body;
      assert.deepEqual(tables[0].columns, [[-1]]);
      assert.deepEqual(
        [status.rowsExamined, status.rowsMatched, status.blocksExamined, status.blocksSkipped],
        [1, 1, 1, 0],
      );
      assert.equal(status.minBlockTime, minTime);
    };
    await check();
    await local.reopen();
    await check();
  });

  it('accepts concurrent events and deletes none of them', async () => {
    await local.dataset('busy');
    await local.stored('busy', [{ _time: ago(5 * HOUR), n: 0 }]);
    const writes = Array.from({ length: 20 }, (_, n) => local.stored('busy', [{ n }]));
    const trims = Array.from({ length: 5 }, () =>
      done('POST', '/v1/datasets/busy/trim', { maxDuration: '1h' }),
    );
    const counts = (await Promise.all(trims)).map(({ numDeleted }) => numDeleted);
    await Promise.all(writes);
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      1,
    );
    assert.equal((await info('busy')).numEvents, 20);
  });

  it("doesn't block concurrent ingest, queries and dataset information", async () => {
    await local.dataset('shared');
    await local.stored('shared', [{ n: 0 }]);
    let trimming = true;
    const repeat = async (work: () => Promise<unknown>) => {
      while (trimming) await work();
    };
    let stored = 1;
    const wait = '/v1/datasets/shared/query?streaming-duration=150ms';
    const future = { startTime: '2200-01-01T00:00:00Z', endTime: '2201-01-01T00:00:00Z' };
    const others = [
      repeat(async () => {
        await local.stored('shared', [{ n: stored }]);
        stored += 1;
      }),
      repeat(async () => assert.equal((await local.rows('shared | count')).length, 1)),
      repeat(() => info('shared')),
      repeat(() => done('POST', wait, future)),
    ];
    for (let i = 0; i < 20; i += 1) {
      await local.stored('shared', [{ _time: ago(5 * HOUR), n: -1 }]);
      const { numDeleted } = await done('POST', '/v1/datasets/shared/trim', { maxDuration: '1h' });
      assert.equal(numDeleted, 1);
    }
    trimming = false;
    await Promise.all(others);
    assert.equal((await info('shared')).numEvents, stored);
  });
});

describe('a trim interrupted by a crash', () => {
  it('leaves no table after a restart', async () => {
    await local.dataset('cut-off');
    await local.stored('cut-off', [{ n: 1 }]);
    const { table } = local.store.datasets.get('cut-off')!.layout;
    const copy = `CREATE TABLE events.d9999 AS FROM ${table}`;
    await local.store.engine.use((session) => session.transaction(() => session.run(copy)));
    await local.reopen();
    assert.deepEqual(await local.rows("['cut-off'] | project n"), [{ n: 1 }]);
    const left = "SELECT table_name FROM duckdb_tables() WHERE table_name = 'd9999'";
    assert.deepEqual(await local.store.engine.use((session) => session.rows(left)), []);
  });
});

describe('vacuum', () => {
  it('permanently removes fields and types without values, and later events can add them again', async () => {
    await local.dataset('vacuumed');
    const old = { _time: ago(5 * HOUR), gone: 1, mixed: 'text', 'a.b': [1] };
    await local.stored('vacuumed', [old, { mixed: 2, kept: true }]);
    await done('PUT', '/v2/datasets/vacuumed/fields/gone', { unit: 'ms' });
    assert.deepEqual(await local.fields('vacuumed'), {
      'a.b': 'array',
      gone: 'integer',
      kept: 'boolean',
      mixed: 'string|integer',
    });
    await done('POST', '/v2/datasets/vacuumed/trim', { maxDuration: '1h' });
    await done('POST', '/v2/datasets/vacuumed/vacuum');
    const left = { kept: 'boolean', mixed: 'integer' };
    assert.deepEqual(await local.fields('vacuumed'), left);
    await local.reopen();
    assert.deepEqual(await local.fields('vacuumed'), left);
    assert.deepEqual(await local.rows('vacuumed | project kept, mixed'), [
      { kept: true, mixed: 2 },
    ]);
    await local.stored('vacuumed', [{ gone: 'text', mixed: 'text' }]);
    const { gone, mixed } = await local.fields('vacuumed');
    assert.deepEqual([gone, mixed], ['string', 'integer|string']);
    const [{ unit }] = (await done('GET', '/v2/datasets/vacuumed/fields')).filter(
      ({ name }: { name: string }) => name === 'gone',
    );
    assert.equal(unit, '');
  });
});
