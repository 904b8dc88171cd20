/**
 * The bound query: names resolved to meanings, every expression typed, the columns known after each
 * stage. It is plain data, read by the language server and by the local deployment's planner alike.
 */
import type { ScalarType } from '../catalog/types.ts';
import type { Problem } from '../problems.ts';
import type * as syntax from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import type { OuterLet } from './outerLets.ts';

/** A column at some point of a pipeline. */
export interface Column {
  readonly name: string;
  readonly type: ScalarType;
  /** The types of a stored field that was seen with several; `type` is then `unknown`. */
  readonly variants?: readonly ScalarType[];
  /** The field's type as the service names it, when the column is a stored field. */
  readonly wireType?: string;
  readonly unit?: string;
  readonly description?: string;
  /** Where the column was made: a span of the query's text; absent for a stored field. */
  readonly definition?: Span;
  /** The dataset that the field is stored in; absent for a computed column. */
  readonly dataset?: string;
  /** The stored field's own name, where a join or an aggregate had to give it another. */
  readonly field?: string;
  /** The two columns that a union made one; only where the query made either of them. */
  readonly merged?: readonly [Column, Column];
  /** Whether the field is marked as hidden: it can be named, and is not offered. */
  readonly hidden?: true;
}

/** Columns in order. `open` means that there may be others: the schema is partial or unknown. */
export interface Columns {
  readonly list: readonly Column[];
  readonly open: boolean;
  /** The columns whose names are guessed, where that is the only reason for others. */
  readonly guessed?: ReadonlySet<string> | undefined;
}

export interface BoundQuery {
  readonly tree: syntax.QueryTree;
  /** Lets that are declared outside the query and that it may name. */
  readonly outer: readonly OuterLet[];
  readonly lets: readonly BoundLet[];
  readonly parameters: readonly BoundParameter[];
  readonly options: readonly string[];
  /** The pipelines that stand as statements; a runnable query has exactly one. */
  readonly pipelines: readonly BoundPipeline[];
  readonly problems: readonly Problem[];
  /** Every use and definition of a name, in text order; what hover, definition and rename read. */
  readonly references: readonly Reference[];
  /** The stages of all pipelines, those inside others too, in text order. */
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
  /** The columns at the end. */
  readonly columns: Columns;
}

export interface BoundStage extends Span {
  readonly operator: BoundOperator;
  /** The columns flowing in and out. */
  readonly input: Columns;
  readonly output: Columns;
}

export type BoundSource = Span & { readonly columns: Columns } & (
    | {
        readonly kind: 'dataset';
        readonly name: string;
        /** Whether it matches a pattern of the query, which does not name it. */
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
        /** As the query names it; without one the address tells. */
        readonly format?: string;
        readonly ignoreFirstRecord: boolean;
      }
    | ({ readonly kind: 'union' } & BoundUnion)
    | ({ readonly kind: 'search' } & BoundSearch)
    /** `name` is what `table(…)` names where that is no dataset. */
    | { readonly kind: 'unknown'; readonly name?: string }
  );

export type BoundOperator = Span & { readonly keyword: Span } & (
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
        readonly name: string;
        readonly columns: readonly { readonly name: string; readonly from: string }[];
      }
    | {
        readonly kind: 'summarize';
        readonly aggregates: readonly NamedExpression[];
        readonly groups: readonly NamedExpression[];
        /** The index in `groups` of a bin of `_time` (or another datetime), when there is one. */
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
        /** Where each output column comes from, in the order of the stage's output. */
        readonly columns: { readonly list: readonly JoinedColumn[] };
      }
    | ({ readonly kind: 'union' } & BoundUnion)
    | ({ readonly kind: 'search' } & BoundSearch)
    | {
        readonly kind: 'make-series';
        /** Whether it gives one row of defaults where there are no rows at all. */
        readonly nonEmpty: boolean;
        readonly aggregates: readonly BoundSeries[];
        /** The time or number that is cut into steps, and the name of the array of its steps. */
        readonly on: BoundExpression;
        readonly onName: string;
        readonly from?: BoundExpression;
        readonly to?: BoundExpression;
        readonly step?: BoundExpression;
        /** Whether they are of `in range(…)`, whose steps are bins and include its end. */
        readonly inRange: boolean;
        readonly groups: readonly NamedExpression[];
      }
    | {
        readonly kind: 'mv-expand';
        /** Whether a bag becomes rows of bags with one key, or of arrays of key and value. */
        readonly bags: 'bag' | 'array';
        /** The column for the zero-based place of the element. */
        readonly itemIndex?: string;
        readonly items: readonly BoundExpansion[];
        readonly limit?: BoundExpression;
      }
    | {
        readonly kind: 'parse';
        /** Whether rows that do not match are dropped, as by `parse-where`. */
        readonly where: boolean;
        readonly mode: 'simple' | 'regex' | 'relaxed';
        /** Flags of the regular expression, such as `Ui`. */
        readonly flags?: string;
        readonly subject: BoundExpression;
        readonly pattern: readonly BoundParsePart[];
        /** Columns of named groups in the texts of a regular expression: they stand before the others. */
        readonly groups: readonly string[];
      }
    | {
        readonly kind: 'parse-kv';
        readonly subject: BoundExpression;
        readonly keys: readonly TypedName[];
        readonly pairDelimiter?: string;
        readonly kvDelimiter?: string;
        /** One character, or the opening and the closing one. */
        readonly quote?: string;
        readonly escape?: string;
        readonly greedy: boolean;
        /** A regular expression with a group for the key and one for the value, instead of delimiters. */
        readonly regex?: string;
      }
    | {
        readonly kind: 'redact';
        /** What takes the place of a match; one character takes that of each character. */
        readonly token: string;
        /** Whether a hash takes the place of a match instead. */
        readonly hash: boolean;
        /** Whether only the groups of a match are hidden. */
        readonly groups: boolean;
        readonly patterns: readonly BoundExpression[];
        /** The fields; none stands for every field of text. */
        readonly on: readonly BoundExpression[];
      }
    /** An operator that APL lacks, as a problem says; the columns behind it are open. */
    | { readonly kind: 'unknown'; readonly name: string }
  );

export interface BoundUnion {
  /** The column for the name of the table that a row comes from. */
  readonly withSource?: string;
  /** Whether the columns are those of any table, or only those that all tables have. */
  readonly columnsOf: 'any' | 'all';
  /** The tables, without the one that flows in; a wildcard stands for each dataset that it names. */
  readonly inputs: readonly BoundPipeline[];
}

export interface BoundSearch {
  readonly caseSensitive: boolean;
  /** The tables that are searched; none stands for all, or for the rows that flow in. */
  readonly inputs: readonly BoundPipeline[];
  readonly predicate: BoundExpression;
}

/** One aggregate of make-series, with what stands where a step has no rows. */
export interface BoundSeries {
  readonly item: NamedExpression;
  readonly defaultValue?: BoundExpression;
}

/** One array or bag that mv-expand takes apart, with the type that its elements are turned into. */
export interface BoundExpansion {
  readonly item: NamedExpression;
  readonly toType?: ScalarType;
}

export interface TypedName {
  readonly name: string;
  readonly type: ScalarType;
}

/** One part of the pattern of parse: a text to match, any text, or a column to fill. */
export type BoundParsePart = Span &
  (
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'star' }
    | ({ readonly kind: 'column' } & TypedName)
  );

/** A column of a join's output, and the side's column that it is. */
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
  /** Whether the query wrote the name, or it was derived. */
  readonly named: boolean;
  /** The columns, in order, when the expression makes several, as `arg_max` does; `name` is the first. */
  readonly columns?: readonly string[];
  readonly expression: BoundExpression;
}

export interface BoundSortKey extends Span {
  readonly expression: BoundExpression;
  readonly direction: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last';
}

// ── Expressions ───────────────────────────────────────────────────────────────────────────────────

/** A value that JSON can hold, with bigint for integers. */
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
} /** As `Literal.value` of the tree; null for a null of `type`. */ & (
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
        /** The catalog's spelling of the scalar operator. */
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
    /** A scalar function or, where `aggregate` is true, an aggregate; `name` is the catalog's. */
    | {
        readonly kind: 'call';
        readonly name: string;
        readonly aggregate: boolean;
        readonly arguments: readonly BoundExpression[];
      }
    | { readonly kind: 'named'; readonly name: string; readonly value: BoundExpression }
    /** Property or element of a dynamic value: `key` is a string or a number expression. */
    | { readonly kind: 'member'; readonly target: BoundExpression; readonly key: BoundExpression }
    | {
        readonly kind: 'slice';
        readonly target: BoundExpression;
        readonly from?: BoundExpression;
        readonly to?: BoundExpression;
      }
    | { readonly kind: 'typeof'; readonly of: ScalarType }
    | { readonly kind: 'subquery'; readonly pipeline: BoundPipeline }
    /** A text that search looks for: in every field, or in `field` alone. */
    | {
        readonly kind: 'term';
        readonly match: 'any' | 'has' | 'hasprefix' | 'hassuffix' | 'contains' | 'regex';
        /** The text without its stars; for `regex` a regular expression. */
        readonly text: string;
        readonly field?: BoundExpression;
      }
    /** Something that could not be bound; a problem of severity `error` says why, or the tree did. */
    | { readonly kind: 'error' }
  );
