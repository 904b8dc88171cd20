/** Parses expressions: operands joined by binary operators, by precedence. */
import { functionNamed } from '../../catalog/index.ts';
import type { Span } from '../../text.ts';
import type { Cursor } from '../cursor.ts';
import { maxHeight } from '../limits.ts';
import type { Between, Expression, InExpression } from '../tree.ts';
import { chain } from './chains.ts';
import { atClause } from './keywords.ts';
import { list } from './lists.ts';
import { scalarOperatorMeant } from './misspelt.ts';
import { subquery } from './operands.ts';
import {
  type BinaryOperator,
  binaryOperators,
  equalityPrecedence,
  operandPrecedence,
  rangePrecedence,
} from './precedence.ts';
import {
  atNullTest,
  endsOfSql,
  negatedOperator,
  nullTest,
  rangeOfSql,
  valuesOfSql,
} from './sql.ts';
import { unary } from './unary.ts';

/** Parses an expression. Reports a problem and returns `Missing` if none starts here. */
export function expression(c: Cursor): Expression {
  const found = binary(c, 1);
  c.peak = Math.max(c.peak, c.height);
  return found;
}

export function startsExpression(c: Cursor): boolean {
  const token = c.token;
  if (token.kind === 'end' || token.kind === 'unknown') return false;
  return token.kind !== 'punctuation' || '([{-+*!'.includes(c.textOf(token));
}

export function operatorHere(c: Cursor): BinaryOperator | undefined {
  const token = c.token;
  if (token.kind !== 'word' && token.kind !== 'punctuation') return undefined;
  const found = binaryOperators.get(c.textOf(token));
  if (found === undefined) return token.kind === 'word' ? unknownOperator(c) : undefined;
  return found.name === ':' && !c.searching ? undefined : found;
}

/** Returns the operator for SQL's `is null` or `not in`, or for an unknown word in the position of an operator. */
function unknownOperator(c: Cursor): BinaryOperator | undefined {
  if (atNullTest(c)) return nullTestOperator;
  const negated = negatedOperator(c);
  if (negated !== undefined) return negated;
  const next = c.peek(1);
  const word = c.textOf(c.token);
  const constant = ['string', 'long', 'real', 'timespan'].includes(next.kind);
  const grouped = c.at('(', 1) && (!c.isAdjacent(1) || functionNamed(word) === undefined);
  const operand = next.kind === 'word' || grouped || (c.at('[', 1) && !c.isAdjacent(1));
  if ((!constant && !operand) || atClause(c) || notOperators.has(word)) return undefined;
  // Neither a word at the start of a line nor a word that touches a string is an operator.
  if (c.startsLine() || c.isAdjacent() || (next.kind === 'string' && c.isAdjacent(1)))
    return undefined;
  const meant = binaryOperators.get(scalarOperatorMeant(word) ?? '');
  if (meant !== undefined) return { ...meant, foreign: 'unknown-scalar-operator' };
  if (!constant && !(grouped && !c.isAdjacent(1))) return undefined;
  const foreign = 'unknown-scalar-operator';
  return { name: word, precedence: equalityPrecedence, shape: 'operand', foreign };
}

const nullTestOperator = {
  name: 'is null',
  precedence: equalityPrecedence,
  shape: 'null',
} as const;

/** Words that can follow an operand but aren't operators. */
const notOperators = new Set('as by default from in limit on step to with'.split(' '));

/** Parses an expression whose operators have at least the precedence `least`. */
export function binary(c: Cursor, least: number): Expression {
  let left = unary(c);
  for (;;) {
    const operator = operatorHere(c);
    if (operator === undefined || operator.precedence < least) return left;
    if (operator.shape === 'logical') {
      left = chain(c, left, operator);
    } else {
      const height = c.height;
      left = operator.shape === 'null' ? nullTest(c, left) : comparison(c, left, operator);
      c.height = Math.max(height, c.height) + 1;
    }
    if (c.height > maxHeight) {
      c.report('too-deep', c.here(), { limit: String(maxHeight) });
      c.skipRest();
      return left;
    }
  }
}

/** Consumes an operator and returns its span. Reports a misspelled operator, or one from another language. */
export function passOperator(c: Cursor, operator: BinaryOperator): Span {
  const start = c.token.start;
  if (operator.foreign !== undefined) {
    const span = { start, end: c.peek(operator.second === undefined ? 0 : 1).end };
    const values = { found: c.shown(span), name: c.found, instead: operator.name, hint: '' };
    c.report(operator.foreign, span, values);
  }
  c.advance();
  if (operator.second !== undefined && !c.eat(operator.second)) {
    c.expected('expected-word', { word: operator.second });
  }
  return { start, end: c.lastEnd };
}

function comparison(c: Cursor, left: Expression, operator: BinaryOperator): Expression {
  const operatorSpan = passOperator(c, operator);
  if (operator.shape === 'list') return membership(c, left, operator.name, operatorSpan);
  if (operator.shape === 'range') return between(c, left, operator.name, operatorSpan);
  const right = binary(c, operator.precedence + 1);
  const { name } = operator;
  const { start } = left;
  return { kind: 'Binary', operator: name, operatorSpan, left, right, start, end: c.lastEnd };
}

/** Parses the list after `in`: `(a, b)`, `(pipeline)`, or a value without brackets, such as `dynamic([…])`. */
function membership(
  c: Cursor,
  left: Expression,
  operator: string,
  operatorSpan: Span,
): InExpression {
  let items: readonly Expression[];
  if (c.at('(')) {
    const pipeline = c.opensPipeline;
    items =
      c.bracket((c) => {
        if (pipeline) return [subquery(c)];
        return c.atEnd ? [] : list(c, expression, { stop: atClause });
      }) ?? [];
  } else {
    items = valuesOfSql(c, binary(c, operandPrecedence));
  }
  return { kind: 'InExpression', operator, operatorSpan, left, items, ...c.since(left) };
}

/** Parses `between (low .. high)`. Reports missing brackets, and parses the range without them. */
function between(c: Cursor, left: Expression, operator: string, operatorSpan: Span): Between {
  let ends: readonly [Expression, Expression] | undefined;
  if (c.at('(')) {
    ends = c.bracket((c) => twoEnds(c, equalityPrecedence));
  } else {
    ends = rangeOfSql(c, rangePrecedence);
    if (ends === undefined) {
      c.expected('expected-opening', { opening: '(' });
      if (startsExpression(c)) ends = twoEnds(c, rangePrecedence);
    }
  }
  const [low, high] = ends ?? [c.missing(), c.missing()];
  const spelled = operator === 'between' ? 'between' : '!between';
  return { kind: 'Between', operator: spelled, operatorSpan, left, low, high, ...c.since(left) };
}

function twoEnds(c: Cursor, least: number): readonly [low: Expression, high: Expression] {
  const low = binary(c, least);
  if (c.eat('..')) return [low, binary(c, least)];
  if (c.at('and')) return endsOfSql(c, low, least);
  c.expected('expected-word', { word: '..' });
  return [low, c.missing()];
}
