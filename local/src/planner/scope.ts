/** What planning an expression needs to know: the columns it may name, and the query around it. */
import type {
  BoundExpression,
  BoundOperator,
  BoundPipeline,
  BoundQuery,
  Span,
} from '../../../language/src/index.ts';
import type { Beforehand } from './beforehand.ts';
import { PlanError } from './errors.ts';
import type { Paging } from './paging.ts';
import type { PlanContext, SharedTable } from './plan.ts';
import type { PlanSize } from './planSize.ts';
import { columnValue, type Table } from './table.ts';
import type { Value } from './values.ts';

/** The planning of one query. */
export interface Planning {
  readonly context: PlanContext;
  readonly expressionLets: ReadonlyMap<string, BoundExpression>;
  readonly tableLets: ReadonlyMap<string, BoundPipeline>;
  readonly parameters: ReadonlyMap<string, Value>;
  /** Scalar `let`s that have been planned. */
  readonly values: Map<string, Value>;
  /** Tabular `let`s that have been planned; each is a common table expression. */
  readonly tables: Map<string, Table>;
  /** The common table expressions, in order: each uses only those before it. */
  readonly shared: SharedTable[];
  /** Their names in lower case, as far as the query chose them. */
  readonly sharedNames: Set<string>;
  readonly size: PlanSize;
  readonly datasets: Set<string>;
  /** The views that a pattern matches and that cannot be planned, with the reason. */
  readonly leftOut: Map<string, string>;
  /** Whether it is that of a view's query, whose patterns match datasets alone: the view would match itself. */
  readonly isView: boolean;
  /** The pages that the query's events are to be cut into; absent where it gives no events. */
  readonly paging?: Paging;
  /** Whether the query asks for the cursors of events. */
  readonly cursors: boolean;
  /** The aggregation of the query's own events, which is to count them; absent where nothing is to be counted. */
  readonly counted?: BoundOperator;
  /** What is computed before the stage that is planned; absent where nothing can be. */
  readonly before?: Beforehand | undefined;
  /** The planning of a view's query inside this one, which shares what it names and reads. */
  readonly nested: (bound: BoundQuery) => Planning;
  /** Plans a pipeline that stands inside an expression. */
  readonly planPipeline: (pipeline: BoundPipeline, planning: Planning) => Table;
}

export interface Scope {
  readonly planning: Planning;
  readonly column: (name: string, side: 'left' | 'right' | undefined, span: Span) => Value;
  /** The column of a name, or undefined when there is none. */
  readonly find: (name: string) => Value | undefined;
  readonly table: Table;
  /** Whether the terms of a search tell upper from lower case. */
  readonly caseSensitive?: boolean;
  /** Set where aggregates may stand. */
  readonly aggregates?: AggregateScope;
}

/** What an aggregate needs beside its arguments. */
export interface AggregateScope {
  /** The length of the bin that groups, or of the query's range, in nanoseconds. */
  readonly window: bigint;
  /** The names of the columns that group, which `*` leaves out. */
  readonly groups: ReadonlySet<string>;
  /** The rows that are aggregated, which an aggregate's arguments are planned over. */
  readonly rows: Scope;
  /** Makes an aggregate a column of the grouped table, and gives that column. */
  readonly collect: (aggregate: Value) => Value;
}

export function scopeOf(table: Table, planning: Planning): Scope {
  const columns = new Map(table.columns.map((column) => [column.name, column]));
  const find = (name: string) => {
    const found = columns.get(name);
    return found === undefined ? undefined : columnValue(found);
  };
  return {
    planning,
    table,
    find,
    column: (name, _side, span) => {
      const own = find(name);
      if (own !== undefined) return own;
      const parameter = planning.parameters.get(name);
      if (parameter !== undefined) planning.size.addNamed(parameter.sql.text.length, span);
      const found = parameter ?? findByKustoName(name, find);
      if (found === undefined) throw unknownColumn(name, span);
      return found;
    },
  };
}

/** Kusto's names for the columns of unnamed aggregates, where they differ, and how APL names the same columns. */
const kustoNames: readonly (readonly [RegExp, string])[] = [
  [/^(list|set)_/, 'make_$&'],
  [/^(list|set)_/, 'make_$1_if_'],
  [/^(avg|stdev)if_/, '$1_'],
  [/^(percentile_.+)_[\d_]+$/, '$1'],
];

function findByKustoName(name: string, find: Scope['find']): Value | undefined {
  for (const [pattern, own] of kustoNames) {
    const found = pattern.test(name) ? find(name.replace(pattern, own)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

export function unknownColumn(name: string, span: Span): PlanError {
  return new PlanError('unknown-column', span, `The column ${name} does not exist here.`);
}

export function noColumnLeft(span: Span): PlanError {
  const message = 'The rows have no columns here. Keep at least one column.';
  return new PlanError('unknown-column', span, message);
}
