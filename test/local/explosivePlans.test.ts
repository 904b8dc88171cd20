/**
 * Queries with explosive plans through the real app: each answers, is refused with a code or can be cancelled,
 * other requests are answered meanwhile, and memory stays bounded. A long run has all sizes.
 */
import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { drawn, isLong } from '../drawn.ts';
import { ALL_TIMES, Deployment } from './deployment.ts';
import { DATASET, explosiveEvent, explosivePlans, OTHER_COUNT, OTHERS } from './explosivePlans.ts';

/** A query that still runs after this is cancelled, since many of these have more rows than can be counted. */
const CANCELLED_AFTER_MS = isLong ? 3_000 : 1_500;

/** How long a cancelled query may take to end: a guard, for DuckDB does not stop everywhere at once. */
const ENDS_WITHIN_MS = 30_000;

/** How long the loop may be held up: a guard, many times what it takes on a machine of one's own. */
const HELD_UP_MS_MAX = 2_000;

const MEMORY_BYTES_MAX = 3_000_000_000;

let local: Deployment;
before(async () => {
  // DuckDB stops planning late. A process would restart; here it is waited for.
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

describe('a query with an explosive plan is answered or refused', () => {
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
      // What was cancelled may hold its memory until it has stopped.
      while (local.store.queries.count > 0) await setTimeout(20);
      const { rss } = process.memoryUsage();
      assert.ok(rss < MEMORY_BYTES_MAX, `${rss} bytes of memory`);
    });
  }
});
