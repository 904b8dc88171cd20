// Calls a function for the items of a list, a few at a time.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { concurrently } from '../../../client/src/host/concurrently.ts';

/** Creates work whose calls the test ends or fails. */
function heldWork() {
  const started: number[] = [];
  const running = new Map<number, { end(result: string): void; fail(error: Error): void }>();
  const work = (item: number): Promise<string> => {
    started.push(item);
    return new Promise((end, fail) => running.set(item, { end, fail }));
  };
  const settled = () => new Promise(setImmediate);
  return {
    started,
    work,
    end: (item: number) => {
      running.get(item)?.end(`result ${item}`);
      return settled();
    },
    fail: (item: number) => {
      running.get(item)?.fail(new Error(`failed ${item}`));
      return settled();
    },
  };
}

describe('concurrent calls for the items of a list', () => {
  it('do not exceed the limit, and return results in the order of the items', async () => {
    const { started, work, end } = heldWork();
    const results = concurrently([10, 11, 12], 2, work);
    assert.deepEqual(started, [10, 11]);
    await end(11);
    assert.deepEqual(started, [10, 11, 12]);
    await end(12);
    await end(10);
    assert.deepEqual(await results, ['result 10', 'result 11', 'result 12']);
  });

  it('receive the index of each item, and are made even if the limit is 0', async () => {
    const indexes = await concurrently(['a', 'b'], 0, async (_, index) => index);
    assert.deepEqual(indexes, [0, 1]);
    assert.deepEqual(await concurrently([], 4, async () => 1), []);
  });

  it('are not started after an abort, with undefined as the result of the remaining items', async () => {
    const { started, work, end } = heldWork();
    const controller = new AbortController();
    const results = concurrently([10, 11, 12], 1, work, controller.signal);
    controller.abort();
    await end(10);
    assert.deepEqual(started, [10]);
    assert.deepEqual(await results, ['result 10', undefined, undefined]);
    assert.deepEqual(await concurrently([13], 1, work, controller.signal), [undefined]);
  });

  it('are not started after an error, and reject with the first error', async () => {
    const { started, work, end, fail } = heldWork();
    const rejected = assert.rejects(concurrently([10, 11, 12, 13], 2, work), /failed 11/);
    await fail(11);
    await rejected;
    await fail(10);
    await end(12);
    assert.deepEqual(started, [10, 11]);
  });
});
