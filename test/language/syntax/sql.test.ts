// SQL syntax: each construct is one error, and its fix leaves a query without errors.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fixesFor } from '../../../language/src/editing.ts';
import { analyzeQuery, applyEdits } from '../../../language/src/index.ts';
import { schema } from '../lints/marked.ts';

/** Queries with one SQL construct, and the query after the fix of its error. */
const habits: readonly (readonly [written: string, whole: string])[] = [
  ['logs | where status is null', 'logs | where isnull(status)'],
  [
    "logs | where status is not null and method == 'x' | count",
    "logs | where isnotnull(status) and method == 'x' | count",
  ],
  ['logs | where (method IS NULL)', 'logs | where (isnull(method))'],
  ['logs | where status between 1 and 5', 'logs | where status between (1 .. 5)'],
  [
    'logs | where _time between ago(1h) and now() and status == 1',
    'logs | where _time between (ago(1h) .. now()) and status == 1',
  ],
  ['logs | where status between (1 and 5)', 'logs | where status between (1 .. 5)'],
  ['logs | summarize count() group by status', 'logs | summarize count() by status'],
  [
    'logs | summarize count() GROUP BY status, method',
    'logs | summarize count() by status, method',
  ],
  ["logs | where method not in ('a', 'b')", "logs | where method !in ('a', 'b')"],
  [
    "logs | where method NOT IN ('a', 'b') and status == 1",
    "logs | where method !in ('a', 'b') and status == 1",
  ],
  [
    "logs | where method not contains 'a' or status == 1",
    "logs | where method !contains 'a' or status == 1",
  ],
  ["logs | where method in 'a', 'b' | count", "logs | where method in ('a', 'b') | count"],
  ['logs | where status in 1, 2 and wait > 1', 'logs | where status in (1, 2) and wait > 1'],
];

describe('SQL syntax', () => {
  for (const [written, whole] of habits) {
    it(`is reported once, with a fix: ${written}`, () => {
      const analysis = analyzeQuery(written, schema);
      assert.deepEqual(
        analysis.problems.filter(({ severity }) => severity === 'error').map(({ code }) => code),
        ['foreign-operator'],
      );
      const [problem] = analysis.problems.filter(({ code }) => code === 'foreign-operator');
      assert.ok(problem !== undefined);
      const [fix] = fixesFor(analysis, problem, schema);
      assert.equal(applyEdits(written, fix?.edits ?? []), whole);
      const left = analyzeQuery(whole, schema).problems;
      assert.deepEqual(
        left.filter(({ severity }) => severity === 'error'),
        [],
      );
    });
  }

  it('is corrected: `not between` becomes not(… between …), because APL has no !between', () => {
    const written = 'logs | where status not between (1 .. 5)';
    const analysis = analyzeQuery(written, schema);
    const [problem, ...more] = analysis.problems;
    assert.ok(problem !== undefined && more.length === 0);
    assert.equal(problem.code, 'kusto-scalar-operator');
    const [fix] = fixesFor(analysis, problem, schema);
    const whole = 'logs | where not(status between (1 .. 5))';
    assert.equal(applyEdits(written, fix?.edits ?? []), whole);
  });

  it('is reported once, at the first word, if the entire query is SQL', () => {
    for (const text of [
      'SELECT * FROM logs WHERE status = 5',
      'select status, count(*)\nfrom logs\ngroup by status\norder by status',
    ]) {
      const { problems } = analyzeQuery(text, schema);
      assert.deepEqual(
        problems.map(({ code, start, end }) => [code, start, end]),
        [['expected-source', 0, 6]],
      );
    }
  });

  it("isn't reported if the keyword is a name, a call argument or part of a bound", () => {
    for (const text of [
      'logs | extend is = 1, group = 2 | where is == group | summarize count() by group',
      "logs | extend z = iff(method in 'a', 'b', 'c')",
      'select | where from == 1',
      'logs | where status between (iff(wait > 1 and wait < 5, 1, 2) .. 5)',
    ]) {
      const known = text.startsWith('select') ? undefined : schema;
      assert.deepEqual(analyzeQuery(text, known).problems, [], text);
    }
  });

  it('is reported as an ordinary syntax error if it is incomplete', () => {
    for (const [text, code] of [
      ['logs | where status between 1 and', 'expected-expression'],
      ['logs | where status between iff(wait > 1 and wait < 5, 1, 2) .. 5', 'expected-opening'],
      ['logs | where status between 1 .. 5', 'expected-opening'],
    ] as const) {
      assert.deepEqual(
        analyzeQuery(text, schema).problems.map((one) => one.code),
        [code],
        text,
      );
    }
  });
});
