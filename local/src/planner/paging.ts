/**
 * Pages of events. A query whose rows are the events of one dataset can be read page by page: each event
 * has a cursor, its time and its row in the dataset, and the next page goes on behind the cursor of the
 * last event. Events of equal times are ordered by their rows, so that no page repeats or skips one.
 */
import type { BoundOperator, BoundPipeline, BoundSource } from '../../../language/src/index.ts';
import { PlanError } from './errors.ts';
import type { Cursor, PlanContext, ReadCursor } from './plan.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import { addColumn, extended, filtered, Ids, type Table } from './table.ts';
import { value } from './values.ts';

export interface Paging {
  /** The source whose events are paged; the same dataset may stand elsewhere in the query. */
  readonly source: BoundSource;
  /** Whether the rows are in an order of their own: they have cursors then, but no pages. */
  readonly named?: boolean;
  /** Whether the pages go back in time. */
  readonly desc: boolean;
  readonly from?: ReadCursor & { readonly inclusive: boolean };
}

/** The operators behind which each row is still one event. */
const keepsEvents: ReadonlySet<BoundOperator['kind']> = new Set([
  'where',
  'extend',
  'project',
  'select',
  'sort',
  'top',
  'limit',
  'sample',
  'parse',
  'parse-kv',
  'redact',
  'search',
]);

/**
 * How a query's events are paged; undefined where its rows are no events, or not in the order of time.
 * @throws PlanError where a page is asked for all the same.
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
  const events = stages.every(({ operator }) => keepsEvents.has(operator.kind));
  const [asked, ...more] = context.defaultOrder ?? [];
  const isAskedByTime = asked === undefined || (asked.field === '_time' && more.length === 0);
  const plain = orders.length > 0 || isAskedByTime;
  if (!stored || !events || !byTime || !plain) {
    if (context.cursor !== undefined) throw notPaged(pipeline);
    const named = stored && events && context.cursorField === true;
    return named ? { source, desc: true, named } : undefined;
  }
  const last = orders.at(-1)?.direction;
  const desc = last === undefined ? (asked?.desc ?? true) : last === 'desc';
  const from = context.cursor && ofNumbering(context.cursor, layout.numbering, desc);
  return { source, desc, ...(from && { from }) };
}

/**
 * A cursor in the events of a dataset; one of another dataset, such as a deleted one of that name, is in none of
 * them, so that who reads forwards has seen none.
 */
function ofNumbering<C extends ReadCursor>(cursor: C, numbering: number, desc: boolean): C {
  const { numbering: own = numbering, late: _late, ...rest } = cursor;
  if (own === numbering) return { ...cursor, numbering };
  const place = desc ? { row: LAST_ROW_NUMBER } : { row: -1n, seen: -1n };
  return { ...rest, ...place, numbering } as C;
}

const LAST_ROW_NUMBER = 2n ** 63n - 1n;

/** The refusal of a page of what are no events in the order of time. */
export function notPaged(pipeline: BoundPipeline): PlanError {
  const message =
    'A cursor goes through the events of one dataset in the order of _time. This query groups, joins or sorts them otherwise.';
  return new PlanError('invalid-argument', pipeline, message);
}

/** A dataset with the row of each event, without those up to the cursor that a page starts from. */
export function withCursor(
  table: Table,
  { time, numbering }: { readonly time: string; readonly numbering: number },
  page: Paging | undefined,
): Table {
  const cut =
    page?.from === undefined ? table : filtered(table, behind(time, page.from, page.desc));
  const ids = new Ids(table.taken);
  const row = ids.free('row of event');
  const numbered = extended(cut, [{ id: row, sql: sql`t.rowid` }], ids);
  return { ...numbered, cursor: { time, row, numbering, ...(page?.named && { named: true }) } };
}

function behind(time: string, from: ReadCursor & { inclusive: boolean }, desc: boolean): Sql {
  const older = beyond(time, from, desc, from.inclusive);
  const { seen, late } = from;
  // Who reads backwards has passed what comes late.
  if (desc || seen === undefined) return older;
  const since = sql`t.rowid > ${print.long(seen)}`;
  if (late === undefined) return sql`(${older} OR ${since})`;
  const rest = sql`(${since} AND ${beyond(time, late, false, false)})`;
  return sql`(t.rowid <= ${print.long(late.seen)} AND (${older} OR ${rest}))`;
}

function beyond(time: string, cursor: Cursor, desc: boolean, inclusive: boolean): Sql {
  const at = print.datetime(cursor.time);
  const column = print.column(time);
  const row = print.long(cursor.row);
  const after = desc ? sql`t.rowid < ${row}` : sql`t.rowid > ${row}`;
  const same = inclusive ? sql`(${after} OR t.rowid = ${row})` : after;
  // The first test alone lets DuckDB pass over what is wholly before the page.
  return desc
    ? sql`(${column} <= ${at} AND (${column} < ${at} OR ${same}))`
    : sql`(${column} >= ${at} AND (${column} > ${at} OR ${same}))`;
}

/**
 * Equal times in the order of their rows, where events are in the order of time. Where each event is named by
 * its cursor, whatever is equal is in the order of arrival.
 */
export function withTies(table: Table): Table {
  const { cursor, order } = table;
  const [first] = order;
  if (cursor === undefined || first === undefined) return table;
  if (first.id !== cursor.time && cursor.named !== true) return table;
  return { ...table, order: [...order, { id: cursor.row, desc: first.desc, nullsFirst: false }] };
}

/** The hidden columns that tell each row's cursor, where the rows still are events in order of time. */
export function pageCursor(table: Table): Table['cursor'] {
  return table.order[0]?.id === table.cursor?.time ? table.cursor : undefined;
}

/** Each row's cursor as a request writes it; undefined where the rows are no events. */
export function cursorText({ cursor }: Table): Sql | undefined {
  if (cursor === undefined) return undefined;
  return sql`concat(${print.text(`${cursor.numbering}@`)}, epoch_ns(${print.column(cursor.time)}), '-', ${print.column(cursor.row)})`;
}

/** The column `_cursor` behind the others, in place of one of that name, where it is asked for and the rows have cursors. */
export function withCursorField(table: Table, wanted: boolean): Table {
  const cursor = pageCursor(table) ?? (table.cursor?.named ? table.cursor : undefined);
  if (!wanted || cursor === undefined) return table;
  const ids = new Ids(table.taken);
  const items: { id: string; sql: Sql }[] = [];
  const text = cursorText(table) as Sql;
  const column = addColumn('_cursor', value(text, 'string'), ids, items);
  const others = table.columns.filter(({ name }) => name !== column.name);
  return { ...extended(table, items, ids), columns: [...others, column] };
}

/** The cursor that a text names; undefined when it is none of this deployment's. */
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

// The numbering, then times and rows, which are -1 ahead of the first.
const CURSOR =
  /^(?:(\d{1,9})@)?(-?\d{1,19})-(-1|\d{1,19})(?:-(-1|\d{1,19})(?:-(-?\d{1,19})-(-1|\d{1,19})-(-1|\d{1,19}))?)?$/;

/** A cursor as text; `parseCursor` reads it. */
export function cursorAsText({ time, row, seen, late, numbering }: ReadCursor): string {
  const parts = [time, row, seen, late?.time, late?.row, late?.seen];
  const text = parts.filter((part) => part !== undefined).join('-');
  return numbering === undefined ? text : `${numbering}@${text}`;
}

/** A cursor with the rows that it names replaced, in the order in which `rowsOf` gives them. */
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

/**
 * Where a reader is after a page that began at `from`: `greatest` is the place of its newest event, and `last` the
 * last row that the dataset had.
 */
export function afterPage(
  from: ReadCursor | undefined,
  greatest: Cursor,
  last: bigint,
): ReadCursor {
  // No more was read than the rows that the page was about.
  const seen = from?.late?.seen ?? last;
  if (from?.seen === undefined || !isBefore(greatest, from)) return { ...greatest, seen };
  // A page of late events alone: there may be more of them, and what follows the cursor is still to come.
  return { time: from.time, row: from.row, seen: from.seen, late: { ...greatest, seen } };
}

/** The same after a page without events; undefined where the reader is where it was. */
export function afterEmptyPage(from: ReadCursor | undefined): ReadCursor | undefined {
  if (from?.late === undefined) return undefined;
  return { time: from.time, row: from.row, seen: from.late.seen };
}

function isBefore(a: Cursor, b: Cursor): boolean {
  return a.time < b.time || (a.time === b.time && a.row < b.row);
}
