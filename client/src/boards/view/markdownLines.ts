/** Parses Markdown lines without backtracking, so that a malicious line in another user's note can't block the page. */

/** Returns the level and text of a heading such as `## Errors ##`. */
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

/** Returns whether a line separates a table's header from its rows, such as `| --- | :-: |`. */
export function isTableRule(line: string): boolean {
  if (/^ {4}/.test(line)) return false;
  return ruleCells(line).every((cell) => /^:?-+:?$/.test(cell));
}

function ruleCells(line: string): string[] {
  const cells = line.trim().split('|');
  if (cells.length > 1 && cells[0] === '') cells.shift();
  if (cells.length > 1 && cells.at(-1) === '') cells.pop();
  return cells.map((cell) => cell.trim());
}

type Alignment = 'start' | 'center' | 'end' | undefined;

/** Returns each column's alignment, given by colons in the table's separator; undefined for columns without colons. */
export function alignmentsIn(rule: string): readonly Alignment[] {
  return ruleCells(rule).map((cell) => {
    if (cell.endsWith(':')) return cell.startsWith(':') && cell.length > 1 ? 'center' : 'end';
    return cell.startsWith(':') ? 'start' : undefined;
  });
}

/** Parses a task list item such as `[ ] open` or `[x] done`. */
export function taskIn(
  item: string,
): { readonly isDone: boolean; readonly text: string } | undefined {
  const [, mark, text] = /^\[([ xX])\] +(\S.*)$/s.exec(item) ?? [];
  return text === undefined ? undefined : { isDone: mark !== ' ', text };
}

/** Returns whether a paragraph's line ends with a hard line break. */
export function endsInBreak(line: string): boolean {
  return line.endsWith('  ') || line.endsWith('\\');
}
