/** Parses signs and `not` before an operand, and members, elements and slices after it. */
import { defined } from '../../defined.ts';
import type { Cursor } from '../cursor.ts';
import { maxHeight, maxNesting } from '../limits.ts';
import type { Token } from '../tokens.ts';
import type { Expression, Unary } from '../tree.ts';
import { binary, expression } from './expressions.ts';
import { atQuotedName, name } from './names.ts';
import { operand } from './operands.ts';
import { binaryOperators, equalityPrecedence } from './precedence.ts';

/** Parses an operand and the signs before it. */
export function unary(c: Cursor): Expression {
  if (signHere(c) === undefined) return postfix(c);
  const signs: { readonly token: Token; readonly operator: Unary['operator'] }[] = [];
  for (let operator = signHere(c); operator !== undefined; operator = signHere(c)) {
    if (signs.length >= maxNesting) {
      c.report('too-deep', c.token, { limit: String(maxNesting) });
      c.skipRest();
      break;
    }
    if (c.at('!')) {
      c.report('foreign-operator', c.token, { found: '!', instead: 'not(…)' });
    } else if (operator === 'not' && !c.searching) {
      c.report('bare-not', c.token);
    }
    signs.push({ token: c.advance(), operator });
  }
  const last = signs.at(-1)?.token;
  // A prefix `not` negates an entire comparison, as in `not status == 200`.
  const covers = last !== undefined && c.textOf(last) === 'not';
  let found = covers ? binary(c, equalityPrecedence) : postfix(c);
  c.height += signs.length;
  for (const { token, operator } of signs.reverse()) {
    found = { kind: 'Unary', operator, operand: found, start: token.start, end: c.lastEnd };
  }
  return found;
}

function signHere(c: Cursor): Unary['operator'] | undefined {
  if (c.at('-')) return '-';
  if (c.at('+')) return '+';
  if (c.at('!')) return 'not';
  if (!c.at('not') || c.at('(', 1)) return undefined;
  const next = c.peek(1);
  if (next.kind === 'end' || next.kind === 'unknown') return undefined;
  if (next.kind === 'punctuation') return c.at('[', 1) || c.at('*', 1) ? 'not' : undefined;
  return next.kind === 'word' && binaryOperators.has(c.textOf(next)) ? undefined : 'not';
}

/** Parses an operand and the accessors after it: `.name`, `.['name']`, `[index]`, `[from:to]`. */
export function postfix(c: Cursor): Expression {
  let target = operand(c);
  for (;;) {
    const height = c.height;
    if (c.at('[') && !startsName(c)) {
      target = element(c, target);
      c.height = Math.max(height, c.height) + 1;
    } else if (c.at('.')) {
      c.advance();
      const member = name(c);
      target = { kind: 'Member', target, name: member, start: target.start, end: c.lastEnd };
      c.height = height + 1;
    } else return target;
    if (c.height > maxHeight) {
      c.report('too-deep', c.here(), { limit: String(maxHeight) });
      c.skipRest();
      return target;
    }
  }
}

/**
 * Returns whether a bracket after an operand starts a new name rather than an index. A bracket on a new line starts a
 * name, because the preceding statement may lack its `;`. In `a ['b']`, a comma is probably missing.
 */
function startsName(c: Cursor): boolean {
  return !c.isAdjacent() && (c.startsLine() || atQuotedName(c));
}

function element(c: Cursor, target: Expression): Expression {
  let from: Expression | undefined;
  let to: Expression | undefined;
  let sliced = false;
  c.bracket(() => {
    // In brackets, `:` separates the bounds of a slice instead of a search field and its term.
    const searching = c.searching;
    c.searching = false;
    if (!c.at(':')) from = expression(c);
    sliced = c.eat(':');
    if (sliced && !c.atEnd) to = expression(c);
    c.searching = searching;
  });
  const span = c.since(target);
  if (!sliced) return { kind: 'Index', target, index: from ?? c.missing(), ...span };
  return { kind: 'Slice', target, ...defined({ from, to }), ...span };
}
