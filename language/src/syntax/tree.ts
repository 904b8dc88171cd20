/**
 * The syntax tree of one query. Every node has a span and named children. Tokens outside all children, such as
 * keywords, belong to the node. Gaps between tokens are trivia, so the tree and the tokens together are lossless. A
 * missing part is a `Missing` node or `undefined`.
 */
import type { Operator } from '../operators/index.ts';
import type { SearchOperator } from '../operators/search.ts';
import type { UnionOperator } from '../operators/union.ts';
import type { UnknownOperator } from '../operators/unknown.ts';
import type { Span } from '../text.ts';
import type { Token } from './tokens.ts';

export type { Operator } from '../operators/index.ts';

/** A syntax problem: a code from `problems.ts` and the values for its message. */
export interface SyntaxProblem extends Span {
  readonly code: string;
  readonly values?: Readonly<Record<string, string>>;
}

export interface QueryTree {
  readonly text: string;
  /** All tokens in order, without trivia. The last token has kind `end`. */
  readonly tokens: readonly Token[];
  readonly statements: readonly Statement[];
  readonly problems: readonly SyntaxProblem[];
}

export interface Node extends Span {
  readonly kind: string;
}

/** A name: `status`, `['geo.city']` or `["geo.city"]`. `name` is the unquoted value. */
export interface Name extends Node {
  readonly kind: 'Name';
  readonly name: string;
  readonly quoted: boolean;
}

// ── Statements ────────────────────────────────────────────────────────────────────────────────────

export type Statement = LetStatement | SetStatement | DeclareStatement | QueryStatement;

export interface LetStatement extends Node {
  readonly kind: 'LetStatement';
  readonly name: Name | Missing;
  readonly value: Expression | Pipeline;
}

export interface SetStatement extends Node {
  readonly kind: 'SetStatement';
  readonly name: Name | Missing;
  readonly value?: Expression;
}

/** `declare query_parameters (name:type = default, …)`. */
export interface DeclareStatement extends Node {
  readonly kind: 'DeclareStatement';
  readonly parameters: readonly QueryParameter[];
}

export interface QueryParameter extends Node {
  readonly kind: 'QueryParameter';
  readonly name: Name;
  readonly type?: TypeName;
  readonly defaultValue?: Expression;
}

export interface QueryStatement extends Node {
  readonly kind: 'QueryStatement';
  readonly pipeline: Pipeline;
}

// ── Pipelines ─────────────────────────────────────────────────────────────────────────────────────

export interface Pipeline extends Node {
  readonly kind: 'Pipeline';
  readonly source: Source;
  readonly stages: readonly Stage[];
}

/** `| operator …`. Starts at the pipe, or at the operator if the pipe is missing. */
export interface Stage extends Node {
  readonly kind: 'Stage';
  readonly pipe: Span;
  readonly operator: Operator;
}

export type Source =
  | DatasetSource
  | ParenthesizedSource
  | TableCall
  | PrintSource
  | DatatableSource
  | ExternaldataSource
  | UnionOperator
  | SearchOperator
  | ExpressionSource
  | UnknownOperator
  | Missing;

/** A dataset, view or tabular `let`. */
export interface DatasetSource extends Node {
  readonly kind: 'DatasetSource';
  readonly name: Name;
}

export interface ParenthesizedSource extends Node {
  readonly kind: 'ParenthesizedSource';
  readonly pipeline: Pipeline;
}

/** `table(<string>)`. */
export interface TableCall extends Node {
  readonly kind: 'TableCall';
  readonly argument: Expression;
}

/** An expression used as a query, such as `strlen('text')`, which documented examples contain. */
export interface ExpressionSource extends Node {
  readonly kind: 'ExpressionSource';
  readonly expression: Expression;
}

export interface PrintSource extends Node {
  readonly kind: 'PrintSource';
  readonly items: readonly Assignment[];
}

export interface DatatableSource extends Node {
  readonly kind: 'DatatableSource';
  readonly columns: readonly ColumnDeclaration[];
  readonly values: readonly Expression[];
}

export interface ExternaldataSource extends Node {
  readonly kind: 'ExternaldataSource';
  readonly columns: readonly ColumnDeclaration[];
  readonly urls: readonly Expression[];
  readonly properties: readonly Property[];
}

export interface ColumnDeclaration extends Node {
  readonly kind: 'ColumnDeclaration';
  readonly name: Name;
  readonly type?: TypeName;
}

export interface TypeName extends Node {
  readonly kind: 'TypeName';
  readonly name: string;
}

// ── Parts of operators ────────────────────────────────────────────────────────────────────────────

export interface SortKey extends Node {
  readonly kind: 'SortKey';
  readonly expression: Expression;
  readonly direction?: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last';
}

/** `name = value` inside `with (…)` or before an operator's operands. */
export interface Property extends Node {
  readonly kind: 'Property';
  readonly name: Name;
  readonly value: Expression;
}

/** `[name =] expression`. */
export interface Assignment extends Node {
  readonly kind: 'Assignment';
  readonly name?: Name;
  /** All names in `(a, b) = expression`, of which `name` is the first. */
  readonly names?: readonly Name[];
  readonly expression: Expression;
}

/** A column, or a wildcard for columns such as `na*` or `['na.me']*`. `name` includes the stars. */
export interface ColumnPattern extends Node {
  readonly kind: 'ColumnPattern';
  readonly name: string;
  /** The end of the name. A direction such as `asc` may follow it. */
  readonly nameEnd: number;
  readonly wildcard: boolean;
  readonly direction?: 'asc' | 'desc' | 'granny-asc' | 'granny-desc';
}

/** A dataset, or a wildcard for datasets. */
export interface DatasetPattern extends Node {
  readonly kind: 'DatasetPattern';
  readonly name: string;
  readonly wildcard: boolean;
  readonly quoted: boolean;
}

// ── Expressions ───────────────────────────────────────────────────────────────────────────────────

export type Expression =
  | Literal
  | DynamicLiteral
  | TypeLiteral
  | NameReference
  | Star
  | Unary
  | Binary
  | InExpression
  | Between
  | Call
  | NamedArgument
  | Member
  | Index
  | Slice
  | Parenthesized
  | Subquery
  | Missing;

export type LiteralType = 'string' | 'long' | 'real' | 'bool' | 'datetime' | 'timespan' | 'null';

/**
 * A constant. `type` determines its value:
 * - `string`: the unescaped text
 * - `long`: a bigint
 * - `real`: a number
 * - `bool`: a boolean
 * - `datetime`: a bigint of nanoseconds since 1970
 * - `timespan`: a bigint of nanoseconds
 * The value of a null is null. An invalid constant has the value undefined.
 */
export interface Literal extends Node {
  readonly kind: 'Literal';
  readonly type: LiteralType;
  /** The constant's value, or the source text of a datetime that only the service can interpret: a time of day. */
  readonly value: string | bigint | number | boolean | null | undefined;
  /** The type name in a typed null, such as `int` in `int(null)`. */
  readonly nullOf?: string;
}

/** A `dynamic(…)` literal, or an array or object without `dynamic(…)`. Its value may contain expressions. */
export interface DynamicLiteral extends Node {
  readonly kind: 'DynamicLiteral';
  readonly value: DynamicValue;
}

export type DynamicValue =
  | { readonly kind: 'scalar'; readonly expression: Expression }
  | { readonly kind: 'array'; readonly items: readonly DynamicValue[] }
  | {
      readonly kind: 'bag';
      readonly entries: readonly { readonly key: string; readonly value: DynamicValue }[];
    };

/** `typeof(long)`. */
export interface TypeLiteral extends Node {
  readonly kind: 'TypeLiteral';
  readonly type: TypeName;
}

/** A name in an expression: a column, a `let`, a parameter, `$left`, `$right`, or an option's value. */
export interface NameReference extends Node {
  readonly kind: 'NameReference';
  readonly name: string;
  readonly quoted: boolean;
}

export interface Star extends Node {
  readonly kind: 'Star';
}

export interface Unary extends Node {
  readonly kind: 'Unary';
  readonly operator: '-' | '+' | 'not';
  readonly operand: Expression;
}

/**
 * A binary expression. `operator` is the catalog's name of the operator, or an unknown operator as written. The
 * operator of `field:term` in a search is `:`.
 */
export interface Binary extends Node {
  readonly kind: 'Binary';
  readonly operator: string;
  readonly operatorSpan: Span;
  readonly left: Expression;
  readonly right: Expression;
}

/** `in`, `has_any` and similar operators. `items` are expressions or a single subquery. */
export interface InExpression extends Node {
  readonly kind: 'InExpression';
  readonly operator: string;
  readonly operatorSpan: Span;
  readonly left: Expression;
  readonly items: readonly Expression[];
}

export interface Between extends Node {
  readonly kind: 'Between';
  readonly operator: 'between' | '!between';
  readonly operatorSpan: Span;
  readonly left: Expression;
  readonly low: Expression;
  readonly high: Expression;
}

export interface Call extends Node {
  readonly kind: 'Call';
  readonly name: Name;
  readonly arguments: readonly Expression[];
  /** The span of the parentheses. If the `)` is missing, the span ends after the arguments. */
  readonly parentheses: Span;
  readonly closed: boolean;
}

/** `name = value` among a call's arguments. */
export interface NamedArgument extends Node {
  readonly kind: 'NamedArgument';
  readonly name: Name;
  readonly value: Expression;
}

/** `target.name`. */
export interface Member extends Node {
  readonly kind: 'Member';
  readonly target: Expression;
  readonly name: Name | Missing;
}

/** `target[index]`. */
export interface Index extends Node {
  readonly kind: 'Index';
  readonly target: Expression;
  readonly index: Expression;
}

/** `target[from:to]`. Either bound may be omitted. */
export interface Slice extends Node {
  readonly kind: 'Slice';
  readonly target: Expression;
  readonly from?: Expression;
  readonly to?: Expression;
}

export interface Parenthesized extends Node {
  readonly kind: 'Parenthesized';
  readonly expression: Expression;
}

/** A pipeline used as a value or list, as in `x in (logs | project id)`. */
export interface Subquery extends Node {
  readonly kind: 'Subquery';
  readonly pipeline: Pipeline;
}

/** A missing part. The span is empty, or covers the tokens that could not be parsed. */
export interface Missing extends Node {
  readonly kind: 'Missing';
}
