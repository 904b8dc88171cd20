/**
 * Matches brackets before parsing, so that the parser can limit a bracket or stage to a range of tokens and skip a
 * bracket in one step. In unbalanced text, pairs are guessed so that a missing bracket usually affects only its own
 * stage.
 */
import { isNewline } from './characters.ts';
import { startOfLine } from './lines.ts';
import type { Token } from './tokens.ts';

export interface Brackets {
  /**
   * Indexed by token:
   * - for an opening bracket, the index of its closing bracket
   * - for an unclosed bracket, the complement (`~i`) of the index of the first token after its contents
   * - for any other token, 0
   * Empty if the text has no brackets.
   */
  readonly match: readonly number[];
  /** The token indexes of opening brackets that directly enclose a pipe. */
  readonly hasPipe: ReadonlySet<number>;
}

/** The shared result for text without brackets. */
const noBrackets: Brackets = { match: [], hasPipe: new Set() };

const openRound = 40;
const closeRound = 41;
const openSquare = 91;
const closeSquare = 93;
const openCurly = 123;
const closeCurly = 125;
const pipe = 124;
const semicolon = 59;

/** Returns the character code of one-character punctuation, or 0. */
export function punctuationCode(text: string, token: Token): number {
  return token.kind === 'punctuation' && token.end - token.start === 1
    ? text.charCodeAt(token.start)
    : 0;
}

function openerOf(closer: number): number {
  if (closer === closeRound) return openRound;
  if (closer === closeSquare) return openSquare;
  return closer === closeCurly ? openCurly : 0;
}

/** Returns 1 for round, 2 for square and 3 for curly brackets. */
function rank(code: number): number {
  return code >> 5;
}

function isOpener(code: number): boolean {
  return code === openRound || code === openSquare || code === openCurly;
}

/** Matches brackets in linear time. */
export function matchBrackets(text: string, tokens: readonly Token[]): Brackets {
  return matchBalanced(text, tokens) ?? matchBroken(text, tokens);
}

function matchBalanced(text: string, tokens: readonly Token[]): Brackets | undefined {
  let match: number[] | undefined;
  let hasPipe: Set<number> | undefined;
  const open: number[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const code = punctuationCode(text, tokens[i] as Token);
    if (code === 0) continue;
    if (isOpener(code)) {
      match ??= new Array<number>(tokens.length).fill(0);
      open.push(i);
    } else if (code === pipe) {
      const top = open.at(-1);
      if (top === undefined) continue;
      hasPipe ??= new Set();
      hasPipe.add(top);
    } else if (openerOf(code) !== 0) {
      const top = open.pop();
      if (
        top === undefined ||
        match === undefined ||
        text.charCodeAt((tokens[top] as Token).start) !== openerOf(code)
      ) {
        return undefined;
      }
      match[top] = i;
    }
  }
  if (open.length > 0) return undefined;
  return match === undefined ? noBrackets : { match, hasPipe: hasPipe ?? noBrackets.hasPipe };
}

/**
 * Guesses pairs in unbalanced text:
 * - A pipe closes open brackets from the innermost outward, up to one that can contain a pipeline.
 * - A `;` closes all brackets.
 * - A closing bracket also closes unclosed brackets inside its pair.
 * - An unterminated string closes brackets like a pipe, but only those opened on its line, because the string probably
 *   includes their closing brackets.
 * - `cutByIndentation` shortens brackets that are still open at the end.
 */
function matchBroken(text: string, tokens: readonly Token[]): Brackets {
  const match = new Array<number>(tokens.length).fill(0);
  const hasPipe = new Set<number>();
  const open: number[] = [];
  const holdsPipe: boolean[] = [];
  /** The number of open brackets, indexed by `rank`. */
  const openOfRank = [0, 0, 0, 0];
  const kindOf = (index: number) => text.charCodeAt((tokens[index] as Token).start);
  const pop = (at: number, closed: boolean) => {
    const top = open.pop() as number;
    holdsPipe.pop();
    (openOfRank[rank(kindOf(top))] as number)--;
    match[top] = closed ? at : ~at;
  };
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as Token;
    const code = punctuationCode(text, token);
    if (token.flaw === 'unterminated-string') {
      const line = startOfLine(text, token.start);
      const startOf = (index: number) => (tokens[index] as Token).start;
      while (holdsPipe.at(-1) === false && startOf(open.at(-1) as number) >= line)
        pop(i + 1, false);
    }
    if (code === 0) continue;
    if (isOpener(code)) {
      holdsPipe.push(code === openRound && mayHoldPipeline(text, tokens, i, holdsPipe.at(-1)));
      open.push(i);
      (openOfRank[rank(code)] as number)++;
    } else if (code === pipe) {
      while (open.length > 0 && holdsPipe.at(-1) === false) pop(i, false);
      const top = open.at(-1);
      if (top !== undefined) hasPipe.add(top);
    } else if (code === semicolon) {
      while (open.length > 0) pop(i, false);
    } else if (openerOf(code) !== 0 && (openOfRank[rank(code)] as number) > 0) {
      while (kindOf(open.at(-1) as number) !== openerOf(code)) pop(i, false);
      pop(i, true);
    }
  }
  for (const index of open) match[index] = ~(tokens.length - 1);
  // `cutByIndentation` affects only brackets that contain a pipe.
  if (open.length > 0 && hasPipe.size > 0) cutByIndentation(text, tokens, open, match, hasPipe);
  return { match, hasPipe };
}

const wordsBeforePipeline = new Set(
  'in has_any has_any_cs join lookup union toscalar materialize'.split(' '),
);
const namesBeforeKind = new Set(['kind', 'withsource']);

/**
 * Returns whether a round bracket is in a position that allows a pipeline, such as the start of a stage, or after
 * `join`, `in` or `let x =`.
 */
function mayHoldPipeline(
  text: string,
  tokens: readonly Token[],
  index: number,
  outer: boolean | undefined,
): boolean {
  const before = tokens[index - 1];
  const after = tokens[index + 1]?.kind;
  if (after !== 'word' && after !== 'punctuation') return false;
  if (before === undefined) return true;
  const word = (token: Token | undefined) =>
    token === undefined ? '' : text.slice(token.start, Math.min(token.end, token.start + 16));
  const written = word(before);
  if (before.kind === 'word') {
    if (wordsBeforePipeline.has(written)) return true;
    return word(tokens[index - 2]) === '=' && namesBeforeKind.has(word(tokens[index - 3]));
  }
  if (written === '|' || written === ';' || written === 'in~' || written.startsWith('!in'))
    return true;
  if (written === '=') return word(tokens[index - 3]) === 'let';
  return (written === '(' || written === ',') && outer !== false;
}

/**
 * Ends each unclosed bracket at the first pipe that starts a line and isn't indented deeper than the bracket's line.
 */
function cutByIndentation(
  text: string,
  tokens: readonly Token[],
  open: readonly number[],
  match: number[],
  hasPipe: Set<number>,
): void {
  const unclosed = new Uint8Array(tokens.length);
  for (const index of open) {
    unclosed[index] = 1;
    hasPipe.delete(index);
  }
  /** The brackets that a later pipe may end, outermost first. `indents` contains their lines' indentation. */
  const pending: number[] = [];
  const indents: number[] = [];
  let indent = 0;
  let lineStart = 0;
  let seen = 0;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as Token;
    let startsLine = i === 0;
    for (; seen < token.start; seen++) {
      if (!isNewline(text.charCodeAt(seen))) continue;
      startsLine = true;
      lineStart = seen + 1;
    }
    if (startsLine) indent = token.start - lineStart;
    seen = token.end;
    const code = punctuationCode(text, token);
    if (code === pipe) {
      if (startsLine) {
        while ((indents.at(-1) ?? -1) >= indent) {
          indents.pop();
          match[pending.pop() as number] = ~i;
        }
      }
      const top = pending.at(-1);
      if (top !== undefined) hasPipe.add(top);
    } else if (unclosed[i] === 1) {
      pending.push(i);
      indents.push(indent);
    } else if (isOpener(code) && (match[i] as number) >= 0) {
      i = match[i] as number;
      seen = (tokens[i] as Token).end;
    }
  }
}
