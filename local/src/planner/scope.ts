/** The context of planning: the available columns, and the state of the enclosing query. */
import type {
  BoundExpression,
  BoundOperator,
  BoundPipeline,
  BoundQuery,
  BoundSource,
  Span,
} from '../../../language/src/index.ts';
import { PlanError } from './errors.ts';
import type { Paging } from './paging.ts';
import type { Narrowed, PlanContext, SharedTable } from './plan.ts';
import type { PlanSize } from './planSize.ts';
import type { PrecomputedColumns } from './precompute.ts';
import type { Relation } from './relation.ts';
import type { Sql } from './sql.ts';
import * as print from './sql.ts';
import { columnValue, type Table } from './table.ts';
import { type Value, value } from './values.ts';

export interface Planning {
  readonly context: PlanContext;
  readonly expressionLets: ReadonlyMap<string, BoundExpression>;
  readonly tableLets: ReadonlyMap<string, BoundPipeline>;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly values: Map<string, Value>;
  readonly tables: Map<string, Table>;
  /** Common table expressions, each after those that it reads. */
  readonly shared: SharedTable[];
  /** The names of the `let` statements' common table expressions, in lowercase. */
  readonly sharedNames: Set<string>;
  readonly size: PlanSize;
  readonly datasets: Set<string>;
  /** The reasons why views are omitted, by view name. */
  readonly omittedViews: Map<string, string>;
  /** Whether this is a view's query. Patterns in it match only datasets, because they might match the view itself. */
  readonly isView: boolean;
  readonly paging?: Paging;
  /** The source of which only some events are read, because no others can match. */
  readonly narrowed?: Narrowed & { readonly source: BoundSource };
  readonly cursors: boolean;
  /** The aggregation that also counts its input events, if any. */
  readonly countingOperator?: BoundOperator;
  /** Present while totals are planned without the time. `isNeeded` is set if they require the time. */
  readonly withoutTime?: { isNeeded: boolean };
  /** The precomputed columns of the current stage. Absent if the stage can't have any. */
  readonly precomputed?: PrecomputedColumns | undefined;
  /**
   * Returns the planning context of a view's query, which shares the common table expressions and size limits of this
   * context.
   */
  readonly nested: (bound: BoundQuery) => Planning;
  readonly planNode: (node: BoundExpression, scope: Scope) => Value;
  readonly planPipeline: (pipeline: BoundPipeline, planning: Planning) => Table;
}

export interface Scope {
  readonly planning: Planning;
  readonly column: (name: string, side: 'left' | 'right' | undefined, span: Span) => Value;
  readonly find: (name: string) => Value | undefined;
  readonly table: Table;
  readonly caseSensitive?: boolean;
  readonly aggregates?: AggregateScope;
}

export interface AggregateScope {
  /** The duration by which `rate` divides, in nanoseconds: a time bin, a series step or the query's range. */
  readonly window: bigint;
  /** The names of the group columns, which `*` omits. */
  readonly groups: ReadonlySet<string>;
  /** The scope of the input rows, in which an aggregate's arguments are planned. */
  readonly rows: Scope;
  readonly collect: (aggregate: Value) => Value;
}

export function scopeOf(table: Table, planning: Planning, side?: 'l' | 'r'): Scope {
  const columns = new Map(table.columns.map((column) => [column.name, column]));
  const find = (name: string) => {
    const found = columns.get(name);
    return found && columnValue(found, side);
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
      return parameter ?? findByKustoName(name, find) ?? missingColumn(name, span, planning);
    },
  };
}

/** Converts Kusto's names for columns of unnamed aggregates to APL's names, if these differ. */
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

function missingColumn(name: string, span: Span, planning: Planning): Value {
  rejectMissing(unknownColumn(name, span), planning);
  return value(print.nullSql, 'datetime');
}

/**
 * Throws the error of a missing column. While totals are planned without the time, only the time can be missing, so
 * this function instead records that the totals need the time.
 */
export function rejectMissing(error: PlanError, { withoutTime }: Planning): void {
  if (withoutTime === undefined) throw error;
  withoutTime.isNeeded = true;
}

export function unknownColumn(name: string, span: Span): PlanError {
  return new PlanError('unknown-column', span, `The column ${name} does not exist here.`);
}

export function noColumnLeft(span: Span): PlanError {
  const message = 'The rows have no columns here. Keep at least one column.';
  return new PlanError('unknown-column', span, message);
}

export function share(planning: Planning, name: string, text: Sql, relation?: Relation): Sql {
  const shared = `${name} ${planning.shared.length + 1}`;
  planning.shared.push({ name: shared, sql: text, ...(relation && { relation }) });
  return print.sharedTable(shared);
}
