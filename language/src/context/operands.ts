/** Determines whether an operand has just ended at the offset or is expected there. */
import { scalarOperators } from '../catalog/index.ts';
import { decodeString } from '../syntax/strings.ts';
import { type Level, type Place, textAt } from './place.ts';

/** The operators spelled as words, including both words of `matches regex`. */
const wordOperators: ReadonlySet<string> = new Set(
  scalarOperators.flatMap(({ name }) => (/^[a-z]/.test(name) ? name.split(' ') : [])),
);

const comparisons: ReadonlySet<string> = new Set('== != <> < <= > >= =~ !~'.split(' '));

/** The maximum number of tokens to look back to classify an ambiguous token, as in `a and and and …`. */
const patience = 8;

/** Returns whether the last token ends an operand. */
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
    // If an operand is expected, a word is a name, even if an operator has the same spelling.
    return !(wordOperators.has(text) && endsOperand(place, tokens, at - 1, patient - 1));
  }
  if (token.kind !== 'punctuation') return true;
  // A star after an operand means multiplication. Any other star is a wildcard.
  if (text === '*') return !endsOperand(place, tokens, at - 1, patient - 1);
  return text === ')' || text === ']' || text === '}';
}

/** Returns the left name and the operator of a comparison that ends with the last token, as in `status == `. */
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

/** Matches operators before a bracketed list or range, such as `in` or `has_any`. */
const listOperator = /^!?(?:in~?|between|has_any(?:_cs)?)$/;

/** Returns the name and the operator before a list, as in `method in (`. */
export function listedName(
  place: Place,
  level: Level,
): { readonly name: string; readonly operator: string } | undefined {
  const operator = textAt(place, level.opener - 1);
  if (!listOperator.test(operator) || textAt(place, level.opener) !== '(') return undefined;
  const name = nameAt(place, level.opener - 2);
  return name === undefined ? undefined : { name, operator };
}

/** Returns the column at the token. Returns undefined if the token belongs to a longer path. */
export function nameAt(place: Place, index: number | undefined): string | undefined {
  const part = index === undefined ? undefined : partAt(place, index);
  if (part === undefined || textAt(place, part.first - 1) === '.') return undefined;
  // A quoted name directly after an operand is an index, not a column.
  return part.quoted && touchesOperand(place, part.first) ? undefined : part.name;
}

interface Part {
  readonly name: string;
  readonly first: number;
  readonly quoted: boolean;
}

function partAt(place: Place, index: number): Part | undefined {
  if (place.tokens[index]?.kind === 'word') {
    return { name: textAt(place, index), first: index, quoted: false };
  }
  if (textAt(place, index) !== ']' || textAt(place, index - 2) !== '[') return undefined;
  if (place.tokens[index - 1]?.kind !== 'string') return undefined;
  return { name: decodeString(textAt(place, index - 1)), first: index - 2, quoted: true };
}

/** Returns whether the token directly follows an operand, like the `[` in `x[0]`. */
function touchesOperand(place: Place, index: number): boolean {
  const before = place.tokens[index - 1];
  if (before === undefined || before.end !== place.tokens[index]?.start) return false;
  return before.kind === 'word' || textAt(place, index - 1) === ']';
}

/** The maximum number of parts read in a path. */
const longestPath = 32;

/** A path such as `geo`, `geo.city` or `geo['city']`. `path` joins its names with dots. */
export interface Path {
  readonly path: string;
  readonly start: number;
}

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

/** Returns the path before a dot that precedes the cursor, such as `geo` in `geo.`. */
export function pathBefore(place: Place, tokens: readonly number[]): Path | undefined {
  const dot = tokens.at(-1);
  return dot === undefined || textAt(place, dot) !== '.' ? undefined : pathEndingAt(place, dot - 1);
}
