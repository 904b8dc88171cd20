/**
 * The vocabulary of types and the shape of catalog rows. The catalog is data: completion, hover,
 * signature help, checking and execution all read the same rows.
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

/** What a call returns: a type, the type of a parameter, or the type that a parameter names. */
export type ReturnType =
  | ScalarType
  | { readonly sameAs: string }
  | { readonly typeArgument: string };

export interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly optional?: true;
  /** The last parameter may repeat. */
  readonly variadic?: true;
  /** The words a string argument may be, such as the parts of a date. */
  readonly values?: readonly string[];
  /** A unit when the number has one, such as `nanoseconds`. */
  readonly unit?: string;
}

export interface Signature {
  readonly parameters: readonly Parameter[];
  readonly returns: ReturnType;
}

export type FunctionKind = 'scalar' | 'aggregate';

export interface FunctionRow {
  readonly name: string;
  readonly kind: FunctionKind;
  /** The area it belongs to, such as `string` or `datetime`. */
  readonly category: string;
  readonly signatures: readonly Signature[];
  /** One sentence: what it gives. */
  readonly summary: string;
  /** One expression that shows it. */
  readonly example: string;
  /** What surprises a user of Kusto, when there is such a thing. */
  readonly note?: string;
  /** The unit of the result when it has one. */
  readonly unit?: string;
}

export interface OperatorRow {
  readonly name: string;
  /** Where it may stand: first in a pipeline, after a pipe, or both. */
  readonly role: 'source' | 'transform' | 'both';
  readonly syntax: string;
  readonly summary: string;
  readonly example: string;
  readonly note?: string;
  /** The operator that this is another name of. */
  readonly aliasOf?: string;
  /** A snippet in LSP syntax for completion after the keyword is chosen. */
  readonly snippet: string;
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
  readonly summary: string;
  readonly example: string;
  readonly caseSensitive?: boolean;
  /** The other spelling that means the opposite. */
  readonly negation?: string;
  readonly synonymOf?: string;
}

export interface TypeRow {
  readonly name: ScalarType;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly literal: string;
}
