/** The types of catalog rows. The documentation of the rows is in `functions/`, `operators/` and `prose/`. */

/**
 * APL's scalar types. `int` is `long`, `double` is `real`, and `time` is `timespan`. `unknown` is a type that depends
 * on the data, so it is compatible with every type.
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
 * The values that a parameter accepts: one type, several types, or a class of values:
 * - `numeric`: long or real
 * - `scalar`: any value
 * - `field`: a column reference or named expression
 * - `row`: several columns or `*`
 * - `type`: a `typeof(…)`
 * - `wildcard`: a bare `*` or columns
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
 * The return type of a call:
 * - a fixed type
 * - the type of the parameter `sameAs` or, if `and` is present, the common type of both parameters
 * - the type named by the argument `typeArgument`, such as `typeof(long)`
 */
export type ReturnType =
  | ScalarType
  | { readonly sameAs: string; readonly and?: string }
  | { readonly typeArgument: string };

export interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly optional?: true;
  /** Whether calls can repeat the last parameter. */
  readonly variadic?: true;
  /** The accepted values of a string argument, such as the parts of a date. */
  readonly values?: readonly string[];
  /** The kind of name expected in a string argument, such as a column's name. */
  readonly names?: 'column';
  /** The unit of a numeric argument, such as `nanoseconds`. */
  readonly unit?: string;
}

export interface Signature {
  readonly parameters: readonly Parameter[];
  readonly returns: ReturnType;
  /** The number of leading parameters that repeat as a group, such as the condition and value of `case`. */
  readonly repeating?: number;
}

export type FunctionKind = 'scalar' | 'aggregate';

export interface FunctionRow {
  readonly name: string;
  readonly kind: FunctionKind;
  readonly category: string;
  readonly signatures: readonly Signature[];
  readonly unit?: string;
  /** The main name of the function, if this row is an alias. */
  readonly aliasOf?: string;
  /** Whether the result is an estimate that may differ slightly from the exact value. */
  readonly approximate?: true;
  /** Whether the aggregate returns several columns, like `arg_max`, or several rows per group, like `topk`. */
  readonly spreads?: 'columns' | 'rows';
  /** The default column name of an aggregate. If absent, the default is the aggregate's name followed by `_<field>`. */
  readonly columnName?: ColumnNaming;
}

/** The name of an aggregate's column: `prefix` followed by `_<field>`, or only `fixed`. */
export type ColumnNaming = { readonly prefix: string } | { readonly fixed: string };

/** A word with a summary, such as a kind of join, a file format or a keyword. */
export interface WordRow {
  readonly name: string;
  readonly summary: string;
}

/** A `name=value` option of an operator, such as `kind=inner` or `format="csv"`. */
export interface OperatorOption {
  readonly name: string;
  readonly summary: string;
  /** `word`: one of `values`. `name`: free text, such as a new column. `string` and `bool`: constants. */
  readonly type: 'word' | 'name' | 'string' | 'bool';
  readonly values?: readonly WordRow[];
  readonly defaultValue?: string;
  /** `with`: the option is in the brackets of `with`. By default, it directly follows the operator's name. */
  readonly place?: 'with';
}

export interface OperatorRow {
  readonly name: string;
  /** The allowed position: first in a pipeline, after a pipe, or both. */
  readonly role: 'source' | 'transform' | 'both';
  /** The main name of the operator, if this row is an alias. */
  readonly aliasOf?: string;
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
  readonly negation?: string;
  readonly synonymOf?: string;
  readonly caseSensitiveVariant?: string;
  /** The form of the right operand. By default, it is a single value. */
  readonly right?: 'list' | 'bounds';
}

export interface TypeRow {
  readonly name: ScalarType;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly literal: string;
}
