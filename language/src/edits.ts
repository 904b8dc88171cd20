/** Text edits, as returned by the formatter, fixes, refactorings and rename. */
import { inTextOrder, type Span } from './text.ts';

/** Replaces a half-open span with `text`. An empty span is an insertion. */
export interface Edit extends Span {
  readonly text: string;
}

/** A set of edits to apply together, with its menu title. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly Edit[];
  /** Whether the fixed query certainly means what the query meant in Kusto or SQL. Absent from guesses. */
  readonly isExact?: true;
}

/** Marks fixes that keep the meaning. */
export function exact(fixes: readonly Fix[]): Fix[] {
  return fixes.map((fix) => ({ ...fix, isExact: true }));
}

/** Applies edits given in any order. Throws a `RangeError` if two overlap. Insertions at an offset keep their order. */
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

export function replace({ start, end }: Span, text: string): Edit {
  return { start, end, text };
}

export function insert(at: number, text: string): Edit {
  return { start: at, end: at, text };
}

export function remove(start: number, end: number): Edit {
  return { start, end, text: '' };
}

/** Returns the edit that removes a span and the whitespace before it. */
export function removeWithGap(text: string, { start, end }: Span): Edit {
  return remove(text.slice(0, start).trimEnd().length, end);
}

export function surround({ start, end }: Span, before: string, after: string): Edit[] {
  return [insert(start, before), insert(end, after)];
}

export function shifted(edits: readonly Edit[], by: number): Edit[] {
  return edits.map(({ start, end, text }) => ({ start: start + by, end: end + by, text }));
}
