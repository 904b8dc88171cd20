/** The time, and calls after a time: the machine's, or that of a test. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once; the result prevents it. */
  after(milliseconds: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};
