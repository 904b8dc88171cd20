/**
 * The parser's place in the tokens. A cursor sees only its window: a stage up to its next pipe, a
 * bracket up to its match. Beyond the window everything reads as the end, so that whatever goes wrong
 * inside is over when the window is.
 */
import type { Span } from '../text.ts';
import { type Brackets, matchBrackets, punctuationCode } from './brackets.ts';
import { isNewline } from './characters.ts';
import { lex } from './lexer.ts';
import { maxLooks, maxNesting, maxProblems } from './limits.ts';
import type { Token, TokenKind } from './tokens.ts';
import type { Missing, SyntaxProblem } from './tree.ts';

const shownLength = 40;

export class Cursor {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly problems: SyntaxProblem[] = [];
  /** Tokens passed and tokens scanned: what parsing costs, for tests of linearity. */
  steps = 0;
  /** The index of the current token, and of the first token behind the window. */
  index = 0;
  limit: number;
  /** The height of the expression read last, and of the highest since someone reset it. */
  height = 0;
  peak = 0;
  /** Whether a search predicate is being read, where `field:term` and a bare `not` are allowed. */
  searching = false;

  readonly #brackets: Brackets;
  readonly #end: Token;
  #nesting = 0;
  #looks = 0;
  #reportedAt = -1;
  /** Where problems start: never two on one token. */
  #starts: Set<number> | undefined;

  constructor(text: string) {
    this.text = text;
    this.tokens = lex(text);
    this.limit = this.tokens.length - 1;
    this.#end = this.tokens[this.limit] as Token;
    this.#brackets = matchBrackets(text, this.tokens);
  }

  // ── Looking ─────────────────────────────────────────────────────────────────────────────────────

  get atEnd(): boolean {
    return this.index >= this.limit;
  }

  /** Whether the token behind the window, at the end of which the cursor is, is a pipe. */
  get atPipeBehind(): boolean {
    const behind = this.tokens[this.index];
    return this.atEnd && behind !== undefined && punctuationCode(this.text, behind) === 124;
  }

  /** The current token, or the token of kind `end` behind the window. */
  get token(): Token {
    if (++this.#looks > maxLooks) this.#unstick();
    return this.index < this.limit ? (this.tokens[this.index] as Token) : this.#end;
  }

  get kind(): TokenKind {
    return this.token.kind;
  }

  /** The token `ahead` places on, within the window. */
  peek(ahead: number): Token {
    const at = this.index + ahead;
    return at < this.limit ? (this.tokens[at] as Token) : this.#end;
  }

  /** Whether the token `ahead` places on reads exactly so, as a word or as punctuation. */
  at(written: string, ahead = 0): boolean {
    const token = ahead === 0 ? this.token : this.peek(ahead);
    return (
      token.end - token.start === written.length &&
      this.text.charCodeAt(token.start) === written.charCodeAt(0) &&
      (token.kind === 'punctuation' || token.kind === 'word') &&
      (written.length === 1 || this.text.startsWith(written, token.start))
    );
  }

  textOf(token: Span): string {
    return this.text.slice(token.start, token.end);
  }

  /** Whether nothing stands between the token `ahead` places on and the one before it. */
  isAdjacent(ahead = 0): boolean {
    const at = this.index + ahead;
    return at < this.limit && this.tokens[at - 1]?.end === this.tokens[at]?.start;
  }

  /** Whether the current token is the first of its line. */
  startsLine(): boolean {
    const from = this.lastEnd;
    for (let at = this.token.start - 1; at >= from; at--) {
      if (isNewline(this.text.charCodeAt(at))) return true;
    }
    return this.index === 0;
  }

  /** The end of the last token passed. */
  get lastEnd(): number {
    return this.tokens[this.index - 1]?.end ?? 0;
  }

  /** What problems call the current token, and the last token passed. */
  get found(): string {
    return this.shown(this.token);
  }

  get after(): string {
    const last = this.tokens[this.index - 1];
    return last === undefined ? '' : this.shown(last);
  }

  shown(span: Span): string {
    const text = this.textOf({
      start: span.start,
      end: Math.min(span.end, span.start + shownLength),
    });
    return span.end - span.start > shownLength ? `${text}…` : text;
  }

  // ── Moving ──────────────────────────────────────────────────────────────────────────────────────

  /** Passes the current token, reports what is wrong in it, and returns it. */
  advance(): Token {
    const token = this.token;
    if (token === this.#end) return token;
    if (token.flaw !== undefined) this.#reportFlaw(token, token.flaw);
    this.index++;
    this.steps++;
    this.#looks = 0;
    return token;
  }

  eat(written: string): boolean {
    if (!this.at(written)) return false;
    this.advance();
    return true;
  }

  /** Passes what is left of the window. */
  skipRest(): void {
    while (this.index < this.limit) this.advance();
  }

  /** Moves to an index ahead without looking into the tokens between; their flaws are not reported. */
  jump(to: number): void {
    this.index = Math.min(Math.max(this.index, to), this.limit);
    this.steps++;
    this.#looks = 0;
  }

  /** Passes the current token, and a whole bracket when it opens one. */
  jumpOver(): void {
    const code = punctuationCode(this.text, this.token);
    const to = code === 40 || code === 91 || code === 123 ? this.closeOf(this.index) : 0;
    this.advance();
    while (this.index < Math.min(to, this.limit)) this.advance();
  }

  /** The index of the next token of this punctuation at this depth, or of the window's end. */
  find(code: number): number {
    let at = this.index;
    while (at < this.limit) {
      this.steps++;
      const found = punctuationCode(this.text, this.tokens[at] as Token);
      if (found === code) return at;
      at = found === 40 || found === 91 || found === 123 ? this.closeOf(at) : at + 1;
    }
    return this.limit;
  }

  /** The index right behind a bracket: after its closing token, or where it must end without one. */
  closeOf(open: number): number {
    const match = this.#brackets.match[open] as number;
    return Math.max(open + 1, match >= 0 ? match + 1 : ~match);
  }

  /** The index of the token that ends a bracket's inside, and whether that token closes it. */
  boundaryOf(open: number): { readonly index: number; readonly closed: boolean } {
    const match = this.#brackets.match[open] as number;
    return { index: match >= 0 ? match : ~match, closed: match >= 0 };
  }

  /** Whether a pipe stands directly inside the bracket that the current token opens, or rows written out. */
  get opensPipeline(): boolean {
    return this.#brackets.hasPipe.has(this.index) || this.#opensRows();
  }

  /** What follows these words here follows no name of a column. */
  #opensRows(): boolean {
    if (!['datatable', 'print', 'union'].some((word) => this.at(word, 1))) return false;
    const isValue = !['punctuation', 'unknown', 'end'].includes(this.peek(2).kind);
    return isValue || this.at('(', 2) || this.at('=', 3);
  }

  /** Reads with the window ending at `end`; the old window is back afterwards. */
  within<T>(end: number, read: (c: Cursor) => T): T {
    const limit = this.limit;
    this.limit = Math.min(limit, end);
    const value = read(this);
    this.limit = limit;
    return value;
  }

  /**
   * Reads the inside of the bracket that the current token opens, in its own window, and passes the
   * closing bracket. What `read` leaves is reported and passed when the bracket is closed, and left to
   * the outer window otherwise. Undefined when brackets nest too deeply; the whole bracket is passed.
   */
  bracket<T>(read: (c: Cursor) => T): T | undefined {
    const openIndex = this.index;
    const open = this.advance();
    const boundary = this.boundaryOf(openIndex);
    const limit = this.limit;
    const peak = this.peak;
    this.peak = 0;
    let value: T | undefined;
    this.limit = Math.min(limit, boundary.index);
    if (this.#nesting >= maxNesting) {
      this.report('too-deep', open, { limit: String(maxNesting) });
      this.jump(this.limit);
    } else {
      this.#nesting++;
      value = read(this);
      this.#nesting--;
      if (boundary.closed && !this.atEnd) {
        this.unexpected();
        this.skipRest();
      }
    }
    this.limit = limit;
    if (boundary.closed) this.advance();
    else this.#reportUnclosed(openIndex);
    this.height = this.peak + 1;
    this.peak = Math.max(peak, this.height);
    return value;
  }

  // ── Problems ────────────────────────────────────────────────────────────────────────────────────

  /** Adds a problem, unless one was told at this token already. */
  report(code: string, span: Span, values: Readonly<Record<string, string>> = {}): void {
    if (this.#reportedAt === this.index) return;
    this.#reportedAt = this.index;
    this.note(code, span, values);
  }

  /** Reports that something is expected here: before the current token, or behind the last one. */
  expected(code: string, values: Readonly<Record<string, string>> = {}): void {
    this.report(code, this.here(), { after: this.after, found: this.found, ...values });
  }

  /** Reports the current token as one that nothing here can use. */
  unexpected(): void {
    const { token } = this;
    if (this.reportHalfString()) return;
    if (token.flaw === undefined) {
      this.report('unexpected-text', token, { found: this.found, after: this.after });
    } else {
      this.#reportFlaw(token, token.flaw);
    }
  }

  /** Reports a word that touches a string, as `GET'` and `'GET and ['city` do: one of the two lacks a quote. */
  reportHalfString(): boolean {
    const last = this.tokens[this.index - 1];
    if (last === undefined || !this.isAdjacent()) return false;
    const { token } = this;
    if (token.kind === 'string' && last.kind === 'word') {
      const span = { start: last.start, end: token.start + 1 };
      this.report('missing-quote', span, { found: this.shown(last) });
    } else if (token.kind === 'word' && last.kind === 'string') {
      const span = { start: last.start, end: token.end };
      this.report('missing-quote', span, { found: this.shown(last) });
    } else return false;
    return true;
  }

  /**
   * Passes a closing bracket that closes nothing, and marks the text from `start` to it: somewhere there
   * its opening bracket is missing. False when there is none.
   */
  eatStrayClosing(start: number): boolean {
    const found = this.kind === 'punctuation' ? this.textOf(this.token) : '';
    const opening = found === ')' ? '(' : found === ']' ? '[' : found === '}' ? '{' : undefined;
    if (opening === undefined) return false;
    this.report('unmatched-closing', { start, end: this.token.end }, { found, opening });
    this.advance();
    return true;
  }

  /** The current token or, at the end of the window, the place behind the last token. */
  here(): Span {
    if (!this.atEnd) return this.token;
    return { start: this.lastEnd, end: this.lastEnd };
  }

  /** A node for a part that is not there. */
  missing(): Missing {
    return { kind: 'Missing', start: this.lastEnd, end: this.lastEnd };
  }

  /** Adds a problem without taking the place of one at the current token. */
  note(code: string, span: Span, values: Readonly<Record<string, string>> = {}): void {
    if (this.problems.length >= maxProblems || this.#starts?.has(span.start)) return;
    this.#starts ??= new Set();
    this.#starts.add(span.start);
    this.problems.push({ code, start: span.start, end: span.end, values });
  }

  #reportFlaw(token: Token, flaw: NonNullable<Token['flaw']>): void {
    const quote = this.text.charAt(token.start + (this.text.charAt(token.start) === '@' ? 1 : 0));
    const found = this.shown(token);
    const hint = found.startsWith('#') ? ' Comments start with //.' : '';
    this.report(flaw, token, { found, quote, hint });
  }

  /** Marks a bracket of an expression from end to end, since its missing end may be anywhere inside. */
  #reportUnclosed(openIndex: number): void {
    // A string without its end has swallowed the closing bracket, and was reported.
    if (this.tokens[this.index - 1]?.flaw === 'unterminated-string') return;
    const open = this.tokens[openIndex] as Token;
    const opening = this.textOf(open);
    const closing = opening === '(' ? ')' : opening === '[' ? ']' : '}';
    const end = this.#brackets.hasPipe.has(openIndex) ? open.end : this.lastEnd;
    this.report('expected-closing', { start: open.start, end }, { opening, closing });
  }

  /** A production that looks without moving is a mistake of ours; the rest of its window is given up. */
  #unstick(): void {
    this.#looks = 0;
    this.unexpected();
    this.index = Math.max(this.index, this.limit);
  }
}
