// Calls during a run of some work share that run.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinedWhileRunning } from '../../../client/src/host/whileRunning.ts';

describe('work that must not run concurrently', () => {
  it('runs once for all calls during a run, and runs again for a later call, even after a failure', async () => {
    let runs = 0;
    const work = joinedWhileRunning(async (fails: boolean) => {
      runs += 1;
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (fails) throw new Error('failed');
      return runs;
    });
    assert.deepEqual(await Promise.all([work(false), work(false), work(true)]), [1, 1, 1]);
    await assert.rejects(work(true), /failed/);
    assert.equal(await work(false), 3);
  });
});
