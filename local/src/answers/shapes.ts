/** Defines the formats of answers: SQL that converts rows to JSON, and the strings around the rows. */
import type { AnswerSql } from '../engines/answers.ts';
import type { PlannedTable, TimeRange } from '../planner/plan.ts';
import { quoteText } from '../store/sql.ts';
import { formatNanos } from '../time.ts';

/** An array in an answer's JSON, and the SQL for an item of it. */
export interface Part {
  readonly open: string;
  readonly row: string;
  readonly close: string;
}

/** Returns SQL for a value's JSON. The columns of the result rows are named `c0`, `c1` and so on. */
function cell(table: PlannedTable, index: number, sql: AnswerSql): string {
  return sql.cell(table.columns[index]!.type, `c${index}`);
}

export function columnParts(table: PlannedTable, sql: AnswerSql): readonly Part[] {
  const last = table.columns.length - 1;
  return table.columns.map((_, i) => ({
    open: i === 0 ? '"columns":[[' : ',[',
    row: cell(table, i, sql),
    close: i === last ? ']]' : ']',
  }));
}

export function rowParts(table: PlannedTable, sql: AnswerSql): readonly Part[] {
  const cells = table.columns.map((_, i) => cell(table, i, sql));
  const row = `concat('[', ${joinCells(cells)}, ']')`;
  return [{ open: '"rows":[', row, close: ']' }];
}

export function rowPart(table: PlannedTable, sql: AnswerSql): string {
  return objectOf(table.columns.map(({ name }, i) => [name, cell(table, i, sql)] as const));
}

function joinCells(cells: readonly string[]): string {
  return cells.length === 0 ? "''" : cells.join(", ',', ");
}

function objectOf(members: readonly (readonly [name: string, value: string])[]): string {
  if (members.length === 0) return "'{}'";
  const items = members.map(([name, value], i) => {
    const start = `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`;
    return `${quoteText(start)}, ${value}`;
  });
  return `concat(${items.join(', ')}, '}')`;
}

const systemFields = new Set(['_time', '_sysTime']);

/**
 * Returns the part for the events in the legacy format. A missing `_time` is taken from the row's cursor, if it has
 * one, and otherwise is `now`. A missing `_sysTime` is the event's time.
 */
export function matchPart(table: PlannedTable, now: string, sql: AnswerSql): Part {
  const indexByName = new Map(table.columns.map(({ name }, i) => [name, i]));
  const of = (name: string, otherwise: string): string => {
    const index = indexByName.get(name);
    return index !== undefined && table.columns[index]!.type === 'datetime'
      ? `coalesce(nullif(${cell(table, index, sql)}, 'null'), ${otherwise})`
      : otherwise;
  };
  const [time, row] = cursorColumns(table);
  const fallback = table.cursor ? sql.cell('datetime', time) : quoteText(JSON.stringify(now));
  const eventTime = of('_time', fallback);
  const id = table.cursor
    ? `concat('"${table.cursor.numbering}@', epoch_ns(${time}), '-', ${row}, '"')`
    : `concat('"', rowid, '"')`;
  const data = table.columns.flatMap(({ name, type }, i) =>
    systemFields.has(name) && type === 'datetime' ? [] : [[name, cell(table, i, sql)] as const],
  );
  const members = {
    _time: eventTime,
    _sysTime: of('_sysTime', eventTime),
    _rowId: id,
    data: objectOf(data),
  };
  return { open: '"matches":[', row: objectOf(Object.entries(members)), close: ']' };
}

export function cursorColumns(table: PlannedTable): readonly [time: string, row: string] {
  const { length } = table.columns;
  return [`c${length}`, `c${length + 1}`];
}

export function countColumn(table: PlannedTable): string {
  return `c${table.columns.length + (table.cursor ? 2 : 0)}`;
}

function groupOf(table: PlannedTable, sql: AnswerSql): string {
  const time = table.buckets?.field;
  const groups = table.columns.flatMap(({ name }, i) =>
    table.groups.includes(name) && name !== time ? [[name, cell(table, i, sql)] as const] : [],
  );
  const aggregates = table.columns.flatMap(({ name }, i) => {
    if (table.groups.includes(name)) return [];
    const op = quoteText(JSON.stringify(name));
    return objectOf(Object.entries({ op, value: cell(table, i, sql) }));
  });
  const key = objectOf(groups);
  const list = aggregates.length === 0 ? "'[]'" : `concat('[', ${joinCells(aggregates)}, ']')`;
  return objectOf(Object.entries({ id: sql.groupId(key), group: key, aggregations: list }));
}

/** Returns the array of legacy totals. `after` is the separator between a preceding part and the totals. */
export function totalsPart(table: PlannedTable, sql: AnswerSql, after: '' | ',' = ''): Part {
  return { open: `${after}"totals":[`, row: groupOf(table, sql), close: ']' };
}

/** Returns the part for the only interval: without time bins, this is the entire time range. */
export function intervalPart(table: PlannedTable, { start, end }: TimeRange, sql: AnswerSql): Part {
  const times = `"startTime":"${formatNanos(start)}","endTime":"${formatNanos(end)}"`;
  return { open: `"series":[{${times},"groups":[`, row: groupOf(table, sql), close: ']}]' };
}

/** Returns SQL that reads the first `count` rows and produces the intervals as JSON in `c0`. */
export function seriesSql(
  table: PlannedTable,
  rows: string,
  count: number,
  sql: AnswerSql,
): string {
  const { field, size } = table.buckets!;
  const index = table.columns.findIndex(({ name }) => name === field);
  const end = `make_timestamp_ns(epoch_ns(c${index}) + ${size})`;
  const interval = {
    startTime: sql.cell('datetime', 'start_time'),
    endTime: sql.cell('datetime', 'end_time'),
    groups: `concat('[', groups, ']')`,
  };
  return `SELECT ${objectOf(Object.entries(interval))} AS c0 FROM (
    SELECT c${index} AS start_time, ${end} AS end_time, string_agg(${groupOf(table, sql)}, ',') AS groups
    FROM ${rows} WHERE rowid < ${count} AND c${index} IS NOT NULL GROUP BY 1, 2 ORDER BY start_time)`;
}

export const seriesPart: Part = { open: '"series":[', row: 'c0', close: ']' };

/** Column with the dataset's last row number, which is the same in every row. */
export const LAST_ROW = 'last_row';

/** Returns SQL for the rows, with one row beyond the default limit, so that dropped rows are detected. */
export function rowsSql(table: PlannedTable): string {
  const hidden = table.cursor ? [...cursorColumns(table)] : [];
  if (table.hasRowCount) hidden.push(countColumn(table));
  const columns = [...table.columns.map((_, index) => `c${index}`), ...hidden].join(', ');
  const { lastRowSql } = table;
  // Read the row number in the same statement, so that it is consistent with the rows.
  const last = lastRowSql === undefined ? '' : `, (${lastRowSql}) AS ${LAST_ROW}`;
  return `SELECT *${last} FROM (${table.cut?.sql ?? table.sql}) AS t(${columns})`;
}
