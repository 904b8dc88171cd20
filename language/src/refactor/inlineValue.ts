/** Replaces one use of a scalar `let` statement with its value. */
import { type Edit, replace } from '../edits.ts';
import { quoteName } from '../names.ts';
import { factsOfNode, isOperator } from '../operators/facts.ts';
import { binaryOperators, operandPrecedence } from '../syntax/grammar/precedence.ts';
import type { Expression, LetStatement } from '../syntax/tree.ts';
import type { AnyNode } from '../syntax/visit.ts';
import { itemRenamed } from './itemNames.ts';
import { boundStageOf, type Place, textOf, within } from './refactoring.ts';

/** Returns the edit that inlines the use at the end of `path`. Returns undefined if this use can't be inlined. */
export function inlinedValue(
  place: Place,
  { value }: LetStatement,
  path: readonly AnyNode[],
): Edit | undefined {
  const use = path.at(-1);
  if (use?.kind !== 'NameReference' || value.kind === 'Pipeline') return undefined;
  if (isCaptured(place, value, path)) return undefined;
  const parent = path.at(-2);
  const bare = textOf(place, value);
  const text = needsParentheses(value, parent, use) ? `(${bare})` : bare;
  const item = itemRenamed(path, use, value);
  if (item === undefined) return replace(use, text);
  // Inlining would change the column's name, which comes from the `let` statement, so name the column explicitly.
  const operator = path[path.indexOf(item) - 1];
  if (item.expression !== use || operator === undefined || !namesItems(operator)) return undefined;
  return replace(use, `${quoteName(use.name)} = ${bare}`);
}

function namesItems(node: AnyNode): boolean {
  return isOperator(node) ? factsOfNode(node).namesItems === true : node.kind === 'PrintSource';
}

function isCaptured(place: Place, value: Expression, path: readonly AnyNode[]): boolean {
  const stage = path.findLast((node) => node.kind === 'Stage');
  const columns = stage === undefined ? undefined : boundStageOf(place, stage)?.input;
  if (columns === undefined) return false;
  const names = new Set(columns.list.map(({ name }) => name));
  const inside = [...within(place.analysis.bound.references, value)];
  return inside.some(({ name, meaning }) => meaning.kind !== 'function' && names.has(name));
}

/** Returns the precedence of an expression. Operands have the highest precedence. */
function precedenceOf(node: Expression): number {
  switch (node.kind) {
    case 'Binary':
    case 'InExpression':
    case 'Between':
      return binaryOperators.get(node.operator.split(' ')[0] as string)?.precedence ?? 0;
    case 'Unary':
      return node.operator === 'not' ? 0 : operandPrecedence - 0.5;
    default:
      return operandPrecedence;
  }
}

function needsParentheses(
  value: Expression,
  parent: AnyNode | undefined,
  use: Expression,
): boolean {
  const own = precedenceOf(value);
  switch (parent?.kind) {
    case 'Binary': {
      const around = precedenceOf(parent);
      return parent.left === use ? own < around : own <= around;
    }
    case 'InExpression':
      // As the only item of a list, a single operand needs no brackets.
      if (parent.left === use) return own <= precedenceOf(parent);
      return parent.items.length === 1 && own < operandPrecedence;
    case 'Between':
      return own <= precedenceOf(parent);
    case 'Unary':
    case 'MvExpandItem':
      return own < operandPrecedence;
    case 'Member':
    case 'Slice':
      return value.kind === 'Literal' || own < operandPrecedence;
    case 'Index':
      return parent.target === use && (value.kind === 'Literal' || own < operandPrecedence);
    default:
      return false;
  }
}
