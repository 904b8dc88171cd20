/** Measures a dataset: the number of events, their size as JSON, and their size on disk. */
import type { DatasetLayout } from '../../store/layout.ts';
import { quoteText } from '../../store/sql.ts';
import type { DatasetSize, StoredSize } from '../events.ts';
import type { Engine } from './database/engine.ts';
import type { Session } from './database/session.ts';

/** The maximum number of events in the sample from which the size as JSON is estimated. */
const SAMPLED_EVENTS_MAX = 2_048;

/** The approximate maximum number of values in the sample, including NULLs. Wide datasets are sampled by fewer events. */
const SAMPLED_VALUES = 400_000;

/** Returns a dataset's size on disk. `table` is a SQL name. */
export function readStoredSize(
  engine: Engine,
  table: string,
  signal: AbortSignal,
): Promise<StoredSize> {
  return engine.use((session) => storedSize(session, table), signal);
}

export function readSize(
  engine: Engine,
  { table, fields }: DatasetLayout,
  signal: AbortSignal,
): Promise<DatasetSize> {
  const columns = fields.reduce((sum, { variants }) => sum + variants.length, 0);
  const sampled = Math.min(SAMPLED_EVENTS_MAX, Math.ceil(SAMPLED_VALUES / columns));
  return engine.use(async (session) => {
    const stored = await storedSize(session, table);
    const [row] = await session.rows<[number | null]>(
      `SELECT avg(strlen(json_merge_patch('{}', to_json(t)::VARCHAR)::VARCHAR)) FROM
        (SELECT * FROM ${table} LIMIT ${sampled}) AS t`,
    );
    return { ...stored, inputBytes: Math.round(stored.events * (row![0] ?? 0)) };
  }, signal);
}

async function storedSize(session: Session, table: string): Promise<StoredSize> {
  // Count each block only once, because a block may contain several columns, and a segment may use several blocks.
  const [row] = await session.rows<[events: bigint, bytes: bigint]>(
    `WITH segments AS MATERIALIZED (
      SELECT block_id, additional_block_ids FROM pragma_storage_info(${quoteText(table)})
      WHERE persistent AND block_id >= 0),
    blocks AS (
      SELECT block_id AS block FROM segments UNION SELECT unnest(additional_block_ids) FROM segments)
    SELECT (SELECT count(*) FROM ${table}),
      (SELECT count(*) FROM blocks) * (SELECT block_size FROM pragma_database_size() WHERE database_name = current_database())`,
  );
  return { events: Number(row![0]), storedBytes: Number(row![1]) };
}
