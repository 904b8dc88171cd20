/** Checks derived column names, because replacing a part of an unnamed item may rename its column. */
import { derivedName } from '../binding/derivedNames.ts';
import type { Assignment, Expression } from '../syntax/tree.ts';
import type { AnyNode } from '../syntax/visit.ts';

/** Returns the unnamed item around `node` if replacing `node` with `other` would change its column name. */
export function itemRenamed(
  path: readonly AnyNode[],
  node: Expression,
  other: Expression,
): Assignment | undefined {
  const item = path.findLast((each) => each.kind === 'Assignment');
  if (item === undefined || item.name !== undefined) return undefined;
  const exchanged = exchange(item.expression, node, other);
  if (exchanged === undefined) return undefined;
  return derivedName(item.expression) === derivedName(exchanged) ? undefined : item;
}

/** Returns a copy with `node` replaced by `other`. Searches only the parts that affect the column's name. */
function exchange(
  expression: Expression,
  node: Expression,
  other: Expression,
): Expression | undefined {
  if (expression === node) return other;
  switch (expression.kind) {
    case 'Parenthesized': {
      const inner = exchange(expression.expression, node, other);
      return inner && { ...expression, expression: inner };
    }
    case 'Member': {
      const target = exchange(expression.target, node, other);
      return target && { ...expression, target };
    }
    case 'Index': {
      const target = exchange(expression.target, node, other);
      if (target !== undefined) return { ...expression, target };
      const index = exchange(expression.index, node, other);
      return index && { ...expression, index };
    }
    case 'Call': {
      const [first, ...rest] = expression.arguments;
      const argument = first && exchange(first, node, other);
      return argument && { ...expression, arguments: [argument, ...rest] };
    }
    default:
      return undefined;
  }
}

export function reference(name: string, { start, end }: Expression): Expression {
  return { kind: 'NameReference', name, quoted: false, start, end };
}
