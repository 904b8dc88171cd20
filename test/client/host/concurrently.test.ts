// A list of items is worked on a few at a time.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { concurrently } from '../../../client/src/host/concurrently.ts';

/** Work that ends when a test says so. */
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

describe('concurrent work on a list', () => {
  it('runs at most as many calls as allowed, and returns results in the order of the items', async () => {
    const { started, work, end } = heldWork();
    const results = concurrently([10, 11, 12], 2, work);
    assert.deepEqual(started, [10, 11]);
    await end(11);
    assert.deepEqual(started, [10, 11, 12]);
    await end(12);
    await end(10);
    assert.deepEqual(await results, ['result 10', 'result 11', 'result 12']);
  });

  it('passes the index of each item, and works on an item even if the limit is 0', async () => {
    const indexes = await concurrently(['a', 'b'], 0, async (_, index) => index);
    assert.deepEqual(indexes, [0, 1]);
    assert.deepEqual(await concurrently([], 4, async () => 1), []);
  });

  it('starts no call after an abort, and returns undefined for the items that were not started', async () => {
    const { started, work, end } = heldWork();
    const controller = new AbortController();
    const results = concurrently([10, 11, 12], 1, work, controller.signal);
    controller.abort();
    await end(10);
    assert.deepEqual(started, [10]);
    assert.deepEqual(await results, ['result 10', undefined, undefined]);
    assert.deepEqual(await concurrently([13], 1, work, controller.signal), [undefined]);
  });

  it('starts no call after an error, and rejects with the first one', async () => {
    const { started, work, end, fail } = heldWork();
    const rejected = assert.rejects(concurrently([10, 11, 12, 13], 2, work), /failed 11/);
    await fail(11);
    await rejected;
    await fail(10);
    await end(12);
    assert.deepEqual(started, [10, 11]);
  });
});
