/** `summarize` in plain JavaScript: the groups of a table's rows, and the aggregates over them. */
import {
  demand,
  type Expression,
  grouped,
  type Item,
  inAnyOrder,
  type Row,
  rowsOf,
  type Table,
} from './evaluator.ts';
import {
  Ambiguous,
  asDynamic,
  type Cell,
  canonical,
  compare,
  inRange,
  isList,
  type Json,
  keyOf,
  type Type,
  Unordered,
} from './evaluatorValues.ts';

export interface Aggregate {
  readonly name: string;
  readonly type: Type;
  readonly uses: readonly Expression[];
  /** `ordered` when the rows stand in an order that the query fixed. */
  readonly of: (rows: readonly Row[], ordered: boolean) => Cell;
}

export function summarize(
  table: Table,
  aggregates: readonly Aggregate[],
  groups: readonly Item[],
): Table {
  demand(
    table,
    ...groups.map(({ expression }) => expression),
    ...aggregates.flatMap(({ uses }) => uses),
  );
  const byKey = new Map<string, { cells: Cell[]; rows: Row[] }>();
  const whole = { cells: [], rows: [] };
  if (groups.length === 0) byKey.set('', whole);
  for (const row of rowsOf(table)) {
    const cells = groups.map(({ expression }) => expression.of(row));
    const key = keyOf(cells);
    const found = byKey.get(key);
    if (found === undefined) byKey.set(key, { cells, rows: [row] });
    else found.rows.push(row);
  }
  const ordered = table.sorted === true && table.classes.every((rows) => rows.length === 1);
  const rows = [...byKey.values()].map(
    ({ cells, rows: members }): Row =>
      new Map([
        ...groups.map(({ name }, i) => [name, cells[i] ?? null] as const),
        ...aggregates.map(({ name, of }) => [name, of(members, ordered)] as const),
      ]),
  );
  const keys = groups.map(({ name, expression: { type } }) => grouped({ name, type }));
  const made = aggregates.map(({ name, type }) => ({ name, type }));
  const names = new Set(groups.map(({ name }) => name));
  return { ...inAnyOrder([...keys, ...made], rows), groups: names };
}

interface AggregateRow {
  readonly text: (argument: string) => string;
  readonly takes: readonly Type[];
  readonly result: (type: Type) => Type;
  readonly of: (cells: readonly NonNullable<Cell>[], type: Type, ordered: boolean) => Cell;
}

const comparables: readonly Type[] = ['long', 'real', 'string', 'datetime', 'timespan'];
const amounts: readonly Type[] = ['long', 'real', 'timespan'];
const every: readonly Type[] = [...comparables, 'bool', 'dynamic', 'mixed'];

/** The aggregates of one argument. Nulls do not count. */
export const aggregateRows: readonly AggregateRow[] = [
  {
    text: (a) => `dcount(${a})`,
    takes: every,
    result: () => 'long',
    of: (cells) => BigInt(new Set(cells.map(canonical)).size),
  },
  { text: (a) => `sum(${a})`, takes: amounts, result: (type) => type, of: total },
  { text: (a) => `avg(${a})`, takes: ['long', 'real'], result: () => 'real', of: mean },
  { text: (a) => `min(${a})`, takes: comparables, result: (type) => type, of: extreme(-1) },
  { text: (a) => `max(${a})`, takes: comparables, result: (type) => type, of: extreme(1) },
  {
    text: (a) => `make_list(${a})`,
    takes: every,
    result: () => 'dynamic',
    of: (cells, type, ordered) => {
      const items = listItems(cells, type);
      return ordered ? items : Unordered.from(items);
    },
  },
  {
    text: (a) => `make_set(${a})`,
    takes: every,
    result: () => 'dynamic',
    of: (cells, type) => {
      const items = listItems(cells, type).map((item) => [canonical(item), item] as const);
      return Unordered.from(new Map(items).values());
    },
  },
];

/** The items of an array count one by one. */
function listItems(cells: readonly NonNullable<Cell>[], type: Type): readonly Json[] {
  const items = cells.flatMap((cell) => (isList(cell) ? cell : [asDynamic(cell, type)]));
  if (items.includes(null)) throw new Ambiguous('a null inside an array that is listed');
  return items;
}

function total(cells: readonly NonNullable<Cell>[], type: Type): Cell {
  if (type === 'real') return (cells as number[]).reduce((sum, cell) => sum + cell, 0);
  return inRange((cells as bigint[]).reduce((sum, cell) => sum + cell, 0n));
}

function mean(cells: readonly NonNullable<Cell>[], type: Type): Cell {
  if (cells.length === 0) return null;
  const sum =
    type === 'real'
      ? (total(cells, type) as number)
      : (cells as bigint[]).reduce((a, b) => a + b, 0n);
  return Number(sum) / cells.length;
}

function extreme(sign: 1 | -1) {
  return (cells: readonly NonNullable<Cell>[]): Cell =>
    cells.reduce<Cell>(
      (best, cell) => (best === null || compare(cell, best) * sign > 0 ? cell : best),
      null,
    );
}

/** The cells of the rows that have the greatest key; ties that differ leave the answer open. */
export function greatest(rows: readonly Row[], key: Expression, of: Expression): Cell {
  const keys = rows.map((row) => key.of(row));
  const most = extreme(1)(keys.filter((cell) => cell !== null));
  const best = rows.filter((_, i) =>
    most === null ? true : keys[i] !== null && compare(keys[i]!, most) === 0,
  );
  if (new Set(best.map((row) => canonical(of.of(row)))).size > 1)
    throw new Ambiguous('arg_max ties');
  return best[0] === undefined ? null : of.of(best[0]);
}
