// Behavior under load: concurrent queries and ingest, clients that disconnect or stop reading, and
// limits of time, memory and size.
// Imported first, as in the process: sets the thread count, so waiting statements do not block
// others.
import '../../local/src/threads.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { QUERY_CONCURRENCY, QUERY_MS_MAX } from '../../local/src/limits.ts';
import { Queries } from '../../local/src/store/queries.ts';
import { ALL_TIMES, Deployment, TOKEN } from './deployment.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

// A zone that differs from that of most test machines.
process.env['TZ'] = 'America/New_York';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
  await local.dataset('logs');
  await local.stored(
    'logs',
    Array.from({ length: 10_000 }, (_, n) => ({ _time: '2026-01-01T00:00:00Z', n, k: 1 })),
  );
});
after(() => local.close());

/** Joins all rows with each other three times, which would take hours. */
const endless =
  "['logs'] | join kind=inner (['logs']) on k | join kind=inner (['logs']) on k | summarize sum(n)";

/** Queries that generate rows, the second with a kilobyte in each. */
const narrow = (rows: number) =>
  `print r = range(1, ${rows}) | mv-expand r to typeof(long) | limit ${rows}`;
const wide = (rows: number) => `${narrow(rows)} | project s = strcat(strrep("x", 1000), r)`;

function start(apl: string) {
  const abort = new AbortController();
  const answer = local.query(apl, ALL_TIMES, { signal: abort.signal }).catch(() => undefined);
  return { abort, answer };
}

/** Returns the unread body of a response. */
async function streamed(apl: string, { app } = local): Promise<ReadableStream<Uint8Array>> {
  const response = await app(
    new Request('http://127.0.0.1/v1/query/_apl?format=tabular', {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ apl, ...ALL_TIMES }),
    }),
  );
  assert.equal(response.status, 200);
  assert.ok(response.body instanceof ReadableStream);
  return response.body;
}

const counted = async () => (await local.rows("['logs'] | count"))[0]!['count'];

describe('under load', () => {
  it("endless queries up to twice the concurrency limit don't block ingest, and the next query waits", async () => {
    const running = Array.from({ length: 2 * QUERY_CONCURRENCY }, () => start(endless));
    while (local.store.queries.count < running.length) await sleep(20);
    const waiting = counted();
    await local.dataset('beside');
    await local.stored('beside', [{ a: 1 }, { a: 2 }]);
    running[3]!.abort.abort();
    assert.equal(await waiting, 10_000);
    for (const { abort } of running) abort.abort();
    await Promise.all(running.map(({ answer }) => answer));
    const all = Array.from({ length: 2 * QUERY_CONCURRENCY }, counted);
    assert.deepEqual(new Set(await Promise.all(all)), new Set([10_000]));
    assert.deepEqual(await local.rows("['beside'] | count"), [{ count: 2 }]);
  });

  it("long-running queries up to the limit don't block a short query", async () => {
    const running = Array.from({ length: QUERY_CONCURRENCY }, () => start(endless));
    while (local.store.queries.count < running.length) await sleep(20);
    assert.equal(await counted(), 10_000);
    for (const { abort } of running) abort.abort();
    await Promise.all(running.map(({ answer }) => answer));
  });

  it('times with offsets are parsed identically on every connection and in any local time zone', async () => {
    const texts = [
      'Mon, 01 Jan 2024 00:00:00 +0200',
      '2024-01-01T00:00:00+02:00',
      '01/Jan/2024:00:00:00 +0200',
    ];
    const cells = texts.map((text) => `todatetime("${text}")`).join(', ');
    const asked = Array.from({ length: 8 }, () => local.rows(`print t = pack_array(${cells})`));
    const expected = texts.map(() => '2023-12-31T22:00:00Z');
    for (const [row] of await Promise.all(asked)) assert.deepEqual(row!['t'], expected);
  });
});

describe('clients', () => {
  it('release their database connections if they disconnect during a response', async () => {
    for (let round = 0; round < 2; round++) {
      const bodies = Array.from({ length: QUERY_CONCURRENCY }, () => streamed(narrow(40_000)));
      for (const body of await Promise.all(bodies)) {
        const reader = body.getReader();
        assert.equal((await reader.read()).done, false);
        await reader.cancel();
      }
    }
    assert.equal(await counted(), 10_000);
  });

  it('lose their response when the query times out if they stop reading', async (t) => {
    const over = clock(t);
    const bodies = Array.from({ length: QUERY_CONCURRENCY }, () => streamed(narrow(40_000)));
    const unread = await Promise.all(bodies);
    const waiting = local.query("['logs'] | count", ALL_TIMES);
    over.abort();
    assert.equal((await waiting).status, 408);
    t.mock.restoreAll();
    assert.equal(await counted(), 10_000);
    for (const body of unread) {
      await assert.rejects(async () => {
        for await (const _chunk of body);
      });
    }
  });
});

it('a finished query releases its abort signal before its timeout', async () => {
  const queries = new Queries(4, QUERY_MS_MAX);
  const left: WeakRef<AbortSignal>[] = [];
  for (let n = 0; n < 100; n += 1) {
    const { signal } = new AbortController();
    await queries.run(async (stop) => {
      stop.addEventListener('abort', () => undefined);
      left.push(new WeakRef(stop));
    }, signal);
  }
  await sleep(10);
  collect();
  await sleep(10);
  collect();
  const kept = left.filter((signal) => signal.deref() !== undefined);
  assert.ok(kept.length < 10, `${kept.length} of ${left.length} are kept`);
});

/** Lets a test trigger the query timeout. */
function clock({ mock }: { readonly mock: typeof import('node:test').mock }): AbortController {
  const over = new AbortController();
  const { setTimeout } = globalThis;
  mock.method(globalThis, 'setTimeout', (work: () => void, ms: number, ...rest: unknown[]) => {
    const isQuery = ms > QUERY_MS_MAX - 60_000;
    if (isQuery) over.signal.addEventListener('abort', work);
    return setTimeout(work, isQuery && over.signal.aborted ? 0 : ms, ...rest);
  });
  return over;
}

describe('under resource limits', () => {
  let small: Deployment;
  before(async () => {
    small = await Deployment.open({ memoryLimit: '192MB' });
  });
  after(() => small.close());

  it('a query that times out gets 408 with a hint', async (t) => {
    const over = clock(t);
    const answer = local.query(endless, ALL_TIMES);
    await local.stored(await local.dataset('meanwhile'), [{ a: 1 }]);
    over.abort();
    const { status, body } = await answer;
    assert.equal(status, 408);
    assert.equal(body.code, 408);
    assert.match(body.message, /Narrow the time range/);
    t.mock.restoreAll();
    assert.equal(await counted(), 10_000);
  });

  it('a query that exceeds the memory limit gets 432, and the next query runs', async () => {
    const { status, body } = await small.query(
      `${wide(500_000)} | summarize l = make_list(s)`,
      ALL_TIMES,
    );
    assert.equal(status, 432);
    assert.equal(body.code, 432);
    assert.deepEqual(await small.rows('print x = 1'), [{ x: 1 }]);
  });

  it('400,000 wide rows are streamed with limited memory growth', async () => {
    const reader = (await streamed(wide(400_000), small)).getReader();
    let [bytes, most] = [0, 0];
    await reader.read();
    const before = process.memoryUsage().rss;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      bytes += part.value.byteLength;
      // Sent data is garbage and must not be counted.
      collect();
      most = Math.max(most, process.memoryUsage().rss - before);
    }
    assert.ok(bytes > 400_000_000, String(bytes));
    // The temporary table fills DuckDB's limit of 192 MB, whatever the size of the result.
    assert.ok(most < 300_000_000, `${most} more bytes for an answer of ${bytes}`);
  });
});
