/** A clock that advances only when a test does so. */
import type { Clock } from '../../../client/src/follow/clock.ts';

interface Timer {
  readonly at: number;
  readonly call: () => void;
}

export class FakeClock implements Clock {
  #now: number;
  #timers: Timer[] = [];

  constructor(now = Date.parse('2026-11-21T09:00:00Z')) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, call: () => void): () => void {
    const timer = { at: this.#now + milliseconds, call };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Milliseconds until the next scheduled call, undefined if there is none. */
  get next(): number | undefined {
    if (this.#timers.length === 0) return undefined;
    return Math.min(...this.#timers.map(({ at }) => at)) - this.#now;
  }

  /** Advances the time, and makes the due calls in order. */
  advance(milliseconds: number): void {
    const until = this.#now + milliseconds;
    while (true) {
      const due = this.#timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== due);
      this.#now = Math.max(this.#now, due.at);
      due.call();
    }
    this.#now = until;
  }
}
