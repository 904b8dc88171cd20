/** Parses `and` and `or` chains. A long chain becomes a balanced tree, so that its depth stays small. */
import type { Span } from '../../text.ts';
import type { Cursor } from '../cursor.ts';
import { maxFlatChain } from '../limits.ts';
import type { Expression } from '../tree.ts';
import { binary, operatorHere, passOperator } from './expressions.ts';
import type { BinaryOperator } from './precedence.ts';

/** Parses the operators and operands after `left` in a chain of one operator, such as `left and a and b`. */
export function chain(c: Cursor, left: Expression, operator: BinaryOperator): Expression {
  const operands = [left];
  const operators: Span[] = [];
  let height = c.height;
  for (let next = operatorHere(c); next?.name === operator.name; next = operatorHere(c)) {
    operators.push(passOperator(c, next));
    operands.push(binary(c, operator.precedence + 1));
    height = Math.max(height, c.height);
  }
  const flat = operators.length <= maxFlatChain;
  c.height = height + (flat ? operators.length : Math.ceil(Math.log2(operands.length)) + 1);
  const join = (from: Expression, operatorSpan: Span, to: Expression): Expression => ({
    kind: 'Binary',
    operator: operator.name,
    operatorSpan,
    left: from,
    right: to,
    start: from.start,
    end: to.end,
  });
  if (flat) {
    return operands.slice(1).reduce((sum, next, i) => join(sum, operators[i] as Span, next), left);
  }
  const balance = (from: number, to: number): Expression => {
    if (to - from === 1) return operands[from] as Expression;
    const middle = (from + to) >>> 1;
    return join(balance(from, middle), operators[middle - 1] as Span, balance(middle, to));
  };
  return balance(0, operands.length);
}
