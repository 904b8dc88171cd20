/**
 * Runs a plan and gives the answer in the shape that was asked for. Rows become JSON inside the engine,
 * in slices, and go out as bytes, so that no cell is touched here and memory does not grow with the answer.
 */
import type { Message, QueryStatus } from '../../../api/src/index.ts';
import type { Plan, PlannedTable } from '../planner/plan.ts';
import type { Session } from '../store/duckdb.ts';
import { formatNanos } from '../time.ts';
import { type BodyContext, legacyChunks, tabularChunks } from './bodies.ts';
import { type Computed, drop, fill, type Materialized, readCount } from './resultTable.ts';
import {
  columnParts,
  cursorColumns,
  matchPart,
  type Part,
  rowParts,
  seriesPart,
  seriesSql,
  totalsPart,
} from './shapes.ts';
import { SLICE_ROWS } from './slices.ts';
import { computeTables } from './tables.ts';

/** An answer ready to be sent: everything is computed, and only the rows are still to be read. */
export interface Answer {
  /** The JSON text in pieces; must be read to the end before `end` is called. */
  readonly chunks: AsyncGenerator<Uint8Array>;
  /** Drops what the answer was read from; must be done before the session is given back. */
  readonly end: () => Promise<void>;
  /** Whether it is short enough to be joined. */
  readonly short: boolean;
}

export interface AnswerContext extends BodyContext {
  /** Milliseconds on the monotonic clock at which the request began. */
  readonly started: number;
  /** The notices that belong to an answer of so many rows. */
  readonly messages: (rows: number, counts: Counts) => readonly Message[];
}

/** Runs the plan. Errors of the query surface here, before anything is sent. */
export async function runPlan(
  session: Session,
  plan: Plan,
  context: AnswerContext,
): Promise<Answer> {
  const { main } = plan;
  const grouped = isGrouped(plan);
  const partsOf = (table: PlannedTable): readonly Part[] => {
    if (context.format === 'tabular') return columnParts(table);
    if (context.format === 'tabular-rows') return rowParts(table);
    if (!grouped) return [matchPart(table, formatNanos(plan.range.end))];
    return table === main && main.buckets !== undefined ? [] : [totalsPart(table)];
  };
  const inSeries = context.format === 'legacy' && grouped && main.buckets !== undefined;
  const readAgain = inSeries || main.cursor;
  const tables = [...(await computeTables(session, plan, partsOf, readAgain))];
  const shown = tables[0]!;
  const counts = await readCounts(session, plan, shown);
  const status = {
    ...statusOf(plan, tables, counts, context),
    ...(await cursorsOf(session, shown)),
  };
  const short = tables.every(({ count }) => count <= SLICE_ROWS);
  const end = () => drop(session, tables);
  if (context.format === 'legacy') {
    if (inSeries && shown.rows !== undefined) tables.unshift(await series(session, shown));
    return { chunks: legacyChunks(session, plan, tables, status, grouped), end, short };
  }
  return { chunks: tabularChunks(session, plan, tables, status, context), end, short };
}

/** Whether the rows are groups and not events. */
function isGrouped({ main }: Plan): boolean {
  return main.groups.length > 0 || main.columns.some(({ agg }) => agg !== undefined);
}

/** The intervals of a time series, in the older shape. */
function series(session: Session, { table, rows }: Materialized): Promise<Materialized> {
  return fill(session, 'series', seriesSql(table, rows), table, [seriesPart]);
}

/** Rows in the range, and rows that the query's leading filters let through. */
export interface Counts {
  readonly examined: number;
  readonly matched: number;
}

/** What the answer tells is not counted again: that can take as long as the answer. */
async function readCounts(
  session: Session,
  { counts }: Plan,
  { count, aggregated }: Computed,
): Promise<Counts> {
  if (counts === undefined) return { examined: count, matched: count };
  const whole = counts.limit !== undefined && count < counts.limit ? count : undefined;
  const told = aggregated ?? whole;
  if (counts.matched === undefined) {
    const examined = told ?? (await readCount(session, counts.examined));
    return { examined, matched: examined };
  }
  const examined = await readCount(session, counts.examined);
  return { examined, matched: told ?? (await readCount(session, counts.matched)) };
}

/** Where the oldest and the newest event of the answer are, for asking for the pages around it. */
async function cursorsOf(
  session: Session,
  { table, rows, count }: Computed,
): Promise<Partial<QueryStatus>> {
  if (!table.cursor || count === 0 || rows === undefined) return {};
  const [time, row] = cursorColumns(table);
  // The rows are in the order of time, in one direction or the other; those of equal times in any.
  const ends = await session.rows<[least: string, greatest: string]>(
    `SELECT concat(epoch_ns(${time}), '-', min(${row})), concat(epoch_ns(${time}), '-', max(${row})) FROM ${rows}
     WHERE ${time} IN (SELECT ${time} FROM ${rows} WHERE rowid = 0 OR rowid = ${count - 1})
     GROUP BY ${time} ORDER BY ${time}`,
  );
  return { minCursor: ends[0]![0], maxCursor: ends.at(-1)![1] };
}

function statusOf(
  plan: Plan,
  tables: readonly Computed[],
  counts: Counts,
  context: AnswerContext,
): QueryStatus {
  const groups = (tables[1] ?? tables[0])!;
  // A dataset counts as one block.
  return {
    elapsedTime: Math.round((performance.now() - context.started) * 1_000),
    blocksExamined: plan.datasets.length,
    blocksCached: 0,
    blocksMatched: plan.datasets.length,
    rowsExamined: counts.examined,
    rowsMatched: counts.matched,
    numGroups: groups.table.groups.length > 0 || plan.totals !== undefined ? groups.count : 0,
    isPartial: false,
    cacheStatus: 1,
    messages: [...context.messages(tables[0]!.count, counts)],
  };
}
