// When following polls: one request at a time, longer waits after failures, pausing, hiding.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Follower, HIDDEN_MS, type Polled } from '../../../client/src/follow/follower.ts';
import type { Failure, Outcome } from '../../../client/src/service/failure.ts';
import { FakeClock } from './fakeClock.ts';

const INTERVAL = 2_000;

/** A follower whose requests are answered by the test. */
class Followed {
  readonly clock = new FakeClock();
  readonly asked: {
    answer: (outcome: Outcome<Polled>) => void;
    signal: AbortSignal;
    at: number;
  }[] = [];
  atOnce = 0;
  mostAtOnce = 0;
  readonly follower: Follower;

  constructor() {
    this.follower = new Follower({
      clock: this.clock,
      interval: () => INTERVAL,
      changed: () => {},
      poll: (signal) =>
        new Promise((resolve) => {
          this.atOnce += 1;
          this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
          const answer = (outcome: Outcome<Polled>) => {
            this.atOnce -= 1;
            resolve(outcome);
          };
          this.asked.push({ answer, signal, at: this.clock.now() });
        }),
    });
  }

  async advance(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds);
    await turn();
  }

  /** Answers the latest request. */
  async answer(value: Partial<Polled> = {}): Promise<void> {
    this.asked.at(-1)?.answer({ ok: true, value: { added: 0, more: false, ...value } });
    await turn();
  }

  async fail(failure: Partial<Failure> = {}): Promise<void> {
    const whole: Failure = { kind: 'unreachable', host: 'host', message: 'Gone.', ...failure };
    this.asked.at(-1)?.answer({ ok: false, failure: whole });
    await turn();
  }

  static async start(): Promise<Followed> {
    const followed = new Followed();
    await followed.advance(0);
    return followed;
  }
}

describe('following', () => {
  it('polls at the interval, measured from the start of each request', async () => {
    const followed = await Followed.start();
    assert.equal(followed.asked.length, 1);
    await followed.answer();
    await followed.advance(INTERVAL - 1);
    assert.equal(followed.asked.length, 1);
    await followed.advance(1);
    assert.equal(followed.asked.length, 2);
    await followed.advance(500);
    await followed.answer();
    assert.equal(followed.clock.next, INTERVAL - 500);
  });

  it('never polls while a request is running, however long it takes', async () => {
    const followed = await Followed.start();
    await followed.advance(INTERVAL * 20);
    assert.equal(followed.asked.length, 1);
    await followed.answer();
    assert.ok((followed.clock.next as number) > 0, 'a slow service gets a rest');
  });

  it('polls again immediately if the response did not contain all events', async () => {
    const followed = await Followed.start();
    await followed.answer({ more: true });
    assert.equal(followed.clock.next, 0);
  });

  it('counts events and their rate, excluding those that were there at the start', async () => {
    const followed = await Followed.start();
    await followed.answer({ added: 500, earlier: true });
    assert.equal(followed.follower.events, 0);
    for (let index = 0; index < 20; index++) {
      await followed.advance(INTERVAL);
      await followed.answer({ added: 100 });
    }
    assert.equal(followed.follower.events, 2_000);
    assert.equal(followed.follower.perSecond, 50);
  });

  it('aborts the request on pause, and sends the next one only after the aborted one has ended', async () => {
    const followed = await Followed.start();
    const [first] = followed.asked;
    followed.follower.pause();
    assert.equal(first?.signal.aborted, true);
    assert.equal(followed.clock.next, undefined);
    followed.follower.resume();
    await followed.advance(INTERVAL * 3);
    assert.equal(followed.asked.length, 1, 'the aborted one is still under way');
    await followed.fail({ kind: 'cancelled' });
    assert.equal(followed.asked.length, 2);
    assert.equal(followed.mostAtOnce, 1);
    assert.equal(followed.follower.state.kind, 'following');
  });

  it('has only one request at a time after many pauses and resumes', async () => {
    const followed = await Followed.start();
    for (let index = 0; index < 10; index++) {
      followed.follower.pause();
      followed.follower.resume();
      await followed.advance(10);
    }
    await followed.answer();
    await followed.advance(0);
    assert.equal(followed.atOnce, 1);
    assert.equal(followed.mostAtOnce, 1);
  });

  it('doubles the wait after each failure up to a minute, and returns to the interval after a success', async () => {
    const followed = await Followed.start();
    const waits: number[] = [];
    for (let index = 0; index < 8; index++) {
      await followed.fail();
      const { state } = followed.follower;
      assert.ok(state.kind === 'following' && state.failure);
      assert.equal(state.failure.failure.message, 'Gone.');
      waits.push(state.failure.retryAt - followed.clock.now());
      await followed.advance(waits.at(-1) as number);
    }
    assert.deepEqual(waits, [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    await followed.answer();
    assert.deepEqual(followed.follower.state, { kind: 'following' });
    assert.equal(followed.clock.next, INTERVAL);
  });

  it('waits for the Retry-After of a 429', async () => {
    const followed = await Followed.start();
    await followed.fail({ kind: 'refused', status: 429, retryAfterSeconds: 41 });
    assert.equal(followed.clock.next, 41_000);
  });

  it('polls once without waiting when retried after a failure', async () => {
    const followed = await Followed.start();
    await followed.fail();
    followed.follower.retry();
    await followed.advance(0);
    assert.equal(followed.asked.length, 2);
    followed.follower.retry();
    await followed.advance(0);
    assert.equal(followed.asked.length, 2);
  });

  for (const failure of [
    { kind: 'refused', status: 400 },
    { kind: 'refused', status: 401 },
    { kind: 'token' },
  ] as const)
    it(`stops after a permanent failure, until resumed: ${JSON.stringify(failure)}`, async () => {
      const followed = await Followed.start();
      await followed.fail(failure);
      const { state } = followed.follower;
      assert.ok(state.kind === 'stopped' && state.why === 'failed');
      assert.equal(followed.clock.next, undefined);
      followed.follower.resume();
      await followed.advance(0);
      assert.equal(followed.asked.length, 2);
    });

  it('stops after it was hidden for a while without interruption, until resumed', async () => {
    const followed = await Followed.start();
    await followed.answer();
    followed.follower.setVisible(false);
    for (let index = 0; index < 50; index++) {
      await followed.advance(INTERVAL);
      await followed.answer();
    }
    followed.follower.setVisible(true);
    followed.follower.setVisible(false);
    await followed.advance(HIDDEN_MS - 1);
    await followed.answer();
    assert.equal(followed.follower.state.kind, 'following');
    await followed.advance(1);
    assert.deepEqual(followed.follower.state, { kind: 'stopped', why: 'hidden' });
    assert.equal(followed.clock.next, undefined);
    followed.follower.setVisible(true);
    assert.equal(followed.follower.state.kind, 'stopped');
    followed.follower.resume();
    assert.equal(followed.follower.state.kind, 'following');
  });

  it('does not stop after it becomes visible, even if it was paused and resumed while hidden', async () => {
    const followed = await Followed.start();
    await followed.answer();
    followed.follower.setVisible(false);
    followed.follower.pause();
    followed.follower.resume();
    followed.follower.setVisible(true);
    await followed.advance(HIDDEN_MS);
    assert.equal(followed.follower.state.kind, 'following');
  });

  it('schedules no request after disposal', async () => {
    const followed = await Followed.start();
    followed.follower.setVisible(false);
    followed.follower.dispose();
    await followed.answer({ added: 1 });
    assert.equal(followed.clock.next, undefined);
  });
});
