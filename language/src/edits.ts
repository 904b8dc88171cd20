/** Changes to a text as values: what the formatter, fixes, refactorings and rename answer. */
import { inTextOrder, type Span } from './text.ts';

/** Replaces a half-open span by `text`; an empty span is an insertion. */
export interface Edit extends Span {
  readonly text: string;
}

/** Something that can be done to a text, under the name that a menu shows. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly Edit[];
}

/**
 * The text with edits made. Edits may come in any order and must not overlap; of two insertions at one
 * place the first given comes first.
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const ordered = inTextOrder([...edits]);
  let result = '';
  let last = 0;
  for (const edit of ordered) {
    if (edit.start < last) throw new RangeError(`two edits overlap at ${edit.start}`);
    result += text.slice(last, edit.start) + edit.text;
    last = edit.end;
  }
  return result + text.slice(last);
}
