/** Token kinds of APL. Whitespace and comments are gaps between tokens, which together restore the text. */
import type { Span } from '../text.ts';

/** `word` is an identifier or a keyword. Only the grammar can distinguish them, because APL has no reserved words. */
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
  /** The error in the token itself, such as a missing closing quote. */
  readonly flaw?:
    | 'unterminated-string'
    /** A string with a guessed end, or a single quote that ends a string without a start. */
    | 'missing-quote'
    | 'bad-number'
    | 'bad-character'
    | 'curly-quotes';
}
