/**
 * The relational plan: what is read, filtered, computed, grouped and ordered, as plain data. Columns of
 * a relation have ids, which are the names that they bear in SQL; DuckDB does not tell upper from lower
 * case in names, so an id is unique in its relation whatever the case.
 */
import type { Sql } from './sql.ts';

export interface Item {
  readonly id: string;
  readonly sql: Sql;
}

export interface OrderKey {
  readonly id: string;
  /** What a key that was made for the order is computed from, where it is not a column as it stands. */
  readonly of?: Sql;
  readonly desc: boolean;
  readonly nullsFirst: boolean;
  /** The field of the request's order that the key is made for. */
  readonly field?: string;
}

/** A condition that ties the rows of two relations, called `l` and `r` in it. */
export interface Tie {
  readonly kind: 'INNER' | 'LEFT' | 'RIGHT' | 'FULL' | 'SEMI' | 'ANTI';
  readonly on: Sql;
  /** Set where the right side has one row for each key. */
  readonly unique?: true;
}

export type Relation =
  /** A stored table, or a shared one, whose depth is that of its own relation. */
  | { readonly kind: 'table'; readonly name: Sql; readonly depth?: Depth }
  /** Rows of constants; with no columns it is one row. */
  | {
      readonly kind: 'values';
      readonly ids: readonly string[];
      readonly rows: readonly (readonly Sql[])[];
    }
  | { readonly kind: 'filter'; readonly input: Relation; readonly predicate: Sql }
  /** Adds columns to those that are there. */
  | { readonly kind: 'extend'; readonly input: Relation; readonly items: readonly Item[] }
  /** Keeps columns by id, in order. */
  | { readonly kind: 'keep'; readonly input: Relation; readonly ids: readonly string[] }
  | {
      readonly kind: 'aggregate';
      readonly input: Relation;
      readonly groups: readonly Item[];
      readonly aggregates: readonly Item[];
      /** The most groups that there can be, where something bounds them. */
      readonly most?: bigint;
    }
  /** Adds the sum of a column over all rows to each. */
  | { readonly kind: 'total'; readonly input: Relation; readonly of: string; readonly id: string }
  | {
      readonly kind: 'sort';
      readonly input: Relation;
      readonly keys: readonly OrderKey[];
      readonly limit?: bigint;
    }
  /** Each row once for each place of its lists, which become columns side by side. */
  | { readonly kind: 'expand'; readonly input: Relation; readonly items: readonly Item[] }
  | { readonly kind: 'sample'; readonly input: Relation; readonly ratio: number }
  /** Rows of several relations, each giving `ids` in order. */
  | {
      readonly kind: 'union';
      readonly inputs: readonly Relation[];
      readonly ids: readonly string[];
    }
  | {
      readonly kind: 'join';
      readonly left: Relation;
      readonly right: Relation;
      readonly tie: Tie;
      /** The columns of the result, written over `l` and `r`. */
      readonly items: readonly Item[];
    };

/** The most rows that a relation can have, where its plan tells; undefined for any number. */
export function mostRows(relation: Relation): bigint | undefined {
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
      return mostRows(relation.input);
    case 'aggregate':
      return relation.groups.length === 0 ? 1n : lesser(relation.most, mostRows(relation.input));
    case 'sort':
      return lesser(relation.limit, mostRows(relation.input));
    case 'union':
      return relation.inputs.map(mostRows).reduce(added, 0n);
  }
}

function lesser(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}

function added(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

/** How large a relation is, shared tables included: how deeply its parts are nested, and how they multiply. */
export interface Depth {
  /** SELECTs inside each other, as far as the relation alone tells. */
  readonly selects: number;
  /** Aggregations of aggregations. */
  readonly groupings: number;
  /** Columns computed of computed columns, with nothing but filters between them. */
  readonly computed: number;
  /**
   * How many rows one row of what is stored can become: a union adds those of its branches, a join multiplies
   * those of its sides, as if its keys were unique. What groups makes equal rows one again.
   */
  readonly copies: number;
}

const noDepth: Depth = { selects: 0, groupings: 0, computed: 0, copies: 1 };

/** Depths that are known: each stage adds to the relation of the stage before it. */
const depths = new WeakMap<Relation, Depth>();

export function depthOf(relation: Relation): Depth {
  const known = depths.get(relation);
  if (known !== undefined) return known;
  // From the innermost relation that is not known yet, so that a long chain takes no stack.
  const chain: Relation[] = [];
  let innermost: Relation | undefined = relation;
  while (innermost !== undefined && !depths.has(innermost)) {
    chain.push(innermost);
    innermost = 'input' in innermost ? innermost.input : undefined;
  }
  for (const node of chain.reverse()) depths.set(node, addedDepth(node));
  return depths.get(relation) as Depth;
}

function addedDepth(relation: Relation): Depth {
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
      const { kind, unique } = relation.tie;
      const ofRight = unique || kind === 'SEMI' || kind === 'ANTI' ? 1 : right.copies;
      return { ...deepest([left, right]), copies: left.copies * ofRight };
    }
  }
}

function deepest(all: readonly Depth[]): Omit<Depth, 'copies'> {
  const most = (of: (depth: Depth) => number) =>
    all.reduce((max, one) => Math.max(max, of(one)), 0);
  return {
    selects: most(({ selects }) => selects) + 1,
    groupings: most(({ groupings }) => groupings),
    computed: 0,
  };
}
