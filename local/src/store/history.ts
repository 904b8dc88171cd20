/** Stores the latest queries that clients asked to store, by the ID in the query's response. */
import { HistoryQuery, stringifyJson } from '../../../api/src/index.ts';
import type { Engine } from '../engines/duckdb/database/engine.ts';
import { ReadWriteLock } from './locks.ts';
import { readStored } from './storedJson.ts';

/** The number of stored queries to keep when older ones are deleted. */
const QUERIES_MAX = 1_000;

/** The number of stored queries above `QUERIES_MAX` at which older ones are deleted. */
const SURPLUS_MAX = 100;

interface StoredQuery {
  readonly query: HistoryQuery;
  /** The ID of the token that asked to store the query. Null if unknown. */
  readonly tokenId: string | null;
}

export class History {
  readonly #engine: Engine;
  readonly #changeLock = new ReadWriteLock();
  #count: number;

  private constructor(engine: Engine, count: number) {
    this.#engine = engine;
    this.#count = count;
  }

  static async open(engine: Engine): Promise<History> {
    return engine.use(async (session) => {
      await session.run('CREATE TABLE IF NOT EXISTS aplomb.history (id VARCHAR, document VARCHAR)');
      // Older versions didn't store the token, so `keeper` is null for their queries.
      await session.run('ALTER TABLE aplomb.history ADD COLUMN IF NOT EXISTS keeper VARCHAR');
      const [row] = await session.rows<[number]>('SELECT count(*)::INTEGER FROM aplomb.history');
      return new History(engine, row?.[0] ?? 0);
    });
  }

  add(query: HistoryQuery, tokenId: string): Promise<void> {
    return this.#changeLock.exclusive(async () => {
      const row = [query.id, stringifyJson(query), tokenId];
      await this.#engine.transaction((session) =>
        session.run('INSERT INTO aplomb.history VALUES (?, ?, ?)', row),
      );
      this.#count += 1;
      if (this.#count <= QUERIES_MAX + SURPLUS_MAX) return;
      await this.#engine.transaction((session) =>
        session.run(
          `DELETE FROM aplomb.history WHERE rowid NOT IN
             (SELECT rowid FROM aplomb.history ORDER BY rowid DESC LIMIT ${QUERIES_MAX})`,
        ),
      );
      this.#count = QUERIES_MAX;
    });
  }

  async get(id: string): Promise<StoredQuery | undefined> {
    const sql = 'SELECT document, keeper FROM aplomb.history WHERE id = ?';
    const [row] = await this.#engine.use((session) =>
      session.rows<[string | null, string | null]>(sql, [id]),
    );
    if (row === undefined) return undefined;
    const query = readStored(HistoryQuery, row[0]);
    return typeof query === 'string' ? undefined : { query, tokenId: row[1] };
  }
}
