/**
 * The parser's position in the tokens. A cursor sees only its window: a statement, a stage or the contents of a
 * bracket. After the window, it returns the `end` token, so an error can't extend beyond the window.
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
  /** Counts the moves to another token, so that tests can check that parsing takes linear time. */
  steps = 0;
  /** The index of the current token. `limit` is the index of the first token after the window. */
  index = 0;
  limit: number;
  /** The tree height of the last parsed expression. `peak` is the maximum height since the last reset. */
  height = 0;
  peak = 0;
  /** Whether the parser is in a search predicate, where `field:term` and `not` without brackets are allowed. */
  searching = false;

  readonly #brackets: Brackets;
  readonly #end: Token;
  #nesting = 0;
  #looks = 0;
  #reportedAt = -1;
  /** The start offsets of all problems. */
  #starts: Set<number> | undefined;

  constructor(text: string) {
    this.text = text;
    this.tokens = lex(text);
    this.limit = this.tokens.length - 1;
    this.#end = this.tokens[this.limit] as Token;
    this.#brackets = matchBrackets(text, this.tokens);
  }

  // ── Lookahead ───────────────────────────────────────────────────────────────────────────────────

  get atEnd(): boolean {
    return this.index >= this.limit;
  }

  get atPipeBehind(): boolean {
    const behind = this.tokens[this.index];
    return this.atEnd && behind !== undefined && punctuationCode(this.text, behind) === 124;
  }

  /** The current token. At the end of the window, the `end` token. */
  get token(): Token {
    if (++this.#looks > maxLooks) this.#unstick();
    return this.index < this.limit ? (this.tokens[this.index] as Token) : this.#end;
  }

  get kind(): TokenKind {
    return this.token.kind;
  }

  peek(ahead: number): Token {
    const at = this.index + ahead;
    return at < this.limit ? (this.tokens[at] as Token) : this.#end;
  }

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

  /** Returns whether the token directly follows the token before it. `ahead` is relative to the current token. */
  isAdjacent(ahead = 0): boolean {
    const at = this.index + ahead;
    return at < this.limit && this.tokens[at - 1]?.end === this.tokens[at]?.start;
  }

  startsLine(): boolean {
    const from = this.lastEnd;
    for (let at = this.token.start - 1; at >= from; at--) {
      if (isNewline(this.text.charCodeAt(at))) return true;
    }
    return this.index === 0;
  }

  get lastEnd(): number {
    return this.tokens[this.index - 1]?.end ?? 0;
  }

  /** Returns the span from the start of `start` to the end of the last consumed token. */
  since({ start }: { readonly start: number }): Span {
    return { start, end: this.lastEnd };
  }

  /** The text of the current token, shortened for a problem's message. */
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

  /** Moves to the next token and returns the token that was current. Reports that token's flaw, if any. */
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

  skipRest(): void {
    while (this.index < this.limit) this.advance();
  }

  /** Moves forward to the token at the index `to`, without reporting flaws of the skipped tokens. */
  jump(to: number): void {
    this.index = Math.min(Math.max(this.index, to), this.limit);
    this.steps++;
    this.#looks = 0;
  }

  /** Consumes the current token. If the token opens a bracket, consumes the entire bracket. */
  jumpOver(): void {
    const code = punctuationCode(this.text, this.token);
    const to = code === 40 || code === 91 || code === 123 ? this.closeOf(this.index) : 0;
    this.advance();
    while (this.index < Math.min(to, this.limit)) this.advance();
  }

  /** Returns the index of the next punctuation token outside nested brackets, or the window's end. */
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

  /** Returns the index of the first token after a bracket. An unclosed bracket ends at its guessed end. */
  closeOf(open: number): number {
    const match = this.#brackets.match[open] as number;
    return Math.max(open + 1, match >= 0 ? match + 1 : ~match);
  }

  /** Returns the index after a bracket's contents, and whether the token at this index closes the bracket. */
  boundaryOf(open: number): { readonly index: number; readonly closed: boolean } {
    const match = this.#brackets.match[open] as number;
    return { index: match >= 0 ? match : ~match, closed: match >= 0 };
  }

  /** Whether the bracket at the cursor contains a pipeline: it encloses a pipe, or starts with a source keyword. */
  get opensPipeline(): boolean {
    return this.#brackets.hasPipe.has(this.index) || this.#opensRows();
  }

  /** Returns whether the bracket at the cursor starts with a source keyword rather than a column with the same name. */
  #opensRows(): boolean {
    if (!['datatable', 'print', 'union'].some((word) => this.at(word, 1))) return false;
    const isValue = !['punctuation', 'unknown', 'end'].includes(this.peek(2).kind);
    return isValue || this.at('(', 2) || this.at('=', 3);
  }

  within<T>(end: number, read: (c: Cursor) => T): T {
    const limit = this.limit;
    this.limit = Math.min(limit, end);
    const value = read(this);
    this.limit = limit;
    return value;
  }

  /**
   * Calls `read` with the contents of the bracket at the cursor as the window, and consumes the bracket. Returns
   * undefined if brackets are nested too deeply.
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

  /** Reports a problem, if none has been reported at the current token. */
  report(code: string, span: Span, values: Readonly<Record<string, string>> = {}): void {
    if (this.#reportedAt === this.index) return;
    this.#reportedAt = this.index;
    this.note(code, span, values);
  }

  /** Reports a missing part at the current token or, at the end of the window, after the last token. */
  expected(code: string, values: Readonly<Record<string, string>> = {}): void {
    this.report(code, this.here(), { after: this.after, found: this.found, ...values });
  }

  unexpected(): void {
    const { token } = this;
    if (this.reportHalfString()) return;
    if (token.flaw === undefined) {
      this.report('unexpected-text', token, { found: this.found, after: this.after });
    } else {
      this.#reportFlaw(token, token.flaw);
    }
  }

  /** Reports a missing quote if a word and a string touch, as in `GET'`. Returns whether it was reported. */
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

  /** Consumes and reports an unmatched closing bracket. The reported span begins at `start`. */
  eatStrayClosing(start: number): boolean {
    const found = this.kind === 'punctuation' ? this.textOf(this.token) : '';
    const opening = found === ')' ? '(' : found === ']' ? '[' : found === '}' ? '{' : undefined;
    if (opening === undefined) return false;
    this.report('unmatched-closing', { start, end: this.token.end }, { found, opening });
    this.advance();
    return true;
  }

  /** Returns the current token or, at the end of the window, an empty span after the last consumed token. */
  here(): Span {
    if (!this.atEnd) return this.token;
    return { start: this.lastEnd, end: this.lastEnd };
  }

  missing(): Missing {
    return { kind: 'Missing', start: this.lastEnd, end: this.lastEnd };
  }

  /** Adds a problem, if no other problem has the same start and there are fewer than `maxProblems`. */
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

  /** Reports an unclosed bracket. The reported span includes the contents if they contain no pipe. */
  #reportUnclosed(openIndex: number): void {
    // The parser has already reported an unterminated string, which probably includes the closing bracket.
    if (this.tokens[this.index - 1]?.flaw === 'unterminated-string') return;
    const open = this.tokens[openIndex] as Token;
    const opening = this.textOf(open);
    const closing = opening === '(' ? ')' : opening === '[' ? ']' : '}';
    const end = this.#brackets.hasPipe.has(openIndex) ? open.end : this.lastEnd;
    this.report('expected-closing', { start: open.start, end }, { opening, closing });
  }

  #unstick(): void {
    this.#looks = 0;
    this.unexpected();
    this.index = Math.max(this.index, this.limit);
  }
}
