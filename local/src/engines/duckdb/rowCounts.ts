/**
 * Counts the rows that queries examine and match. Repeatable counts are cached until the next write, because ranges are
 * often repeated.
 */
import type { Tally } from '../../planner/plan.ts';
import { sumOfTally } from '../answers.ts';
import type { Engine } from './database/engine.ts';
import type { Session } from './database/session.ts';
import { UntilWrite } from './untilWrite.ts';

/** The maximum length of the SQL of a cached count, which bounds the memory of the cache. */
const SQL_MAX = 10_000;

export class RowCountReader {
  readonly #engine: Engine;
  readonly #counts: UntilWrite<number>;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#counts = new UntilWrite(engine);
  }

  async read(tally: Tally, signal: AbortSignal): Promise<number> {
    const key = `${tally.times.join()} ${tally.sql}`;
    const count = () => this.#engine.use((session) => readTally(session, tally), signal);
    return tally.isRepeatable && key.length <= SQL_MAX ? this.#counts.get(key, count) : count();
  }
}

async function readTally(session: Session, tally: Tally): Promise<number> {
  const rows = await session.rows<[bigint, bigint] | [bigint]>(tally.sql);
  return sumOfTally(
    tally,
    rows.map((row) => row.map(Number)),
  );
}
