/** How much a dataset holds: its events, what they would be as JSON, and what they take as they are stored. */
import type { Engine } from './duckdb.ts';
import { quoteText } from './sql.ts';

export interface DatasetSize {
  readonly events: number;
  /** Bytes of the events as JSON, found out from some of them. */
  readonly inputBytes: number;
  /** Bytes of the blocks of the file that they are in; 0 for events that are in the log only. */
  readonly storedBytes: number;
}

/** So many events tell what the others take as JSON. */
const SAMPLED_EVENTS = 2_048;

/** Reads the size of a table, named as in SQL. */
export function readSize(engine: Engine, table: string, signal: AbortSignal): Promise<DatasetSize> {
  return engine.use(async (session) => {
    const [row] = await session.rows<[bigint, number | null, bigint]>(
      `SELECT (SELECT count(*) FROM ${table}),
        (SELECT avg(strlen(json_merge_patch('{}', to_json(t)::VARCHAR)::VARCHAR)) FROM
          (SELECT * FROM ${table} LIMIT ${SAMPLED_EVENTS}) AS t),
        (SELECT count(DISTINCT block_id) FROM pragma_storage_info(${quoteText(table)})
          WHERE persistent AND block_id >= 0)
          * (SELECT block_size FROM pragma_database_size() LIMIT 1)`,
    );
    const [events, average, storedBytes] = row!;
    return {
      events: Number(events),
      inputBytes: Math.round(Number(events) * (average ?? 0)),
      storedBytes: Number(storedBytes),
    };
  }, signal);
}
