// Plans as text: goldens for every operator, and strings that try to break out of their line or
// grow without limit.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { analyzeQuery } from '../../language/src/index.ts';
import { boundOperators } from '../../language/src/operators/index.ts';
import { explainPlan } from '../../local/src/planner/explain.ts';
import { planQuery } from '../../local/src/planner/index.ts';
import { context, schema } from './planner/engine.ts';
import { readGoldenFile, writeGoldens } from './planner/goldens.ts';

const externalFiles = new Map([
  ['http://127.0.0.1:8080/rows.csv', { path: '/spool/0.part', width: 2, isList: false }],
]);

function explained(query: string): string {
  const { bound, problems } = analyzeQuery(query, schema);
  const errors = problems.filter(({ severity }) => severity === 'error');
  assert.deepEqual(errors, []);
  return explainPlan(bound, planQuery(bound, { ...context, externalFiles }));
}

/** Returns the lines of comments, which precede the SQL. */
function remarks(text: string): string[] {
  return text.slice(0, text.indexOf('\n-- SQL\n')).split('\n');
}

describe('a plan as text', () => {
  const file = readGoldenFile(join(import.meta.dirname, 'explain.golden'));
  const outcomes: string[] = [];
  const update = process.env['UPDATE_GOLDENS'] === '1';
  for (const { name, query, expected } of file.goldens) {
    it(name, () => {
      const outcome = `--- plan\n${explained(query).trimEnd()}`;
      outcomes.push(outcome);
      if (!update) assert.equal(outcome, expected);
      assert.equal(explained(query), explained(query));
    });
  }
  after(() => {
    if (update && outcomes.length === file.goldens.length) writeGoldens(file, outcomes);
  });

  it('is compared with a golden file for every operator of a bound query', () => {
    const kinds = new Set<string>();
    for (const { query } of file.goldens) {
      const { bound } = analyzeQuery(query, schema);
      for (const { operator } of bound.stages) kinds.add(operator.kind);
    }
    const known = Object.keys(boundOperators).filter((kind) => kind !== 'unknown');
    assert.deepEqual([...kinds].sort(), known.sort());
  });
});

describe('the comments of a plan', () => {
  it("include every line that isn't SQL, even for hostile strings and names", () => {
    const hostile = ['a\\nDROP TABLE logs;', "'; --", '*/ \u2028 x', '\u0085x', '\\u0000', '"t."'];
    for (const text of hostile) {
      const query = `logs | where method == "${text.replaceAll('"', '\\"')}" | extend ["${text.replaceAll('"', '\\"')}"] = 1`;
      const lines = remarks(explained(query));
      assert.deepEqual(
        lines.filter((line) => line !== '' && !line.startsWith('-- ') && line !== '--'),
        [],
        text,
      );
      assert.doesNotMatch(lines.join('\n'), /[\p{Zl}\p{Zp}\0\r\u0085]/u, text);
    }
  });

  it('keep spaces and quotes inside strings', () => {
    const lines = remarks(explained('logs | where method == "a  (  \\"t.\\" \'b\' )"'));
    assert.ok(lines.includes(`--   where method = 'a  (  "t." ''b'' )'`), lines.join('\n'));
  });

  it('stay short for long expressions and lists', () => {
    const values = Array.from({ length: 5_000 }, (_, i) => `"${i}💥"`).join(', ');
    const items = Array.from({ length: 500 }, (_, i) => `c${i} = ${i}`).join(', ');
    const lines = remarks(explained(`logs | where method in (${values}) | extend ${items}`));
    assert.ok(Math.max(...lines.map((line) => line.length)) < 20_000);
    assert.ok(lines.every((line) => !/\p{Cs}/u.test(line)));
    assert.ok(lines.some((line) => / and \d+ more$/.test(line)));
  });

  it('include one line for each stage of a long query', () => {
    const stages = Array.from({ length: 200 }, (_, i) => `| extend c${i} = ${i}`).join('\n');
    const lines = remarks(explained(`print a = 1\n${stages}`));
    assert.equal(lines.filter((line) => /^-- {3}compute c\d+ = /.test(line)).length, 200);
  });
});
