// Who may work at the same time.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Gate, Semaphore } from '../../local/src/store/gate.ts';

describe('a gate', () => {
  it('lets many share, one be alone, and those who wait to be alone go first', async () => {
    const gate = new Gate();
    const log: string[] = [];
    const work = (name: string) => async () => {
      log.push(`${name}+`);
      await sleep(5);
      log.push(`${name}-`);
    };
    await Promise.all([
      gate.shared(work('a')),
      gate.shared(work('b')),
      gate.alone(work('X')),
      gate.shared(work('c')),
    ]);
    assert.deepEqual(log, ['a+', 'b+', 'a-', 'b-', 'X+', 'X-', 'c+', 'c-']);
  });

  it('opens again after work that fails', async () => {
    const gate = new Gate();
    await assert.rejects(gate.alone(() => Promise.reject(new Error('x'))));
    assert.equal(await gate.shared(() => Promise.resolve(1)), 1);
  });
});

describe('a semaphore', () => {
  it('bounds what runs at once, in order', async () => {
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

  it('weighs: heavy work waits for room, keeps its place, and runs alone where it is too heavy', async () => {
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

  it('work given up while it waits never starts, and blocks nobody', async () => {
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

  it('serves keys in turn, however much of one waits', async () => {
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
