/**
 * APL's tables evaluated in plain JavaScript, row by row: what the planner's answers are held against. It
 * follows the language's documents and shares nothing with the planner. Rows stand in classes: those of one
 * class may come in any order, as after a sort that they tie in.
 */
import { keyOf } from './evaluatorScalars.ts';
import {
  Ambiguous,
  asDynamic,
  type Cell,
  canonical,
  compare,
  inRange,
  isBag,
  isList,
  type Json,
  type Type,
  Unfit,
  Unordered,
} from './evaluatorValues.ts';

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

function inAnyOrder(columns: readonly Column[], rows: readonly Row[]): Table {
  return { columns, classes: rows.length === 0 ? [] : [rows] };
}

/** Throws `Unfit` unless the table has the columns that an expression reads. */
function demand(table: Table, ...expressions: readonly Expression[]): void {
  for (const { name, type } of expressions.flatMap(({ uses }) => uses)) {
    if (!table.columns.some((column) => column.name === name && column.type === type)) {
      throw new Unfit(name);
    }
  }
}

function ofDataset({ dataset }: Table): { dataset?: string } {
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
function grouped({ name, type }: Column): Column {
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

// ── Groups ────────────────────────────────────────────────────────────────────────────────────────

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

// ── Tables together ───────────────────────────────────────────────────────────────────────────────

export type JoinKind =
  | 'inner'
  | 'innerunique'
  | 'leftouter'
  | 'rightouter'
  | 'fullouter'
  | 'leftsemi'
  | 'leftanti'
  | 'rightsemi'
  | 'rightanti';

export interface Tie {
  readonly left: Expression;
  readonly right: Expression;
}

/** Both keys stay, the right one with a number where its name is taken; a lookup drops the right keys. */
export function join(
  left: Table,
  right: Table,
  kind: JoinKind,
  ties: readonly Tie[],
  dropped: ReadonlySet<string> = new Set(),
): Table {
  demand(left, ...ties.map((tie) => tie.left));
  demand(right, ...ties.map((tie) => tie.right));
  const [lefts, rights] = [rowsOf(left), rowsOf(right)];
  const tied = (l: Row, r: Row) =>
    ties.every((tie) => {
      const [a, b] = [tie.left.of(l), tie.right.of(r)];
      return a !== null && b !== null && compare(a, b) === 0;
    });
  const matches = lefts.map((l) => rights.filter((r) => tied(l, r)));
  const matched = new Set(matches.flat());
  const semi = kind.endsWith('semi');
  if (kind.startsWith('left') && kind !== 'leftouter') {
    return inAnyOrder(
      left.columns,
      lefts.filter((_, i) => matches[i]!.length > 0 === semi),
    );
  }
  if (kind.startsWith('right') && kind !== 'rightouter') {
    return inAnyOrder(
      right.columns,
      rights.filter((r) => matched.has(r) === semi),
    );
  }
  const names = joinedNames(left.columns, right.columns, dropped);
  const columns = [
    ...left.columns,
    ...right.columns.flatMap(({ name, type }) => {
      const to = names.get(name);
      return to === undefined ? [] : [{ name: to, type }];
    }),
  ];
  const pair = (l: Row | undefined, r: Row | undefined): Row =>
    new Map([
      ...left.columns.map(({ name }) => [name, l?.get(name) ?? null] as const),
      ...[...names].map(([from, to]) => [to, r?.get(from) ?? null] as const),
    ]);
  const rows = lefts.flatMap((l, i) => {
    const found = matches[i]!;
    if (kind !== 'innerunique') return found.map((r) => pair(l, r));
    if (new Set(found.map((r) => keyOf([...r.values()]))).size > 1)
      throw new Ambiguous('first match');
    return found.slice(0, 1).map((r) => pair(l, r));
  });
  if (kind === 'leftouter' || kind === 'fullouter') {
    rows.push(...lefts.filter((_, i) => matches[i]!.length === 0).map((l) => pair(l, undefined)));
  }
  if (kind === 'rightouter' || kind === 'fullouter') {
    rows.push(...rights.filter((r) => !matched.has(r)).map((r) => pair(undefined, r)));
  }
  return inAnyOrder(columns, rows);
}

function joinedNames(
  left: readonly Column[],
  right: readonly Column[],
  dropped: ReadonlySet<string>,
): Map<string, string> {
  const taken = new Set(left.map(({ name }) => name));
  const names = new Map<string, string>();
  for (const { name } of right) {
    if (dropped.has(name)) continue;
    let to = name;
    for (let i = 1; taken.has(to); i++) to = `${name}${i}`;
    taken.add(to);
    names.set(name, to);
  }
  return names;
}

/**
 * Columns are merged by name: whole numbers and reals to reals, what differs otherwise to dynamic. A table
 * that is of no dataset is called by its place.
 */
export function union(tables: readonly Table[], source?: string): Table {
  const merged = new Map<string, Type>();
  for (const { name, type } of tables.flatMap(({ columns }) => columns)) {
    const before = merged.get(name);
    merged.set(name, before === undefined ? alone(type) : common(before, type));
  }
  const rows = tables.flatMap((table, i) => {
    const types = new Map(table.columns.map(({ name, type }) => [name, type]));
    return rowsOf(table).map((row): Row => {
      const told =
        source === undefined ? [] : [[source, table.dataset ?? `union_arg${i}`] as const];
      const cells = [...merged].map(([name, type]) => {
        const own = types.get(name);
        return [
          name,
          own === undefined ? null : converted(row.get(name) ?? null, own, type),
        ] as const;
      });
      return new Map<string, Cell>([...told, ...cells]);
    });
  });
  const told: Column[] = source === undefined ? [] : [{ name: source, type: 'string' }];
  return inAnyOrder([...told, ...[...merged].map(([name, type]) => ({ name, type }))], rows);
}

function alone(type: Type): Type {
  return type === 'mixed' ? 'dynamic' : type;
}

function common(left: Type, right: Type): Type {
  if (left === right) return left;
  const numbers = ['long', 'real'];
  return numbers.includes(left) && numbers.includes(right) ? 'real' : 'dynamic';
}

function converted(of: Cell, from: Type, to: Type): Cell {
  if (of === null || from === to) return of;
  return to === 'real' ? Number(of) : asDynamic(of, from);
}

// ── Expansion ─────────────────────────────────────────────────────────────────────────────────────

export interface Expansion {
  readonly name: string;
  readonly expression: Expression;
  readonly to?: 'long' | 'string';
}

/** Rows of one row keep the order of its elements where the rows have an order. */
export function mvExpand(
  table: Table,
  items: readonly Expansion[],
  options: { readonly index?: string; readonly limit?: number; readonly bags: boolean },
): Table {
  demand(table, ...items.map(({ expression }) => expression));
  rowsOf(table);
  const made = new Map<string, Type>(items.map(({ name, to }) => [name, to ?? 'dynamic']));
  const inPlace = [
    ...table.columns.map(({ name, type }) => ({ name, type: made.get(name) ?? type })),
    ...[...made].flatMap(([name, type]) =>
      table.columns.some((column) => column.name === name) ? [] : [{ name, type }],
    ),
  ];
  const { index } = options;
  const columns: Column[] =
    index === undefined
      ? inPlace
      : [...inPlace.filter(({ name }) => name !== index), { name: index, type: 'long' }];
  const expanded = (row: Row): Row[] => {
    const lists = items.map(({ expression }) =>
      elements(expression.of(row), options.bags).slice(0, options.limit),
    );
    const loose = lists.some((list) => list instanceof Unordered && list.length > 1);
    if (loose && (items.length > 1 || index !== undefined || options.limit !== undefined)) {
      throw new Ambiguous('places in a list of no order');
    }
    const length = Math.max(...lists.map((list) => list.length));
    return Array.from({ length }, (_, place) => {
      const cells = items.map(
        ({ name, to }, i) => [name, typed(lists[i]![place] ?? null, to)] as const,
      );
      const counted = index === undefined ? [] : [[index, BigInt(place)] as const];
      return new Map<string, Cell>([...row, ...cells, ...counted]);
    });
  };
  const classes = table.classes.flatMap((rows) => {
    const found = rows.map(expanded);
    const loose = rows.some((row) =>
      items.some(({ expression }) => expression.of(row) instanceof Unordered),
    );
    return rows.length === 1 && !loose ? found[0]!.map((row) => [row]) : [found.flat()];
  });
  const isOrdered = table.sorted === true;
  const all = { ...ofDataset(table), columns };
  if (!isOrdered) return { ...all, ...inAnyOrder(columns, classes.flat()) };
  return { ...all, classes, sorted: true };
}

/** What has no elements is one row with null, and what is no array or bag is its own only element. */
function elements(of: Cell, bags: boolean): readonly Json[] {
  if (isList(of))
    return of.length === 0 ? [null] : of instanceof Unordered ? Unordered.from(of) : of;
  if (!isBag(of)) return [of];
  const entries = Object.entries(of);
  if (entries.length === 0) return [null];
  return entries.map(([key, item]) => (bags ? { [key]: item } : [key, item]));
}

function typed(of: Json, to: Expansion['to']): Cell {
  if (of === null || to === undefined) return of;
  if (to === 'string') {
    if (typeof of === 'object') throw new Ambiguous('the text of an array or bag');
    return String(of);
  }
  if (typeof of === 'string') return /^[+-]?\d+$/.test(of) ? inRange(BigInt(of)) : null;
  if (typeof of === 'boolean') return of ? 1n : 0n;
  if (typeof of === 'number') return inRange(BigInt(Math.trunc(of)));
  return typeof of === 'bigint' ? of : null;
}
