/** The operator `getschema`, which returns the columns and their types. */

import { ColumnList, type Row } from '../binding/columns.ts';
import type { Cursor } from '../syntax/cursor.ts';
import type { Span } from '../text.ts';
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

export const getSchemaCore: OperatorCore<GetSchemaOperator, BoundGetSchema> = {
  facts: groupingFacts,
  children: [],
  operands: [],
  parse: getSchemaOperator,
  bind: bindGetSchema,
};

function getSchemaOperator(c: Cursor, keyword: Span): GetSchemaOperator {
  return { kind: 'GetSchemaOperator', keyword, start: keyword.start, end: c.lastEnd };
}

const schemaColumns = ColumnList.of(
  [
    { name: 'ColumnName', type: 'string' },
    { name: 'ColumnOrdinal', type: 'long' },
    { name: 'DataType', type: 'string' },
    { name: 'ColumnType', type: 'string' },
  ],
  false,
);

function bindGetSchema(node: GetSchemaOperator, row: Row): BoundGetSchema {
  const { keyword, start, end } = node;
  row.replace(schemaColumns, 'getschema');
  return { kind: 'getschema', keyword, start, end };
}

export const getSchemaEditing: OperatorEditing = {
  slots: { first: 'nothing' },
  prose: {
    syntax: 'getschema',
    summary: 'Returns the columns and their types instead of rows.',
    example: 'logs | getschema',
    snippet: 'getschema',
  },
};
