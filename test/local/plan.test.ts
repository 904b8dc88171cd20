// A query's plan over HTTP: its content, and that it is refused whenever the query is.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PageSessions } from '../../local/src/access/pageSessions.ts';
import { type App, createApp } from '../../local/src/app.ts';
import { Holds } from '../../local/src/holds.ts';
import { ownPaths } from '../../local/src/ownPaths.ts';
import { ALL_TIMES, Deployment, PERSONAL_TOKEN, TOKEN } from './deployment.ts';

let local: Deployment;
let app: App;
before(async () => {
  local = await Deployment.open();
  await local.dataset('logs');
  await local.stored(
    'logs',
    Array.from({ length: 1_000 }, (_, i) => ({ status: i % 2 === 0 ? 200 : 500, host: `h${i}` })),
  );
  const holds = new Holds(() => assert.fail('Nothing holds the process here.'));
  app = createApp({
    store: local.store,
    token: TOKEN,
    personalToken: PERSONAL_TOKEN,
    log: (message) => local.logged.push(message),
    fatal: () => local.logged.push('fatal'),
    ownPaths: ownPaths(
      local.store,
      local.folder,
      holds,
      new PageSessions(),
      () => assert.fail('Nothing asked it to stop.'),
      () => assert.fail('Nothing asked it to restart.'),
    ),
  });
});
after(() => local.close());

const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

async function post(path: string, body: string, signal?: AbortSignal) {
  const request = { method: 'POST', headers, body, ...(signal && { signal }) };
  const response = await app(new Request(`http://127.0.0.1${path}`, request));
  // biome-ignore lint/suspicious/noExplicitAny: responses of every shape.
  return { status: response.status, body: JSON.parse(await response.text()) as any };
}

const planOf = (body: object) => post('/_local/plan', JSON.stringify(body));

describe('the plan of a query', () => {
  it("contains the query, the plan and the SQL, with the request's range and options", async () => {
    const { status, body } = await planOf({
      apl: 'logs | where status == 500 | extend wait = _time - ago(1h)',
      startTime: '2026-01-01T00:00:00Z',
      endTime: '2026-01-02T00:00:00Z',
      defaultLimit: 7,
    });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['plan']);
    assert.match(body.plan, /^-- Query: .*^-- Plan: .*^-- SQL\nSELECT /ms);
    assert.match(body.plan, /where _time >= TIMESTAMP_NS '2026-01-01 00:00:00'/);
    assert.match(body.plan, /take the first 7$/m);
  });

  it('contains SQL that the engine accepts', async () => {
    const apl = 'logs | summarize n = count() by status, bin(_time, 1h) | sort by n | take 3';
    // Running the query creates the macros that its SQL uses.
    await local.query(apl, ALL_TIMES);
    const { body } = await planOf({ apl, ...ALL_TIMES });
    const statements = body.plan.split(';\n');
    assert.equal(statements.length, 3);
    await local.store.engine.use(async (session) => {
      const ofStatus = new Map<unknown, bigint>();
      type Row = [status: bigint, time: unknown, n: bigint, aggregated: bigint];
      for (const [status, , n, aggregated] of await session.rows<Row>(statements[0])) {
        ofStatus.set(status, (ofStatus.get(status) ?? 0n) + n);
        assert.equal(aggregated, 1_000n);
      }
      assert.deepEqual([...ofStatus].sort(), [
        [200n, 500n],
        [500n, 500n],
      ]);
      const totals = await session.rows<[bigint, bigint]>(statements[1]);
      assert.deepEqual(totals.toSorted(), [...ofStatus].sort());
    });
  });

  it("contains DuckDB's measurements on request", async () => {
    const { body } = await planOf({
      apl: 'logs | where status == 500 | summarize count() by host',
      ...ALL_TIMES,
      analyze: true,
    });
    assert.match(body.plan, /^-- Query/);
    assert.match(body.engine, /^-- DuckDB: /);
    assert.match(body.engine, /Total Time: [\d.]+s/);
    assert.doesNotMatch(body.engine, /SELECT/);
    assert.match(body.engine, /HASH_GROUP_BY/);
    assert.match(body.engine, /\b500 rows/i);
    assert.ok(body.engine.split('\n').every((line: string) => line === '' || /^--/.test(line)));
  });

  it('stops measuring when the client disconnects', async () => {
    const apl =
      'print n = 1 | join kind=inner (logs | extend n = 1) on n | join kind=inner (logs | extend n = 1) on n | join kind=inner (logs | extend n = 1) on n | summarize dcount(host), dcount(host1)';
    const leave = new AbortController();
    const body = JSON.stringify({ apl, ...ALL_TIMES, analyze: true });
    const answer = post('/_local/plan', body, leave.signal);
    setTimeout(() => leave.abort(), 100);
    const { status } = await answer;
    assert.equal(status, 503);
  });
});

describe('a request for a plan', () => {
  const malformed = [
    { apl: 'logs | where statsu == 1' },
    { apl: 'nothing_here | count' },
    { apl: 'logs | where' },
    { apl: 'logs | sample 5' },
    { apl: '' },
    { apl: 'logs; logs' },
    { apl: 'logs', startTime: 'yesterday' },
    { apl: 'logs', startTime: '2026-01-02T00:00:00Z', endTime: '2026-01-01T00:00:00Z' },
    { apl: 'logs', cursor: 'nonsense' },
    { apl: 'logs', libraries: ['a'] },
    { apl: 'logs', defaultLimit: -1 },
    { apl: 7 },
    {},
  ];
  for (const request of malformed) {
    const text = JSON.stringify(request);
    it(`is refused with the same response as the query: ${text}`, async () => {
      const run = await post('/v1/query/_apl?format=tabular', text);
      assert.ok(run.status >= 400 && run.status < 500, `${run.status}`);
      assert.deepEqual(await post('/_local/plan', text), run);
    });
  }

  it('is refused if its body is empty, invalid or too large', async () => {
    assert.equal((await post('/_local/plan', '')).body.reason, 'empty-body');
    assert.equal((await post('/_local/plan', '{"apl"')).body.reason, 'bad-json');
    const large = JSON.stringify({ apl: 'x'.repeat(5_000_000) });
    assert.equal((await post('/_local/plan', large)).body.reason, 'body-too-large');
    const analyze = await planOf({ apl: 'logs', analyze: 'yes' });
    assert.deepEqual([analyze.status, analyze.body.reason], [400, 'bad-request']);
  });

  it('is refused without a valid token, for a foreign host name, and for a GET request', async () => {
    const ask = async (method: string, changes: Record<string, string>) => {
      const body = method === 'GET' ? null : '{"apl":"logs"}';
      const all = { ...headers, ...changes };
      const request = new Request('http://127.0.0.1/_local/plan', { method, headers: all, body });
      return (await app(request)).status;
    };
    assert.equal(await ask('POST', {}), 200);
    assert.equal(await ask('POST', { authorization: '' }), 401);
    assert.equal(await ask('POST', { authorization: 'Bearer xaat-other' }), 401);
    assert.equal(await ask('POST', { host: 'evil.example' }), 403);
    assert.equal(await ask('GET', {}), 404);
  });
});
