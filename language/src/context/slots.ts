/**
 * What stands where in each operator and source: after its name, and after each of its clause words. One
 * row per operator, so that completion at a new operator is a new row.
 */

import { rowCounts, shares, widths } from './likely.ts';

/**
 * `condition` is an expression that gives a bool, `items` are `[name =] expression`, `pattern` columns
 * and wildcards over them, `constant` an expression that names no column, `amount` a number, mostly as it
 * is written, `table` and `tables` datasets,
 * `names` new columns with optional types, `words` nothing but the next clause word, `typed` a
 * `typeof(…)`, `on` the conditions of a join.
 */
export type Slot =
  | 'aggregates'
  | 'amount'
  | 'condition'
  | 'constant'
  | 'expression'
  | 'items'
  | 'names'
  | 'nothing'
  | 'on'
  | 'options'
  | 'pattern'
  | 'rename'
  | 'table'
  | 'tables'
  | 'typed'
  | 'words';

export interface OperatorSlots {
  readonly first: Slot;
  /** What follows each clause word. */
  readonly clauses?: Readonly<Record<string, Slot>>;
  /** Constants that are commonly written behind the name (its key is empty) or a clause word. */
  readonly likely?: Readonly<Record<string, readonly string[]>>;
  /** The slot whose items the operator's modifiers follow, where not those of every slot do. */
  readonly modified?: Slot;
}

const items: OperatorSlots = { first: 'items' };
const count: OperatorSlots = { first: 'amount', likely: { '': rowCounts } };
const nothing: OperatorSlots = { first: 'nothing' };
const pattern: OperatorSlots = { first: 'pattern' };
const sort: OperatorSlots = { first: 'words', clauses: { by: 'expression' } };
const join: OperatorSlots = { first: 'table', clauses: { on: 'on' } };
const parse: OperatorSlots = { first: 'expression', clauses: { with: 'names' } };

export const operatorSlots: ReadonlyMap<string, OperatorSlots> = new Map<string, OperatorSlots>([
  ['count', nothing],
  ['distinct', items],
  ['extend', items],
  ['extend-valid', items],
  ['getschema', nothing],
  ['join', join],
  ['limit', count],
  ['lookup', join],
  [
    'make-series',
    {
      first: 'aggregates',
      modified: 'aggregates',
      clauses: {
        on: 'expression',
        from: 'constant',
        to: 'constant',
        step: 'constant',
        by: 'items',
      },
      likely: { from: ['ago(1d)', 'ago(7d)'], to: ['now()'], step: widths },
    },
  ],
  [
    'mv-expand',
    { first: 'items', clauses: { to: 'typed', limit: 'amount' }, likely: { limit: rowCounts } },
  ],
  ['order', sort],
  ['parse', parse],
  ['parse-kv', { first: 'expression', clauses: { as: 'names', with: 'options' } }],
  ['parse-where', parse],
  ['project', items],
  ['project-away', pattern],
  ['project-keep', pattern],
  ['project-rename', { first: 'rename' }],
  ['project-reorder', pattern],
  ['redact', { first: 'constant', clauses: { on: 'pattern' } }],
  ['sample', { first: 'amount', likely: { '': shares } }],
  ['search', { first: 'condition', clauses: { in: 'tables' } }],
  ['sort', sort],
  [
    'summarize',
    { first: 'aggregates', clauses: { by: 'items' }, likely: { by: ['bin_auto(_time)'] } },
  ],
  ['take', count],
  ['top', { ...count, clauses: { by: 'expression' } }],
  ['union', { first: 'tables' }],
  ['where', { first: 'condition' }],
]);

/** The words that a statement starts with, when it does not start with a dataset. */
export const statementSlots: ReadonlyMap<string, OperatorSlots> = new Map<string, OperatorSlots>([
  ['datatable', { first: 'names' }],
  ['declare', { first: 'words', clauses: { query_parameters: 'names' } }],
  ['externaldata', { first: 'names', clauses: { with: 'options' } }],
  ['print', { first: 'items' }],
  ['search', { first: 'condition', clauses: { in: 'tables' } }],
  ['table', { first: 'constant' }],
  ['union', { first: 'tables' }],
]);
