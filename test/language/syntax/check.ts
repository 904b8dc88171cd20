/** Helpers of the parser's tests: text as input, a dump and marked problems as output. */
import assert from 'node:assert/strict';
import { parseQuery } from '../../../language/src/syntax/parser.ts';
import type { SyntaxProblem } from '../../../language/src/syntax/tree.ts';
import { dump } from './dump.ts';

/** Removes the common indentation of a template literal, and its first and last line breaks. */
export function dedent(text: string): string {
  const lines = text
    .replace(/^\n/, '')
    .replace(/\n[ \t]*$/, '')
    .split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const indent = Math.min(...indents);
  return lines.map((line) => line.slice(indent)).join('\n');
}

/** Asserts that the text parses without a problem to a tree with this dump. */
export function check(text: string, expected: string): void {
  const tree = parseQuery(dedent(text));
  assert.deepEqual(tree.problems, []);
  assert.equal(dump(tree), dedent(expected));
}

/** Asserts that one expression parses without a problem to this dump. */
export function checkExpression(text: string, expected: string): void {
  check(`print ${text}`, `(print ${expected})`);
}

/**
 * Asserts that a text has exactly the marked problems. A mark is a line under the text with `^^^ code` from column
 * to column, or `!` for an empty range. A problem across several lines is marked on its first line.
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

/** Returns the text with a line under each problem. */
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
