/** Binds the source of a pipeline, such as a dataset, a tabular let, a subquery, an inline table or a union. */
import { none } from '../append.ts';
import { sourceOperators } from '../operators/index.ts';
import type * as syntax from '../syntax/tree.ts';
import {
  type Binder,
  define,
  isUnreadable,
  refer,
  report,
  reportUnknownDataset,
  reportUnknownOperator,
  type Scope,
} from './binder.ts';
import type { BoundPipeline, BoundSource, Column } from './bound.ts';
import { anyColumns, ColumnList, Row } from './columns.ts';
import { Names } from './derivedNames.ts';
import { bindExpression } from './expressions.ts';
import { nameItem } from './namedItems.ts';
import { readOptions, textOption } from './options.ts';
import { bindPipeline } from './pipelines.ts';
import { scalarTypeNamed } from './typeNames.ts';

/** A bound source, and its columns as a `ColumnList`. */
export interface Start {
  readonly source: BoundSource;
  readonly columns: ColumnList;
}

export function bindSource(node: syntax.Source, binder: Binder): Start {
  const { start, end } = node;
  switch (node.kind) {
    case 'DatasetSource':
      return bindTable(node.name, node.name.name, binder);
    case 'ParenthesizedSource': {
      const pipeline = bindPipeline(node.pipeline, binder);
      const columns = ColumnList.from(pipeline.columns);
      return { source: { kind: 'subquery', pipeline, columns, start, end }, columns };
    }
    case 'TableCall':
      return bindTableCall(node, binder);
    case 'PrintSource':
      return bindPrint(node, binder);
    case 'DatatableSource':
      return bindDatatable(node, binder);
    case 'ExternaldataSource':
      return bindExternaldata(node, binder);
    case 'UnionOperator':
      return sourceOperators.union.bindSource(node, binder);
    case 'SearchOperator':
      return sourceOperators.search.bindSource(node, binder);
    case 'ExpressionSource':
      bindExpression(node.expression, { binder, row: new Row(anyColumns), aggregates: 'refused' });
      return { source: { kind: 'unknown', columns: anyColumns, start, end }, columns: anyColumns };
    case 'UnknownOperator':
      reportUnknownOperator(node.name, node.keyword, binder);
      return { source: { kind: 'unknown', columns: anyColumns, start, end }, columns: anyColumns };
    case 'Missing':
      return { source: { kind: 'unknown', columns: anyColumns, start, end }, columns: anyColumns };
  }
}

/** Binds a dataset, view or tabular let by name. */
export function bindTable(span: syntax.Node, name: string, binder: Binder): Start {
  const { start, end } = span;
  const value = binder.values.get(name);
  if (value?.kind === 'table') {
    refer(binder, span, name, { kind: 'let', name, type: 'table' });
    const columns = ColumnList.from(value.pipeline.columns);
    return { source: { kind: 'let', name, columns, start, end }, columns };
  }
  if (isUnreadable(value)) {
    refer(binder, span, name, { kind: 'let', name, type: 'unknown' });
    return { source: { kind: 'unknown', columns: anyColumns, start, end }, columns: anyColumns };
  }
  if (binder.datasets.complete && !binder.datasets.has(name)) {
    reportUnknownDataset(binder, span, name);
    return { source: { kind: 'unknown', columns: anyColumns, start, end }, columns: anyColumns };
  }
  refer(binder, span, name, { kind: 'dataset', name });
  const columns = binder.datasets.columnsOf(name);
  return { source: { kind: 'dataset', name, columns, start, end }, columns };
}

/** Binds a table name as a pipeline without stages. */
export function bindTableAlone(span: syntax.Node, name: string, binder: Binder): BoundPipeline {
  const { source, columns } = bindTable(span, name, binder);
  const { start, end } = span;
  return { kind: 'pipeline', source, stages: none, columns, start, end };
}

/**
 * Binds `table('name')`. The name may also come from a parameter or a let. If it isn't a dataset, its columns are
 * unknown, because a dashboard may send another name.
 */
function bindTableCall(node: syntax.TableCall, binder: Binder): Start {
  const { start, end } = node;
  const argument = bindExpression(node.argument, noRow(binder));
  if (argument.kind === 'literal' && typeof argument.value === 'string') {
    const { source, columns } = bindTable(node.argument, argument.value, binder);
    return { source: { ...source, start, end }, columns };
  }
  const named = argument.kind === 'let' || argument.kind === 'parameter' ? argument : undefined;
  const value = named === undefined ? undefined : binder.values.get(named.name);
  const name = value === undefined || value.kind === 'table' ? undefined : value.text;
  if (name !== undefined && binder.datasets.has(name)) {
    refer(binder, node.argument, name, { kind: 'dataset', name });
    const columns = binder.datasets.columnsOf(name);
    return { source: { kind: 'dataset', name, columns, start, end }, columns };
  }
  const wanted = name === undefined ? {} : { name };
  const source = { kind: 'unknown', ...wanted, columns: anyColumns, start, end } as const;
  return { source, columns: anyColumns };
}

/** Returns the scope for expressions without access to columns. */
export function noRow(binder: Binder): Scope {
  return { binder, row: undefined, aggregates: 'refused' };
}

function bindPrint(node: syntax.PrintSource, binder: Binder): Start {
  const scope = noRow(binder);
  const names = new Names();
  const list: Column[] = [];
  const items = node.items.map((item, index) => {
    const expression = bindExpression(item.expression, scope);
    return nameItem(item, expression, names, list, binder, `print_${index}`);
  });
  const columns = ColumnList.of(list, false);
  const { start, end } = node;
  return { source: { kind: 'print', items, columns, start, end }, columns };
}

/** Returns the columns that a query declares with their types. */
export function declaredColumns(
  declarations: readonly syntax.ColumnDeclaration[],
  binder: Binder,
): Column[] {
  const names = new Names();
  const columns: Column[] = [];
  for (const declaration of declarations) {
    const { name } = declaration.name;
    const type =
      declaration.type === undefined ? 'string' : scalarTypeNamed(declaration.type, binder);
    if (!names.take(name)) {
      report(binder, 'duplicate-column', declaration.name, { name });
      continue;
    }
    const column: Column = { name, type, definition: declaration.name };
    define(binder, declaration.name, name, { kind: 'column', column });
    columns.push(column);
  }
  return columns;
}

function bindDatatable(node: syntax.DatatableSource, binder: Binder): Start {
  const columns = ColumnList.of(declaredColumns(node.columns, binder), false);
  const scope = noRow(binder);
  const values = node.values.map((value) => bindExpression(value, scope));
  const width = node.columns.length;
  if (width > 0 && values.length % width !== 0) {
    const counts = { values: String(values.length), columns: String(width) };
    report(binder, 'datatable-values', lastRow(node, width), counts);
  }
  const rows = [];
  for (let i = 0; width > 0 && i < values.length; i += width) rows.push(values.slice(i, i + width));
  const { start, end } = node;
  return { source: { kind: 'datatable', rows, columns, start, end }, columns };
}

/** Returns the span of the values in the incomplete last row. */
function lastRow(node: syntax.DatatableSource, width: number): { start: number; end: number } {
  const first = node.values[node.values.length - (node.values.length % width)] as syntax.Expression;
  return { start: first.start, end: (node.values.at(-1) as syntax.Expression).end };
}

function bindExternaldata(node: syntax.ExternaldataSource, binder: Binder): Start {
  const columns = ColumnList.of(declaredColumns(node.columns, binder), false);
  const scope = noRow(binder);
  const urls = node.urls.map((url) => bindExpression(url, scope));
  const options = readOptions('externaldata', node.properties, binder);
  const format = textOption(options, 'format');
  // Also accept `skipFirstRow`, because one documented example uses this spelling.
  const ignoreFirstRecord =
    options.get('ignoreFirstRecord') === true || options.get('skipFirstRow') === true;
  const { start, end } = node;
  return {
    source: {
      kind: 'externaldata',
      urls,
      ...(format === undefined ? {} : { format }),
      ignoreFirstRecord,
      columns,
      start,
      end,
    },
    columns,
  };
}
