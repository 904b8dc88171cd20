// Tests shared and exclusive access, and the limit on concurrent work.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ReadWriteLock, Semaphore } from '../../local/src/store/locks.ts';

describe('a read-write lock', () => {
  it('runs shared work concurrently and exclusive work alone, with priority for exclusive work', async () => {
    const gate = new ReadWriteLock();
    const log: string[] = [];
    const work = (name: string) => async () => {
      log.push(`${name}+`);
      await sleep(5);
      log.push(`${name}-`);
    };
    await Promise.all([
      gate.shared(work('a')),
      gate.shared(work('b')),
      gate.exclusive(work('X')),
      gate.shared(work('c')),
    ]);
    assert.deepEqual(log, ['a+', 'b+', 'a-', 'b-', 'X+', 'X-', 'c+', 'c-']);
  });

  it('is released after work that fails', async () => {
    const gate = new ReadWriteLock();
    await assert.rejects(gate.exclusive(() => Promise.reject(new Error('x'))));
    assert.equal(await gate.shared(() => Promise.resolve(1)), 1);
  });
});

describe('a semaphore', () => {
  it('limits concurrent work and starts it in order', async () => {
    const semaphore = new Semaphore(2);
    let running = 0;
    let most = 0;
    const order: number[] = [];
    await Promise.all(
      [1, 2, 3, 4, 5].map((n) =>
        semaphore.run(async () => {
          running += 1;
          most = Math.max(most, running);
          order.push(n);
          await sleep(2);
          running -= 1;
        }),
      ),
    );
    assert.equal(most, 2);
    assert.deepEqual(order, [1, 2, 3, 4, 5]);
  });

  it('starts heavy work in its turn, and runs it alone if it exceeds the limit', async () => {
    const semaphore = new Semaphore(10);
    const log: string[] = [];
    const work = (name: string) => async () => {
      log.push(`${name}+`);
      await sleep(5);
      log.push(`${name}-`);
    };
    await Promise.all([
      semaphore.run(work('a'), undefined, { weight: 6 }),
      semaphore.run(work('b'), undefined, { weight: 4 }),
      semaphore.run(work('C'), undefined, { weight: 100 }),
      semaphore.run(work('d'), undefined, { weight: 1 }),
    ]);
    assert.deepEqual(log, ['a+', 'b+', 'a-', 'b-', 'C+', 'C-', 'd+', 'd-']);
  });

  it('never starts work that was aborted while waiting, and continues with the next', async () => {
    const semaphore = new Semaphore(1);
    const first = semaphore.run(() => sleep(20));
    const abort = new AbortController();
    const second = semaphore.run(() => assert.fail('started'), abort.signal);
    const third = semaphore.run(() => Promise.resolve('done'));
    abort.abort(new Error('given up'));
    await assert.rejects(second, /given up/);
    await first;
    assert.equal(await third, 'done');
  });

  it('alternates between keys, however much work of one key is waiting', async () => {
    const semaphore = new Semaphore(1);
    const order: string[] = [];
    const run = (name: string) =>
      semaphore.run(
        async () => {
          order.push(name);
          await sleep(1);
        },
        undefined,
        { key: name[0]! },
      );
    const names = ['a0', 'a1', 'a2', 'a3', 'a4', 'b0', 'b1', 'c0'];
    await Promise.all(names.map(run));
    assert.deepEqual(order, ['a0', 'a1', 'b0', 'c0', 'a2', 'b1', 'a3', 'a4']);
    assert.equal(await semaphore.run(() => Promise.resolve('free')), 'free');
  });
});
