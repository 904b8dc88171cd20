/**
 * Prints a relational plan as SQL. Adjacent nodes share a SELECT if possible; otherwise they are nested. The relation
 * in a SELECT is always called `t`, and the sides of a join are called `l` and `r`, so that no alias can be mistaken
 * for a column.
 */
import { depthOf, type Item, type OrderKey, type Relation } from './relation.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';

interface Select {
  readonly from: Sql;
  readonly items?: readonly Item[];
  /** Whether the SELECT lists all columns of `from` before `items`. */
  readonly all: boolean;
  readonly where: readonly Sql[];
  /** The number of leading items that are group-by keys. Undefined without grouping. */
  readonly groups?: number;
  readonly order: readonly OrderKey[];
  readonly limit?: bigint;
}

/**
 * The maximum limit for which DuckDB materializes columns late: it first chooses the rows, and then reads the columns.
 * The default limit and the row beyond it are within this maximum. DuckDB inlines computed columns at every use, so a
 * few nested stages soon exhaust memory. After `MAX_LATE_LEVELS` levels, a limit is therefore applied to the result of
 * a larger limit.
 */
export const MAX_LATE_ROWS = 1_001n;
const MAX_LATE_LEVELS = 2;

export function printRelation(relation: Relation): Sql {
  return write(select(relation));
}

function read(from: Sql): Select {
  return { from, all: true, where: [], order: [] };
}

/** Prints the inner SELECT immediately, because printing it repeatedly would double the work at each level. */
function nested(of: Select): Select {
  return derived(write(of));
}

function derived(query: Sql): Select {
  return read(sql`${print.parenthesized(query)} AS t`);
}

function isBare(of: Select): boolean {
  return of.items === undefined && of.groups === undefined && of.limit === undefined;
}

function select(relation: Relation): Select {
  switch (relation.kind) {
    case 'table':
      return read(sql`${relation.name} AS t`);
    case 'values':
      return readValues(relation.ids, relation.rows);
    case 'filter': {
      const predicates: Sql[] = [];
      let inner: Relation = relation;
      for (; inner.kind === 'filter'; inner = inner.input) predicates.push(inner.predicate);
      const input = select(inner);
      const target = isBare(input) ? input : nested(input);
      return { ...target, where: [...target.where, ...predicates.reverse()] };
    }
    case 'extend': {
      const input = select(relation.input);
      const target = isBare(input) ? input : nested(input);
      return { ...target, items: relation.items };
    }
    case 'keep':
      return keep(relation.input, relation.ids);
    case 'aggregate': {
      const input = select(relation.input);
      const target = isBare(input) && input.order.length === 0 ? input : nested(input);
      return {
        ...target,
        all: false,
        items: [...relation.groups, ...relation.aggregates],
        groups: relation.groups.length,
      };
    }
    case 'total': {
      const { of, id } = relation;
      const sum = sql`(SELECT CAST(sum(${print.column(of)}) AS BIGINT) FROM "all rows" AS t)`;
      const rows = print.parenthesized(printRelation(relation.input));
      return derived(sql`WITH "all rows" AS MATERIALIZED ${rows}
SELECT t.*, ${sum} AS ${print.identifier(id)}
FROM "all rows" AS t`);
    }
    case 'sort': {
      const input = select(relation.input);
      const open = input.limit === undefined && input.order.length === 0;
      const target = open ? input : nested(input);
      const { keys: order, limit } = relation;
      if (limit === undefined || limit > MAX_LATE_ROWS)
        return { ...target, order, ...(limit !== undefined && { limit }) };
      if (depthOf(relation.input).computed <= MAX_LATE_LEVELS) return { ...target, order, limit };
      return { ...nested({ ...target, order, limit: MAX_LATE_ROWS + 1n }), order, limit };
    }
    case 'expand': {
      const lists = relation.items.map(
        (item) => sql`unnest(${item.sql}) AS ${print.identifier(item.id)}`,
      );
      return derived(sql`SELECT t.*, ${print.join(lists)}
FROM ${print.parenthesized(printRelation(relation.input))} AS t`);
    }
    case 'sample': {
      // Don't filter by random(), because DuckDB pushes the filter below operators that multiply or group rows.
      const rows = print.parenthesized(printRelation(relation.input));
      const percent = print.real(relation.ratio * 100);
      return read(sql`${rows} AS t TABLESAMPLE BERNOULLI(${percent} PERCENT)`);
    }
    case 'union': {
      const inputs = relation.inputs.map((input) => printRelation(input));
      const union = print.join(
        inputs.map((input) => sql`SELECT * FROM ${print.parenthesized(input)} AS t`),
        '\nUNION ALL\n',
      );
      const names = print.join(relation.ids.map(print.identifier));
      return read(sql`${print.parenthesized(union)} AS t(${names})`);
    }
    case 'join': {
      const { left, right, clause, items } = relation;
      const list = print.join(items.map(writeItem), ',\n');
      return derived(sql`SELECT ${list}
FROM ${print.parenthesized(printRelation(left))} AS l
${joinWords[clause.kind]} ${print.parenthesized(printRelation(right))} AS r
ON ${clause.on}`);
    }
  }
}

const joinWords = {
  INNER: sql`INNER JOIN`,
  LEFT: sql`LEFT JOIN`,
  RIGHT: sql`RIGHT JOIN`,
  FULL: sql`FULL JOIN`,
  SEMI: sql`SEMI JOIN`,
  ANTI: sql`ANTI JOIN`,
} as const;

function readValues(ids: readonly string[], rows: readonly (readonly Sql[])[]): Select {
  if (ids.length === 0) return read(sql`(SELECT 1 AS "one") AS t`);
  const lines = rows.map((row) => sql`(${print.join(row)})`);
  const names = print.join(ids.map(print.identifier));
  return read(sql`${print.parenthesized(sql`VALUES ${print.join(lines, ',\n')}`)} AS t(${names})`);
}

/** Reuses the input's SELECT and the SQL of its computed columns if possible. */
function keep(relation: Relation, ids: readonly string[]): Select {
  const input = select(relation);
  const items = input.items ?? [];
  if (input.groups !== undefined) {
    const same = items.length === ids.length && items.every((item, i) => item.id === ids[i]);
    if (same) return input;
  }
  const reads = input.groups === undefined && input.all;
  const target = reads ? input : nested(input);
  const computed = new Map(reads ? items.map((item) => [item.id, item.sql]) : []);
  const kept = ids.map((id) => ({ id, sql: computed.get(id) ?? print.column(id) }));
  // Nest the SELECT if it sorts by a computed column that the output omits.
  if (target.order.some((key) => computed.has(key.id) && !ids.includes(key.id))) {
    return { ...nested(input), items: kept, all: false };
  }
  return { ...target, items: kept, all: false };
}

function writeItem(item: Item): Sql {
  return sql`${item.sql} AS ${print.identifier(item.id)}`;
}

function write(of: Select): Sql {
  const items = (of.items ?? []).map(writeItem);
  const list = of.all ? [sql`t.*`, ...items] : items;
  const lines = [sql`SELECT ${print.join(list)}`, sql`FROM ${of.from}`];
  if (of.where.length > 0) lines.push(sql`WHERE ${print.join(of.where, ' AND ')}`);
  if (of.groups !== undefined && of.groups > 0) {
    const numbers = Array.from({ length: of.groups }, (_, i) => print.bareLong(BigInt(i + 1)));
    lines.push(sql`GROUP BY ${print.join(numbers)}`);
  }
  if (of.order.length > 0)
    lines.push(sql`ORDER BY ${print.join(of.order.map((key) => writeKey(of, key)))}`);
  if (of.limit !== undefined) lines.push(sql`LIMIT ${print.bareLong(of.limit)}`);
  return print.join(lines, '\n');
}

function writeKey(of: Select, key: OrderKey): Sql {
  const computed = of.items?.some((item) => item.id === key.id) ?? false;
  const name = computed ? print.identifier(key.id) : print.column(key.id);
  return writeOrder(name, key);
}

export function writeOrder(column: Sql, key: OrderKey): Sql {
  const direction = key.desc ? sql`DESC` : sql`ASC`;
  return sql`${column} ${direction} ${key.nullsFirst ? sql`NULLS FIRST` : sql`NULLS LAST`}`;
}
