/**
 * Precomputes expressions as columns that their stage then reads:
 *
 * - tests against tables, because DuckDB accepts no sub-query inside TRY or a lambda
 * - large constants, because DuckDB folds them slowly
 * - operands in positions that DuckDB rejects
 * - operands that are repeated so often that parsing the SQL would take longer than running it
 */
import type { BoundExpression } from '../../../language/src/index.ts';
import { printRelation } from './print.ts';
import type { Item } from './relation.ts';
import { type Planning, type Scope, scopeOf } from './scope.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import { extended, Ids, oneRow, type Table } from './table.ts';
import type { Value } from './values.ts';

export class PrecomputedColumns {
  readonly rows: Table;
  readonly planned = new Map<BoundExpression, Value>();
  #ids: Ids | undefined;
  readonly #columns: Map<BoundExpression, Value>;
  readonly #added: PrecomputedColumn[] = [];

  constructor(rows: Table, ids?: Ids, columns = new Map<BoundExpression, Value>()) {
    this.rows = rows;
    this.#ids = ids;
    this.#columns = columns;
  }

  get isEmpty(): boolean {
    return this.#added.length === 0;
  }

  columnFor(node: BoundExpression): Value | undefined {
    return this.#columns.get(node);
  }

  /** Adds an expression as a column. Expressions with the same SQL share a column, but volatile expressions don't. */
  add(node: BoundExpression, of: Value): Value {
    const known = this.#columns.get(node);
    if (known !== undefined) return known;
    const column = { ...of, sql: print.column(this.#idOf(node, of.sql)) };
    this.#columns.set(node, column);
    return column;
  }

  #idOf(node: BoundExpression, of: Sql): string {
    const isVolatile = print.has(of, 'volatile');
    const earlier = isVolatile ? undefined : this.rows.precomputed?.get(of.text);
    if (earlier !== undefined) return earlier;
    const same = this.#added.find(({ item }) => !isVolatile && print.same(item.sql, of));
    if (same !== undefined) {
      same.nodes.push(node);
      return same.item.id;
    }
    this.#ids ??= new Ids(this.rows.taken);
    const id = this.#ids.free(names[node.kind] ?? 'computed before');
    this.#added.push({ nodes: [node], item: { id, sql: of } });
    return id;
  }

  /** Runs `work`. If the result is undefined, discards the columns that `work` added. */
  transaction<Result>(work: () => Result | undefined): Result | undefined {
    const [count, nodes] = [this.#added.length, new Set(this.#columns.keys())];
    const result = work();
    if (result === undefined) {
      this.#added.splice(count);
      this.planned.clear();
      for (const node of this.#columns.keys()) if (!nodes.has(node)) this.#columns.delete(node);
    }
    return result;
  }

  /** Adds the columns to a table. A column whose expression is inside another column's expression is added first. */
  extend(table: Table): Table {
    const layers: PrecomputedColumn[][] = [];
    for (const column of this.#added) {
      const below = layers.findLastIndex((layer) => layer.some((inner) => isInside(inner, column)));
      const layer = layers[below + 1];
      if (layer === undefined) layers.push([column]);
      else layer.push(column);
    }
    const ids = this.#ids ?? new Ids(table.taken);
    return layers.reduce(
      (extendedTable, layer) =>
        extended(
          extendedTable,
          layer.map(({ item }) => item),
          ids,
        ),
      table,
    );
  }

  /** Returns the columns for another planning pass, whose input rows contain the added columns. */
  nextPass(): PrecomputedColumns {
    const precomputed = new Map(this.rows.precomputed);
    for (const { item } of this.#added) {
      if (!print.has(item.sql, 'volatile')) precomputed.set(item.sql.text, item.id);
    }
    return new PrecomputedColumns(
      { ...this.extend(this.rows), precomputed },
      undefined,
      this.#columns,
    );
  }
}

interface PrecomputedColumn {
  readonly item: Item;
  readonly nodes: BoundExpression[];
}

const names: Readonly<Partial<Record<BoundExpression['kind'], string>>> = {
  in: 'test against a table',
};

function isInside(inner: PrecomputedColumn, outer: PrecomputedColumn): boolean {
  return inner.nodes.some(({ start, end }) =>
    outer.nodes.some((node) => start >= node.start && end <= node.end),
  );
}

/** Plans a stage repeatedly, until no further expressions need to be precomputed. */
export function withPrecomputed(
  table: Table,
  planning: Planning,
  plan: (table: Table, planning: Planning) => Table,
): Table {
  for (let precomputed = new PrecomputedColumns(table); ; precomputed = precomputed.nextPass()) {
    const planned = plan(precomputed.rows, { ...planning, precomputed });
    if (precomputed.isEmpty) return planned;
  }
}

/** Plans an expression that reads no rows, such as the value of a `let`. */
export function planWithoutRows(planning: Planning, plan: (scope: Scope) => Value): Value {
  const precomputed = new PrecomputedColumns(oneRow);
  const of = plan(scopeOf(oneRow, { ...planning, precomputed }));
  if (precomputed.isEmpty) return of;
  const rows = print.parenthesized(printRelation(precomputed.extend(oneRow).relation));
  return { ...of, sql: sql`(SELECT ${of.sql} FROM ${rows} AS t)` };
}

/**
 * Precomputes a large constant as a column if the scope allows it. DuckDB folds constants during planning, which can't
 * be interrupted and is ten times slower. `make` therefore builds the constant from an operand that DuckDB can't fold.
 */
export function precomputeLarge(
  node: BoundExpression,
  operand: Sql,
  make: (operand: Sql) => Value,
  scope: Scope,
): Value {
  const precomputed = precomputedOf(scope);
  if (precomputed === undefined) return make(operand);
  const row = sql`(SELECT unnest([${operand}]) AS "operand")`;
  const of = make(sql`t."operand"`);
  return precomputed.add(node, { ...of, sql: sql`(SELECT ${of.sql} FROM ${row} AS t)` });
}

export function precomputedOf({ planning, table }: Scope): PrecomputedColumns | undefined {
  return planning.precomputed?.rows === table ? planning.precomputed : undefined;
}

/** The weight above which parsing an expression may take longer than running it. */
const maxPlainWeight = 2_000;

export function isPlain(of: Sql): boolean {
  return of.weight <= maxPlainWeight && !print.has(of, 'misplaced');
}

/** Returns all operands of a chain such as `a + b + c`. */
export function operandsOf(node: BoundExpression): readonly BoundExpression[] {
  switch (node.kind) {
    case 'call':
      return node.arguments;
    case 'unary':
      return [node.operand];
    case 'binary':
      return chainOperands(node);
    case 'in':
      return [node.left, ...node.items.filter(({ kind }) => kind !== 'subquery')];
    case 'between':
      return [node.left, node.low, node.high];
    case 'named':
      return [node.value];
    case 'member':
      return [node.target, node.key];
    case 'slice':
      return [node.target, ...[node.from, node.to].filter((part) => part !== undefined)];
    case 'array':
      return node.items;
    case 'bag':
      return node.entries.map(({ value }) => value);
    case 'term':
      return node.field === undefined ? [] : [node.field];
    default:
      return [];
  }
}

const arithmetic = '+-*/%';

/** Returns the operands of a chain, which has only arithmetic operators, only `and` or only `or`. */
function chainOperands(node: BoundExpression & { kind: 'binary' }): readonly BoundExpression[] {
  const continuesChain = (operator: string) =>
    arithmetic.includes(node.operator)
      ? arithmetic.includes(operator)
      : operator === node.operator && (operator === 'and' || operator === 'or');
  const found = [node.right];
  let rest = node.left;
  for (; rest.kind === 'binary' && continuesChain(rest.operator); rest = rest.left)
    found.push(rest.right);
  return [...found, rest];
}
