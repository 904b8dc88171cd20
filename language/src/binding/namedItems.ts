/** Binds lists of `[name =] expression`: names the items, and adds the columns that they define. */
import type { ScalarType } from '../catalog/types.ts';
import { quoteName } from '../names.ts';
import type * as syntax from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import { type Binder, define, report, type Scope } from './binder.ts';
import type { BoundExpression, Column, NamedExpression } from './bound.ts';
import { ColumnList, type Row } from './columns.ts';
import { derivedName, Names } from './derivedNames.ts';
import { bindExpression } from './expressions.ts';
import { unitOf } from './unitOf.ts';

/** Names a bound item and adds its columns. Reports a duplicate explicit name, and makes it unique with a number. */
export function nameItem(
  node: syntax.Assignment,
  expression: BoundExpression,
  names: Names,
  columns: Column[],
  binder: Binder,
  fallback?: string,
): NamedExpression {
  const { start, end } = node;
  if (node.names !== undefined)
    return nameParts(node, node.names, expression, names, columns, binder);
  if (node.name === undefined) {
    const derived = derivedName(node.expression) ?? fallback;
    const name = derived === undefined ? names.unnamed() : names.free(derived);
    columns.push(columnOf(name, expression, node.expression));
    return { name, named: false, expression, start, end };
  }
  const name = takeName(node.name, names, binder);
  const column = columnOf(name, expression, node.name);
  columns.push(column);
  define(binder, node.name, name, { kind: 'column', column });
  return { name, named: true, expression, start, end };
}

/** Binds `(a, b) = value`. The columns' types depend on the data, so they are unknown. */
function nameParts(
  node: syntax.Assignment,
  written: readonly syntax.Name[],
  expression: BoundExpression,
  names: Names,
  columns: Column[],
  binder: Binder,
): NamedExpression {
  const all = written.map((part) => {
    const name = takeName(part, names, binder);
    const column: Column = {
      name,
      type: 'unknown',
      definition: part,
    };
    columns.push(column);
    define(binder, part, name, { kind: 'column', column });
    return name;
  });
  const { start, end } = node;
  return { name: all[0] ?? '', named: true, columns: all, expression, start, end };
}

function takeName(node: syntax.Name, names: Names, binder: Binder): string {
  const { name } = node;
  if (names.take(name)) return name;
  report(binder, 'duplicate-column', node, { name: quoteName(name) });
  return names.free(name);
}

/**
 * Returns the column that an expression defines. Pass a tree node as `definition`, because it needs no additional
 * memory.
 */
export function columnOf(name: string, expression: BoundExpression, definition: Span): Column {
  const passed = expression.kind === 'column' ? expression.column : undefined;
  if (passed === undefined) {
    const unit = unitOf(expression);
    return { name, type: expression.type, definition, ...(unit !== undefined && { unit }) };
  }
  if (passed.name === name) return passed;
  const { dataset: _, ...known } = passed;
  return { ...known, name, definition };
}

export function retype(columns: Column[], from: number, type: ScalarType): void {
  for (let i = from; i < columns.length; i++) columns[i] = ofType(columns[i] as Column, type);
}

export function ofType(column: Column, type: ScalarType): Column {
  const { name, definition } = column;
  return definition === undefined ? { name, type } : { name, type, definition };
}

/** Names an item. Records an explicit name, because no other item of the same stage may refer to it. */
export function makeItem(
  node: syntax.Assignment,
  expression: BoundExpression,
  names: Names,
  columns: Column[],
  row: Row,
  binder: Binder,
): NamedExpression {
  const item = nameItem(node, expression, names, columns, binder);
  if (item.named) row.make(item.name);
  return item;
}

/** Binds items. The columns that the items define replace all columns of `row`. */
export function bindItems(
  nodes: readonly syntax.Assignment[],
  row: Row,
  binder: Binder,
  operator: string,
): readonly NamedExpression[] {
  const scope: Scope = { binder, row, aggregates: 'refused' };
  const names = new Names();
  const columns: Column[] = [];
  const items = nodes.map((node) => {
    if (node.expression.kind === 'Star') report(binder, 'unexpected-star', node.expression);
    const expression = bindExpression(node.expression, scope);
    return makeItem(node, expression, names, columns, row, binder);
  });
  row.replace(ColumnList.guessing(columns, guessedNames(items)), operator);
  return items;
}

/** Returns the derived names that the documentation doesn't determine. */
export function guessedNames(items: readonly NamedExpression[]): Set<string> {
  const guessed = new Set<string>();
  for (const { name, named, expression } of items)
    if (!named && !isForeseeable(expression)) guessed.add(name);
  return guessed;
}

function isForeseeable(expression: BoundExpression): boolean {
  if (expression.kind === 'column' || expression.kind === 'error') return true;
  return expression.kind === 'call' && /^bin(_auto)?$/.test(expression.name);
}

/** Binds the group-by expressions of `summarize` and `make-series` and adds their columns. */
export function bindGroups(
  nodes: readonly syntax.Assignment[],
  row: Row,
  names: Names,
  columns: Column[],
  binder: Binder,
): readonly NamedExpression[] {
  const scope: Scope = { binder, row, aggregates: 'group' };
  return nodes.map((node) =>
    nameItem(node, bindExpression(node.expression, scope), names, columns, binder),
  );
}
