// Limits the bytes of ingest requests that are not stored yet. No client blocks another one
// forever.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Arrival, Arrivals } from '../../local/src/arrivals.ts';
import { random } from './random.ts';

const never = new AbortController().signal;

/** Returns whether a promise is settled by now. */
async function settled(promise: Promise<void> | undefined): Promise<boolean> {
  let is = promise === undefined;
  void promise?.then(() => {
    is = true;
  });
  await new Promise(setImmediate);
  return is;
}

describe('arriving request bodies', () => {
  it('wait at the limit, except the oldest body of each dataset and the first bytes of every body', async () => {
    const arrivals = new Arrivals(100, 10);
    const [first, second, other, small] = ['a', 'a', 'b', 'a'].map((name) => arrivals.enter(name));
    assert.equal(arrivals.add(first!, 60, never), undefined);
    assert.equal(arrivals.add(second!, 40, never), undefined);
    const waiting = arrivals.add(second!, 20, never);
    assert.equal(await settled(waiting), false);
    assert.equal(arrivals.add(first!, 500, never), undefined);
    assert.equal(arrivals.add(other!, 500, never), undefined);
    assert.equal(arrivals.add(small!, 10, never), undefined);
    assert.equal(await settled(arrivals.add(small!, 1, never)), false);
    // The second body becomes its dataset's oldest when the first is complete, but waits until the first is stored.
    arrivals.complete(first!);
    assert.equal(await settled(waiting), false);
    arrivals.leave(first!);
    assert.equal(await settled(waiting), true);
    assert.ok(arrivals.bytes > 500);
    for (const arrival of [second, other, small]) arrivals.leave(arrival!);
    assert.equal(arrivals.bytes, 0);
  });

  it('exceed the limit only by what is always accepted while nothing is stored', () => {
    const [limit, free, piece, bodies] = [1_000, 10, 10, 100];
    const arrivals = new Arrivals(limit, free);
    for (let body = 0; body < bodies; body += 1) {
      const arrival = arrivals.enter('a');
      let waits = false;
      for (let n = 0; n < 10 && !waits; n += 1)
        waits = arrivals.add(arrival, piece, never) !== undefined;
      if (!waits) arrivals.complete(arrival);
    }
    assert.ok(arrivals.bytes <= limit + bodies * (free + piece), `${arrivals.bytes} bytes`);
  });

  it('continue while small bodies of the dataset keep arriving and being stored', async () => {
    const arrivals = new Arrivals(1_000, 10);
    const [oldest, next] = ['a', 'a'].map((name) => arrivals.enter(name));
    void arrivals.add(next!, 600, never);
    const waiting = arrivals.add(oldest!, 600, never);
    let small = arrivals.enter('a');
    arrivals.add(small, 5, never);
    arrivals.complete(small);
    for (let n = 0; n < 10; n += 1) {
      const following = arrivals.enter('a');
      arrivals.add(following, 5, never);
      arrivals.complete(following);
      arrivals.leave(small);
      small = following;
    }
    assert.equal(await settled(waiting), true);
  });

  it('continue once space is released, and release their own space if the client disconnects', async () => {
    const arrivals = new Arrivals(100, 0);
    const oldest = arrivals.enter('a');
    const next = arrivals.enter('a');
    void arrivals.add(oldest, 100, never);
    const abort = new AbortController();
    const given = arrivals.add(next, 50, abort.signal)!;
    abort.abort(new Error('left'));
    await assert.rejects(given, /left/);
    arrivals.leave(next);
    const after = arrivals.enter('a');
    const waiting = arrivals.add(after, 50, never);
    assert.equal(await settled(waiting), false);
    arrivals.complete(oldest);
    arrivals.leave(oldest);
    assert.equal(await settled(waiting), true);
    arrivals.leave(after);
    assert.equal(arrivals.bytes, 0);
  });

  it('all complete, in any order of arrival', async () => {
    for (let seed = 0; seed < 100; seed += 1) {
      const next = random(seed);
      const size = 50 + next(200);
      const free = next(20);
      const arrivals = new Arrivals(size, free);
      const largest = 100;
      const datasets = 1 + next(4);
      const bodies = Array.from({ length: 30 }, () => ({
        arrival: arrivals.enter(String(next(datasets))),
        left: 1 + next(largest),
        waiting: false,
      }));
      const piece = 10;
      const unfinished = new Set(bodies);
      // Complete bodies are stored one after another.
      const complete: Arrival[] = [];
      while (unfinished.size > 0 || complete.length > 0) {
        const active = [...unfinished].filter(({ waiting }) => !waiting);
        assert.ok(active.length > 0 || complete.length > 0, `seed ${seed}: all wait`);
        if (active.length > 0 && (complete.length === 0 || next(4) > 0)) {
          const body = active[next(active.length)]!;
          if (body.left === 0) {
            unfinished.delete(body);
            arrivals.complete(body.arrival);
            complete.push(body.arrival);
            continue;
          }
          const bytes = Math.min(piece, body.left);
          body.left -= bytes;
          const room = arrivals.add(body.arrival, bytes, never);
          body.waiting = room !== undefined;
          void room?.then(() => {
            body.waiting = false;
          });
        } else {
          arrivals.leave(complete.shift()!);
        }
        await new Promise(setImmediate);
        const bound = size + datasets * largest + bodies.length * (free + piece);
        assert.ok(arrivals.bytes <= bound, `seed ${seed}: ${arrivals.bytes} of ${bound}`);
      }
      assert.equal(arrivals.bytes, 0);
    }
  });
});
