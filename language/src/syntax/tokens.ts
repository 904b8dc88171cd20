/**
 * Token kinds of APL. Whitespace and comments are trivia: they are not tokens but the gaps between
 * them, so tokens and gaps together give back the text.
 */
import type { Span } from '../text.ts';

/** `word` is an identifier or keyword; which of the two is decided by the grammar, since APL has no reserved words. */
export type TokenKind =
  | 'word'
  | 'string'
  | 'long'
  | 'real'
  | 'timespan'
  | 'punctuation'
  | 'unknown'
  | 'end';

export interface Token extends Span {
  readonly kind: TokenKind;
  /** What went wrong in the token itself, such as a string without its closing quote. */
  readonly flaw?:
    | 'unterminated-string'
    /** A string whose end was guessed, or a lone quote that ends a text without its start. */
    | 'missing-quote'
    | 'bad-number'
    | 'bad-character'
    | 'curly-quotes';
}
