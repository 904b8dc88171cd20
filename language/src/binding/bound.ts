/**
 * The bound query: resolved names, typed expressions, and the known columns after each stage. The language server and
 * the local deployment's planner use it. It is read-only data, but some lists are computed on first access.
 */
import type { ScalarType } from '../catalog/types.ts';
import type { BoundOperator } from '../operators/index.ts';
import type { Problem } from '../problems.ts';
import type * as syntax from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import type { OuterLet } from './outerLets.ts';

export type { BoundOperator, BoundOperatorOfKind } from '../operators/index.ts';
export type { BoundParsePart } from '../operators/parse.ts';

export interface Column {
  readonly name: string;
  readonly type: ScalarType;
  /** The types of a stored field or union column whose values have several types. `type` is then `unknown`. */
  readonly variants?: readonly ScalarType[];
  /** The service's name for the type of a stored field. */
  readonly wireType?: string;
  readonly unit?: string;
  readonly description?: string;
  /** The span of text that defines the column. Absent for a stored field, or if the name isn't in the text. */
  readonly definition?: Span;
  /** The dataset of a stored field. Absent after a rename or a merge by a union. */
  readonly dataset?: string;
  /** The original name of a stored field that a join or aggregate renamed. */
  readonly field?: string;
  /** The two columns that a union merged, if the query defines at least one of them. */
  readonly merged?: readonly [Column, Column];
  /** Whether the field is hidden. A hidden field can be used but isn't suggested. */
  readonly hidden?: true;
}

/** Columns in output order. A list is open if unlisted columns may exist, for example because the schema is partial. */
export interface Columns {
  readonly list: readonly Column[];
  readonly open: boolean;
  /** The guessed column names. Present only if guessed names are the only reason that the list is open. */
  readonly guessed?: ReadonlySet<string> | undefined;
}

export interface BoundQuery {
  readonly tree: syntax.QueryTree;
  /** The `let` statements that are defined outside the query. */
  readonly outer: readonly OuterLet[];
  readonly lets: readonly BoundLet[];
  readonly parameters: readonly BoundParameter[];
  readonly options: readonly string[];
  /** The top-level pipelines. A runnable query has exactly one. */
  readonly pipelines: readonly BoundPipeline[];
  readonly problems: readonly Problem[];
  readonly references: readonly Reference[];
  /** The stages of all pipelines, including nested ones, in text order. */
  readonly stages: readonly BoundStage[];
}

export interface BoundLet extends Span {
  readonly name: string;
  readonly nameSpan: Span;
  readonly value: BoundExpression | BoundPipeline;
}

export interface BoundParameter extends Span {
  readonly name: string;
  readonly type: ScalarType;
  readonly defaultValue?: BoundExpression;
}

export interface Reference extends Span {
  readonly name: string;
  readonly meaning: Meaning;
  readonly definition: boolean;
}

export type Meaning =
  | { readonly kind: 'column'; readonly column: Column }
  | { readonly kind: 'dataset'; readonly name: string }
  | { readonly kind: 'let'; readonly name: string; readonly type: ScalarType | 'table' }
  | { readonly kind: 'parameter'; readonly name: string; readonly type: ScalarType }
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'unknown' };

// ── Pipelines ─────────────────────────────────────────────────────────────────────────────────────

export interface BoundPipeline extends Span {
  readonly kind: 'pipeline';
  readonly source: BoundSource;
  readonly stages: readonly BoundStage[];
  readonly columns: Columns;
}

export interface BoundStage extends Span {
  readonly operator: BoundOperator;
  readonly input: Columns;
  readonly output: Columns;
}

export type BoundSource = Span & { readonly columns: Columns } & (
    | {
        readonly kind: 'dataset';
        readonly name: string;
        /** Whether a wildcard matched the dataset. */
        readonly matched?: true;
      }
    | { readonly kind: 'let'; readonly name: string }
    | { readonly kind: 'subquery'; readonly pipeline: BoundPipeline }
    | { readonly kind: 'print'; readonly items: readonly NamedExpression[] }
    | {
        readonly kind: 'datatable';
        readonly rows: readonly (readonly BoundExpression[])[];
      }
    | {
        readonly kind: 'externaldata';
        readonly urls: readonly BoundExpression[];
        /** The explicit file format. If absent, the URL determines the format. */
        readonly format?: string;
        readonly ignoreFirstRecord: boolean;
      }
    | ({ readonly kind: 'union' } & BoundUnion)
    | ({ readonly kind: 'search' } & BoundSearch)
    /** An unknown table. `name` is the argument of `table(…)`, if its value is known. */
    | { readonly kind: 'unknown'; readonly name?: string }
  );

export interface BoundUnion {
  /** The column that receives the name of each row's source table. */
  readonly withSource?: string;
  /** `any`: the output has all columns of all tables. `all`: it has only the columns that all tables have. */
  readonly columnsOf: 'any' | 'all';
  /** The tables to concatenate, without the input table. A wildcard is expanded to its datasets. */
  readonly inputs: readonly BoundPipeline[];
}

export interface BoundSearch {
  readonly caseSensitive: boolean;
  /** The tables listed after `in`. If empty, the search covers its input or, without an input, all tables. */
  readonly inputs: readonly BoundPipeline[];
  readonly predicate: BoundExpression;
}

export interface TypedName {
  readonly name: string;
  readonly type: ScalarType;
}

export interface NamedExpression extends Span {
  readonly name: string;
  /** Whether the query names the item explicitly. */
  readonly named: boolean;
  /** The names of all columns of an expression such as `arg_max(…)`. `name` is the first of these names. */
  readonly columns?: readonly string[];
  readonly expression: BoundExpression;
}

export interface BoundSortKey extends Span {
  readonly expression: BoundExpression;
  readonly direction: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last';
}

// ── Expressions ───────────────────────────────────────────────────────────────────────────────────

/** A JSON constant. Integers are bigints. */
export type DynamicConstant =
  | string
  | bigint
  | number
  | boolean
  | null
  | readonly DynamicConstant[]
  | { readonly [key: string]: DynamicConstant };

export type BoundExpression = Span & {
  readonly type: ScalarType;
} /** `value` has the same form as `Literal.value` in the syntax tree. null is a null of the type `type`. */ & (
    | { readonly kind: 'literal'; readonly value: string | bigint | number | boolean | null }
    | { readonly kind: 'dynamic'; readonly value: DynamicConstant }
    /** An array in `dynamic(…)` with at least one nonconstant item. */
    | { readonly kind: 'array'; readonly items: readonly BoundExpression[] }
    | {
        readonly kind: 'bag';
        readonly entries: readonly { readonly key: string; readonly value: BoundExpression }[];
      }
    | {
        readonly kind: 'column';
        readonly name: string;
        readonly column?: Column;
        readonly side?: 'left' | 'right';
      }
    | { readonly kind: 'let'; readonly name: string }
    | { readonly kind: 'parameter'; readonly name: string }
    | { readonly kind: 'star' }
    | {
        readonly kind: 'unary';
        readonly operator: '-' | '+' | 'not';
        readonly operand: BoundExpression;
      }
    | {
        readonly kind: 'binary';
        readonly operator: string;
        readonly left: BoundExpression;
        readonly right: BoundExpression;
      }
    | {
        readonly kind: 'in';
        readonly operator: string;
        readonly left: BoundExpression;
        readonly items: readonly BoundExpression[];
      }
    | {
        readonly kind: 'between';
        readonly negated: boolean;
        readonly left: BoundExpression;
        readonly low: BoundExpression;
        readonly high: BoundExpression;
      }
    /** A call of a function or an aggregate. `name` is spelled as in the catalog. */
    | {
        readonly kind: 'call';
        readonly name: string;
        readonly aggregate: boolean;
        readonly arguments: readonly BoundExpression[];
      }
    | { readonly kind: 'named'; readonly name: string; readonly value: BoundExpression }
    /** A property or element of a dynamic value. `key` is the property's name or the element's index. */
    | { readonly kind: 'member'; readonly target: BoundExpression; readonly key: BoundExpression }
    | {
        readonly kind: 'slice';
        readonly target: BoundExpression;
        readonly from?: BoundExpression;
        readonly to?: BoundExpression;
      }
    | { readonly kind: 'typeof'; readonly of: ScalarType }
    | { readonly kind: 'subquery'; readonly pipeline: BoundPipeline }
    /** A search term. If `field` is absent, every field is searched. */
    | {
        readonly kind: 'term';
        readonly match: 'any' | 'has' | 'hasprefix' | 'hassuffix' | 'contains' | 'regex';
        /** The text to find or, if `match` is `regex`, a regular expression. */
        readonly text: string;
        readonly field?: BoundExpression;
      }
    /** An expression that could not be bound. The binder or the parser has reported an error. */
    | { readonly kind: 'error' }
  );
