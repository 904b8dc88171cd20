/** Asks deployments on DuckDB and on ClickHouse with the same events, and compares their answers. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { HttpRequest } from '../../../local/src/http.ts';
import { answerPlan } from '../../../local/src/routes/plan.ts';
import { Deployment } from '../../local/deployment.ts';
import { endless } from '../server/testServer.ts';
import { eventsOf, openOn, type Server, startServer } from './deployment.ts';

let server: Server;
let locals: readonly [duckdb: Deployment, clickhouse: Deployment];

const start = Date.UTC(2026, 0, 1);
const COUNT = 500;
const events = Array.from({ length: COUNT }, (_, n) => ({
  _time: new Date(start + n * 60_000).toISOString().replace('Z', `${n % 10}00001Z`),
  n,
  level: ['info', 'warn', 'error'][n % 3],
  duration: n % 7 === 0 ? null : n / 8,
  ok: n % 2 === 0,
  message: `Request ${n} of "user" \\ Zürich\n`,
  geo: { city: ['Lisbon', 'Osaka'][n % 2], 'post.code': n * 1_000_000_007 * 1_000 },
  mixed: n % 2 === 0 ? n : `text ${n}`,
  tags: n % 5 === 0 ? [] : ['a', n, { b: null }],
}));

before(async () => {
  server = await startServer();
  locals = [await Deployment.open(), await openOn(server, 'queries')];
  for (const local of locals) {
    await local.dataset('logs');
    await local.stored('logs', events);
  }
});
after(async () => {
  await Promise.all(locals.map((local) => local.close()));
  await server.stop();
});

const range = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-02T00:00:00Z' };

async function ask(local: Deployment, apl: string, format: string, members: object = {}) {
  const path = `/v1/query/_apl?format=${format}`;
  return local.call('POST', path, { apl, ...range, ...members });
}

/** The members that may differ: times of work, counts of blocks, cursors and the IDs of groups. */
const removed: ReadonlySet<string> = new Set([
  ...['elapsedTime', 'minCursor', 'maxCursor', '_rowId', 'id'],
  ...['blocksExamined', 'blocksMatched', 'blocksSkipped'],
]);

/** Reads an answer without what may differ. */
function comparable(text: string): unknown {
  // `_sysTime` is the time at which each deployment stored the event.
  return JSON.parse(text.replace(/("_sysTime":)"[^"]*"/g, '$1"stored"'), (name, value) =>
    removed.has(name) ? undefined : value,
  );
}

const queries = [
  'logs | extend zero = (n - 250) * 0.0 | summarize n = count(), d = dcount(zero), s = array_length(make_set(zero)) by zero | project n, d, s',
  'logs | extend zero = (n - 250) * 0.0 | distinct zero | count',
  'logs | project-away _sysTime',
  'logs | project-away _sysTime | take 3',
  "logs | where level == 'error' | project _time, n, duration | sort by n asc | take 20",
  'logs | summarize count(), max(duration), dcount(level) by level, bin(_time, 1h)',
  'logs | summarize count() by bin(_time, 1h)',
  'logs | summarize n = count()',
  "logs | where message contains 'zürich' and n < 20 | project n, message",
  "logs | where ['geo.city'] in ('Lisbon') | extend c = strcat(level, '-', n) | project c, geo_post = ['geo.post.code'] | take 9",
  'logs | top 5 by n | project n, tags, mixed',
  'logs | where isnull(duration) | count',
  'logs | extend d = 90s, e = duration * 2 | project n, d, e | take 5',
  'logs | distinct level | sort by level asc',
  "logs | where level == 'none' | summarize count() by level",
  "logs | join kind=inner (logs | where n < 5 | project n, city = ['geo.city']) on n | project n, city",
  "logs | search 'osaka' | summarize count()",
  "logs | where message contains 'zÜRich' and message !contains 'REQUEST 1' | count",
  // A Kelvin sign, which is k in lowercase.
  "logs | extend t = strcat(['geo.city'], 'K') | where t contains 'osakak' | where ['geo.city'] contains 'osaKa' | count",
  "logs | where * has 'Zürich' | count",
  'print x = 1, y = "a", z = datetime(2026-01-01), d = dynamic({"a":[1,2.5,null]})',
];

describe('a deployment on ClickHouse answers as one on DuckDB', () => {
  for (const format of ['tabular', 'tabular-rows', 'legacy']) {
    for (const apl of queries) {
      it(`${format}: ${apl}`, async () => {
        const [a, b] = await Promise.all(locals.map((local) => ask(local, apl, format)));
        assert.equal(a!.status, 200, a!.text);
        assert.equal(b!.status, 200, b!.text);
        assert.deepEqual(comparable(b!.text), comparable(a!.text));
      });
    }
  }

  const integers = Array.from({ length: 20_000 }, (_, i) => 3 * i);
  const stages = Array.from({ length: 239 }, (_, i) => `| extend x${i} = n + ${i}`);
  const large = [
    ['a list of 20,000 integers', `logs | where n in (${integers.join(', ')}) | count`],
    [
      'a list of 5,000 values of both signs',
      `logs | where n in (-1, ${integers.slice(0, 5_000)}) | count`,
    ],
    ['239 stages that compute columns', `logs ${stages.join(' ')} | summarize sum(x238)`],
    [
      '500 conditions',
      `logs | where ${integers
        .slice(0, 500)
        .map((i) => `n == ${i}`)
        .join(' or ')} | count`,
    ],
  ] as const;
  for (const [name, apl] of large) {
    it(`tabular: ${name}`, async () => {
      const [a, b] = await Promise.all(locals.map((local) => ask(local, apl, 'tabular')));
      assert.equal(b!.status, 200, b!.text);
      assert.deepEqual(comparable(b!.text), comparable(a!.text));
    });
  }

  it('pages by cursor without repeating or skipping an event', async () => {
    const seen: number[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 20; page += 1) {
      const members = { cursor, includeCursor: false };
      const { body, status, text } = await ask(
        locals[1],
        'logs | sort by _time asc | take 37 | project _time, n',
        'tabular-rows',
        cursor === undefined ? {} : members,
      );
      assert.equal(status, 200, text);
      const { rows = [] } = body.tables[0];
      seen.push(...rows.map(([, n]: [string, number]) => n));
      cursor = body.status.maxCursor ?? cursor;
      if (rows.length === 0) break;
    }
    assert.deepEqual(
      seen,
      Array.from({ length: COUNT }, (_, n) => n),
    );
  });

  it('distinguishes fields whose names differ only in case or have control characters', async () => {
    const event = { Level: 1, level: 2, 'new\nline': 3, new_line: 4, 'a\\x0ab': 5, 'a\nb': 6 };
    const names = Object.keys(event).map((name) => JSON.stringify(name));
    await locals[1].dataset('odd');
    await locals[1].stored('odd', [{ ...event, _time: '2026-01-01T00:00:00Z' }]);
    const items = names.map((name, i) => `c${i} = [${name}]`).join(', ');
    const { body, text } = await ask(locals[1], `odd | project ${items}`, 'tabular-rows');
    assert.deepEqual(body.tables[0].rows, [[1, 2, 3, 4, 5, 6]], text);
    const all = await ask(locals[1], 'odd | project-away _time, _sysTime', 'tabular-rows');
    assert.deepEqual(all.body.tables[0].rows.flat().sort(), [1, 2, 3, 4, 5, 6]);
  });

  it('refuses a function that ClickHouse lacks at its place in the query', async () => {
    const { status, body } = await ask(
      locals[1],
      'logs\n| extend h = dynamic_to_json(tags)',
      'tabular',
    );
    assert.equal(status, 400);
    const [error] = body.errors ?? [];
    assert.equal(error?.code, 'unsupported-function', JSON.stringify(body));
    assert.deepEqual([error.line, error.column], [2, 14]);
  });

  it('explains a query in its own SQL', async () => {
    const apl = "logs | where level == 'error' | count";
    const request = new Request('http://127.0.0.1/_local/plan', {
      method: 'POST',
      body: JSON.stringify({ apl, ...range, analyze: true }),
    });
    const answer = await answerPlan(request as HttpRequest, locals[1].store, 0n);
    const { engine } = JSON.parse(await new Response(answer.body as BodyInit).text());
    assert.match(engine, /ClickHouse[\s\S]*"queries"\."logs"[\s\S]*MergeTree/);
  });

  it('stops the query in ClickHouse if its signal aborts', async () => {
    const { clickhouse } = eventsOf(locals[1]);
    const abort = new AbortController();
    const asked = clickhouse.query(endless, {}, abort.signal);
    const isRunning = async () => {
      const sql = `SELECT count() FROM system.processes WHERE query LIKE '%sipHash64(number)%'`;
      const [row] = await clickhouse.query<[string]>(sql, {});
      // The statement finds itself too.
      return row![0] !== '1';
    };
    while (!(await isRunning())) await pause(20);
    abort.abort(new Error('enough'));
    await assert.rejects(asked, /enough/);
    while (await isRunning()) await pause(20);
  });
});
