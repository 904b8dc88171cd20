// Finds where a new query is inserted. Independent of VS Code.

interface Insertion {
  /** The replaced whitespace. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the edit that inserts a query after an offset, separated from the text around it by blank lines. */
export function insertionOf(text: string, offset: number, query: string): Insertion {
  const start = text.slice(0, offset).trimEnd().length;
  const after = text.slice(offset);
  const end = offset + (after.length - after.trimStart().length);
  const lead = start === 0 ? '' : '\n\n';
  const trail = end === text.length ? '\n' : '\n\n';
  return { start, end, text: `${lead}${query}${trail}` };
}
