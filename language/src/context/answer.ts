/** The completion context at an offset. */
import type { Column, Columns } from '../binding/bound.ts';
import type { ParameterType, ScalarType, WordRow } from '../catalog/types.ts';
import type { Span } from '../text.ts';
import type { CallSlot } from './calls.ts';

/** The syntax allowed at the cursor. `replace` is the span that completion replaces. */
export type Context =
  /** No completion, for example in a comment or a number, or where a new name is expected. */
  | { readonly kind: 'nothing' }
  /** The start of a pipeline. `statements`: whether `let` is also allowed. */
  | { readonly kind: 'source'; readonly replace: Span; readonly statements: boolean }
  /** A dataset, a view or a tabular `let` name. `wildcards`: whether a wildcard is also allowed. */
  | {
      readonly kind: 'dataset';
      readonly replace: Span;
      readonly wildcards: boolean;
      readonly words: readonly WordRow[];
    }
  | { readonly kind: 'operator'; readonly replace: Span; readonly columns: Columns }
  | {
      readonly kind: 'expression';
      readonly replace: Span;
      readonly columns: Columns;
      /** The columns of the right table, in a join condition. */
      readonly right?: Columns;
      /** `allowed`: an aggregate is expected. `inside`: the cursor is in an aggregate's arguments. */
      readonly aggregates: 'refused' | 'allowed' | 'inside';
      /** The expected type. Absent if any value is allowed. */
      readonly expected?: ParameterType;
      /** The column and operator that precede the operand in a comparison. */
      readonly compared?: Comparison;
      /** The type required by the comparison after the cursor, such as a number in `where $0 >= 500`. */
      readonly following?: ParameterType;
      readonly call?: CallSlot;
      /** Options and words that are allowed instead of an operand, such as `kind`. */
      readonly words: readonly WordRow[];
      /** Whether a table is also allowed, for example after `in (` and `let x =`. */
      readonly tables: boolean;
      /** Common constants at this position, such as `5m` for a bin width. */
      readonly likely: readonly string[];
      /** Whether the operand is usually a literal number, for example after `take`. */
      readonly amount: boolean;
    }
  /**
   * A scalar operator or one of `words`, after an operand of type `type`.
   * - `lone`: the operand is an entire condition but isn't a boolean, so `and` and `or` can't follow.
   * - `unfinished`: a comparison must follow.
   */
  | {
      readonly kind: 'afterExpression';
      readonly replace: Span;
      readonly type: ScalarType;
      readonly operators: boolean;
      readonly lone: boolean;
      readonly unfinished: boolean;
      readonly words: readonly WordRow[];
    }
  /** A column name. `wildcards`: whether a wildcard is also allowed. */
  | {
      readonly kind: 'column';
      readonly replace: Span;
      readonly columns: Columns;
      readonly wildcards: boolean;
    }
  /**
   * A property of `path`, after a dot or in an index string. `whole` starts at the path and ends after the property.
   * `keys` are the keys of a constant bag.
   */
  | {
      readonly kind: 'member';
      readonly replace: Span;
      readonly whole: Span;
      readonly path: string;
      readonly columns: Columns;
      readonly keys: readonly string[];
    }
  | { readonly kind: 'word'; readonly replace: Span; readonly words: readonly WordRow[] }
  | { readonly kind: 'type'; readonly replace: Span }
  /** A string: one of `values`, a table name, or a value of the compared column. */
  | {
      readonly kind: 'text';
      readonly replace: Span;
      readonly values: readonly string[];
      readonly tables: boolean;
      readonly compared?: Comparison;
      /** `verbatim`: the string starts with `@`. `closed`: the string has a closing quote. */
      readonly quote: '"' | "'";
      readonly verbatim: boolean;
      readonly closed: boolean;
    };

export interface Comparison {
  readonly column: Column;
  /** The operator's last token, such as `==`, `!in`, or `regex` for `matches regex`. */
  readonly operator: string;
}

export const nothing: Context = { kind: 'nothing' };

export interface Names {
  readonly columns: Columns;
  readonly right?: Columns;
  readonly tables?: boolean;
}
