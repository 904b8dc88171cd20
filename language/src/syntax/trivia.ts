/** The whitespace and comments between tokens. */
import type { Span } from '../text.ts';
import { isNewline } from './characters.ts';
import { endOfLine } from './lines.ts';
import type { QueryTree } from './tree.ts';

export interface Trivia extends Span {
  /** A `space` may contain line breaks, but a `comment` can't. */
  readonly kind: 'space' | 'comment';
}

export function triviaIn(text: string, gap: Span): Trivia[] {
  const found: Trivia[] = [];
  let at = gap.start;
  while (at < gap.end) {
    const start = at;
    const comment = text.startsWith('//', at);
    if (comment) at = Math.min(endOfLine(text, at), gap.end);
    else while (at < gap.end && !text.startsWith('//', at)) at++;
    found.push({ kind: comment ? 'comment' : 'space', start, end: at });
  }
  return found;
}

export function comments(tree: QueryTree): Trivia[] {
  const found: Trivia[] = [];
  let end = 0;
  for (const token of tree.tokens) {
    if (token.start > end) {
      const gap = triviaIn(tree.text, { start: end, end: token.start });
      for (const piece of gap) if (piece.kind === 'comment') found.push(piece);
    }
    end = token.end;
  }
  return found;
}

export function hasLineBreak(text: string, gap: Span): boolean {
  for (let at = gap.start; at < gap.end; at++) if (isNewline(text.charCodeAt(at))) return true;
  return false;
}

/** Returns the text of all tokens and trivia in order, which always equals `tree.text`. */
export function unparse(tree: QueryTree): string {
  const parts: string[] = [];
  let end = 0;
  for (const token of tree.tokens) {
    for (const piece of triviaIn(tree.text, { start: end, end: token.start })) {
      parts.push(tree.text.slice(piece.start, piece.end));
    }
    parts.push(tree.text.slice(token.start, token.end));
    end = token.end;
  }
  return parts.join('');
}
