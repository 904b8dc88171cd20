/**
 * Counts the blocks that are entirely before or after a time range. DuckDB reads only the rows between each end of the
 * range and the first or last event, whichever is nearer. This is fast if those rows are few.
 */
import type { BlockCounts, TimeSpan } from './blocks.ts';
import { ROW_GROUP_EVENTS } from './duckdb.ts';
import type { Session } from './session.ts';

/** Maximum share of the table's time span that is read. Beyond it, listing all blocks is faster. */
const READ_SHARE_MAX = 0.1;

export async function firstBlockCounts(
  session: Session,
  table: string,
  rows: bigint,
  { start, end }: TimeSpan,
): Promise<BlockCounts | undefined> {
  const [found] = await session.rows<[oldest: bigint, newest: bigint, count: bigint]>(
    `SELECT epoch_ns(min("_time")), epoch_ns(max("_time")), count(*) FROM ${table}`,
  );
  const [oldest, newest, count] = found ?? [];
  // Deleted rows still take up space in blocks, so the number of remaining rows per block is unknown.
  if (oldest === undefined || newest === undefined || count !== rows || count === 0n)
    return undefined;
  const shareBelow = (time: bigint) => {
    const share = Number(time - oldest) / (Number(newest - oldest) + 1);
    return Math.min(Math.max(share, 0), 1);
  };
  const [below, above] = [shareBelow(start), 1 - shareBelow(end)];
  if (Math.min(below, 1 - below) + Math.min(above, 1 - above) > READ_SHARE_MAX) return undefined;
  const blocks = Math.ceil(Number(count) / ROW_GROUP_EVENTS);
  const older = (time: bigint) => `"_time" < ${timeSql(time)}`;
  const newer = (time: bigint) => `"_time" >= ${timeSql(time)}`;
  const full = async (condition: string) => {
    const size = `least(${ROW_GROUP_EVENTS}, ${count} - block * ${ROW_GROUP_EVENTS})`;
    return await blockCount(session, table, condition, `events = ${size}`);
  };
  const without = async (condition: string) =>
    blocks - (await blockCount(session, table, condition, 'true'));
  const before = below <= 0.5 ? await full(older(start)) : await without(newer(start));
  const after = above <= 0.5 ? await full(newer(end)) : await without(older(end));
  return { examined: blocks - before - after, skipped: before + after };
}

function timeSql(nanoseconds: bigint): string {
  const time = nanoseconds < 0n ? 0n : nanoseconds;
  return `make_timestamp_ns(${time > TIME_MAX ? TIME_MAX : time})`;
}

const TIME_MAX = 2n ** 63n - 2n;

/** Counts blocks. `condition` selects rows, and `having` tests a block's number of selected rows, `events`. */
async function blockCount(
  session: Session,
  table: string,
  condition: string,
  having: string,
): Promise<number> {
  const [row] = await session.rows<[count: bigint]>(
    `SELECT count(*) FROM (SELECT rowid // ${ROW_GROUP_EVENTS} AS block, count(*) AS events FROM ${table}
     WHERE ${condition} GROUP BY block) WHERE ${having}`,
  );
  return Number(row?.[0] ?? 0);
}
