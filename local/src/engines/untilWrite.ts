/** Keeps values that stay valid until the next write, or for a maximum time, because requests often repeat. */
import { RecentMap } from '../store/recentMap.ts';

const VALUES_MAX = 1_000;

interface Kept<Value> {
  readonly writes: number;
  /** The time at which the value was set, in milliseconds on the monotonic clock. */
  readonly at: number;
  readonly value: Value;
}

/** Counts the writes of this process. */
interface Writer {
  readonly writes: number;
}

export class UntilWrite<Value> {
  readonly #engine: Writer;
  readonly #maxAgeMs: number;
  readonly #kept = new RecentMap<Kept<Value>>(VALUES_MAX);

  /** `maxAgeMs`: the time after which values are read again, because other processes may write too. */
  constructor(engine: Writer, maxAgeMs = Number.POSITIVE_INFINITY) {
    this.#engine = engine;
    this.#maxAgeMs = maxAgeMs;
  }

  /** Returns the value if it is still valid. */
  find(key: string): { readonly value: Value } | undefined {
    const known = this.#kept.get(key);
    if (known?.writes !== this.#engine.writes) return undefined;
    return performance.now() - known.at < this.#maxAgeMs ? known : undefined;
  }

  /** Keeps a value. `writes` is the engine's count from before the value was read. */
  set(key: string, value: Value, writes: number): void {
    this.#kept.set(key, { writes, at: performance.now(), value });
  }

  /** Returns the value if it is still valid. Otherwise, reads and keeps it. */
  async get(key: string, read: () => Promise<Value>): Promise<Value> {
    const known = this.find(key);
    if (known !== undefined) return known.value;
    const { writes } = this.#engine;
    const value = await read();
    this.set(key, value, writes);
    return value;
  }
}
