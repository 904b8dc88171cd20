/** Defines the kinds of tokens. Whitespace and comments are gaps between tokens. */
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
  /** The token's own error, such as an unterminated string. */
  readonly flaw?:
    | 'unterminated-string'
    /** A string with a missing opening or closing quote. */
    | 'missing-quote'
    | 'bad-number'
    | 'bad-character'
    | 'curly-quotes';
}
