/** The answer to what may stand at an offset: one shape for each kind of place. */
import type { Column, Columns } from '../binding/bound.ts';
import type { ParameterType, ScalarType, WordRow } from '../catalog/types.ts';
import type { Span } from '../text.ts';
import type { CallSlot } from './calls.ts';

/** What may stand at an offset. `replace` is the word there, whose place is taken by what is chosen. */
export type Context =
  /** Only a comment, a number, a text or a new name. */
  | { readonly kind: 'nothing' }
  /** The start of a pipeline: a dataset, a let, `print` …; where `statements` is true, `let` too. */
  | { readonly kind: 'source'; readonly replace: Span; readonly statements: boolean }
  /** A dataset, view or tabular let; a wildcard too, where `wildcards` is true. */
  | {
      readonly kind: 'dataset';
      readonly replace: Span;
      readonly wildcards: boolean;
      readonly words: readonly WordRow[];
    }
  /** An operator after a pipe. */
  | { readonly kind: 'operator'; readonly replace: Span; readonly columns: Columns }
  /** An operand: a column, a function, a literal. */
  | {
      readonly kind: 'expression';
      readonly replace: Span;
      readonly columns: Columns;
      /** The columns of the right side, in the conditions of a join. */
      readonly right?: Columns;
      /** `allowed` where aggregates stand and columns do not; `inside` in an aggregate's arguments. */
      readonly aggregates: 'refused' | 'allowed' | 'inside';
      /** What is wanted there; absent where any value may stand. */
      readonly expected?: ParameterType;
      /** The column that the operand is compared with, and the operator between them. */
      readonly compared?: Comparison;
      /** The type that the comparison after the operand asks for, as in `where $0 >= 500`. */
      readonly following?: ParameterType;
      readonly call?: CallSlot;
      /** Options and words that may stand here as well, such as `kind`. */
      readonly words: readonly WordRow[];
      /** Whether a table may stand here too, as behind `in (` and `let x =`. */
      readonly tables: boolean;
      /** Constants as they are commonly written here, such as `5m` for the width of a bin. */
      readonly likely: readonly string[];
      /** Whether a number is written here and hardly ever computed, as behind `take`. */
      readonly amount: boolean;
    }
  /**
   * Behind an operand: a scalar operator, or one of the words. `type` is the operand's. Where `lone` is true
   * that operand is all there is and no bool, so that `and` and `or` cannot follow; where `unfinished` is true
   * an operator has to follow, since a condition is wanted.
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
  /** A column by its name alone, or a wildcard over columns where `wildcards` is true. */
  | {
      readonly kind: 'column';
      readonly replace: Span;
      readonly columns: Columns;
      readonly wildcards: boolean;
    }
  /**
   * Behind a dot, or in the text of an index: a property of `path`. `whole` is the span from the path's
   * start to the end of the word or index; `keys` are those of a constant bag that the path names.
   */
  | {
      readonly kind: 'member';
      readonly replace: Span;
      readonly whole: Span;
      readonly path: string;
      readonly columns: Columns;
      readonly keys: readonly string[];
    }
  /** One of the words and nothing else. */
  | { readonly kind: 'word'; readonly replace: Span; readonly words: readonly WordRow[] }
  /** A type's name. */
  | { readonly kind: 'type'; readonly replace: Span }
  /** Inside a text that is one of `values`, names a table, or is compared with a column. */
  | {
      readonly kind: 'text';
      readonly replace: Span;
      readonly values: readonly string[];
      readonly tables: boolean;
      readonly compared?: Comparison;
      /** How the text is written: its quote, `@` before that or not, and whether it has its end. */
      readonly quote: '"' | "'";
      readonly verbatim: boolean;
      readonly closed: boolean;
    };

/** A column and the operator behind it, at whose right side the offset stands. */
export interface Comparison {
  readonly column: Column;
  /** As the catalog spells it, such as `==` or `!in`. */
  readonly operator: string;
}

export const nothing: Context = { kind: 'nothing' };

/** What an expression may name. */
export interface Names {
  readonly columns: Columns;
  readonly right?: Columns;
  readonly tables?: boolean;
}
