/** The operator `union`, which concatenates the rows of several tables and merges their columns by name. */
import { type Binder, define } from '../binding/binder.ts';
import type { BoundUnion, Column } from '../binding/bound.ts';
import { ColumnList } from '../binding/columns.ts';
import { readOptions } from '../binding/options.ts';
import { bindTables, mergeColumns } from '../binding/tables.ts';
import { defined } from '../defined.ts';
import { itemList, tightOption } from '../format/rules.ts';
import type { Cursor } from '../syntax/cursor.ts';
import { list } from '../syntax/grammar/lists.ts';
import { datasetPattern } from '../syntax/grammar/names.ts';
import { options } from '../syntax/grammar/properties.ts';
import { startsTable, tableOperand } from '../syntax/grammar/sources.ts';
import type { DatasetPattern, Name, Pipeline, Property } from '../syntax/tree.ts';
import type {
  BoundOperatorNode,
  OperatorEditing,
  OperatorNode,
  Own,
  SourceOperatorCore,
} from './operator.ts';

export interface UnionOperator extends OperatorNode {
  readonly kind: 'UnionOperator';
  readonly withSource?: Name;
  readonly parameters: readonly Property[];
  readonly tables: readonly (DatasetPattern | Pipeline)[];
}

export interface BoundUnionOperator extends BoundOperatorNode, BoundUnion {
  readonly kind: 'union';
}

export const core: SourceOperatorCore<UnionOperator, BoundUnionOperator> = {
  row: {
    role: 'both',
    options: [
      { name: 'withsource', summary: 'The column for the name of the table.', type: 'name' },
    ],
  },
  facts: { rows: 'combined', order: 'lost', columns: 'combined' },
  children: ['parameters', 'withSource', 'tables'],
  operands: ['inputs'],
  parse: unionOperator,
  bind(node, row, binder) {
    const { columns, ...union } = bindUnion(node, [row.columns], binder);
    row.replace(columns, 'union');
    return { kind: 'union', ...union };
  },
  bindSource(node, binder) {
    const { start, end } = node;
    return { kind: 'union', ...bindUnion(node, [], binder), start, end };
  },
};

function unionOperator(c: Cursor): Own<UnionOperator> {
  const all = options(c);
  const withSource = all.map(sourceColumn).find((found) => found !== undefined);
  const parameters = all.filter((one) => sourceColumn(one) === undefined);
  const tables = list(c, unionTable).filter((table) => table !== undefined);
  return { kind: 'UnionOperator', ...defined({ withSource }), parameters, tables };
}

function sourceColumn(option: Property): Name | undefined {
  const { name, value } = option;
  if (name.name !== 'withsource' || value.kind !== 'NameReference') return undefined;
  return { ...value, kind: 'Name' };
}

function unionTable(c: Cursor): DatasetPattern | Pipeline | undefined {
  if (c.at('(') || startsTable(c)) {
    const found = tableOperand(c);
    return found.kind === 'Missing' ? undefined : found;
  }
  return datasetPattern(c);
}

/** Binds a union. `before` contains the input's columns, if there is an input. */
function bindUnion(
  node: UnionOperator,
  before: readonly ColumnList[],
  binder: Binder,
): BoundUnion & { readonly columns: ColumnList } {
  const inputs = bindTables(node.tables, binder);
  const lists = [...before, ...inputs.map((input) => ColumnList.from(input.columns))];
  const open = lists.length === 0 || node.tables.some((table) => isOpenPattern(table, binder));
  const options = readOptions('union', node.parameters, binder);
  const columnsOf = options.get('kind') === 'inner' ? 'all' : 'any';
  const merged = columnsOf === 'all' ? sharedColumns(lists, open) : mergeColumns(lists, open);
  if (node.withSource === undefined) {
    // A documented example uses the column `dataset` after `union *` without `withsource=dataset`.
    const patterns = node.tables.some((one) => one.kind === 'DatasetPattern' && one.wildcard);
    const columns = patterns ? merged.withUnlisted(['dataset']) : merged;
    return { columnsOf, inputs, columns };
  }
  const { name } = node.withSource;
  const column: Column = { name, type: 'string', definition: node.withSource };
  define(binder, node.withSource, name, { kind: 'column', column });
  const columns = mergeColumns([ColumnList.of([column], false), merged], open);
  return { withSource: name, columnsOf, inputs, columns };
}

/** Returns the columns that all tables have. A table with unknown columns may have any column, so it is ignored. */
function sharedColumns(lists: readonly ColumnList[], open: boolean): ColumnList {
  const closed = lists.filter((list) => !list.open);
  const shared = mergeColumns(lists, open || closed.length === 0);
  const list = shared.list.filter(({ name }) => closed.every((one) => one.byName.has(name)));
  return ColumnList.of(list, shared.open);
}

function isOpenPattern(table: DatasetPattern | Pipeline, binder: Binder): boolean {
  return table.kind === 'DatasetPattern' && table.wildcard && !binder.datasets.complete;
}

export const editing: OperatorEditing = {
  slots: { first: 'tables' },
  layout: {
    UnionOperator(sheet, node) {
      tightOption(sheet, node.withSource);
      itemList(sheet, sheet.at(node.start), node.tables);
    },
  },
  prose: {
    syntax: 'union withsource=name table, prefix*, …',
    summary: 'Concatenates the rows of several tables. Columns are matched by name.',
    example: 'union withsource=dataset logs, audit*',
    snippet: 'union ${1:dataset}',
  },
};
