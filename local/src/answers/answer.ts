/**
 * Runs a plan and returns its answer in the requested format. The engine writes rows as JSON in slices (batches of
 * rows), which are sent unchanged, so JavaScript's memory doesn't grow with the answer.
 */
import type { Message, QueryStatus } from '../../../api/src/index.ts';
import {
  type AnswerReader,
  type BlockCounts,
  type Computed,
  SLICE_ROWS,
} from '../engines/answers.ts';
import type { TimeBounds } from '../engines/timeBounds.ts';
import { afterEmptyPage, afterPage, cursorAsText } from '../planner/paging.ts';
import type { Plan, PlannedTable, ReadCursor, Tally } from '../planner/plan.ts';
import { formatNanos } from '../time.ts';
import { type BodyContext, isLegacy, legacyChunks, tabularChunks } from './bodies.ts';
import { columnParts, intervalPart, matchPart, type Part, rowParts, totalsPart } from './shapes.ts';

/** An answer whose first slice is ready. Later rows are read while the answer is sent. */
export interface Answer {
  /** The pieces of the answer's JSON. Read all of them before calling `end`. */
  readonly chunks: AsyncGenerator<Uint8Array>;
  /** Drops the answer's temporary tables. Call it before returning the session. */
  readonly end: () => Promise<void>;
  /** Whether to send the answer as one piece. */
  readonly isShort: boolean;
}

export interface PageContext {
  /** The request's cursor. The page contains only events on one side of it. */
  readonly from?: ReadCursor;
  readonly forwards: boolean;
  /** SQL for the last row number of the events' dataset. Present if `maxCursor` needs the number. */
  readonly lastRowSql?: string;
}

export interface AnswerContext extends BodyContext {
  /** Start of the request, in milliseconds on the monotonic clock. */
  readonly started: number;
  /** The times of the oldest and the newest event that the query examines. */
  readonly timeBounds: Promise<TimeBounds | undefined>;
  readonly blocks: Promise<BlockCounts>;
  /** Counts rows, or returns the count since the last write. */
  readonly countRows: (tally: Tally) => Promise<number>;
  /** The number of examined rows, which is counted during the query unless its result probably contains it. */
  readonly examined: Promise<number> | undefined;
  /** Present if the rows are events in time order. */
  readonly cursors?: PageContext;
  /** `isCut` states whether the default limit dropped rows or groups. */
  readonly messages: (isCut: boolean) => readonly Message[];
}

/** Runs a plan. If the query fails, throws before any part of the answer is sent. */
export async function runPlan(
  reader: AnswerReader,
  plan: Plan,
  context: AnswerContext,
): Promise<Answer> {
  const { main, totals, merges } = plan;
  const { sql } = reader;
  const grouped = isGrouped(plan);
  const partsOf = (table: PlannedTable): readonly Part[] => {
    if (context.format === 'tabular') return columnParts(table, sql);
    if (context.format === 'tabular-rows') return rowParts(table, sql);
    if (!grouped) return [matchPart(table, formatNanos(plan.range.end), sql)];
    if (table !== main) return [totalsPart(table, sql)];
    if (main.buckets !== undefined) return [];
    const interval = intervalPart(main, plan.range, sql);
    return totals === undefined ? [interval, totalsPart(main, sql, ',')] : [interval];
  };
  const inSeries = isLegacy(context.format) && grouped && main.buckets !== undefined;
  const { cursors } = context;
  const { lastRowSql } = cursors ?? {};
  const table = lastRowSql ? { ...main, lastRowSql } : main;
  const hasEnds = cursors !== undefined;
  const tables = [
    ...(await reader.computeTables({
      main: { table, parts: partsOf(main), hasEnds },
      ...(totals && { totals: { table: totals, parts: partsOf(totals) } }),
      ...(merges && { merges }),
      readAgain: inSeries,
    })),
  ];
  const shown = tables[0]!;
  const counts = await readCounts(plan, shown, context);
  const status = {
    ...statusOf(plan, tables, counts, context, await readCut(reader, plan, tables)),
    ...blockCounts(await context.blocks, counts),
    ...(cursors && (await cursorsOf(reader, shown, cursors))),
    ...blockTimes(await context.timeBounds),
  };
  const isShort = tables.every(({ count }) => count <= SLICE_ROWS);
  const end = () => reader.drop(tables);
  if (inSeries) tables.unshift(await reader.computeSeries(shown));
  const body = { reader, plan, tables, status, context };
  const chunks = isLegacy(context.format) ? legacyChunks(body, grouped) : tabularChunks(body);
  return { chunks, end, isShort };
}

function isGrouped({ main }: Plan): boolean {
  return main.groups.length > 0 || main.columns.some(({ agg }) => agg !== undefined);
}

async function readCut(
  reader: AnswerReader,
  { main, defaultLimit, groupCount }: Plan,
  tables: readonly Computed[],
): Promise<boolean> {
  const [rows, totals] = tables;
  if (defaultLimit === undefined || main.cut !== undefined) return rows!.isCut;
  if (totals !== undefined) return totals.isCut;
  if (groupCount === undefined || rows!.count < defaultLimit) return false;
  return (await reader.readCount(groupCount)) > defaultLimit;
}

interface Counts {
  readonly examined: number;
  readonly matched: number;
}

/** Derives the counts from the answer if possible, because counting may take as long as the query. */
async function readCounts(
  { counts }: Plan,
  { count, aggregated }: Computed,
  { countRows, examined: counted }: AnswerContext,
): Promise<Counts> {
  if (counts === undefined) return { examined: count, matched: count };
  const readExamined = () => counted ?? countRows(counts.examined);
  const countBelowLimit = counts.limit !== undefined && count < counts.limit ? count : undefined;
  const knownCount = aggregated ?? countBelowLimit;
  if (counts.matched === undefined) {
    const examined = knownCount ?? (await readExamined());
    return { examined, matched: examined };
  }
  const matched = knownCount ?? (await countRows(counts.matched));
  // Events may have been stored after the examined rows were counted.
  return { examined: Math.max(await readExamined(), matched), matched };
}

async function cursorsOf(
  reader: AnswerReader,
  shown: Computed,
  { from, forwards }: PageContext,
): Promise<Partial<QueryStatus>> {
  const { table, count } = shown;
  if (!table.cursor) return {};
  const { numbering } = table.cursor;
  const start = forwards ? from : undefined;
  if (count === 0) {
    const next = afterEmptyPage(start);
    return next === undefined ? {} : { maxCursor: cursorAsText({ ...next, numbering }) };
  }
  const [oldest, leastRow, newest, greatestRow, last] = await reader.readEnds(shown);
  const end = { time: newest, row: greatestRow };
  return {
    minCursor: cursorAsText({ time: oldest, row: leastRow, numbering }),
    maxCursor: cursorAsText({ ...(last === null ? end : afterPage(start, end, last)), numbering }),
  };
}

/** Returns the block counts. The number of matching blocks isn't known, but can't exceed that of matching rows. */
function blockCounts({ examined, skipped }: BlockCounts, counts: Counts) {
  return {
    blocksExamined: examined,
    blocksCached: 0,
    blocksMatched: Math.min(examined, counts.matched),
    blocksSkipped: skipped,
  };
}

function blockTimes(bounds: TimeBounds | undefined): Partial<QueryStatus> {
  if (bounds === undefined) return {};
  const { oldest, newest } = bounds;
  return { minBlockTime: formatNanos(oldest), maxBlockTime: formatNanos(newest) };
}

function statusOf(
  plan: Plan,
  tables: readonly Computed[],
  counts: Counts,
  context: AnswerContext,
  isCut: boolean,
): Omit<QueryStatus, 'blocksExamined'> {
  const groups = (tables[1] ?? tables[0])!;
  return {
    elapsedTime: Math.round((performance.now() - context.started) * 1_000),
    rowsExamined: counts.examined,
    rowsMatched: counts.matched,
    numGroups: groups.table.groups.length > 0 || plan.totals !== undefined ? groups.count : 0,
    isPartial: false,
    cacheStatus: 1,
    messages: [...context.messages(isCut)],
  };
}
