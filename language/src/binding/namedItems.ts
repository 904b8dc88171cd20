/** Lists of `[name =] expression`: the names they make and the columns that come of them. */
import type { ScalarType } from '../catalog/types.ts';
import { quoteName } from '../names.ts';
import type * as syntax from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import { type Binder, define, report } from './binder.ts';
import type { BoundExpression, Column, NamedExpression } from './bound.ts';
import { derivedName, type Names } from './derivedNames.ts';

/** An item with the columns it makes: one, unless the query takes a value apart, as `(a, b) = …` does. */
export interface Item {
  readonly item: NamedExpression;
  readonly columns: readonly Column[];
}

/**
 * Names an item that is bound already. A name that the query writes twice is reported, and the second
 * gets a number, so that each column of a table has a name of its own.
 */
export function nameItem(
  node: syntax.Assignment,
  expression: BoundExpression,
  names: Names,
  binder: Binder,
  fallback?: string,
): Item {
  const { start, end } = node;
  if (node.names !== undefined) return nameParts(node, node.names, expression, names, binder);
  if (node.name === undefined) {
    const derived = derivedName(node.expression) ?? fallback;
    const name = derived === undefined ? names.unnamed() : names.free(derived);
    const column = columnOf(name, expression, node.expression);
    return { item: { name, named: false, expression, start, end }, columns: [column] };
  }
  const name = takeName(node.name, names, binder);
  const column = columnOf(name, expression, node.name);
  define(binder, node.name, name, { kind: 'column', column });
  return { item: { name, named: true, expression, start, end }, columns: [column] };
}

/** `(a, b) = value`: a column for each name, of a type that only the value tells. */
function nameParts(
  node: syntax.Assignment,
  written: readonly syntax.Name[],
  expression: BoundExpression,
  names: Names,
  binder: Binder,
): Item {
  const columns = written.map((part): Column => {
    const name = takeName(part, names, binder);
    const column = {
      name,
      type: 'unknown',
      definition: { start: part.start, end: part.end },
    } as const;
    define(binder, part, name, { kind: 'column', column });
    return column;
  });
  const { start, end } = node;
  const all = columns.map(({ name }) => name);
  const item = { name: all[0] ?? '', named: true, columns: all, expression, start, end };
  return { item, columns };
}

function takeName(node: syntax.Name, names: Names, binder: Binder): string {
  const { name } = node;
  if (names.take(name)) return name;
  report(binder, 'duplicate-column', node, { name: quoteName(name) });
  return names.free(name);
}

/** The column that an expression makes under a name; one that only passes a column on keeps what is known of it. */
export function columnOf(name: string, expression: BoundExpression, definition: Span): Column {
  const { start, end } = definition;
  const passed = expression.kind === 'column' ? expression.column : undefined;
  if (passed === undefined) return { name, type: expression.type, definition: { start, end } };
  if (passed.name === name) return passed;
  const { dataset: _, ...known } = passed;
  return { ...known, name, definition: { start, end } };
}

/** A column of that name and place, holding values of another type. */
export function ofType(column: Column, type: ScalarType): Column {
  const { name, definition } = column;
  return { name, type, ...(definition === undefined ? {} : { definition }) };
}
