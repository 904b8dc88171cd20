/**
 * The relational plan as plain data: sources, filters, computed columns, groupings and orders. A relation's columns
 * have IDs, which are their names in SQL. DuckDB's names are case-insensitive, so IDs are unique regardless of case.
 */
import type { Sql } from './sql.ts';

export interface Item {
  readonly id: string;
  readonly sql: Sql;
}

export interface OrderKey {
  readonly id: string;
  /** The SQL of a computed sort key. Absent if the key is an existing column. */
  readonly of?: Sql;
  readonly desc: boolean;
  readonly nullsFirst: boolean;
  /** The field of the request's `defaultOrder` from which the key was derived. */
  readonly field?: string;
}

/** The condition refers to the joined relations as `l` and `r`. */
export interface JoinClause {
  readonly kind: 'INNER' | 'LEFT' | 'RIGHT' | 'FULL' | 'SEMI' | 'ANTI';
  readonly on: Sql;
  /** Present if the right side has at most one row per key. */
  readonly unique?: true;
}

export type Relation =
  /** A stored table, a sub-query that reads files, or a shared table, which has a `depth`. */
  | { readonly kind: 'table'; readonly name: Sql; readonly depth?: Depth; readonly isStored?: true }
  /** Constant rows. Without columns, there is one row. */
  | {
      readonly kind: 'values';
      readonly ids: readonly string[];
      readonly rows: readonly (readonly Sql[])[];
    }
  | { readonly kind: 'filter'; readonly input: Relation; readonly predicate: Sql }
  | { readonly kind: 'extend'; readonly input: Relation; readonly items: readonly Item[] }
  | { readonly kind: 'keep'; readonly input: Relation; readonly ids: readonly string[] }
  | {
      readonly kind: 'aggregate';
      readonly input: Relation;
      readonly groups: readonly Item[];
      readonly aggregates: readonly Item[];
      readonly maxGroups?: bigint;
    }
  /** Adds the column `id`, which contains the sum of the column `of` over all rows. */
  | { readonly kind: 'total'; readonly input: Relation; readonly of: string; readonly id: string }
  | {
      readonly kind: 'sort';
      readonly input: Relation;
      readonly keys: readonly OrderKey[];
      readonly limit?: bigint;
    }
  /** Expands lists in parallel. Each row becomes one row per list index, with the lists' elements as columns. */
  | { readonly kind: 'expand'; readonly input: Relation; readonly items: readonly Item[] }
  | { readonly kind: 'sample'; readonly input: Relation; readonly ratio: number }
  /** UNION ALL of relations that all have the columns `ids`. */
  | {
      readonly kind: 'union';
      readonly inputs: readonly Relation[];
      readonly ids: readonly string[];
    }
  | {
      readonly kind: 'join';
      readonly left: Relation;
      readonly right: Relation;
      readonly clause: JoinClause;
      /** The output columns, as SQL over `l` and `r`. */
      readonly items: readonly Item[];
    };

export function maxRows(relation: Relation): bigint | undefined {
  switch (relation.kind) {
    case 'table':
    case 'expand':
    case 'join':
      return undefined;
    case 'values':
      return BigInt(Math.max(relation.rows.length, 1));
    case 'filter':
    case 'extend':
    case 'keep':
    case 'total':
    case 'sample':
      return maxRows(relation.input);
    case 'aggregate':
      return relation.groups.length === 0 ? 1n : lower(relation.maxGroups, maxRows(relation.input));
    case 'sort':
      return lower(relation.limit, maxRows(relation.input));
    case 'union':
      return relation.inputs.map(maxRows).reduce(sumOf, 0n);
  }
}

/** Returns whether a relation is known to have no rows, whatever its tables contain. */
export function isEmpty(relation: Relation): boolean {
  switch (relation.kind) {
    case 'filter':
      return relation.predicate.text === 'false' || isEmpty(relation.input);
    case 'extend':
    case 'keep':
    case 'total':
    case 'sort':
    case 'expand':
    case 'sample':
      return isEmpty(relation.input);
    case 'aggregate':
      return relation.groups.length > 0 && isEmpty(relation.input);
    case 'union':
      return relation.inputs.every(isEmpty);
    case 'table':
    case 'values':
    case 'join':
      return false;
  }
}

function lower(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}

function sumOf(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

/** The depth of a relation, including its shared tables. */
export interface Depth {
  readonly selects: number;
  readonly groupings: number;
  /** The maximum number of computed columns that build on each other. */
  readonly computed: number;
  /**
   * The maximum number of rows that one stored row can become:
   * - A union adds up the numbers of its inputs.
   * - A join multiplies the numbers of its sides, assuming unique keys. If a join keeps at most one copy of each left
   *   row, it keeps the left side's number.
   * - An aggregation resets the number to 1, and a limit caps it. Expanded lists aren't counted.
   */
  readonly copies: number;
}

const noDepth: Depth = { selects: 0, groupings: 0, computed: 0, copies: 1 };

/** The depths of relations, cached because each stage extends the previous stage's relation. */
const depths = new WeakMap<Relation, Depth>();

export function depthOf(relation: Relation): Depth {
  const known = depths.get(relation);
  if (known !== undefined) return known;
  // Start with the innermost relation that isn't cached, so that a long chain needs no recursion.
  const chain: Relation[] = [];
  let innermost: Relation | undefined = relation;
  while (innermost !== undefined && !depths.has(innermost)) {
    chain.push(innermost);
    innermost = 'input' in innermost ? innermost.input : undefined;
  }
  for (const node of chain.reverse()) depths.set(node, computeDepth(node));
  return depths.get(relation) as Depth;
}

function computeDepth(relation: Relation): Depth {
  switch (relation.kind) {
    case 'table':
      return relation.depth ?? noDepth;
    case 'values':
      return noDepth;
    case 'filter':
    case 'keep':
      return depthOf(relation.input);
    case 'extend': {
      const { selects, computed, ...rest } = depthOf(relation.input);
      return { ...rest, selects: selects + 1, computed: computed + 1 };
    }
    case 'aggregate': {
      const { selects, groupings } = depthOf(relation.input);
      return { selects: selects + 1, groupings: groupings + 1, computed: 0, copies: 1 };
    }
    case 'sort': {
      const { selects, computed, copies, ...rest } = depthOf(relation.input);
      const { limit } = relation;
      return {
        ...rest,
        selects: selects + 1,
        computed: limit === undefined ? computed : 0,
        copies: limit === undefined ? copies : Math.min(copies, Number(limit)),
      };
    }
    case 'total':
    case 'expand':
    case 'sample': {
      const { selects, ...rest } = depthOf(relation.input);
      return { ...rest, selects: selects + 1, computed: 0 };
    }
    case 'union': {
      const inputs = relation.inputs.map(depthOf);
      return { ...deepest(inputs), copies: inputs.reduce((sum, { copies }) => sum + copies, 0) };
    }
    case 'join': {
      const [left, right] = [depthOf(relation.left), depthOf(relation.right)];
      const { kind, unique } = relation.clause;
      const ofRight = unique || kind === 'SEMI' || kind === 'ANTI' ? 1 : right.copies;
      return { ...deepest([left, right]), copies: left.copies * ofRight };
    }
  }
}

function deepest(all: readonly Depth[]): Omit<Depth, 'copies'> {
  const max = (of: (depth: Depth) => number) => all.reduce((max, one) => Math.max(max, of(one)), 0);
  return {
    selects: max(({ selects }) => selects) + 1,
    groupings: max(({ groupings }) => groupings),
    computed: 0,
  };
}
