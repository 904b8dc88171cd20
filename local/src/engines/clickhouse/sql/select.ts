/** Translates queries: SELECTs, joins and unions. */
import { aggregateOf } from './aggregates.ts';
import { coerced } from './casts.ts';
import type { Column, Context, TranslatedQuery } from './context.ts';
import { translate } from './expressions.ts';
import { newVariable } from './lists.ts';
import { NotOnEngine } from './notOnEngine.ts';
import { groupKey } from './operators.ts';
import type { Branch, Node, Query, Select, Source } from './tree.ts';
import { commonType, listOf, scalarType, type Type, typeName } from './types.ts';
import { nullTest, quotedName, quotedText, required, scalar, type Value } from './value.ts';

/** Returns the columns of a stored table, which is written as `"schema"."table"`. */
export type ColumnsOf = (table: string) => readonly Column[] | undefined;

interface Tables {
  readonly shared: ReadonlyMap<string, readonly Column[]>;
  readonly columnsOf: ColumnsOf;
}

/** `names`: the names of the columns, if they differ from those in the query. */
export function translateQuery(
  query: Query,
  tables: Tables,
  names?: readonly string[],
): TranslatedQuery {
  const shared = new Map(tables.shared);
  const written = query.tables.map(({ name, query: inner }) => {
    const { sql, columns } = translateQuery(inner, { ...tables, shared });
    shared.set(name, columns);
    return `${quotedName(name)} AS (\n${sql}\n)`;
  });
  const inner = { ...tables, shared };
  const start = written.length === 0 ? '' : `WITH ${written.join(',\n')}\n`;
  const [first, ...others] = query.branches;
  if (first?.kind === 'select' && others.length === 0) {
    const { sql, columns } = translateSelect(first, inner, names);
    return { sql: start + sql, columns };
  }
  return renamed(translateUnion(query.branches, inner, start), names);
}

function translateUnion(all: readonly Branch[], tables: Tables, start: string): TranslatedQuery {
  const branches = all.map((branch) => translateBranch(branch, tables));
  if (branches.length === 1) return { ...branches[0]!, sql: start + branches[0]!.sql };
  const columns = unitedColumns(branches.map((branch) => branch.columns));
  const parts = branches.map((branch) => {
    const items = columns.map(({ name, type }, i) => {
      const from = branch.columns[i] as Column;
      const value = { sql: `_part.${quotedName(from.name)}`, type: from.type };
      return `${typed(coerced(value, type))} AS ${quotedName(name)}`;
    });
    return `SELECT ${items.join(', ')} FROM (\n${branch.sql}\n) AS _part`;
  });
  return { sql: start + parts.join('\nUNION ALL\n'), columns };
}

function unitedColumns(branches: readonly (readonly Column[])[]): readonly Column[] {
  return branches[0]!.map(({ name, type }, i) => ({
    name,
    type: branches.map((columns) => columns[i]!.type).reduce(commonType, type),
  }));
}

/** Casts a value whose SQL may have a narrower type, such as an untyped null. */
function typed({ sql, type }: Value): string {
  return `CAST(${sql}, ${quotedText(typeName(type))})`;
}

function translateBranch(branch: Branch, tables: Tables): TranslatedQuery {
  return branch.kind === 'values'
    ? translateValues(branch.rows, tables)
    : translateSelect(branch, tables);
}

function translateValues(rows: readonly (readonly Node[])[], tables: Tables): TranslatedQuery {
  const context = contextOf([], tables);
  const cells = rows.map((row) => row.map((cell) => translate(cell, context)));
  const columns = cells[0]!.map((_, i) => ({
    name: `col${i}`,
    type: cells.map((row) => row[i]!.type).reduce(commonType),
  }));
  const types = columns.map(({ type }) => (type.kind === 'null' ? scalarType('json') : type));
  const tuples = cells.map(
    (row) => `tuple(${row.map((cell, i) => coerced(cell, types[i]!).sql).join(', ')})`,
  );
  const type = quotedText(`Array(Tuple(${types.map(typeName).join(', ')}))`);
  const items = columns.map(({ name }, i) => `_row.${i + 1} AS ${name}`);
  const read = `arrayJoin(CAST([${tuples.join(',\n')}], ${type})) AS _row`;
  return {
    sql: `SELECT ${items.join(', ')} FROM (SELECT ${read}) AS _rows`,
    columns: columns.map(({ name }, i) => ({ name, type: types[i]! })),
  };
}

/** A relation in FROM. */
interface Relation {
  readonly alias: string;
  readonly columns: readonly Column[];
}

interface From {
  readonly sql: string;
  readonly relations: readonly Relation[];
}

function contextOf(
  relations: readonly Relation[],
  tables: Tables,
  outer: Context['column'] = () => undefined,
): Context {
  return {
    bindings: new Map(),
    attempt: false,
    ...varyingOf(relations),
    column: (table, name) => {
      for (const { alias, columns } of relations) {
        if (table !== undefined && table !== alias) continue;
        const found = named(columns, name);
        if (found) return columnValue(alias, found);
      }
      return outer(table, name);
    },
    query: (query) => translateQuery(query, tables),
    aggregate: aggregateOf(translate),
  };
}

/** Finds a column by its name. Tables may have names that differ only in case, which DuckDB doesn't distinguish. */
function named<T extends { readonly name: string }>(
  all: readonly T[],
  name: string,
): T | undefined {
  const lower = name.toLowerCase();
  return (
    all.find((one) => one.name === name) ?? all.find((one) => one.name.toLowerCase() === lower)
  );
}

/** Translates an expression of a relation's columns. */
export function translateOver(node: Node, columns: readonly Column[]): Value {
  const tables = { shared: new Map(), columnsOf: () => undefined };
  return translate(node, contextOf([{ alias: 't', columns }], tables));
}

/** Returns all columns, because some may be constant. */
function varyingOf(relations: readonly Relation[]): Pick<Context, 'varying'> {
  const all = allColumns(relations).map(({ value }) => value.sql);
  return all.length === 0 ? {} : { varying: all.join(', ') };
}

function translateFrom(source: Source, tables: Tables): From {
  switch (source.kind) {
    case 'table': {
      const name = source.path.map(quotedName).join('.');
      const [first = ''] = source.path;
      const shared = source.path.length === 1 ? tables.shared.get(first) : undefined;
      const known = shared ?? tables.columnsOf(name);
      if (known === undefined) throw new Error(`The table ${name} is unknown.`);
      const alias = source.alias || '_rows';
      return { sql: `${name} AS ${alias}`, relations: [{ alias, columns: known }] };
    }
    case 'derived': {
      const inner = translateQuery(source.query, tables, source.columns);
      const alias = source.alias || '_rows';
      return {
        sql: `(\n${inner.sql}\n) AS ${alias}`,
        relations: [{ alias, columns: inner.columns }],
      };
    }
    case 'join':
      return translateJoin(source, tables);
  }
}

function renamed({ sql, columns }: TranslatedQuery, names?: readonly string[]): TranslatedQuery {
  const nameAt = (i: number) => names?.[i] ?? (columns[i] as Column).name;
  if (columns.every(({ name }, i) => nameAt(i) === name)) return { sql, columns };
  const items = columns.map(
    ({ name }, i) => `_part.${quotedName(name)} AS ${quotedName(nameAt(i))}`,
  );
  return {
    sql: `SELECT ${items.join(', ')} FROM (\n${sql}\n) AS _part`,
    columns: columns.map(({ type }, i) => ({ name: nameAt(i), type })),
  };
}

const joinWords: Readonly<Record<string, string>> = {
  INNER: 'INNER JOIN',
  LEFT: 'LEFT JOIN',
  RIGHT: 'RIGHT JOIN',
  FULL: 'FULL JOIN',
  SEMI: 'LEFT SEMI JOIN',
  ANTI: 'LEFT ANTI JOIN',
};

function translateJoin(source: Source & { kind: 'join' }, tables: Tables): From {
  const [left, right] = [translateFrom(source.left, tables), translateFrom(source.right, tables)];
  const relations = [...left.relations, ...right.relations];
  const on = translate(source.on, { ...contextOf(relations, tables), joins: true });
  return { sql: `${left.sql}\n${joinWords[source.type]} ${right.sql}\nON ${on.sql}`, relations };
}

interface Item {
  readonly value: Value;
  readonly name: string;
  /** The list that \`unnest\` expands. */
  readonly expands?: boolean;
}

function translateSelect(
  select: Select,
  tables: Tables,
  names?: readonly string[],
): TranslatedQuery {
  const { from: source } = select;
  if (source?.kind === 'derived' && selectsAll(select))
    return renamed(translateQuery(source.query, tables, source.columns), names);
  const from = select.from && translateFrom(select.from, tables);
  const relations = from?.relations ?? [];
  const context = contextOf(relations, tables);
  const groups = new Set(select.groups.map(indexOfGroup));
  const asKey = (of: Value, i: number) => (select.distinct || groups.has(i) ? groupKey(of) : of);
  const items = select.items.flatMap(({ value, alias }, i): Item[] => {
    if (value.kind === 'star') return allColumns(relations);
    const summed = summedOverAll(value, select.from);
    if (summed !== undefined)
      return [{ value: sumOverAll(translate(summed, context)), name: alias ?? nameOf(value, i) }];
    const isExpansion = value.kind === 'call' && value.name === 'unnest';
    const of = translate(isExpansion ? (value.args[0] as Node) : value, context);
    const name = alias ?? nameOf(value, i);
    return [{ value: asKey(of, i), name, ...(isExpansion && { expands: true }) }];
  });
  const expanded = items.filter(({ expands }) => expands);
  const written = expanded.length === 0 ? items : expansion(items);
  const { joins = '', shown: named } = 'shown' in written ? written : { shown: written };
  const shown = withUniqueNames(named);
  // The conditions and the order of the query use expressions, so its columns can have any names.
  const nameAt = (i: number) => names?.[i] ?? (shown[i] as Item).name;
  const list = shown.map(({ value }, i) => `${value.sql} AS ${quotedName(nameAt(i))}`);
  const lines = [
    `SELECT ${select.distinct ? 'DISTINCT ' : ''}${list.length === 0 ? '1' : list.join(', ')}`,
  ];
  if (from !== undefined) lines.push(`FROM ${from.sql}`);
  else if (joins !== '') lines.push('FROM system.one');
  if (joins !== '') lines.push(joins);
  const tests = select.where === undefined ? [] : [translate(select.where, context).sql];
  if (select.from?.sample !== undefined) {
    const percent = translate(select.from.sample, context).sql;
    const random = translate(
      { kind: 'call', name: 'random', args: [], distinct: false, order: [] },
      context,
    ).sql;
    tests.push(`${random} * 100 < ${percent}`);
  }
  if (tests.length > 0) lines.push(`WHERE ${tests.join(' AND ')}`);
  if (select.groups.length > 0)
    lines.push(
      `GROUP BY ${select.groups.map((group) => shown[indexOfGroup(group)]!.value.sql).join(', ')}`,
    );
  if (select.order.length > 0) {
    const orders = select.order.flatMap((order) => orderOf(order, shown, context));
    lines.push(`ORDER BY ${orders.join(', ')}`);
  }
  if (select.limit !== undefined) lines.push(`LIMIT ${translate(select.limit, context).sql}`);
  const columns = shown.map(({ value }, i) => ({
    name: nameAt(i),
    type: value.type.kind === 'null' ? scalarType('json') : value.type,
  }));
  return { sql: lines.join('\n'), columns };
}

/**
 * Returns the column that a subquery sums over all rows of the table that the query reads. ClickHouse computes a shared
 * table each time it is read, so the sum must not read it again.
 */
function summedOverAll(value: Node, from: Source | undefined): Node | undefined {
  const [inner] = value.kind === 'query' ? value.query.branches : [];
  if (from?.kind !== 'table' || inner?.kind !== 'select') return undefined;
  const { from: same, where, groups, items } = inner;
  const of = items[0]?.value;
  const sum = of?.kind === 'cast' && of.type === 'BIGINT' ? of.of : undefined;
  const isSame = same?.kind === 'table' && same.path.join('.') === from.path.join('.');
  if (!isSame || where !== undefined || groups.length > 0) return undefined;
  return sum?.kind === 'call' && sum.name === 'sum' ? sum.args[0] : undefined;
}

/** Sums row counts, which are too small for an overflow. */
function sumOverAll({ sql }: Value): Value {
  return scalar(`toInt64(sumOrNull(${sql}) OVER ())`, 'int');
}

/** Returns whether a query returns the rows of its source. ClickHouse takes time for each level of queries. */
function selectsAll({ items, from, where, groups, order, limit, distinct }: Select): boolean {
  const isPlain = where === undefined && limit === undefined && from?.sample === undefined;
  const [item] = items;
  const isAll = items.length === 1 && item?.value.kind === 'star' && !distinct;
  return isAll && isPlain && groups.length === 0 && order.length === 0;
}

/** DuckDB allows several columns with a name, of which none is read by it. */
function withUniqueNames(items: readonly Item[]): readonly Item[] {
  const taken = new Set<string>();
  return items.map((item) => {
    let { name } = item;
    for (let n = 2; taken.has(name); n++) name = `${item.name} (${n})`;
    taken.add(name);
    return name === item.name ? item : { ...item, name };
  });
}

function nameOf(value: Node, i: number): string {
  return value.kind === 'name' ? value.name : `column ${i}`;
}

function allColumns(relations: readonly Relation[]): Item[] {
  return relations.flatMap(({ alias, columns }) =>
    columns.flatMap((column) =>
      column.hidden ? [] : [{ name: column.name, value: columnValue(alias, column) }],
    ),
  );
}

function columnValue(alias: string, { name, stored = name, type }: Column): Value {
  return { sql: `${alias}.${quotedName(stored)}`, type };
}

/** Expands lists in parallel. The shorter lists are filled with nulls. */
function expansion(items: readonly Item[]): {
  readonly joins: string;
  readonly shown: readonly Item[];
} {
  const lists = items.filter(({ expands }) => expands).map(({ value }) => presentList(value));
  const position = newVariable();
  const length =
    lists.length === 1
      ? `length(${lists[0]!.sql})`
      : `greatest(${lists.map(({ sql }) => `length(${sql})`).join(', ')})`;
  const joins = `ARRAY JOIN range(1, ${length} + 1) AS ${position}`;
  let next = 0;
  const shown = items.map((item): Item => {
    if (!item.expands) return item;
    const { sql, of } = lists[next++]!;
    if (of.kind === 'list' || of.kind === 'struct') throw new NotOnEngine('unnest() of lists');
    return { name: item.name, value: { sql: `arrayElementOrNull(${sql}, ${position})`, type: of } };
  });
  return { joins, shown };
}

function presentList(value: Value): { readonly sql: string; readonly of: Type } {
  if (value.type.kind !== 'list') throw new NotOnEngine(`unnest() of ${value.type.kind}`);
  const { sql } = required(value);
  const test = nullTest(value);
  return {
    sql:
      test === undefined
        ? sql
        : `if(${test}, CAST([], ${quotedText(typeName(listOf(value.type.of)))}), ${sql})`,
    of: value.type.of,
  };
}

function indexOfGroup(group: Node): number {
  if (group.kind !== 'number') throw new NotOnEngine('GROUP BY of an expression');
  return Number(group.text) - 1;
}

/** Sorts NaN above all numbers, whatever the place of nulls. */
function orderOf(
  { by, desc, nullsFirst }: Select['order'][number],
  items: readonly Item[],
  context: Context,
): string[] {
  const bare = by.kind === 'name' && by.table === undefined ? by.name : undefined;
  const item = bare === undefined ? undefined : named(items, bare);
  const value = item?.value ?? translate(by, context);
  const direction = desc ? 'DESC' : 'ASC';
  if (value.type.kind === 'list' || value.type.kind === 'struct')
    throw new NotOnEngine(`ORDER BY of ${value.type.kind}`);
  const key = `${value.sql} ${direction} NULLS ${nullsFirst ? 'FIRST' : 'LAST'}`;
  if (value.type.kind !== 'double') return [key];
  return [
    `isNull(${value.sql}) ${nullsFirst ? 'DESC' : 'ASC'}`,
    `isNaN(${value.sql}) ${direction}`,
    key,
  ];
}
