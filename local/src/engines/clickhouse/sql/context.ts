/** The surroundings of an expression during translation. */
import type { Node, Query } from './tree.ts';
import type { Type } from './types.ts';
import type { Value } from './value.ts';

/** Computes the value of a parameter. Inside TRY, `attempt` is true and an error becomes null. */
export type Binding = (attempt: boolean) => Value;

export interface Column {
  readonly name: string;
  readonly type: Type;
  /** The column's name in ClickHouse, if it differs. */
  readonly stored?: string;
  /** Whether `*` leaves the column out, as it does `rowid`. */
  readonly hidden?: boolean;
}

export interface TranslatedQuery {
  readonly sql: string;
  readonly columns: readonly Column[];
}

export interface Context {
  /** Finds a column. The name of the relation is `t`, `l` or `r`, or undefined for a bare name. */
  readonly column: (table: string | undefined, name: string) => Value | undefined;
  /** The parameters of the enclosing lambdas and macros. */
  readonly bindings: ReadonlyMap<string, Binding>;
  /** Whether the expression is inside TRY. */
  readonly attempt: boolean;
  /** Whether the expression is the condition of a join, whose equalities ClickHouse must recognize. */
  readonly joins?: boolean;
  /** A column that varies by row, if there is one. */
  readonly varying?: string;
  readonly query: (query: Query) => TranslatedQuery;
  /** Translates a call of an aggregate. Absent where aggregates aren't allowed. */
  readonly aggregate?: (node: Node & { kind: 'call' }, context: Context) => Value | undefined;
}

export type Translate = (node: Node, context: Context) => Value;

/** A call in an expression. */
export interface Call {
  readonly name: string;
  readonly nodes: readonly Node[];
  /** The translated arguments, except lambdas. */
  readonly values: readonly (Value | undefined)[];
  readonly context: Context;
  readonly translate: Translate;
}

export type FunctionRow = (call: Call) => Value;

export function argument(call: Call, i: number): Value {
  return call.values[i] ?? call.translate(call.nodes[i] as Node, call.context);
}
