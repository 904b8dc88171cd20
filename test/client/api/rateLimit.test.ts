// Retries a query once after a short rate limit, and reports longer ones with a button that counts down.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ResultTabs } from '../../../client/src/answers/tabs.ts';
import { askAfterRateLimit, type Wait } from '../../../client/src/query/afterRateLimit.ts';
import { failedState } from '../../../client/src/query/failedState.ts';
import { failed, type Outcome } from '../../../client/src/service/failure.ts';

const limit = (retryAfterSeconds: number) =>
  failed({ kind: 'refused', host: 'h', status: 429, message: 'Too many.', retryAfterSeconds });

/** Runs a query against the outcomes in order. Returns its requests, waits and result. */
async function asked(outcomes: Outcome<string>[], signal = new AbortController().signal) {
  const waits: (Wait | undefined)[] = [];
  let count = 0;
  const end = await askAfterRateLimit(
    async () => outcomes[count++],
    signal,
    (wait) => waits.push(wait),
  );
  return { end, waits, count };
}

describe('a query rejected by a rate limit', () => {
  it('is retried once, after the wait that the service requires', async () => {
    const { end, waits, count } = await asked([limit(0), { ok: true, value: 'rows' }]);
    assert.deepEqual(end, { ok: true, value: 'rows' });
    assert.equal(count, 2);
    assert.equal(waits[0]?.reason, 'Too many.');
    assert.ok(Math.abs((waits[0]?.until ?? 0) - Date.now()) < 60_000);
    assert.equal(waits[1], undefined);
    assert.equal((await asked([limit(0), limit(0), limit(0)])).count, 2);
  });

  it('is not retried if the wait exceeds 30 seconds or the query failed for another reason', async () => {
    assert.equal((await asked([limit(31)])).count, 1);
    const refused = failed({ kind: 'refused', host: 'h', status: 400, message: 'No.' });
    assert.equal((await asked([refused])).count, 1);
  });

  it('is not retried after cancellation', async () => {
    const controller = new AbortController();
    const run = asked([limit(30), { ok: true, value: 'rows' }], controller.signal);
    controller.abort();
    assert.equal((await run).count, 1);
  });

  it('shows a Try Again button with the time when the limit ends', () => {
    const profile = { kind: 'local', name: 'Local' } as Parameters<typeof failedState>[1];
    const state = failedState(limit(40).failure, profile, { command: 'again' }, []);
    assert.equal(state.message, 'Too many.');
    const [action] = state.actions;
    assert.equal(action?.label, 'Try Again');
    const left = (action?.readyAt ?? 0) - Date.now();
    assert.ok(left > 0 && left <= 40_000, `${left}`);
  });
});

describe('the state of a tab', () => {
  const query = { text: 'print 1', title: 'one' };
  const options = { startedAt: 1, deployment: '', rangeLabel: '' };

  it('drops the failure of the previous run when the query runs again', () => {
    const tabs = new ResultTabs();
    const { tab, run } = tabs.start(query, options);
    tabs.settle(run, { kind: 'failed', message: 'Rate limited.', actions: [] });
    const next = tabs.start(query, options);
    assert.equal(next.tab, tab);
    assert.deepEqual(tabs.tab(tab)?.state, { kind: 'running', run: next.run, ...options });
    tabs.cancelled(next.run, 3_501);
    assert.deepEqual(tabs.tab(tab)?.state, { kind: 'cancelled', elapsed: 3_500 });
  });

  it('includes the rate limit that the running query waits for, until the wait ends', () => {
    const tabs = new ResultTabs();
    const { tab, run } = tabs.start(query, options);
    const wait = { reason: 'Too many.', until: 5 };
    tabs.waits(run, wait);
    assert.deepEqual(tabs.tab(tab)?.state, { kind: 'running', run, ...options, wait });
    tabs.waits(run, undefined);
    assert.deepEqual(tabs.tab(tab)?.state, { kind: 'running', run, ...options });
  });
});
