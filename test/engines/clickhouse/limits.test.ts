/** Limits of queries, which ClickHouse enforces. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { EngineError } from '../../../local/src/engines/engineError.ts';
import { ALL_TIMES, type Deployment } from '../../local/deployment.ts';
import { endless } from '../server/testServer.ts';
import { eventsOf, openOn, type Server, startServer } from './deployment.ts';

let server: Server;
let local: Deployment;

before(async () => {
  server = await startServer();
  local = await openOn(server, 'limits', { queryTimeoutMs: 4_000, memoryLimit: '192MB' });
  await local.dataset('logs');
  await local.stored('logs', [{ _time: '2026-01-01T00:00:00Z', n: 1 }]);
  await eventsOf(local).clickhouse.run(
    'INSERT INTO "limits"."logs" (_time, _sysTime, _row, "n:integer") SELECT now64(9), now64(9), number, number FROM numbers(3000000)',
  );
});
after(async () => {
  await local.close();
  await server.stop();
});

function ask(sql: string): Promise<unknown> {
  return eventsOf(local).clickhouse.query(sql, {}, new AbortController().signal);
}

describe('a limit of a query on ClickHouse', () => {
  it('of its time ends it in ClickHouse', async () => {
    const isTime = (error: unknown) => error instanceof EngineError && error.kind === 'time';
    await assert.rejects(ask(endless), isTime);
  });

  it('of its time is answered with 408', async () => {
    const apl =
      'logs | extend k = 1 | join kind=inner (logs | extend k = 1) on k | summarize sum(n)';
    const { status, body, text } = await local.query(apl, ALL_TIMES);
    assert.equal(status, 408, text);
    assert.match(body.message, /time limit of 4 seconds. Narrow the time range/);
  });

  it('of its memory is answered with 432, and the next query runs', async () => {
    const apl = 'logs | summarize l = make_list(strcat(strrep("x", 100), n))';
    const { status, text } = await local.query(apl, ALL_TIMES);
    assert.equal(status, 432, text);
    assert.deepEqual(await local.rows('logs | where n == 7 | count'), [{ count: 1 }]);
  });

  it('keeps it from writing', async () => {
    await assert.rejects(ask('CREATE TABLE "limits".x (a Int64) ENGINE = Memory'), /readonly/);
  });
});
