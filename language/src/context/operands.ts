/** Whether an operand has just ended or is still to come, judged from the tokens before the offset. */
import { scalarOperators } from '../catalog/index.ts';
import { decodeString } from '../syntax/strings.ts';
import { type Level, type Place, textAt } from './place.ts';

/** Operators that are words; `matches regex` is two. */
const wordOperators: ReadonlySet<string> = new Set(
  scalarOperators.flatMap(({ name }) => (/^[a-z]/.test(name) ? name.split(' ') : [])),
);

const comparisons: ReadonlySet<string> = new Set([
  '==',
  '!=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  '=~',
  '!~',
]);

/** How far back a doubtful token is judged by the one before it: `a and and and …` proves nothing. */
const patience = 8;

/** Whether the last of these tokens ends an operand, so that an operator or clause may follow. */
export function isAfterOperand(place: Place, tokens: readonly number[]): boolean {
  return endsOperand(place, tokens, tokens.length - 1, patience);
}

function endsOperand(
  place: Place,
  tokens: readonly number[],
  at: number,
  patient: number,
): boolean {
  const token = place.tokens[tokens[at] ?? -1];
  if (token === undefined || patient === 0) return false;
  const text = textAt(place, tokens[at]);
  if (token.kind === 'word') {
    // An operator spelled as a word is a name where an operand should start.
    return !(wordOperators.has(text) && endsOperand(place, tokens, at - 1, patient - 1));
  }
  if (token.kind !== 'punctuation') return true;
  // A star is a column of its own where no operand stands before it, and a product otherwise.
  if (text === '*') return !endsOperand(place, tokens, at - 1, patient - 1);
  return text === ')' || text === ']' || text === '}';
}

/** The name on the left of the comparison that the last token is, as in `status == `, with its operator. */
export function comparedName(
  place: Place,
  tokens: readonly number[],
): { readonly name: string; readonly operator: string } | undefined {
  const operator = textAt(place, tokens.at(-1));
  const word = operator.startsWith('!') ? operator.slice(1) : operator;
  if (!comparisons.has(operator) && !wordOperators.has(word)) return undefined;
  if (operator === 'and' || operator === 'or') return undefined;
  const name = nameAt(place, tokens.at(-2));
  return name === undefined ? undefined : { name, operator };
}

/** The operator whose list or bounds a bracket opens, such as `in` or `has_any`. */
const listOperator = /^!?(?:in~?|between|has_any(?:_cs)?)$/;

/** The name before a list such as that of `method in (`, with the operator between them. */
export function listedName(
  place: Place,
  level: Level,
): { readonly name: string; readonly operator: string } | undefined {
  const operator = textAt(place, level.opener - 1);
  if (!listOperator.test(operator) || textAt(place, level.opener) !== '(') return undefined;
  const name = nameAt(place, level.opener - 2);
  return name === undefined ? undefined : { name, operator };
}

/** The column that the token names alone, plain or quoted. */
export function nameAt(place: Place, index: number | undefined): string | undefined {
  const part = index === undefined ? undefined : partAt(place, index);
  if (part === undefined || textAt(place, part.first - 1) === '.') return undefined;
  // A quoted name that touches what is before it is an index of that.
  return part.quoted && touchesOperand(place, part.first) ? undefined : part.name;
}

interface Part {
  readonly name: string;
  /** The index of its first token. */
  readonly first: number;
  readonly quoted: boolean;
}

/** The name that the token at `index` ends: a word, or `['geo.city']` by its closing bracket. */
function partAt(place: Place, index: number): Part | undefined {
  if (place.tokens[index]?.kind === 'word') {
    return { name: textAt(place, index), first: index, quoted: false };
  }
  if (textAt(place, index) !== ']' || textAt(place, index - 2) !== '[') return undefined;
  if (place.tokens[index - 1]?.kind !== 'string') return undefined;
  return { name: decodeString(textAt(place, index - 1)), first: index - 2, quoted: true };
}

/** Whether the token at `index` follows an operand without a blank, as the bracket of an index does. */
function touchesOperand(place: Place, index: number): boolean {
  const before = place.tokens[index - 1];
  if (before === undefined || before.end !== place.tokens[index]?.start) return false;
  return before.kind === 'word' || textAt(place, index - 1) === ']';
}

/** How many parts of a path are read. */
const longestPath = 32;

/** A path of names: `geo`, `geo.city` or `geo['city']`, its parts joined by dots, and where it starts. */
export interface Path {
  readonly path: string;
  readonly start: number;
}

/** The path that the token at `index` ends. */
export function pathEndingAt(place: Place, index: number): Path | undefined {
  const parts: string[] = [];
  let at = index;
  for (;;) {
    const part = partAt(place, at);
    if (part === undefined || parts.length === longestPath) return undefined;
    parts.unshift(part.name);
    if (textAt(place, part.first - 1) === '.') at = part.first - 2;
    else if (part.quoted && touchesOperand(place, part.first)) at = part.first - 1;
    else {
      const start = place.tokens[part.first]?.start as number;
      return { path: parts.join('.'), start };
    }
  }
}

/** The path that ends with a dot right before the offset, without that dot: `geo` of `geo.`. */
export function pathBefore(place: Place, tokens: readonly number[]): Path | undefined {
  const dot = tokens.at(-1);
  return dot === undefined || textAt(place, dot) !== '.' ? undefined : pathEndingAt(place, dot - 1);
}
