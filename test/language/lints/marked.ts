// Marked queries for lints: the line under a query marks each problem's range and code, as in
//   logs | sample 10
//                 ^^ sample-ratio
import assert from 'node:assert/strict';
import { certainFix } from '../../../language/src/editing.ts';
import {
  type Analysis,
  analyze,
  applyEdits,
  LineTable,
  type Problem,
  type Schema,
} from '../../../language/src/index.ts';

export const schema: Schema = {
  complete: true,
  datasets: [
    {
      name: 'logs',
      fields: [
        { name: '_time', type: 'datetime' },
        { name: '_sysTime', type: 'datetime' },
        { name: 'created', type: 'datetime' },
        { name: 'message', type: 'string' },
        { name: 'method', type: 'string' },
        { name: 'status', type: 'integer' },
        { name: 'bytes', type: 'integer' },
        { name: 'load', type: 'float' },
        { name: 'took', type: 'integer', unit: 'ns' },
        { name: 'wait', type: 'integer', unit: 'ms' },
        { name: 'duration', type: 'timespan' },
        { name: 'body', type: 'map' },
        { name: 'geo.city', type: 'string' },
      ],
    },
  ],
};

/**
 * Returns the text with each problem marked under its line; a problem across several lines is marked on the first.
 */
export function marked(text: string, { problems }: Analysis): string {
  const lines = new LineTable(text);
  const rows = text.split('\n');
  const marks = rows.map((): string[] => []);
  for (const { start, end, code } of problems) {
    const from = lines.positionAt(start);
    const to = lines.positionAt(end);
    const until = to.line > from.line ? (rows[from.line] ?? '').length : to.character;
    const width = Math.max(1, until - from.character);
    marks[from.line]?.push(`${' '.repeat(from.character)}${'^'.repeat(width)} ${code}`);
  }
  return rows.flatMap((row, i) => [row, ...(marks[i] ?? [])]).join('\n');
}

const markLine = /^ *\^+ [\w-]+$/;

/** Asserts that exactly the marked ranges have problems. Returns the problems. */
export function checkMarks(
  expected: string,
  known: Schema | undefined = schema,
): readonly Problem[] {
  const text = unmarked(expected);
  const analysis = analyze(text, known);
  assert.equal(marked(text, analysis), expected);
  return analysis.problems;
}

export function unmarked(text: string): string {
  return text
    .split('\n')
    .filter((line) => !markLine.test(line))
    .join('\n');
}

/**
 * Asserts the marks, and that the first fix turns the text into `whole` without the problem or a new error.
 */
export function checkFix(
  expected: string,
  whole: string,
  known: Schema | undefined = schema,
): void {
  const problems = checkMarks(expected, known);
  const fixed = problems.find((problem) => certainFix(problem) !== undefined);
  assert.ok(fixed, 'one of the problems has a fix');
  const after = applyEdits(unmarked(expected), certainFix(fixed)?.edits ?? []);
  assert.equal(after, whole);
  const left = analyze(whole, known).problems;
  assert.ok(
    left.filter(({ code }) => code === fixed.code).length <
      problems.filter(({ code }) => code === fixed.code).length,
    'the problem is gone',
  );
  const errors = (all: readonly Problem[]) =>
    all.filter(({ severity }) => severity === 'error').length;
  assert.ok(errors(left) <= errors(problems), 'there is no new error');
}

/** Asserts that none of the texts has a problem. */
export function checkClean(texts: readonly string[], known: Schema | undefined = schema): void {
  for (const text of texts) assert.equal(marked(text, analyze(text, known)), text);
}
