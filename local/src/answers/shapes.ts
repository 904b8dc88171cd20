/**
 * The shapes of an answer. Each says which texts the engine makes of a slice of rows, and what stands
 * around them; `slices.ts` reads the slices.
 */
import type { PlannedTable, TimeRange } from '../planner/plan.ts';
import { jsonOf } from '../store/json.ts';
import { quoteText } from '../store/sql.ts';
import { formatNanos } from '../time.ts';

/** A row-wise or column-wise part of a table: the SQL of the JSON text of one row of it. */
export interface Part {
  /** What stands before the rows' texts, which are joined by commas, and after them. */
  readonly open: string;
  readonly row: string;
  readonly close: string;
}

/** The JSON text of a column of the temporary table that holds a result. */
function cell(table: PlannedTable, index: number): string {
  return jsonOf(table.columns[index]!.type, `c${index}`);
}

/** `columns`: a list for each field. */
export function columnParts(table: PlannedTable): readonly Part[] {
  const last = table.columns.length - 1;
  return table.columns.map((_, i) => ({
    open: i === 0 ? '"columns":[[' : ',[',
    row: cell(table, i),
    close: i === last ? ']]' : ']',
  }));
}

/** `rows`: a list for each row. */
export function rowParts(table: PlannedTable): readonly Part[] {
  const cells = table.columns.map((_, i) => cell(table, i));
  const row = `concat('[', ${joined(cells)}, ']')`;
  return [{ open: '"rows":[', row, close: ']' }];
}

/** The SQL of the JSON text of a row, as an object. */
export function rowPart(table: PlannedTable): string {
  return objectOf(table.columns.map(({ name }, i) => [name, cell(table, i)] as const));
}

function joined(texts: readonly string[]): string {
  return texts.length === 0 ? "''" : texts.join(", ',', ");
}

/** The members of an object, as SQL that gives its text. */
function objectOf(members: readonly (readonly [name: string, value: string])[]): string {
  if (members.length === 0) return "'{}'";
  const texts = members.map(([name, value], i) => {
    const start = `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`;
    return `${quoteText(start)}, ${value}`;
  });
  return `concat(${texts.join(', ')}, '}')`;
}

const systemFields = new Set(['_time', '_sysTime']);

/** Events of the older shape. What the query left out of an event is told by the row itself, or by `now`. */
export function matchPart(table: PlannedTable, now: string): Part {
  const place = new Map(table.columns.map(({ name }, i) => [name, i]));
  const of = (name: string, otherwise: string): string => {
    const index = place.get(name);
    return index !== undefined && table.columns[index]!.type === 'datetime'
      ? `coalesce(nullif(${cell(table, index)}, 'null'), ${otherwise})`
      : otherwise;
  };
  const [time, row] = cursorColumns(table);
  const told = table.cursor ? jsonOf('datetime', time) : quoteText(JSON.stringify(now));
  const happened = of('_time', told);
  const id = table.cursor
    ? `concat('"${table.cursor.numbering}@', epoch_ns(${time}), '-', ${row}, '"')`
    : `concat('"', rowid, '"')`;
  const data = table.columns.flatMap(({ name, type }, i) =>
    systemFields.has(name) && type === 'datetime' ? [] : [[name, cell(table, i)] as const],
  );
  const members = [
    ['_time', happened],
    ['_sysTime', of('_sysTime', happened)],
    ['_rowId', id],
    ['data', objectOf(data)],
  ] as const;
  return { open: '"matches":[', row: objectOf(members), close: ']' };
}

/** The hidden columns behind the others that say where an event is: its time, and its row. */
export function cursorColumns(table: PlannedTable): readonly [time: string, row: string] {
  const { length } = table.columns;
  return [`c${length}`, `c${length + 1}`];
}

/** The hidden column behind all others that tells how many rows were aggregated. */
export function countColumn(table: PlannedTable): string {
  return `c${table.columns.length + (table.cursor ? 2 : 0)}`;
}

/** A group of the older shape: what it is grouped by, and its aggregates. */
function groupOf(table: PlannedTable): string {
  const time = table.buckets?.field;
  const groups = table.columns.flatMap(({ name }, i) =>
    table.groups.includes(name) && name !== time ? [[name, cell(table, i)] as const] : [],
  );
  const aggregates = table.columns.flatMap(({ name }, i) =>
    table.groups.includes(name)
      ? []
      : [
          objectOf([
            ['op', quoteText(JSON.stringify(name))],
            ['value', cell(table, i)],
          ]),
        ],
  );
  const key = objectOf(groups);
  const list = aggregates.length === 0 ? "'[]'" : `concat('[', ${joined(aggregates)}, ']')`;
  // Ids tell groups apart; half of the hash keeps them exact in a double.
  return objectOf([
    ['id', `hash(${key}) // 4294967296`],
    ['group', key],
    ['aggregations', list],
  ]);
}

/** The totals of the older shape; `after` is what separates them from a part of the same table. */
export function totalsPart(table: PlannedTable, after: '' | ',' = ''): Part {
  return { open: `${after}"totals":[`, row: groupOf(table), close: ']' };
}

/** The series of the older shape where nothing is grouped by time: one interval, which is the range. */
export function intervalPart(table: PlannedTable, { start, end }: TimeRange): Part {
  const times = `"startTime":"${formatNanos(start)}","endTime":"${formatNanos(end)}"`;
  return { open: `"series":[{${times},"groups":[`, row: groupOf(table), close: ']}]' };
}

/** The SQL of a table with one row for each interval of the first rows of a time series, `c0` being its JSON text. */
export function seriesSql(table: PlannedTable, rows: string, count: number): string {
  const { field, size } = table.buckets!;
  const index = table.columns.findIndex(({ name }) => name === field);
  const end = `make_timestamp_ns(epoch_ns(c${index}) + ${size})`;
  const interval = objectOf([
    ['startTime', jsonOf('datetime', 'start_time')],
    ['endTime', jsonOf('datetime', 'end_time')],
    ['groups', `concat('[', groups, ']')`],
  ]);
  return `SELECT ${interval} AS c0 FROM (
    SELECT c${index} AS start_time, ${end} AS end_time, string_agg(${groupOf(table)}, ',') AS groups
    FROM ${rows} WHERE rowid < ${count} AND c${index} IS NOT NULL GROUP BY ALL ORDER BY start_time)`;
}

export const seriesPart: Part = { open: '"series":[', row: 'c0', close: ']' };
