/**
 * APL's tables evaluated in plain JavaScript, row by row: what the planner's answers are held against. It
 * follows the language's documents and shares nothing with the planner. Rows stand in classes: those of one
 * class may come in any order, as after a sort that they tie in.
 */
import { Ambiguous, type Cell, compare, keyOf, type Type, Unfit } from './evaluatorValues.ts';

export interface Column {
  readonly name: string;
  readonly type: Type;
}

export type Row = ReadonlyMap<string, Cell>;

export interface Table {
  readonly columns: readonly Column[];
  readonly classes: readonly (readonly Row[])[];
  /** How many rows of the last class are there; which, nothing fixes. All of them when it is absent. */
  readonly choose?: number;
  /** The columns that grouped, as long as an order of the groups may still be implied. */
  readonly groups?: ReadonlySet<string>;
  /** Whether a sort of the query's own fixed the order. */
  readonly sorted?: boolean;
  /** The dataset whose rows these are. */
  readonly dataset?: string;
}

/** A typed computation over a row. */
export interface Expression {
  readonly type: Type;
  readonly text: string;
  /** The columns that it reads, with the types that it reads them as. */
  readonly uses: readonly Column[];
  readonly of: (row: Row) => Cell;
}

export interface Item {
  readonly name: string;
  readonly expression: Expression;
}

export function rowsOf(table: Table): readonly Row[] {
  if (table.choose !== undefined) throw new Ambiguous('some of several rows');
  return table.classes.flat();
}

export function inAnyOrder(columns: readonly Column[], rows: readonly Row[]): Table {
  return { columns, classes: rows.length === 0 ? [] : [rows] };
}

/** Throws `Unfit` unless the table has the columns that an expression reads. */
export function demand(table: Table, ...expressions: readonly Expression[]): void {
  for (const { name, type } of expressions.flatMap(({ uses }) => uses)) {
    if (!table.columns.some((column) => column.name === name && column.type === type)) {
      throw new Unfit(name);
    }
  }
}

export function ofDataset({ dataset }: Table): { dataset?: string } {
  return dataset === undefined ? {} : { dataset };
}

function mapRows(table: Table, columns: readonly Column[], change: (row: Row) => Row): Table {
  const { groups: _, ...kept } = table;
  return { ...kept, columns, classes: table.classes.map((rows) => rows.map(change)) };
}

// ── Rows ──────────────────────────────────────────────────────────────────────────────────────────

export function where(table: Table, test: Expression): Table {
  demand(table, test);
  rowsOf(table);
  const classes = table.classes.map((rows) => rows.filter((row) => test.of(row) === true));
  return { ...table, classes: classes.filter((rows) => rows.length > 0) };
}

export interface SortKey {
  readonly expression: Expression;
  readonly desc: boolean;
  readonly nullsFirst: boolean;
}

export function sort(table: Table, keys: readonly SortKey[]): Table {
  demand(table, ...keys.map(({ expression }) => expression));
  const sorted = rowsOf(table)
    .map((row) => ({ row, cells: keys.map(({ expression }) => expression.of(row)) }))
    .sort((a, b) => compareKeys(a.cells, b.cells, keys));
  const classes: Row[][] = [];
  for (const [i, { row, cells }] of sorted.entries()) {
    const before = sorted[i - 1];
    const last = classes.at(-1);
    if (before && last && compareKeys(before.cells, cells, keys) === 0) last.push(row);
    else classes.push([row]);
  }
  return { ...ofDataset(table), columns: table.columns, classes, sorted: true };
}

function compareKeys(
  left: readonly Cell[],
  right: readonly Cell[],
  keys: readonly { readonly desc: boolean; readonly nullsFirst: boolean }[],
): number {
  for (const [i, { desc, nullsFirst }] of keys.entries()) {
    const [a, b] = [left[i] ?? null, right[i] ?? null];
    if (a === null && b === null) continue;
    if (a === null || b === null) return (a === null) === nullsFirst ? -1 : 1;
    const order = compare(a, b);
    if (order !== 0) return desc ? -order : order;
  }
  return 0;
}

export function limit(table: Table, count: number): Table {
  const ordered = withImpliedOrder(table);
  const classes: (readonly Row[])[] = [];
  let room = count;
  for (const [i, rows] of ordered.classes.entries()) {
    if (room === 0) break;
    const last = i === ordered.classes.length - 1;
    const present = last ? (ordered.choose ?? rows.length) : rows.length;
    classes.push(rows);
    if (present > room || present < rows.length) {
      return { ...ordered, classes, choose: Math.min(present, room) };
    }
    room -= rows.length;
  }
  const { choose: _, ...whole } = ordered;
  return { ...whole, classes };
}

/** Groups that nothing orders stand by their first number, the greatest first. */
export function withImpliedOrder(table: Table): Table {
  const { groups, sorted } = table;
  if (sorted === true || groups === undefined || groups.size === 0) return table;
  const numbers = ['long', 'real', 'timespan'];
  const first = table.columns.find(({ name, type }) => !groups.has(name) && numbers.includes(type));
  if (first === undefined) return table;
  const ranked = sort(table, [{ expression: read(first), desc: true, nullsFirst: false }]);
  return { ...ofDataset(table), columns: table.columns, classes: ranked.classes };
}

/** The column itself as an expression; its text is for the generator to write. */
export function read(column: Column, text = ''): Expression {
  return { ...column, text, uses: [column], of: (row) => row.get(column.name) ?? null };
}

export function distinct(table: Table, columns: readonly Column[]): Table {
  demand(table, ...columns.map((column) => read(column)));
  const found = new Map<string, Row>();
  for (const row of rowsOf(table)) {
    const cells = columns.map(({ name }) => row.get(name) ?? null);
    const key = keyOf(cells);
    if (!found.has(key))
      found.set(key, new Map(columns.map(({ name }, i) => [name, cells[i] ?? null])));
  }
  return inAnyOrder(columns.map(grouped), [...found.values()]);
}

/** A field of several types is dynamic once it groups. */
export function grouped({ name, type }: Column): Column {
  return { name, type: type === 'mixed' ? 'dynamic' : type };
}

// ── Columns ───────────────────────────────────────────────────────────────────────────────────────

/** Items do not see each other; a name that is there already moves to the end. */
export function extend(table: Table, items: readonly Item[]): Table {
  demand(table, ...items.map(({ expression }) => expression));
  const made = new Set(items.map(({ name }) => name));
  const kept = table.columns.filter(({ name }) => !made.has(name));
  const columns = [...kept, ...items.map(({ name, expression: { type } }) => ({ name, type }))];
  return mapRows(table, columns, (row) => {
    const cells = items.map(({ name, expression }) => [name, expression.of(row)] as const);
    return new Map([...row, ...cells]);
  });
}

export function project(table: Table, items: readonly Item[]): Table {
  demand(table, ...items.map(({ expression }) => expression));
  const columns = items.map(({ name, expression: { type } }) => ({ name, type }));
  return mapRows(
    table,
    columns,
    (row) => new Map(items.map(({ name, expression }) => [name, expression.of(row)])),
  );
}
