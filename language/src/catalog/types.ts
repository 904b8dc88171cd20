/**
 * The vocabulary of types and the shape of catalog rows. The catalog is data: completion, hover,
 * signature help, checking and execution all read the same rows; what is said of a row is in `prose/`.
 */

/**
 * APL's scalar types. `int` is `long` (both 64-bit), `double` is `real`, `time` is `timespan`.
 * `unknown` is what cannot be told without data: it is compatible with everything.
 */
export type ScalarType =
  | 'bool'
  | 'datetime'
  | 'dynamic'
  | 'long'
  | 'real'
  | 'string'
  | 'timespan'
  | 'unknown';

/**
 * What a parameter accepts: one type, several, or a class of values. `numeric` is long or real;
 * `scalar` any value; `field` a column reference or named expression; `row` several columns or `*`;
 * `type` a `typeof(…)`; `wildcard` a bare `*` as well as columns.
 */
export type ParameterType =
  | ScalarType
  | 'numeric'
  | 'scalar'
  | 'field'
  | 'row'
  | 'type'
  | 'wildcard'
  | readonly (ScalarType | 'numeric' | 'scalar')[];

/**
 * What a call returns: a type, the type of a parameter (shared with that of another, for the branches
 * of `iff`), or the type that a parameter names.
 */
export type ReturnType =
  | ScalarType
  | { readonly sameAs: string; readonly and?: string }
  | { readonly typeArgument: string };

export interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly optional?: true;
  /** The last parameter may repeat. */
  readonly variadic?: true;
  /** The words a string argument may be, such as the parts of a date. */
  readonly values?: readonly string[];
  /** What a string argument names, where it names something of the query. */
  readonly names?: 'column';
  /** A unit when the number has one, such as `nanoseconds`. */
  readonly unit?: string;
}

export interface Signature {
  readonly parameters: readonly Parameter[];
  readonly returns: ReturnType;
  /**
   * So many parameters, counted from the first, repeat together, any number of times, before the rest:
   * the pairs of `case` and `bag_pack`. `signatures.ts` reads it for whoever checks or shows a call.
   */
  readonly repeating?: number;
}

export type FunctionKind = 'scalar' | 'aggregate';

export interface FunctionRow {
  readonly name: string;
  readonly kind: FunctionKind;
  /** The area it belongs to, such as `string` or `datetime`. */
  readonly category: string;
  readonly signatures: readonly Signature[];
  /** The unit of the result when it has one. */
  readonly unit?: string;
  /** The function that this is another name of. */
  readonly aliasOf?: string;
  /** The result is an estimate: it may differ a little from the exact answer. */
  readonly approximate?: true;
  /** The aggregate gives several columns, as `arg_max`, or several rows for a group, as `topk`. */
  readonly spreads?: 'columns' | 'rows';
  /** How an aggregate's column is named without a name in the query, where that is not `<name>_<field>`. */
  readonly columnName?: ColumnNaming;
}

/** `prefix` stands before `_<field>`; `fixed` is the whole name. */
export type ColumnNaming = { readonly prefix: string } | { readonly fixed: string };

/** A word that may stand at some place of an operator, such as a kind of join. */
export interface WordRow {
  readonly name: string;
  readonly summary: string;
}

/** `name=value` written inside an operator, such as `kind=inner` or `format="csv"`. */
export interface OperatorOption {
  readonly name: string;
  readonly summary: string;
  /** `word` is one of `values`, `name` a new column; the others are constants. */
  readonly type: 'word' | 'name' | 'string' | 'bool';
  readonly values?: readonly WordRow[];
  readonly defaultValue?: string;
  /** Where it stands: right after the operator's name, which is usual, or in the brackets of `with`. */
  readonly place?: 'with';
}

export interface OperatorRow {
  readonly name: string;
  /** Where it may stand: first in a pipeline, after a pipe, or both. */
  readonly role: 'source' | 'transform' | 'both';
  /** The operator that this is another name of. */
  readonly aliasOf?: string;
  /** `name=value` options, with the words that each takes. */
  readonly options?: readonly OperatorOption[];
}

/** A scalar operator such as `==`, `has_cs` or `between`. */
export interface ScalarOperatorRow {
  readonly name: string;
  readonly category:
    | 'arithmetic'
    | 'comparison'
    | 'equality'
    | 'string'
    | 'logical'
    | 'membership'
    | 'range'
    | 'access';
  readonly caseSensitive?: boolean;
  /** The other spelling that means the opposite. */
  readonly negation?: string;
  readonly synonymOf?: string;
  /** The spelling that differs only in minding upper and lower case. */
  readonly caseSensitiveVariant?: string;
  /** What stands on the right: one value, which is usual, a list or sub-query, or two bounds. */
  readonly right?: 'list' | 'bounds';
}

export interface TypeRow {
  readonly name: ScalarType;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly literal: string;
}
