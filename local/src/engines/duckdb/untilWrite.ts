/** Keeps values that stay valid until the next write, because requests often repeat. */
import { RecentMap } from '../../store/recentMap.ts';
import type { Engine } from './database/engine.ts';

const VALUES_MAX = 1_000;

export class UntilWrite<Value> {
  readonly #engine: Pick<Engine, 'writes'>;
  readonly #kept = new RecentMap<{ readonly writes: number; readonly value: Value }>(VALUES_MAX);

  constructor(engine: Pick<Engine, 'writes'>) {
    this.#engine = engine;
  }

  /** Returns the value if it is still valid. */
  find(key: string): { readonly value: Value } | undefined {
    const known = this.#kept.get(key);
    return known?.writes === this.#engine.writes ? known : undefined;
  }

  /** Keeps a value. `writes` is the engine's count from before the value was read. */
  set(key: string, value: Value, writes: number): void {
    this.#kept.set(key, { writes, value });
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
