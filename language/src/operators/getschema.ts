/** The operator `getschema`, which returns the columns and their types. */
import { ColumnList } from '../binding/columns.ts';
import {
  type BoundOperatorNode,
  groupingFacts,
  type OperatorCore,
  type OperatorEditing,
  type OperatorNode,
} from './operator.ts';

export interface GetSchemaOperator extends OperatorNode {
  readonly kind: 'GetSchemaOperator';
}

export interface BoundGetSchema extends BoundOperatorNode {
  readonly kind: 'getschema';
}

export const core: OperatorCore<GetSchemaOperator, BoundGetSchema> = {
  facts: groupingFacts,
  children: [],
  operands: [],
  parse: () => ({ kind: 'GetSchemaOperator' }),
  bind(_node, row) {
    row.replace(schemaColumns, 'getschema');
    return { kind: 'getschema' };
  },
};

const schemaColumns = ColumnList.of(
  [
    { name: 'ColumnName', type: 'string' },
    { name: 'ColumnOrdinal', type: 'long' },
    { name: 'DataType', type: 'string' },
    { name: 'ColumnType', type: 'string' },
  ],
  false,
);

export const editing: OperatorEditing = {
  slots: { first: 'nothing' },
  prose: {
    syntax: 'getschema',
    summary: 'Returns the columns and their types instead of rows.',
    example: 'logs | getschema',
    snippet: 'getschema',
  },
};
