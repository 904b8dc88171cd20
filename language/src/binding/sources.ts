/** Binds the source of a pipeline, such as a dataset, a tabular `let` name, a subquery, an inline table or a union. */
import { defined } from '../defined.ts';
import { sourceOperators } from '../operators/index.ts';
import type * as syntax from '../syntax/tree.ts';
import type { Span } from '../text.ts';
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
import type { BoundSource, Column } from './bound.ts';
import { anyColumns, ColumnList, Row } from './columns.ts';
import { Names } from './derivedNames.ts';
import { bindExpression } from './expressions.ts';
import { nameItem } from './namedItems.ts';
import { readOptions, textOption } from './options.ts';
import { bindPipeline } from './pipelines.ts';
import { scalarTypeNamed } from './typeNames.ts';

export function bindSource(node: syntax.Source, binder: Binder): BoundSource {
  const { start, end } = node;
  switch (node.kind) {
    case 'DatasetSource':
      return bindTable(node.name, node.name.name, binder);
    case 'ParenthesizedSource': {
      const pipeline = bindPipeline(node.pipeline, binder);
      return { kind: 'subquery', pipeline, columns: pipeline.columns, start, end };
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
      return unknownSource(node);
    case 'UnknownOperator':
      reportUnknownOperator(node.name, node.keyword, binder);
      return unknownSource(node);
    case 'Missing':
      return unknownSource(node);
  }
}

export function unknownSource({ start, end }: Span, name?: string): BoundSource {
  return { kind: 'unknown', ...defined({ name }), columns: anyColumns, start, end };
}

export function bindTable(span: Span, name: string, binder: Binder): BoundSource {
  const { start, end } = span;
  const value = binder.values.get(name);
  if (value?.kind === 'table') {
    refer(binder, span, name, { kind: 'let', name, type: 'table' });
    return { kind: 'let', name, columns: value.pipeline.columns, start, end };
  }
  if (isUnreadable(value)) {
    refer(binder, span, name, { kind: 'let', name, type: 'unknown' });
    return unknownSource(span);
  }
  if (binder.datasets.complete && !binder.datasets.has(name)) {
    reportUnknownDataset(binder, span, name);
    return unknownSource(span);
  }
  refer(binder, span, name, { kind: 'dataset', name });
  return { kind: 'dataset', name, columns: binder.datasets.columnsOf(name), start, end };
}

/** Binds `table(…)`. Reports an unknown name only if it is a literal, because a dashboard may replace a parameter. */
function bindTableCall(node: syntax.TableCall, binder: Binder): BoundSource {
  const { start, end } = node;
  const argument = bindExpression(node.argument, noRow(binder));
  if (argument.kind === 'literal' && typeof argument.value === 'string') {
    return { ...bindTable(node.argument, argument.value, binder), start, end };
  }
  const named = argument.kind === 'let' || argument.kind === 'parameter' ? argument : undefined;
  const value = named === undefined ? undefined : binder.values.get(named.name);
  const name = value === undefined || value.kind === 'table' ? undefined : value.text;
  if (name === undefined || !binder.datasets.has(name)) return unknownSource(node, name);
  refer(binder, node.argument, name, { kind: 'dataset', name });
  return { kind: 'dataset', name, columns: binder.datasets.columnsOf(name), start, end };
}

export function noRow(binder: Binder): Scope {
  return { binder, row: undefined, aggregates: 'refused' };
}

function bindPrint(node: syntax.PrintSource, binder: Binder): BoundSource {
  const scope = noRow(binder);
  const names = new Names();
  const list: Column[] = [];
  const items = node.items.map((item, index) => {
    const expression = bindExpression(item.expression, scope);
    return nameItem(item, expression, names, list, binder, `print_${index}`);
  });
  const { start, end } = node;
  return { kind: 'print', items, columns: ColumnList.of(list, false), start, end };
}

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

function bindDatatable(node: syntax.DatatableSource, binder: Binder): BoundSource {
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
  return { kind: 'datatable', rows, columns, start, end };
}

function lastRow(node: syntax.DatatableSource, width: number): Span {
  const first = node.values[node.values.length - (node.values.length % width)] as syntax.Expression;
  return { start: first.start, end: (node.values.at(-1) as syntax.Expression).end };
}

function bindExternaldata(node: syntax.ExternaldataSource, binder: Binder): BoundSource {
  const columns = ColumnList.of(declaredColumns(node.columns, binder), false);
  const scope = noRow(binder);
  const urls = node.urls.map((url) => bindExpression(url, scope));
  const options = readOptions('externaldata', node.properties, binder);
  const format = defined({ format: textOption(options, 'format') });
  // One documented example uses the spelling `skipFirstRow`.
  const ignoreFirstRecord =
    options.get('ignoreFirstRecord') === true || options.get('skipFirstRow') === true;
  const { start, end } = node;
  return { kind: 'externaldata', urls, ...format, ignoreFirstRecord, columns, start, end };
}
