/**
 * Counts the blocks that are entirely before or after a time range. DuckDB reads only the rows between each end of the
 * range and the first or last event, whichever is nearer. This is fast if those rows are few.
 */
import * as print from '../../planner/sql.ts';
import type { BlockCounts, TimeSpan } from '../answers.ts';
import { ROW_GROUP_EVENTS } from './database/engine.ts';
import type { Session } from './database/session.ts';

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
  const older = (time: bigint) => `"_time" < ${print.datetime(time).text}`;
  const newer = (time: bigint) => `"_time" >= ${print.datetime(time).text}`;
  const size = `least(${ROW_GROUP_EVENTS}, ${count} - block * ${ROW_GROUP_EVENTS})`;
  const full = (condition: string) => blockCountSql(table, condition, `events = ${size}`);
  const without = (condition: string) => `${blocks} - ${blockCountSql(table, condition, 'true')}`;
  const before = below <= 0.5 ? full(older(start)) : without(newer(start));
  const after = above <= 0.5 ? full(newer(end)) : without(older(end));
  const [counted] = await session.rows<[rows: bigint, before: bigint, after: bigint]>(
    `SELECT (SELECT count(*) FROM ${table}), ${before}, ${after}`,
  );
  // Rows were added meanwhile, so the number of blocks is unknown.
  if (counted === undefined || counted[0] !== count) return undefined;
  const skipped = Number(counted[1]) + Number(counted[2]);
  return { examined: blocks - skipped, skipped };
}

/** Returns a subquery for the number of blocks. `condition` selects rows, and `having` tests their number, `events`. */
function blockCountSql(table: string, condition: string, having: string): string {
  return `(SELECT count(*) FROM (SELECT rowid // ${ROW_GROUP_EVENTS} AS block, count(*) AS events FROM ${table}
     WHERE ${condition} GROUP BY block) WHERE ${having})`;
}
