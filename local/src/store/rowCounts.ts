/**
 * Counts the rows that queries examine and match. Repeatable counts are cached until the next write, because ranges are
 * often repeated.
 */
import type { Tally } from '../planner/plan.ts';
import type { Engine } from './duckdb.ts';
import { RecentMap } from './recentMap.ts';
import type { Session } from './session.ts';

interface CachedCount {
  readonly writes: number;
  readonly count: number;
}

const CACHED_MAX = 1_000;

/** The maximum length of the SQL of a cached count, which bounds the memory of the cache. */
const SQL_MAX = 10_000;

export class RowCountReader {
  readonly #engine: Engine;
  readonly #cache = new RecentMap<CachedCount>(CACHED_MAX);

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async read(tally: Tally, signal: AbortSignal): Promise<number> {
    const { writes } = this.#engine;
    const key = `${tally.times.join()} ${tally.sql}`;
    const known = this.#cache.get(key);
    if (known?.writes === writes) return known.count;
    const count = await this.#engine.use((session) => readTally(session, tally), signal);
    if (tally.isRepeatable && key.length <= SQL_MAX) this.#cache.set(key, { writes, count });
    return count;
  }
}

async function readTally(session: Session, { sql, times }: Tally): Promise<number> {
  const rows = await session.rows<[index: number, count: bigint] | [count: bigint]>(sql);
  return rows.reduce((sum, row) => {
    const [index, count] = row.length === 1 ? [0, row[0]] : row;
    return sum + Number(count) * (times[index] ?? 0);
  }, 0);
}
