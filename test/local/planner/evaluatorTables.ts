/** In plain JavaScript, what makes one table of several, or many rows of one: join, union and mv-expand. */
import {
  type Column,
  demand,
  type Expression,
  inAnyOrder,
  ofDataset,
  type Row,
  rowsOf,
  type Table,
} from './evaluator.ts';
import {
  Ambiguous,
  asDynamic,
  type Cell,
  compare,
  inRange,
  isBag,
  isList,
  type Json,
  keyOf,
  type Type,
  Unordered,
} from './evaluatorValues.ts';

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
    const wholes = items.map(({ expression }) => expression.of(row));
    const lists = wholes.map((whole) => elements(whole, options.bags).slice(0, options.limit));
    const loose = wholes.some((whole) => whole instanceof Unordered && whole.length > 1);
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

/** What is no array or bag is its own only element, null too. */
function elements(of: Cell, bags: boolean): readonly Json[] {
  if (isList(of)) return of;
  if (!isBag(of)) return [of];
  return Object.entries(of).map(([key, item]) => (bags ? { [key]: item } : [key, item]));
}

function typed(of: Json, to: Expansion['to']): Cell {
  if (of === null || to === undefined) return of;
  if (to === 'string') {
    if (typeof of === 'object') throw new Ambiguous('the text of an array or bag');
    // Past this, JSON writes a real otherwise than tostring does.
    if (typeof of === 'number' && Math.abs(of) >= 1e15)
      throw new Ambiguous('the text of a large real');
    return String(of);
  }
  if (typeof of === 'string') return /^[+-]?\d+$/.test(of) ? inRange(BigInt(of)) : null;
  if (typeof of === 'boolean') return of ? 1n : 0n;
  if (typeof of === 'number') return inRange(BigInt(Math.trunc(of)));
  return typeof of === 'bigint' ? of : null;
}
