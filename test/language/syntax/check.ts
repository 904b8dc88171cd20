/** What the parser's tests share: text in, dump and marked problems out. */
import assert from 'node:assert/strict';
import { parseQuery } from '../../../language/src/syntax/parser.ts';
import type { SyntaxProblem } from '../../../language/src/syntax/tree.ts';
import { dump } from './dump.ts';

/** Takes the indentation off a template literal, and its first and last line break. */
export function dedent(text: string): string {
  const lines = text
    .replace(/^\n/, '')
    .replace(/\n[ \t]*$/, '')
    .split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const indent = Math.min(...indents);
  return lines.map((line) => line.slice(indent)).join('\n');
}

/** The text parses without a problem to a tree with this dump. */
export function check(text: string, expected: string): void {
  const tree = parseQuery(dedent(text));
  assert.deepEqual(tree.problems, []);
  assert.equal(dump(tree), dedent(expected));
}

/** One expression parses without a problem to this dump. */
export function checkExpression(text: string, expected: string): void {
  check(`print ${text}`, `(print ${expected})`);
}

/**
 * The marked text without its marks parses with exactly the marked problems. A mark is a line under the
 * text with `^^^ code` from column to column, `!` for a problem without width; of a problem over several
 * lines the part on its first line is marked.
 */
export function checkProblems(marked: string, expected?: string): void {
  const wanted = dedent(marked);
  const text = wanted
    .split('\n')
    .filter((line) => !isMark(line))
    .join('\n');
  const tree = parseQuery(text);
  assert.equal(mark(text, tree.problems), wanted);
  if (expected !== undefined) assert.equal(dump(tree), dedent(expected));
}

function isMark(line: string): boolean {
  return /^ *(?:\^+|!) [a-z-]+$/.test(line);
}

/** The text with a line under each problem. */
export function mark(text: string, problems: readonly SyntaxProblem[]): string {
  const marked: string[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const end = start + line.length;
    marked.push(line);
    for (const problem of problems) {
      if (problem.start < start || problem.start > end) continue;
      const width = Math.min(problem.end, end) - problem.start;
      const sign = width > 0 ? '^'.repeat(width) : '!';
      marked.push(`${' '.repeat(problem.start - start)}${sign} ${problem.code}`);
    }
    start = end + 1;
  }
  return marked.join('\n');
}
