/**
 * The syntax of each operator and source: the slot after its name and after each clause keyword. A new operator needs
 * only a new row.
 */

import { operatorEditing } from '../operators/index.ts';
import { rowCounts, shares, widths } from './constants.ts';

/**
 * `condition` is a boolean expression. `items` are `[name =] expression`. `pattern` is columns and wildcards.
 * `constant` is an expression without columns. `amount` is a number, usually a literal. `table` and `tables` are
 * datasets. `names` are new columns with optional types. `words` is only the next clause keyword. `typed` is a
 * `typeof(…)`. `on` is the conditions of a join.
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
  /** The slot after each clause keyword. */
  readonly clauses?: Readonly<Record<string, Slot>>;
  /** Common constants after a clause keyword or, for the empty key, after the operator's name. */
  readonly likely?: Readonly<Record<string, readonly string[]>>;
  /** The only slot whose items accept the operator's modifiers. By default, all slots do. */
  readonly modified?: Slot;
  /** Whether the syntax is hard to remember, so that signature help opens after the name. */
  readonly opensHelp?: true;
}

const items: OperatorSlots = { first: 'items' };
const count: OperatorSlots = { first: 'amount', likely: { '': rowCounts } };
const nothing: OperatorSlots = { first: 'nothing' };
const pattern: OperatorSlots = { first: 'pattern' };
const sort: OperatorSlots = { first: 'words', clauses: { by: 'expression' } };
const join: OperatorSlots = { first: 'table', clauses: { on: 'on' }, opensHelp: true };
const parse: OperatorSlots = {
  first: 'expression',
  clauses: { with: 'names' },
  opensHelp: true,
};

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
      opensHelp: true,
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
  ['mv-expand', operatorEditing['mv-expand'].slots],
  ['order', sort],
  ['parse', parse],
  ['parse-kv', { first: 'expression', clauses: { as: 'names', with: 'options' }, opensHelp: true }],
  ['parse-where', parse],
  ['project', items],
  ['project-away', pattern],
  ['project-keep', pattern],
  ['project-rename', { first: 'rename' }],
  ['project-reorder', pattern],
  ['redact', { first: 'constant', clauses: { on: 'pattern' }, opensHelp: true }],
  ['sample', { first: 'amount', likely: { '': shares } }],
  ['search', { first: 'condition', clauses: { in: 'tables' } }],
  ['sort', sort],
  [
    'summarize',
    { first: 'aggregates', clauses: { by: 'items' }, likely: { by: ['bin_auto(_time)'] } },
  ],
  ['take', count],
  ['top', { ...count, clauses: { by: 'expression' }, opensHelp: true }],
  ['union', { first: 'tables' }],
  ['where', { first: 'condition' }],
]);

/** Keywords that start a statement, and their slots. */
export const statementSlots: ReadonlyMap<string, OperatorSlots> = new Map<string, OperatorSlots>([
  ['datatable', { first: 'names' }],
  ['declare', { first: 'words', clauses: { query_parameters: 'names' } }],
  ['externaldata', { first: 'names', clauses: { with: 'options' }, opensHelp: true }],
  ['print', { first: 'items' }],
  ['search', { first: 'condition', clauses: { in: 'tables' } }],
  ['table', { first: 'constant' }],
  ['union', { first: 'tables' }],
]);
