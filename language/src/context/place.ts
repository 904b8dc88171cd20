/**
 * Finds an offset's position among the tokens, such as the word and the brackets around it. It uses tokens, because the
 * tree seldom represents incomplete text as intended.
 */
import { partitionPoint } from '../append.ts';
import { matchBrackets } from '../syntax/brackets.ts';
import type { Token } from '../syntax/tokens.ts';
import type { QueryTree } from '../syntax/tree.ts';
import type { Span } from '../text.ts';

/** An open bracket around the offset, or the stage or statement. */
export interface Level {
  /** The index of the opening bracket or the stage's pipe. A statement has -1. */
  readonly opener: number;
  /** The indexes of the tokens before the offset. A nested pair of brackets is represented by its closing token. */
  readonly tokens: readonly number[];
}

export interface Place {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** The word, name or literal around the offset, which completion replaces. */
  readonly replace: Span;
  /** The open brackets around the offset from the innermost outward, then the stage or statement. */
  readonly levels: readonly Level[];
  /** Whether the outermost level is a stage rather than a statement. */
  readonly inStage: boolean;
  /** The index of the token at the offset or, between tokens, of the next token. */
  readonly next: number;
}

/** A comment or a number. Completion isn't possible inside it. */
export type Inert =
  | { readonly kind: 'comment' }
  | { readonly kind: 'number'; readonly place: Place };

/** An offset inside a string, and the `Place` for completing the string. */
export interface InString {
  readonly kind: 'string';
  readonly token: Token;
  readonly place: Place;
}

const openers = '([{';
const closers = ')]}';

export function placeAt(tree: QueryTree, offset: number): Place | Inert | InString {
  const { text, tokens } = tree;
  // Find the last token that starts before the offset.
  const before = partitionPoint(tokens, ({ kind, start }) => kind !== 'end' && start < offset);
  const index = before - 1;
  const token = tokens[index];
  if (token === undefined) {
    return inComment(text, 0, offset) ? { kind: 'comment' } : placeBefore(tree, 0, offset, offset);
  }
  const bare = token.end >= offset ? bareNameStart(tree, index) : undefined;
  if (bare !== undefined) {
    return placeBefore(tree, bare, (tokens[bare] as Token).start, Math.max(token.end, offset));
  }
  if (token.end < offset || token.kind === 'punctuation' || token.kind === 'end') {
    if (inComment(text, token.end, offset)) return { kind: 'comment' };
    return placeBefore(tree, index + 1, offset, offset);
  }
  switch (token.kind) {
    case 'word': {
      const first = operatorStart(tree, index);
      return placeBefore(tree, first, (tokens[first] as Token).start, token.end);
    }
    case 'string':
      return stringPlace(tree, index, token, offset);
    case 'long':
    case 'real':
    case 'timespan':
      return { kind: 'number', place: placeBefore(tree, index, token.start, token.end) };
    default:
      return placeBefore(tree, index + 1, offset, offset);
  }
}

/** The maximum number of tokens in an unquoted name. */
const longestName = 64;

/** Returns the index of the first token of an unquoted name that starts a statement, such as `http-logs`. */
function bareNameStart(tree: QueryTree, index: number): number | undefined {
  const { text, tokens } = tree;
  let first = index;
  for (let parts = 0; parts < longestName; parts++) {
    const token = tokens[first] as Token;
    const isWord = token.kind === 'word';
    const joins = token.kind === 'punctuation' && /^[-.]$/.test(text.slice(token.start, token.end));
    if (!isWord && !joins) return undefined;
    const before = tokens[first - 1];
    if (before === undefined || text.charCodeAt(before.start) === 59) {
      return first < index && isWord ? first : undefined;
    }
    if (before.end !== token.start) return undefined;
    first--;
  }
  return undefined;
}

/** Returns whether a comment starts between `from` and `offset` on the offset's line. */
function inComment(text: string, from: number, offset: number): boolean {
  for (let at = offset - 1; at >= from; at--) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return false;
    if (code === 47 && text.charCodeAt(at + 1) === 47) return true;
  }
  return false;
}

/** Returns the index of the first token of an operator name, such as `project-away`. */
function operatorStart(tree: QueryTree, index: number): number {
  const { text, tokens } = tree;
  let first = index;
  for (;;) {
    const dash = tokens[first - 1];
    const word = tokens[first - 2];
    if (dash === undefined || word?.kind !== 'word') break;
    if (text.charCodeAt(dash.start) !== 45 || dash.end !== tokens[first]?.start) break;
    if (word.end !== dash.start) break;
    first -= 2;
  }
  const before = tokens[first - 1];
  const atPipe = before !== undefined && text.charCodeAt(before.start) === 124;
  return first === index || atPipe ? first : index;
}

/** Returns the `Place` inside a string. `['…']` is an index directly after an operand, and otherwise a quoted name. */
function stringPlace(
  tree: QueryTree,
  index: number,
  token: Token,
  offset: number,
): Place | InString {
  const { text, tokens } = tree;
  const terminated = isTerminated(token);
  const outside = terminated && offset === token.end;
  const bracket = tokens[index - 1];
  const before = tokens[index - 2];
  const isBracket = bracket !== undefined && text.charCodeAt(bracket.start) === 91;
  const indexed =
    before !== undefined && before.end === bracket?.start && isOperandEnd(text, before);
  if (isBracket && !indexed && !outside) {
    // Replace the closing bracket as well if it directly follows the name.
    const closing = tokens[index + 1];
    const closed = terminated && closing !== undefined && text.charAt(closing.start) === ']';
    // An unterminated string extends into the code after the cursor, so replace it only up to the cursor.
    const end = closed ? closing.end : terminated ? token.end : offset;
    return placeBefore(tree, index - 1, bracket.start, end);
  }
  if (outside) return placeBefore(tree, index + 1, offset, offset);
  const end = terminated ? token.end : offset;
  return { kind: 'string', token, place: placeBefore(tree, index, token.start, end) };
}

export function isTerminated(token: Token): boolean {
  return token.flaw === undefined || token.flaw === 'curly-quotes';
}

function isOperandEnd(text: string, token: Token): boolean {
  if (token.kind !== 'punctuation') return token.kind === 'word' || token.kind === 'string';
  return closers.includes(text.charAt(token.start));
}

const none: ReadonlySet<number> = new Set();

function strayClosers({ text, tokens }: QueryTree): ReadonlySet<number> {
  const { match } = matchBrackets(text, tokens);
  const closing = new Set<number>();
  for (const [index, token] of tokens.entries()) {
    const character = token.end - token.start === 1 ? text.charAt(token.start) : '';
    if (character !== '' && openers.includes(character)) closing.add(match[index] as number);
  }
  const strays = new Set<number>();
  for (const [index, token] of tokens.entries()) {
    const character = token.end - token.start === 1 ? text.charAt(token.start) : '';
    if (character !== '' && closers.includes(character) && !closing.has(index)) strays.add(index);
  }
  return strays;
}

function placeBefore(
  tree: QueryTree,
  index: number,
  start: number,
  end: number,
  strays: ReadonlySet<number> = none,
): Place {
  const { text, tokens } = tree;
  const levels: Level[] = [];
  let level: number[] = [];
  let depth = 0;
  let inStage = false;
  let at = index - 1;
  for (; at >= 0; at--) {
    const token = tokens[at] as Token;
    const character = token.kind === 'punctuation' ? text.charAt(token.start) : '';
    const single = token.end - token.start === 1;
    if (single && closers.includes(character) && character !== '') {
      if (strays.has(at)) continue;
      if (depth === 0) level.push(at);
      depth++;
      continue;
    }
    if (single && openers.includes(character) && character !== '') {
      if (depth > 0) {
        depth--;
        continue;
      }
      levels.push({ opener: at, tokens: level.reverse() });
      level = [];
      continue;
    }
    if (depth > 0) continue;
    if (single && character === '|') {
      inStage = true;
      break;
    }
    if (single && character === ';') break;
    level.push(at);
  }
  // An unmatched closing bracket hid the stage's start, so repeat the search and ignore unmatched closing brackets.
  if (depth > 0 && strays === none) return placeBefore(tree, index, start, end, strayClosers(tree));
  levels.push({ opener: inStage ? at : -1, tokens: level.reverse() });
  return { text, tokens, replace: { start, end }, levels, inStage, next: index };
}

export function textAt(place: Place, index: number | undefined): string {
  const token = index === undefined ? undefined : place.tokens[index];
  return token === undefined ? '' : place.text.slice(token.start, token.end);
}

export function lastItem(place: Place, tokens: readonly number[]): readonly number[] {
  const comma = tokens.findLastIndex((index) => textAt(place, index) === ',');
  return tokens.slice(comma + 1);
}
