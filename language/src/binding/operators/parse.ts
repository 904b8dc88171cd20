/** Operators that take values apart: `parse`, `parse-where`, `parse-kv`, `mv-expand`; and `redact`. */
import type * as syntax from '../../syntax/tree.ts';
import { type Binder, define, type Scope } from '../binder.ts';
import type { BoundOperator, Column } from '../bound.ts';
import type { Row } from '../columns.ts';
import { Names } from '../derivedNames.ts';
import { bindExpression } from '../expressions.ts';
import { nameItem, ofType } from '../namedItems.ts';
import { declaredColumns } from '../sources.ts';
import { scalarTypeNamed } from '../typeNames.ts';

function other(node: syntax.Operator, name: string): BoundOperator {
  const { keyword, start, end } = node;
  return { kind: 'other', name, node, keyword, start, end };
}

export function bindParse(node: syntax.ParseOperator, row: Row, binder: Binder): BoundOperator {
  bindExpression(node.expression, { binder, row, aggregates: 'refused' });
  const declarations = node.pattern.filter((part) => part.kind === 'ColumnDeclaration');
  row.extend(declaredColumns(declarations, binder));
  return other(node, node.where ? 'parse-where' : 'parse');
}

export function bindParseKv(node: syntax.ParseKvOperator, row: Row, binder: Binder): BoundOperator {
  const scope: Scope = { binder, row, aggregates: 'refused' };
  bindExpression(node.expression, scope);
  row.extend(declaredColumns(node.keys, binder));
  for (const property of node.properties) bindExpression(property.value, scope);
  return other(node, 'parse-kv');
}

export function bindMvExpand(
  node: syntax.MvExpandOperator,
  row: Row,
  binder: Binder,
): BoundOperator {
  const scope: Scope = { binder, row, aggregates: 'refused' };
  const names = new Names();
  const columns: Column[] = [];
  for (const { assignment, toType } of node.items) {
    const expression = bindExpression(assignment.expression, scope);
    const { columns: made } = nameItem(assignment, expression, names, binder);
    const type = toType === undefined ? 'dynamic' : scalarTypeNamed(toType, binder);
    columns.push(...made.map((column) => ofType(column, type)));
  }
  row.change(columns);
  if (node.itemIndex !== undefined) {
    const { name, start, end } = node.itemIndex;
    const column: Column = { name, type: 'long', definition: { start, end } };
    define(binder, node.itemIndex, name, { kind: 'column', column });
    row.extend([column]);
  }
  if (node.limit !== undefined) bindExpression(node.limit, scope);
  return other(node, 'mv-expand');
}

export function bindRedact(node: syntax.RedactOperator, row: Row, binder: Binder): BoundOperator {
  const scope: Scope = { binder, row, aggregates: 'refused' };
  for (const property of node.properties) bindExpression(property.value, scope);
  for (const pattern of node.patterns) bindExpression(pattern, scope);
  for (const field of node.on) bindExpression(field, scope);
  return other(node, 'redact');
}
