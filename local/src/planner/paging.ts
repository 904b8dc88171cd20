/**
 * Pages of events. A query can be read in pages if its rows are the events of one dataset. A cursor consists of an
 * event's time and its row number in the dataset. The next page starts after the last event's cursor. If the query
 * sorts only by time, row numbers order the events with equal times, so that no page repeats or skips an event.
 */
import {
  type BoundPipeline,
  type BoundSource,
  factsOf,
  type RowEffect,
} from '../../../language/src/index.ts';
import { PlanError } from './errors.ts';
import type { Cursor, PlanContext, ReadCursor } from './plan.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import { addColumn, extended, filtered, Ids, type Table, withColumns } from './table.ts';
import { value } from './values.ts';

export interface Paging {
  /** The source whose events are read in pages. The query may also read the same dataset elsewhere. */
  readonly source: BoundSource;
  /** Whether cursors only identify events, because the rows can't be read in pages. */
  readonly named?: boolean;
  readonly desc: boolean;
  readonly from?: ReadCursor & { readonly inclusive: boolean };
}

const eventEffects: ReadonlySet<RowEffect> = new Set(['all', 'filtered', 'limited', 'sampled']);

/**
 * Returns the paging of a query whose rows are events ordered by time. If the request wants the field `_cursor`, events
 * in another order get cursors too. Throws a PlanError if the request has a cursor but the query can't be paged.
 */
export function pagingOf(pipeline: BoundPipeline, context: PlanContext): Paging | undefined {
  if (context.paged !== true) return undefined;
  const { source, stages } = pipeline;
  const orders = stages.flatMap(({ operator }) =>
    operator.kind === 'sort' || operator.kind === 'top' ? [operator.keys[0]] : [],
  );
  const byTime = orders.every(
    (key) => key?.expression.kind === 'column' && key.expression.name === '_time',
  );
  const layout = source.kind === 'dataset' ? context.layoutOf(source.name) : undefined;
  const stored = layout !== undefined;
  const events = stages.every(({ operator }) => eventEffects.has(factsOf(operator).rows));
  const [firstOrder, ...more] = context.defaultOrder ?? [];
  const isRequestedByTime =
    firstOrder === undefined || (firstOrder.field === '_time' && more.length === 0);
  const isOrderedByTime = orders.length > 0 || isRequestedByTime;
  if (!stored || !events || !byTime || !isOrderedByTime) {
    if (context.cursor !== undefined) throw notPaged(pipeline);
    const named = stored && events && context.cursorField === true;
    return named ? { source, desc: true, named } : undefined;
  }
  const last = orders.at(-1)?.direction;
  const desc = last === undefined ? (firstOrder?.desc ?? true) : last === 'desc';
  const from = context.cursor && toNumbering(context.cursor, layout.numbering, desc);
  return { source, desc, ...(from && { from }) };
}

/**
 * Converts a cursor to the dataset's row numbering. If the cursor's numbering belongs to another dataset, only the
 * cursor's time is used, as if no rows had been read.
 */
function toNumbering<C extends ReadCursor>(cursor: C, numbering: number, desc: boolean): C {
  const { numbering: own = numbering, late: _late, ...rest } = cursor;
  if (own === numbering) return { ...cursor, numbering };
  const position = desc ? { row: LAST_ROW_NUMBER } : { row: -1n, seen: -1n };
  return { ...rest, ...position, numbering } as C;
}

const LAST_ROW_NUMBER = 2n ** 63n - 1n;

export function notPaged(pipeline: BoundPipeline): PlanError {
  const message =
    'A cursor goes through the events of one dataset in the order of _time. This query groups, joins or sorts them otherwise.';
  return new PlanError('invalid-argument', pipeline, message);
}

/** Adds a column of row numbers to a dataset's table, and filters out the events up to the request's cursor. */
export function withCursor(
  table: Table,
  { time, numbering }: { readonly time: string; readonly numbering: number },
  page: Paging | undefined,
): Table {
  const remaining =
    page?.from === undefined ? table : filtered(table, afterCursor(time, page.from, page.desc));
  const ids = new Ids(table.taken);
  const row = ids.free('row of event');
  const numbered = extended(remaining, [{ id: row, sql: sql`t.rowid` }], ids);
  return { ...numbered, cursor: { time, row, numbering, ...(page?.named && { named: true }) } };
}

function afterCursor(time: string, from: ReadCursor & { inclusive: boolean }, desc: boolean): Sql {
  const afterOwn = afterPosition(time, from, desc, from.inclusive);
  const { seen, late } = from;
  // Reading backwards skips late events that are newer than the cursor.
  if (desc || seen === undefined) return afterOwn;
  const arrivedLater = sql`t.rowid > ${print.long(seen)}`;
  if (late === undefined) return sql`(${afterOwn} OR ${arrivedLater})`;
  const afterLate = sql`(${arrivedLater} AND ${afterPosition(time, late, false, false)})`;
  return sql`(t.rowid <= ${print.long(late.seen)} AND (${afterOwn} OR ${afterLate}))`;
}

function afterPosition(time: string, cursor: Cursor, desc: boolean, inclusive: boolean): Sql {
  const at = print.datetime(cursor.time);
  const column = print.column(time);
  const row = print.long(cursor.row);
  const after = desc ? sql`t.rowid < ${row}` : sql`t.rowid > ${row}`;
  const same = inclusive ? sql`(${after} OR t.rowid = ${row})` : after;
  // The first comparison is redundant, but lets DuckDB skip row groups that are outside the page.
  return desc
    ? sql`(${column} <= ${at} AND (${column} < ${at} OR ${same}))`
    : sql`(${column} >= ${at} AND (${column} > ${at} OR ${same}))`;
}

/** Appends the row number as the last sort key, so that the order is unique. */
export function withTies(table: Table): Table {
  const { cursor, order } = table;
  const [first] = order;
  if (cursor === undefined || first === undefined) return table;
  if (first.id !== cursor.time && cursor.named !== true) return table;
  return { ...table, order: [...order, { id: cursor.row, desc: first.desc, nullsFirst: false }] };
}

/** Returns the table's cursor, or undefined if the rows are no longer ordered by time. */
export function pageCursor(table: Table): Table['cursor'] {
  return table.order[0]?.id === table.cursor?.time ? table.cursor : undefined;
}

export function cursorText({ cursor }: Table): Sql | undefined {
  if (cursor === undefined) return undefined;
  return sql`concat(${print.text(`${cursor.numbering}@`)}, epoch_ns(${print.column(cursor.time)}), '-', ${print.column(cursor.row)})`;
}

/** Adds the column `_cursor` if it is requested and the rows have cursors. Replaces a column with this name. */
export function withCursorField(table: Table, wanted: boolean): Table {
  const cursor = pageCursor(table) ?? (table.cursor?.named ? table.cursor : undefined);
  if (!wanted || cursor === undefined) return table;
  const ids = new Ids(table.taken);
  const items: { id: string; sql: Sql }[] = [];
  const text = cursorText(table) as Sql;
  const column = addColumn('_cursor', value(text, 'string'), ids, items);
  return { ...extended(table, items, ids), columns: withColumns(table.columns, [column]) };
}

export function parseCursor(text: string): ReadCursor | undefined {
  const found = CURSOR.exec(text);
  if (found === null) return undefined;
  const [, numbering, ...parts] = found;
  const numbers = parts.flatMap((part) => (part === undefined ? [] : [BigInt(part)]));
  if (!numbers.every(print.isLong)) return undefined;
  const [time, row, seen, lateTime, lateRow, lateSeen] = numbers as [bigint, bigint, ...bigint[]];
  return {
    time,
    row,
    ...(numbering !== undefined && { numbering: Number(numbering) }),
    ...(seen !== undefined && { seen }),
    ...(lateSeen !== undefined && { late: { time: lateTime!, row: lateRow!, seen: lateSeen } }),
  };
}

// Matches a cursor: the numbering, then times and row numbers. Row -1 is the position before the first row.
const CURSOR =
  /^(?:(\d{1,15})@)?(-?\d{1,19})-(-1|\d{1,19})(?:-(-1|\d{1,19})(?:-(-?\d{1,19})-(-1|\d{1,19})-(-1|\d{1,19}))?)?$/;

export function cursorAsText({ time, row, seen, late, numbering }: ReadCursor): string {
  const parts = [time, row, seen, late?.time, late?.row, late?.seen];
  const text = parts.filter((part) => part !== undefined).join('-');
  return numbering === undefined ? text : `${numbering}@${text}`;
}

/** Returns a cursor with replaced row numbers. `rows` is in the order that `rowsOf` returns. */
export function withRows(cursor: ReadCursor, rows: readonly bigint[]): ReadCursor {
  const [row, seen, lateRow, lateSeen] = rows as [bigint, ...bigint[]];
  const { late, ...rest } = cursor;
  return {
    ...rest,
    row,
    ...(seen !== undefined && { seen }),
    ...(late && { late: { ...late, row: lateRow!, seen: lateSeen! } }),
  };
}

export function rowsOf({ row, seen, late }: ReadCursor): bigint[] {
  return [row, seen, late?.row, late?.seen].filter((each) => each !== undefined);
}

/** Returns the cursor after a page. `greatest` is the page's newest event, and `last` the dataset's last row. */
export function afterPage(
  from: ReadCursor | undefined,
  greatest: Cursor,
  last: bigint,
): ReadCursor {
  // A page of late events includes only the rows that existed when the first such page was read.
  const seen = from?.late?.seen ?? last;
  if (from?.seen === undefined || !isBefore(greatest, from)) return { ...greatest, seen };
  // All events of the page were late, so keep the cursor: the events after it are still unread.
  return { time: from.time, row: from.row, seen: from.seen, late: { ...greatest, seen } };
}

export function afterEmptyPage(from: ReadCursor | undefined): ReadCursor | undefined {
  if (from?.late === undefined) return undefined;
  return { time: from.time, row: from.row, seen: from.late.seen };
}

function isBefore(a: Cursor, b: Cursor): boolean {
  return a.time < b.time || (a.time === b.time && a.row < b.row);
}
