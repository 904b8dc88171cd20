/** The model of a SQL statement that `parse_sql` gives and `format_sql` takes, shaped as the documentation shows it. */

export type Expression =
  | { readonly colname: string; readonly table?: string }
  | {
      readonly value: string;
      readonly valtype: 'integer' | 'float' | 'string' | 'boolean' | 'null';
    }
  | {
      readonly function: string;
      readonly distinct?: boolean;
      readonly params: readonly Expression[];
    }
  | { readonly operator: string; readonly params: readonly Expression[] }
  /** The values of `in (…)`. */
  | { readonly list: readonly Expression[] };

export type Column = Expression & { readonly alias?: string };

export interface Source {
  readonly table: string;
  readonly alias?: string;
  /** Set from the second table on. */
  readonly join?: string;
  readonly on?: Expression;
}

export interface Order {
  readonly direction: 'asc' | 'desc';
  readonly expr: Expression;
}

export interface Statement {
  readonly statement: 'select' | 'insert' | 'update' | 'delete';
  readonly distinct?: boolean;
  readonly columns?: readonly Column[];
  readonly from?: readonly Source[];
  readonly where?: Expression;
  readonly group?: readonly Expression[];
  readonly having?: Expression;
  readonly order?: readonly Order[];
  readonly limit?: string;
  readonly offset?: string;
  /** The table that an insert, update or delete changes. */
  readonly table?: string;
  readonly set?: readonly { readonly colname: string; readonly expr: Expression }[];
  readonly values?: readonly (readonly Expression[])[];
}

// ── Models that a query wrote itself ──────────────────────────────────────────────────────────────

type Check = (of: unknown, depth: number) => boolean;

const mostDepth = 200;
const text: Check = (of) => typeof of === 'string';
const flag: Check = (of) => typeof of === 'boolean';
const one =
  (...values: readonly string[]): Check =>
  (of) =>
    values.includes(of as string);
const listOf =
  (check: Check): Check =>
  (of, depth) =>
    Array.isArray(of) && of.every((item) => check(item, depth + 1));

/** A bag with these members, each of them checked; those in `optional` may be missing. */
const bag =
  (
    needed: Readonly<Record<string, Check>>,
    optional: Readonly<Record<string, Check>> = {},
  ): Check =>
  (of, depth) => {
    if (typeof of !== 'object' || of === null || Array.isArray(of) || depth > mostDepth)
      return false;
    const members = of as Record<string, unknown>;
    const has = (name: string) => Object.hasOwn(members, name);
    return (
      Object.entries(needed).every(
        ([name, check]) => has(name) && check(members[name], depth + 1),
      ) &&
      Object.entries(optional).every(
        ([name, check]) => !has(name) || check(members[name], depth + 1),
      )
    );
  };

const expression: Check = (of, depth) => expressions.some((check) => check(of, depth));
const alias = { alias: text };
const expressions: readonly Check[] = [
  bag({ colname: text }, { table: text, ...alias }),
  bag({ value: text, valtype: one('integer', 'float', 'string', 'boolean', 'null') }, alias),
  bag({ function: text, params: listOf(expression) }, { distinct: flag, ...alias }),
  bag({ operator: text, params: listOf(expression) }, alias),
  bag({ list: listOf(expression) }, alias),
];
const statement = bag(
  { statement: one('select', 'insert', 'update', 'delete') },
  {
    distinct: flag,
    columns: listOf(expression),
    from: listOf(bag({ table: text }, { ...alias, join: text, on: expression })),
    where: expression,
    group: listOf(expression),
    having: expression,
    order: listOf(bag({ direction: one('asc', 'desc'), expr: expression })),
    limit: text,
    offset: text,
    table: text,
    set: listOf(bag({ colname: text, expr: expression })),
    values: listOf(listOf(expression)),
  },
);

/** Whether a value is such a model, as far as it is looked at. */
export function isStatement(of: unknown): of is Statement {
  return statement(of, 0);
}
