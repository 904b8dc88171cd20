/** The syntax tree of the planner's SQL. */

export type Node =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  /** A literal such as `TIMESTAMP_NS '2024-05-01'`. */
  | { readonly kind: 'typed'; readonly type: string; readonly value: string }
  /** A column, or a parameter of a lambda or macro. */
  | { readonly kind: 'name'; readonly table?: string; readonly name: string }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly args: readonly Node[];
      readonly distinct: boolean;
      readonly order: readonly Order[];
      readonly filter?: Node;
      readonly over?: { readonly partition: readonly Node[]; readonly order: readonly Order[] };
    }
  /** `attempt` is TRY_CAST. */
  | { readonly kind: 'cast'; readonly of: Node; readonly type: string; readonly attempt: boolean }
  | {
      readonly kind: 'case';
      readonly of?: Node;
      readonly whens: readonly { readonly test: Node; readonly result: Node }[];
      readonly otherwise?: Node;
    }
  | { readonly kind: 'lambda'; readonly parameters: readonly string[]; readonly body: Node }
  | { readonly kind: 'list'; readonly items: readonly Node[] }
  | { readonly kind: 'struct'; readonly fields: readonly { name: string; value: Node }[] }
  | { readonly kind: 'field'; readonly of: Node; readonly name: string }
  | { readonly kind: 'subscript'; readonly of: Node; readonly index: Node }
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: Node;
      readonly right: Node;
    }
  | { readonly kind: 'unary'; readonly operator: 'NOT' | '-'; readonly of: Node }
  | { readonly kind: 'isNull'; readonly of: Node; readonly negated: boolean }
  | {
      readonly kind: 'in';
      readonly of: Node;
      readonly items?: readonly Node[];
      readonly query?: Query;
      readonly negated: boolean;
    }
  | { readonly kind: 'query' | 'exists'; readonly query: Query }
  | { readonly kind: 'star' };

export interface Order {
  readonly by: Node;
  readonly desc: boolean;
  readonly nullsFirst: boolean;
}

export interface Query {
  readonly tables: readonly SharedQuery[];
  /** The branches of a UNION ALL; usually one. */
  readonly branches: readonly Branch[];
}

export interface SharedQuery {
  readonly name: string;
  readonly materialized: boolean;
  readonly query: Query;
}

export type Branch =
  | Select
  | { readonly kind: 'values'; readonly rows: readonly (readonly Node[])[] };

export interface Select {
  readonly kind: 'select';
  readonly distinct: boolean;
  readonly items: readonly { readonly value: Node; readonly alias?: string }[];
  readonly from?: Source;
  readonly where?: Node;
  readonly groups: readonly Node[];
  readonly order: readonly Order[];
  readonly limit?: Node;
}

export type Source = {
  readonly alias: string;
  /** New names for the columns. */
  readonly columns?: readonly string[];
  /** The percentage of rows in a random sample. */
  readonly sample?: Node;
} /** The names of the schema, if any, and of the table. */ & (
  | { readonly kind: 'table'; readonly path: readonly string[] }
  | { readonly kind: 'derived'; readonly query: Query }
  | {
      readonly kind: 'join';
      readonly type: string;
      readonly left: Source;
      readonly right: Source;
      readonly on: Node;
    }
);
