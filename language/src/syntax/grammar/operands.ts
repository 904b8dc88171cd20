/** Parses operands: literals, names, calls, brackets and subqueries. */
import type { Cursor } from '../cursor.ts';
import { decodeString } from '../strings.ts';
import type { Token } from '../tokens.ts';
import type { Expression, Literal, Name, Subquery } from '../tree.ts';
import { call } from './calls.ts';
import { bareDynamic, dynamicLiteral } from './dynamic.ts';
import { expression } from './expressions.ts';
import { atQuotedName, optName } from './names.ts';
import { numberLiteral, timespanLiteral } from './numbers.ts';
import { pipeline } from './pipeline.ts';
import { binaryOperators } from './precedence.ts';
import { typedLiteral, typeLiteral } from './typedLiterals.ts';

/** Parses an operand. Reports a problem and returns `Missing` if none starts here. */
export function operand(c: Cursor): Expression {
  c.height = 1;
  const token = c.token;
  switch (token.kind) {
    case 'string':
      return c.at(']', 1) ? halfQuotedName(c) : stringLiteral(c);
    case 'long':
    case 'real':
      return numberLiteral(c);
    case 'timespan':
      return timespanLiteral(c);
    case 'word':
      return wordOperand(c, token);
    case 'punctuation':
      return punctuationOperand(c, token);
    case 'unknown':
      c.advance();
      return { kind: 'Missing', start: token.start, end: token.end };
    default:
      return missingOperand(c);
  }
}

function missingOperand(c: Cursor): Expression {
  c.expected('expected-expression');
  return c.missing();
}

export function stringLiteral(c: Cursor): Literal {
  const token = c.advance();
  const value = decodeString(c.textOf(token));
  return { kind: 'Literal', type: 'string', value, start: token.start, end: token.end };
}

/** Parses `'name']`, a quoted name whose opening bracket is missing. */
function halfQuotedName(c: Cursor): Expression {
  const { start } = c.token;
  c.report('missing-opening', { start, end: c.peek(1).end }, { opening: '[', found: c.found });
  const name = decodeString(c.textOf(c.advance()));
  c.advance();
  return { kind: 'NameReference', name, quoted: true, start, end: c.lastEnd };
}

const constants: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function wordOperand(c: Cursor, token: Token): Expression {
  const word = c.textOf(token);
  if (c.at('(', 1)) {
    if (word === 'dynamic') return dynamicLiteral(c);
    if (word === 'typeof') return typeLiteral(c);
    const literal = typedLiteral(c, word);
    if (literal !== undefined) return literal;
  }
  const constant = constants.get(word);
  if (constant !== undefined && !c.at('(', 1)) {
    c.advance();
    const type = constant === null ? 'null' : 'bool';
    return { kind: 'Literal', type, value: constant, start: token.start, end: token.end };
  }
  if (operatorWithoutOperand(c, word)) return missingOperand(c);
  if (c.at('(', 1)) return nameOperand(c);
  c.advance();
  return { kind: 'NameReference', name: word, quoted: false, start: token.start, end: token.end };
}

/** Returns whether the current word is an operator without a left operand, like the second `and` in `a and and b`. */
function operatorWithoutOperand(c: Cursor, word: string): boolean {
  if (!binaryOperators.has(word)) return false;
  const next = c.peek(1);
  return next.kind !== 'end' && (next.kind !== 'punctuation' || c.at('(', 1) || c.at('[', 1));
}

function nameOperand(c: Cursor): Expression {
  const found = optName(c) as Name;
  if (c.at('(')) return call(c, found);
  return { ...found, kind: 'NameReference' };
}

function punctuationOperand(c: Cursor, token: Token): Expression {
  switch (c.textOf(token)) {
    case '*':
      c.advance();
      return { kind: 'Star', start: token.start, end: token.end };
    case '(':
      return parenthesized(c);
    case '[':
      return atQuotedName(c) ? nameOperand(c) : bareDynamic(c);
    case '{':
      return bareDynamic(c);
    default:
      return missingOperand(c);
  }
}

function parenthesized(c: Cursor): Expression {
  const start = c.token.start;
  if (c.opensPipeline) {
    const found = c.bracket(subquery) ?? c.missing();
    return { ...found, start, end: c.lastEnd };
  }
  const inside = c.bracket(expression) ?? c.missing();
  return { kind: 'Parenthesized', expression: inside, start, end: c.lastEnd };
}

/** Parses the contents of a bracket as a pipeline. */
export function subquery(c: Cursor): Subquery {
  const searching = c.searching;
  c.searching = false;
  const found = pipeline(c);
  c.searching = searching;
  return { kind: 'Subquery', pipeline: found, start: found.start, end: found.end };
}
