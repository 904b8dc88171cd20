/** Whether an operand has just ended or is still to come, judged from the tokens before the offset. */
import { scalarOperators } from '../catalog/index.ts';
import { type Place, textAt } from './place.ts';

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

/** The name on the left of the comparison that the last token is, as in `status == `. */
export function comparedName(place: Place, tokens: readonly number[]): string | undefined {
  const operator = textAt(place, tokens.at(-1));
  if (!comparisons.has(operator) && !wordOperators.has(operator)) return undefined;
  if (operator === 'and' || operator === 'or') return undefined;
  return nameAt(place, tokens.at(-2));
}

/** The column that the token names alone, plain or quoted. */
export function nameAt(place: Place, index: number | undefined): string | undefined {
  const token = index === undefined ? undefined : place.tokens[index];
  if (index === undefined || token === undefined) return undefined;
  if (token.kind === 'word') {
    return textAt(place, index - 1) === '.' ? undefined : textAt(place, index);
  }
  // `['geo.city']` leaves its closing bracket; the text in it is the name.
  if (textAt(place, index) !== ']' || textAt(place, index - 2) !== '[') return undefined;
  const inside = place.tokens[index - 1];
  return inside?.kind === 'string' ? textAt(place, index - 1).slice(1, -1) : undefined;
}

/** The dotted path that ends with a dot right before the offset, without that dot: `geo` of `geo.`. */
export function pathBefore(
  place: Place,
  tokens: readonly number[],
): { readonly path: string; readonly start: number } | undefined {
  if (textAt(place, tokens.at(-1)) !== '.') return undefined;
  let first = tokens.length - 2;
  if (place.tokens[tokens[first] ?? -1]?.kind !== 'word') return undefined;
  while (
    textAt(place, tokens[first - 1]) === '.' &&
    place.tokens[tokens[first - 2] ?? -1]?.kind === 'word'
  ) {
    first -= 2;
  }
  const start = place.tokens[tokens[first] as number]?.start as number;
  const end = place.tokens[tokens[tokens.length - 2] as number]?.end as number;
  return { path: place.text.slice(start, end), start };
}
