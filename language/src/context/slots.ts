/** Defines the operands of operators and sources: a slot after the name and after each clause keyword. */
import { operatorEditing } from '../operators/index.ts';

/**
 * The operands in a slot:
 * - `condition`: a boolean expression
 * - `items`: `[name =] expression`
 * - `pattern`: columns and wildcards
 * - `constant`: an expression without columns
 * - `amount`: a number, usually a literal
 * - `table` and `tables`: datasets
 * - `names`: new columns with optional types
 * - `words`: only the next clause keyword
 * - `typed`: a `typeof(…)`
 * - `on`: the conditions of a join
 * - `options`: `name=value` in the brackets of `with`
 * - `rename`: `new = old`
 * - `nothing`: no operands
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
  /** Common constants by clause keyword. The empty key is for the position after the operator's name. */
  readonly likely?: Readonly<Record<string, readonly string[]>>;
  /** The slot whose items can have modifiers such as `asc`. If absent, all slots allow them. */
  readonly modified?: Slot;
  /** Whether signature help opens after the name, because the syntax is hard to remember. */
  readonly opensHelp?: true;
}

export const operatorSlots: ReadonlyMap<string, OperatorSlots> = new Map<string, OperatorSlots>(
  Object.entries(operatorEditing).map(([name, { slots }]) => [name, slots]),
);

/** The slots of keywords that start a statement or a source. `let` and `set` are handled in `context.ts`. */
export const statementSlots: ReadonlyMap<string, OperatorSlots> = new Map<string, OperatorSlots>([
  ['datatable', { first: 'names' }],
  ['declare', { first: 'words', clauses: { query_parameters: 'names' } }],
  ['externaldata', { first: 'names', clauses: { with: 'options' }, opensHelp: true }],
  ['print', { first: 'items' }],
  ['search', { first: 'condition', clauses: { in: 'tables' } }],
  ['table', { first: 'constant' }],
  ['union', { first: 'tables' }],
]);
