/** Defines the kinds of tokens. Whitespace and comments aren't tokens. They are kept as the gaps between tokens. */
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
  /** The error in the token itself, such as an unterminated string. */
  readonly flaw?:
    | 'unterminated-string'
    /** A string whose end is guessed, or a lone quote that ends a string whose opening quote is missing. */
    | 'missing-quote'
    | 'bad-number'
    | 'bad-character'
    | 'curly-quotes';
}
