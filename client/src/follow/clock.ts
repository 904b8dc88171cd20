/** The current time and timers, replaceable in tests. */
export interface Clock {
  /** Returns milliseconds since 1970. */
  now(): number;
  /** Calls `call` once after a delay. The returned function cancels the call. */
  after(milliseconds: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};
