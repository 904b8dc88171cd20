/** The operators `sort` and `order`, which order the rows. */
import type { BoundSortKey } from '../binding/bound.ts';
import { bindKeys } from '../binding/sortKeys.ts';
import type { OperatorSlots } from '../context/slots.ts';
import { itemList } from '../format/rules.ts';
import { sortDirections } from '../prose/words.ts';
import { sortKeys } from '../syntax/grammar/sortKeys.ts';
import type { SortKey } from '../syntax/tree.ts';
import type { BoundOperatorNode, OperatorCore, OperatorEditing, OperatorNode } from './operator.ts';

export interface SortOperator extends OperatorNode {
  readonly kind: 'SortOperator';
  readonly keys: readonly SortKey[];
}

export interface BoundSort extends BoundOperatorNode {
  readonly kind: 'sort';
  readonly keys: readonly BoundSortKey[];
}

export const core: OperatorCore<SortOperator, BoundSort> = {
  facts: { rows: 'all', order: 'set', columns: 'kept', namesWhatItReads: true },
  children: ['keys'],
  operands: ['keys'],
  parse: (c, keyword) => ({ kind: 'SortOperator', keys: sortKeys(c, keyword) }),
  bind: ({ keys }, row, binder) => ({ kind: 'sort', keys: bindKeys(keys, row, binder) }),
};

export const orderCore: OperatorCore<SortOperator, BoundSort> = {
  ...core,
  row: { aliasOf: 'sort' },
};

const slots: OperatorSlots = { first: 'words', clauses: { by: 'expression' } };

const clauseProse = { by: 'The sort keys, in order of priority. The default order is desc.' };

export const editing: OperatorEditing = {
  slots,
  layout: {
    SortOperator(sheet, node) {
      itemList(sheet, sheet.at(node.start), node.keys);
    },
  },
  prose: {
    syntax: 'sort by expression asc, …',
    summary: 'Sorts the rows.',
    example: 'logs | sort by duration_ms desc, _time asc',
    snippet: 'sort by ${1:_time} ${2|desc,asc|}',
    clauses: clauseProse,
    modifiers: sortDirections,
  },
};

export const orderEditing: OperatorEditing = {
  slots,
  prose: {
    syntax: 'order by expression asc, …',
    summary: 'Sorts the rows.',
    example: 'logs | order by _time desc',
    snippet: 'order by ${1:_time} ${2|desc,asc|}',
    clauses: clauseProse,
    modifiers: sortDirections,
  },
};
