/**
 * Where an offset stands among the tokens: the word that is being typed there, the brackets around it,
 * and the pipe or statement before it. Read from the tokens and not from the tree, since what is half
 * typed is seldom in the tree as what it is going to be.
 */
import { matchBrackets } from '../syntax/brackets.ts';
import type { Token } from '../syntax/tokens.ts';
import type { QueryTree } from '../syntax/tree.ts';
import type { Span } from '../text.ts';

/** An open bracket around the offset, or the stage or statement at the outside. */
export interface Level {
  /** The index of the opening bracket, of the pipe, or -1 where the statement starts. */
  readonly opener: number;
  /**
   * The tokens of this level before the offset, by index; of a closed bracket inside it only the
   * closing token.
   */
  readonly tokens: readonly number[];
}

export interface Place {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** What completion replaces: the word or the open quoted name around the offset, else nothing there. */
  readonly replace: Span;
  /** The levels around the offset, the innermost first, the last being the stage's or the statement's. */
  readonly levels: readonly Level[];
  /** Whether the last level starts at a pipe. */
  readonly inStage: boolean;
  /** The index of the first token that does not stand before the place: the word there, or what follows. */
  readonly next: number;
}

/** A comment or a number around the offset, where nothing but its own text can stand. */
export type Inert =
  | { readonly kind: 'comment' }
  | { readonly kind: 'number'; readonly place: Place };

/** The string around an offset, with the place it stands at. */
export interface InString {
  readonly kind: 'string';
  readonly token: Token;
  readonly place: Place;
}

const openers = '([{';
const closers = ')]}';

/** Where `offset` stands in a parsed query. */
export function placeAt(tree: QueryTree, offset: number): Place | Inert | InString {
  const { text, tokens } = tree;
  // The last token that starts before the offset, the end of the text aside: an offset may lie behind it.
  let low = 0;
  let high = tokens.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tokens[middle] as Token).start < offset) low = middle + 1;
    else high = middle;
  }
  const index = low - 1;
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

/** How many parts a name without its quotes is looked through for. */
const longestName = 64;

/**
 * The first token of a name at the start of a statement that is typed without the quotes it needs, such
 * as `http-logs` or `k8s.events`; undefined where there is no such name.
 */
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

/** Whether a comment starts between `from` and `offset` on the offset's own line. */
function inComment(text: string, from: number, offset: number): boolean {
  for (let at = offset - 1; at >= from; at--) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return false;
    if (code === 47 && text.charCodeAt(at + 1) === 47) return true;
  }
  return false;
}

/** The first token of an operator's name with dashes, such as `project-away`; else the token itself. */
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

/** A string is a quoted name when its bracket does not go on an operand, as in `['geo.city']`. */
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
    // A bracket that closes the name right behind it is replaced too.
    const closing = tokens[index + 1];
    const closed = terminated && closing !== undefined && text.charAt(closing.start) === ']';
    // Without its quote the string runs to the end of the line, over what follows the name.
    const end = closed ? closing.end : terminated ? token.end : offset;
    return placeBefore(tree, index - 1, bracket.start, end);
  }
  if (outside) return placeBefore(tree, index + 1, offset, offset);
  const end = terminated ? token.end : offset;
  return { kind: 'string', token, place: placeBefore(tree, index, token.start, end) };
}

/** Whether a string has its closing quote. */
export function isTerminated(token: Token): boolean {
  return token.flaw === undefined || token.flaw === 'curly-quotes';
}

function isOperandEnd(text: string, token: Token): boolean {
  if (token.kind !== 'punctuation') return token.kind === 'word' || token.kind === 'string';
  return closers.includes(text.charAt(token.start));
}

const none: ReadonlySet<number> = new Set();

/** The closing brackets that close nothing, by their index among the tokens. */
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

/** The place before the token at `index`, looking back from there to the pipe or statement. */
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
  // A bracket that closes nothing would hide the stage that it stands in.
  if (depth > 0 && strays === none) return placeBefore(tree, index, start, end, strayClosers(tree));
  levels.push({ opener: inStage ? at : -1, tokens: level.reverse() });
  return { text, tokens, replace: { start, end }, levels, inStage, next: index };
}

/** The text of the token at `index`; empty when there is none. */
export function textAt(place: Place, index: number | undefined): string {
  const token = index === undefined ? undefined : place.tokens[index];
  return token === undefined ? '' : place.text.slice(token.start, token.end);
}

/** The tokens since the last comma. */
export function lastItem(place: Place, tokens: readonly number[]): readonly number[] {
  const comma = tokens.findLastIndex((index) => textAt(place, index) === ',');
  return tokens.slice(comma + 1);
}
