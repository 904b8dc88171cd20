/**
 * The bound query: resolved names, typed expressions, and the known columns after each stage. It is plain data, used by
 * the language server and by the local deployment's planner.
 */
import type { ScalarType } from '../catalog/types.ts';
import type { BoundMvExpand } from '../operators/mvExpand.ts';
import type { Problem } from '../problems.ts';
import type * as syntax from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import type { OuterLet } from './outerLets.ts';

export type { BoundExpansion, BoundMvExpand } from '../operators/mvExpand.ts';

/** A column at some point of a pipeline. */
export interface Column {
  readonly name: string;
  readonly type: ScalarType;
  /** The types of a stored field with values of several types. `type` is then `unknown`. */
  readonly variants?: readonly ScalarType[];
  /** The service's name for the field's type, if the column is a stored field. */
  readonly wireType?: string;
  readonly unit?: string;
  readonly description?: string;
  /** The span of the query text that defines the column. Absent for a stored field. */
  readonly definition?: Span;
  /** The dataset of a stored field. Absent for a computed column. */
  readonly dataset?: string;
  /** The stored field's original name, if a join or an aggregate renamed it. */
  readonly field?: string;
  /** The two columns merged by a union. Present only if the query defines either of them. */
  readonly merged?: readonly [Column, Column];
  /** Whether the field is marked as hidden. A hidden field can be used but isn't suggested. */
  readonly hidden?: true;
}

/** Columns in order. `open` means that more columns may exist, because the schema is partial or unknown. */
export interface Columns {
  readonly list: readonly Column[];
  readonly open: boolean;
  /** The columns with guessed names, if these are the only reason why more columns may exist. */
  readonly guessed?: ReadonlySet<string> | undefined;
}

export interface BoundQuery {
  readonly tree: syntax.QueryTree;
  /** Lets declared outside the query that it can use. */
  readonly outer: readonly OuterLet[];
  readonly lets: readonly BoundLet[];
  readonly parameters: readonly BoundParameter[];
  readonly options: readonly string[];
  /** The pipelines used as statements. A runnable query has exactly one. */
  readonly pipelines: readonly BoundPipeline[];
  readonly problems: readonly Problem[];
  /** Every use and definition of a name, in text order. Used by hover, definition and rename. */
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
  /** The output columns. */
  readonly columns: Columns;
}

export interface BoundStage extends Span {
  readonly operator: BoundOperator;
  /** The input and output columns. */
  readonly input: Columns;
  readonly output: Columns;
}

export type BoundSource = Span & { readonly columns: Columns } & (
    | {
        readonly kind: 'dataset';
        readonly name: string;
        /** Whether the dataset matches a pattern and isn't named explicitly. */
        readonly matched?: true;
      }
    | { readonly kind: 'let'; readonly name: string }
    | { readonly kind: 'subquery'; readonly pipeline: BoundPipeline }
    | { readonly kind: 'print'; readonly items: readonly NamedExpression[] }
    | {
        readonly kind: 'datatable';
        /** Row-major: `rows[r][c]`. */
        readonly rows: readonly (readonly BoundExpression[])[];
      }
    | {
        readonly kind: 'externaldata';
        readonly urls: readonly BoundExpression[];
        /** The explicit format. Without one, the format depends on the URL. */
        readonly format?: string;
        readonly ignoreFirstRecord: boolean;
      }
    | ({ readonly kind: 'union' } & BoundUnion)
    | ({ readonly kind: 'search' } & BoundSearch)
    /** `name` is the argument of `table(…)` if it isn't a dataset. */
    | { readonly kind: 'unknown'; readonly name?: string }
  );

export type BoundOperator =
  | BoundMvExpand
  | (Span & { readonly keyword: Span } & (
        | { readonly kind: 'where'; readonly predicate: BoundExpression }
        | {
            readonly kind: 'extend';
            readonly valid: boolean;
            readonly items: readonly NamedExpression[];
          }
        | { readonly kind: 'project'; readonly items: readonly NamedExpression[] }
        /** project-away, project-keep, project-reorder and project-rename: output name ← input name, in order. */
        | {
            readonly kind: 'select';
            readonly name: 'project-away' | 'project-keep' | 'project-rename' | 'project-reorder';
            readonly columns: readonly { readonly name: string; readonly from: string }[];
          }
        | {
            readonly kind: 'summarize';
            readonly aggregates: readonly NamedExpression[];
            readonly groups: readonly NamedExpression[];
            /** The index in `groups` of a bin of `_time` (or another datetime), if present. */
            readonly timeGroup?: number;
          }
        | { readonly kind: 'sort'; readonly keys: readonly BoundSortKey[] }
        | {
            readonly kind: 'top';
            readonly count: BoundExpression;
            readonly keys: readonly BoundSortKey[];
          }
        | { readonly kind: 'limit'; readonly count: BoundExpression }
        | { readonly kind: 'count' }
        | { readonly kind: 'distinct'; readonly items: readonly NamedExpression[] }
        | { readonly kind: 'getschema' }
        | { readonly kind: 'sample'; readonly ratio: BoundExpression }
        | {
            readonly kind: 'join';
            readonly lookup: boolean;
            readonly joinKind: string;
            readonly right: BoundPipeline;
            readonly conditions: readonly JoinCondition[];
            /** The origin of each output column, in output order. */
            readonly columns: { readonly list: readonly JoinedColumn[] };
          }
        | ({ readonly kind: 'union' } & BoundUnion)
        | ({ readonly kind: 'search' } & BoundSearch)
        | {
            readonly kind: 'make-series';
            /** Whether empty input returns one row of defaults. */
            readonly nonEmpty: boolean;
            readonly aggregates: readonly BoundSeries[];
            /** The time or number divided into steps, and the column name for the array of steps. */
            readonly on: BoundExpression;
            readonly onName: string;
            readonly from?: BoundExpression;
            readonly to?: BoundExpression;
            readonly step?: BoundExpression;
            /** Whether `from`, `to` and `step` come from `in range(…)`, whose steps are bins and include the end. */
            readonly inRange: boolean;
            readonly groups: readonly NamedExpression[];
          }
        | {
            readonly kind: 'parse';
            /** Whether rows that don't match are dropped, as by `parse-where`. */
            readonly where: boolean;
            readonly mode: 'simple' | 'regex' | 'relaxed';
            /** Flags of the regular expression, such as `Ui`. */
            readonly flags?: string;
            readonly subject: BoundExpression;
            readonly pattern: readonly BoundParsePart[];
            /** Columns for named groups in the strings of a regular expression. They precede the other columns. */
            readonly groups: readonly string[];
          }
        | {
            readonly kind: 'parse-kv';
            readonly subject: BoundExpression;
            readonly keys: readonly TypedName[];
            readonly pairDelimiter?: string;
            readonly kvDelimiter?: string;
            /** One character, or the opening and closing characters. */
            readonly quote?: string;
            readonly escape?: string;
            readonly greedy: boolean;
            /** A regular expression with one group for the key and one for the value, used instead of delimiters. */
            readonly regex?: string;
          }
        | {
            readonly kind: 'redact';
            /** The replacement for a match. A single character replaces each character of the match. */
            readonly token: string;
            /** Whether matches are replaced with a hash instead. */
            readonly hash: boolean;
            /** Whether only the groups of a match are redacted. */
            readonly groups: boolean;
            readonly patterns: readonly BoundExpression[];
            /** The fields to redact. An empty array means all string fields. */
            readonly on: readonly BoundExpression[];
          }
        /** An unsupported operator, which has a problem. The columns after it are open. */
        | { readonly kind: 'unknown'; readonly name: string }
      ));

export interface BoundUnion {
  /** The column for the name of each row's source table. */
  readonly withSource?: string;
  /** Whether to output the columns of any table, or only the columns shared by all. */
  readonly columnsOf: 'any' | 'all';
  /** The tables, excluding the input table. Wildcards are expanded to datasets. */
  readonly inputs: readonly BoundPipeline[];
}

export interface BoundSearch {
  readonly caseSensitive: boolean;
  /** The searched tables. An empty array means all tables, or the input rows. */
  readonly inputs: readonly BoundPipeline[];
  readonly predicate: BoundExpression;
}

/** One aggregate of make-series, and the default for steps without rows. */
export interface BoundSeries {
  readonly item: NamedExpression;
  readonly defaultValue?: BoundExpression;
}

export interface TypedName {
  readonly name: string;
  readonly type: ScalarType;
}

/** One part of a parse pattern: literal text, any text, or a column to fill. */
export type BoundParsePart = Span &
  (
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'star' }
    | ({ readonly kind: 'column' } & TypedName)
  );

/** An output column of a join, and the column it comes from. */
export interface JoinedColumn {
  readonly name: string;
  readonly side: 'left' | 'right';
  readonly from: string;
}

export interface JoinCondition extends Span {
  readonly left: BoundExpression;
  readonly right: BoundExpression;
}

export interface NamedExpression extends Span {
  readonly name: string;
  /** Whether the name is explicit in the query rather than derived. */
  readonly named: boolean;
  /** The columns, in order, if the expression makes several, as `arg_max` does. `name` is the first. */
  readonly columns?: readonly string[];
  readonly expression: BoundExpression;
}

export interface BoundSortKey extends Span {
  readonly expression: BoundExpression;
  readonly direction: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last';
}

// ── Expressions ───────────────────────────────────────────────────────────────────────────────────

/** A JSON value, with bigint for integers. */
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
} /** As `Literal.value` of the tree. null is a null of `type`. */ & (
    | { readonly kind: 'literal'; readonly value: string | bigint | number | boolean | null }
    | { readonly kind: 'dynamic'; readonly value: DynamicConstant }
    /** A dynamic literal with expressions inside. */
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
        /** The operator as spelled in the catalog. */
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
    /** A scalar function or, if `aggregate` is true, an aggregate. `name` is spelled as in the catalog. */
    | {
        readonly kind: 'call';
        readonly name: string;
        readonly aggregate: boolean;
        readonly arguments: readonly BoundExpression[];
      }
    | { readonly kind: 'named'; readonly name: string; readonly value: BoundExpression }
    /** A property or element of a dynamic value. `key` is a string or number expression. */
    | { readonly kind: 'member'; readonly target: BoundExpression; readonly key: BoundExpression }
    | {
        readonly kind: 'slice';
        readonly target: BoundExpression;
        readonly from?: BoundExpression;
        readonly to?: BoundExpression;
      }
    | { readonly kind: 'typeof'; readonly of: ScalarType }
    | { readonly kind: 'subquery'; readonly pipeline: BoundPipeline }
    /** A search term, looked for in every field or only in `field`. */
    | {
        readonly kind: 'term';
        readonly match: 'any' | 'has' | 'hasprefix' | 'hassuffix' | 'contains' | 'regex';
        /** The term without its stars. For `regex`, a regular expression. */
        readonly text: string;
        readonly field?: BoundExpression;
      }
    /** An expression that could not be bound. The binder or the parser has reported an error. */
    | { readonly kind: 'error' }
  );
