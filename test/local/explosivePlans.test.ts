/**
 * Sends queries with explosive plans to the app: each returns a result, is refused with a code or
 * can be canceled. Other requests are answered meanwhile, and memory stays limited. A long run uses
 * all sizes.
 */
import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { drawn, isLong } from '../drawn.ts';
import { ALL_TIMES, Deployment } from './deployment.ts';
import { DATASET, explosiveEvent, explosivePlans, OTHER_COUNT, OTHERS } from './explosivePlans.ts';

/** Cancels a query after this time, because many of these have too many rows to count. */
const CANCELLED_AFTER_MS = isLong ? 3_000 : 1_500;

/** The time allowed for a canceled query to end. DuckDB does not stop everywhere at once. */
const ENDS_WITHIN_MS = 30_000;

/** The maximum event loop delay, many times the delay on an idle machine. */
const HELD_UP_MS_MAX = 2_000;

const MEMORY_BYTES_MAX = 3_000_000_000;

let local: Deployment;
before(async () => {
  // DuckDB stops planning late. A process would restart, but this test waits.
  local = await Deployment.open({ memoryLimit: '800MB', stuckMs: ENDS_WITHIN_MS });
  await local.dataset(DATASET);
  await local.stored(
    DATASET,
    Array.from({ length: 10 }, (_, i) => explosiveEvent(i)),
  );
  for (let i = 0; i < OTHER_COUNT; i++) {
    await local.dataset(`${OTHERS}${i}`);
    await local.stored(`${OTHERS}${i}`, [explosiveEvent(i)]);
  }
});
after(() => local.close());

describe('a query whose plan grows exponentially is answered or rejected without blocking the event loop', () => {
  for (const { name, apl, variables } of drawn(explosivePlans)) {
    it(name, { timeout: CANCELLED_AFTER_MS + ENDS_WITHIN_MS }, async (test) => {
      const cancelled = AbortSignal.timeout(CANCELLED_AFTER_MS);
      const members = { ...ALL_TIMES, ...(variables && { variables }) };
      const delay = monitorEventLoopDelay({ resolution: 10 });
      delay.enable();
      // The monitor measures from its second tick on.
      await setTimeout(50);
      delay.reset();
      const started = performance.now();
      const running = local.query(apl, members, { signal: cancelled });
      const other = await local.query('print 1');
      const answer = await running;
      delay.disable();
      assert.equal(other.status, 200, other.text);
      const { reason, errors } = answer.body ?? {};
      const heldUp = delay.max / 1e6;
      const code = `${answer.status} ${reason ?? ''} ${errors?.[0]?.code ?? ''}`;
      const took = Math.round(performance.now() - started);
      test.diagnostic(`${code} in ${took} ms, loop held up for ${Math.round(heldUp)} ms`);
      if (!cancelled.aborted) {
        assert.ok([200, 400, 408, 432].includes(answer.status), answer.text);
        if (answer.status !== 200) assert.equal(typeof reason, 'string', answer.text);
        assert.notEqual(reason, 'query-failed', answer.text);
      }
      assert.ok(heldUp < HELD_UP_MS_MAX, `the loop was held up for ${heldUp} ms`);
      // A canceled query may hold its memory until it has stopped.
      while (local.store.queries.count > 0) await setTimeout(20);
      const { rss } = process.memoryUsage();
      assert.ok(rss < MEMORY_BYTES_MAX, `${rss} bytes of memory`);
    });
  }
});
