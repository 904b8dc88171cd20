/**
 * Lines of Markdown that are read without backtracking: somebody else wrote the note, and a line of spaces must not
 * stop the page.
 */

/** Level and text of a heading such as `## Errors ##`. */
export function headingIn(
  line: string,
): { readonly level: number; readonly title: string } | undefined {
  const [, marks, rest] = /^ {0,3}(#{1,6})(?!\S)(.*)$/s.exec(line) ?? [];
  if (marks === undefined || rest === undefined || rest === '') return undefined;
  let title = rest.trim();
  let end = title.length;
  while (title[end - 1] === '#') end -= 1;
  title = title.slice(0, end).trimEnd();
  return { level: marks.length, title };
}

/** Whether a line divides the head of a table from its rows: `| --- | :-: |`. */
export function isTableRule(line: string): boolean {
  if (/^ {4}/.test(line)) return false;
  const cells = line.trim().split('|');
  if (cells.length > 1 && cells[0] === '') cells.shift();
  if (cells.length > 1 && cells.at(-1) === '') cells.pop();
  return cells.every((cell) => /^:?-+:?$/.test(cell.trim()));
}

/** Whether the next line of a paragraph starts on a line of its own. */
export function endsInBreak(line: string): boolean {
  return line.endsWith('  ') || line.endsWith('\\');
}
