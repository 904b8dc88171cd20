/** Lists of `[name =] expression`: the names they make and the columns that come of them. */
import type { ScalarType } from '../catalog/types.ts';
import { quoteName } from '../names.ts';
import type * as syntax from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import { type Binder, define, report } from './binder.ts';
import type { BoundExpression, Column, NamedExpression } from './bound.ts';
import { derivedName, type Names } from './derivedNames.ts';
import { unitOf } from './unitOf.ts';

/**
 * Names an item that is bound already, and adds the column that it makes; several where the query takes a
 * value apart, as `(a, b) = …` does. A name that the query writes twice is reported, and the second gets a
 * number, so that each column of a table has a name of its own.
 */
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

/** `(a, b) = value`: a column for each name, of a type that only the value tells. */
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
 * The column that an expression makes under a name; one that only passes a column on keeps what is known of it.
 * `definition` is best a node of the tree, which is kept anyway.
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

/** Gives the columns from an index on another type. */
export function retype(columns: Column[], from: number, type: ScalarType): void {
  for (let i = from; i < columns.length; i++) columns[i] = ofType(columns[i] as Column, type);
}

/** A column of that name and place, holding values of another type. */
export function ofType(column: Column, type: ScalarType): Column {
  const { name, definition } = column;
  return definition === undefined ? { name, type } : { name, type, definition };
}
