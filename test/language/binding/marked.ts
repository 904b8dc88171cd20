/**
 * Marked queries for tests: `^^^ code` under a line marks a problem's range, and `$0` marks the cursor.
 * The two helpers keep each test to its query.
 */
import assert from 'node:assert/strict';
import { analyzeQuery, type QueryAnalysis } from '../../../language/src/analysis.ts';
import type { Columns } from '../../../language/src/binding/bound.ts';
import type { Problem } from '../../../language/src/problems.ts';
import type { Schema } from '../../../language/src/schema.ts';

const marker = /^(\s*)(\^+) (.*)$/;

/** Splits a marked query into its text and its marks; `says` is the text after a mark. */
export function readMarks(marked: string): {
  text: string;
  marks: { start: number; end: number; says: string }[];
} {
  const lines: string[] = [];
  const marks: { start: number; end: number; says: string }[] = [];
  let lineStart = 0;
  let next = 0;
  for (const line of marked.replace(/^\n/, '').split('\n')) {
    const found = marker.exec(line);
    if (found === null) {
      lineStart = next;
      next += line.length + 1;
      lines.push(line);
      continue;
    }
    const start = lineStart + (found[1] as string).length;
    marks.push({ start, end: start + (found[2] as string).length, says: found[3] as string });
  }
  return { text: lines.join('\n'), marks };
}

/**
 * Analyzes the marked query and asserts that its problems match the marks, `code: message part`.
 */
export function check(marked: string, schema?: Schema): QueryAnalysis {
  const { text, marks } = readMarks(marked);
  const analysis = analyzeQuery(text, schema);
  const show = (start: number, end: number, code: string) =>
    `${JSON.stringify(text.slice(start, end))} at ${start}: ${code}`;
  assert.deepEqual(
    analysis.problems.map((one) => show(one.start, one.end, one.code)).sort(),
    marks.map(({ start, end, says }) => show(start, end, codeOf(says))).sort(),
    text,
  );
  for (const { start, end, says } of marks) {
    const [code, ...words] = says.split(': ');
    const found = analysis.problems.find(
      (one) => one.code === code && one.start === start && one.end === end,
    ) as Problem;
    const expected = words.join(': ');
    assert.ok(found.message.includes(expected), `"${found.message}" lacks "${expected}"`);
  }
  return analysis;
}

function codeOf(says: string): string {
  return says.split(': ')[0] as string;
}

/** Formats columns as `name:type`, followed by `…` if unknown columns may follow. */
export function show(columns: Columns): string {
  const list = columns.list.map(({ name, type }) => `${name}:${type}`);
  return [...list, ...(columns.open ? ['…'] : [])].join(' ');
}

/** Returns the columns of a query's last pipeline. */
export function columnsOf(query: string, schema?: Schema): string {
  const { bound } = analyzeQuery(query, schema);
  const pipeline = bound.pipelines.at(-1);
  assert.ok(pipeline !== undefined, `no pipeline in ${query}`);
  return show(pipeline.columns);
}

/** The schema that the binding tests use. */
export const schema: Schema = {
  complete: true,
  datasets: [
    {
      name: 'logs',
      fields: [
        { name: '_time', type: 'datetime' },
        { name: 'status', type: 'integer' },
        { name: 'method', type: 'string' },
        { name: 'duration', type: 'float', unit: 'ms', description: 'How long it took.' },
        { name: 'geo.city', type: 'string' },
        { name: 'geo.country', type: 'string' },
        { name: 'ok', type: 'boolean' },
        { name: 'took', type: 'timespan' },
        { name: 'tags', type: 'array' },
        { name: 'attributes', type: 'map' },
        { name: 'code', type: 'integer|string' },
      ],
    },
    {
      name: 'users',
      kind: 'view',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'string' },
        { name: 'status', type: 'string' },
      ],
    },
    {
      name: 'github-push-event',
      fields: [{ name: 'repo', type: 'string' }],
      complete: false,
    },
  ],
};
