// Calls of functions that take little to write and far more work than their arguments are long: each ends with
// an answer or a coded error by itself, not with the time limit of queries, and an interrupt stops it soon.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ALL_TIMES, Deployment } from './deployment.ts';
import { explosiveCalls } from './explosiveCalls.ts';
import { plan } from './planner/engine.ts';

/** A guard against hanging, generous for a machine that does other work too; each call takes about a second. */
const ENDS_MS = 90_000;
const STOPS_MS = 10_000;

let local: Deployment;
before(async () => {
  local = await Deployment.open({ memoryLimit: '2GB' });
});
after(() => local.close());

describe('a call of a function', () => {
  for (const [name, [apl, answer]] of Object.entries(explosiveCalls)) {
    it(`ends by itself: ${name}`, async () => {
      const since = performance.now();
      const { status, body } = await local.query(apl, ALL_TIMES);
      if (answer instanceof RegExp) {
        // What is made of arrays can pass the memory of this test before it passes its own bound.
        const reason = status === 432 ? 'query-memory' : 'query-failed';
        assert.deepEqual([[400, 432].includes(status), body.reason], [true, reason]);
        assert.match(body.message, answer);
      } else {
        assert.equal(status, 200, JSON.stringify(body).slice(0, 300));
        assert.equal(body.tables[0].columns[0][0], answer);
      }
      assert.ok(performance.now() - since < ENDS_MS);
    });
  }
});

/** Work of many seconds for a chunk of rows, within the bounds of each call. */
const long: Readonly<Record<string, string>> = {
  transforms: `${rows(2000)} | summarize sum(array_length(series_fft(range(i, i + 1999, 1))))`,
  hashes: `${rows(2000)} | extend s = strcat_array(range(i, i + 2000, 1), ' ') | summarize max(${nested(60, 'hash_sha512', 's')})`,
  sets: `${rows(2000)} | summarize max(array_length(set_union(range(i, i + 1999, 1), range(i, i + 1000, 1))))`,
  filters: `${rows(1000)} | extend s = range(i, i + 3999, 1) | summarize max(array_length(series_fir(s, s)))`,
};

describe('an interrupt', () => {
  for (const [name, apl] of Object.entries(long)) {
    it(`stops ${name} of many rows`, async () => {
      const stop = new AbortController();
      const { main, macros } = plan(apl);
      await local.store.engine.makeMacros(macros);
      const done = local.store.engine
        .use((session) => session.rows(main.sql), stop.signal)
        .then(
          () => 'answered',
          (error: Error) => error.name,
        );
      await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 1_500))]);
      stop.abort();
      const since = performance.now();
      assert.ok(['answered', 'AbortError'].includes(await done));
      assert.ok(
        performance.now() - since < STOPS_MS,
        `stopped after ${performance.now() - since} ms`,
      );
    });
  }
});

it('rows that wait for a computed function do not keep others from being answered', async () => {
  const heavy = local.query(long['filters'] as string, ALL_TIMES);
  let longest = 0;
  let ended = false;
  heavy.finally(() => {
    ended = true;
  });
  while (!ended) {
    const since = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 5));
    longest = Math.max(longest, performance.now() - since);
  }
  assert.equal((await heavy).status, 200);
  assert.ok(longest < 2_000, `the thread was held for ${longest} ms`);
});
