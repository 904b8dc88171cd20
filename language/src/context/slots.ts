/** The syntax of each operator and source: the slot after its name and after each clause keyword. */
import { operatorEditing } from '../operators/index.ts';

/**
 * `condition` is a boolean expression. `items` are `[name =] expression`. `pattern` is columns and wildcards.
 * `constant` is an expression without columns. `amount` is a number, usually a literal. `table` and `tables` are
 * datasets. `names` are new columns with optional types. `words` is only the next clause keyword. `typed` is a
 * `typeof(…)`. `on` is the conditions of a join. `options` are `name=value` in the brackets of `with`. `rename` is
 * items of the form `new = old`. `nothing` is for operators without operands.
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
  /** Common constants by clause keyword. The empty key has the constants after the operator's name. */
  readonly likely?: Readonly<Record<string, readonly string[]>>;
  /** The only slot in which modifiers such as `asc` can follow an item. By default, they can in all slots. */
  readonly modified?: Slot;
  /** Whether the syntax is hard to remember, so that signature help opens after the name. */
  readonly opensHelp?: true;
}

export const operatorSlots: ReadonlyMap<string, OperatorSlots> = new Map<string, OperatorSlots>(
  Object.entries(operatorEditing).map(([name, { slots }]) => [name, slots]),
);

/** The slots of keywords that start a statement or a source. `context.ts` handles `let` and `set` itself. */
export const statementSlots: ReadonlyMap<string, OperatorSlots> = new Map<string, OperatorSlots>([
  ['datatable', { first: 'names' }],
  ['declare', { first: 'words', clauses: { query_parameters: 'names' } }],
  ['externaldata', { first: 'names', clauses: { with: 'options' }, opensHelp: true }],
  ['print', { first: 'items' }],
  ['search', { first: 'condition', clauses: { in: 'tables' } }],
  ['table', { first: 'constant' }],
  ['union', { first: 'tables' }],
]);
