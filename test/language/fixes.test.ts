// Fixes over many seeded mistakes: each removes its problem and adds no error.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fixesFor, proseOf } from '../../language/src/editing.ts';
import {
  aggregates,
  analyzeQuery,
  applyEdits,
  closest,
  closestFew,
  functions,
  operators,
  type Problem,
  type ProblemCode,
  type QueryAnalysis,
  scalarOperators,
} from '../../language/src/index.ts';
import { schema } from './lints/marked.ts';
import { makeMistake, mistakeKinds } from './mutations/mistakes.ts';
import { queries } from './queries.data.ts';
import { seeded } from './random.ts';

const samples: readonly string[] = [
  ...operators.map((row) => proseOf(row).example),
  ...functions.map((row) => `logs\n| extend x = ${proseOf(row).example}\n| where isnotnull(x)`),
  ...aggregates.map(
    (row) => `logs\n| summarize x = ${proseOf(row).example} by method\n| top 5 by x`,
  ),
  ...scalarOperators.map((row) => `logs\n| extend x = ${proseOf(row).example}\n| sort by method`),
  ...queries,
];

/** Queries that cover many lints, several in each query. */
const linted: readonly string[] = [
  `logs | sort by wait | where tolower(method) == 'GET' | summarize count() by method | where method == 'x'`,
  `let a = 1;\nlogs\n| extend b = trim('[a-z]+', message), c = countof(message, 'x')\n| where status == null\n| project method`,
  `logs | where message matches regex "^abc$" and message contains "*x*" | summarize percentile(wait, 0.5) by bin(_time, 60)`,
  `logs | where status between (500 .. 400) and _time > ago(-1h) and tolower(message) contains 'a'`,
  `logs | summarize a = countif(status > 1) / count(), b = dcount(method) / count() by status | sort by a | count`,
  `logs | extend a = totimespan('2d'), b = toint(status), c = replace('a', '\\\\1', message) | where message contains 'timeout'`,
];

const count = ({ problems }: QueryAnalysis, wanted: (one: Problem) => boolean) =>
  problems.filter(wanted).length;
const isError = ({ severity }: Problem) => severity === 'error';

/**
 * Applies every fix of every problem and counts the fixes by code. Fails on a fix that removes no problem.
 */
function tryFixes(text: string, seen: Map<ProblemCode, number>): void {
  const before = analyzeQuery(text, schema);
  for (const problem of before.problems) {
    const same = (one: Problem) => one.code === problem.code;
    for (const fix of fixesFor(before, problem, schema)) {
      const whole = applyEdits(text, fix.edits);
      const after = analyzeQuery(whole, schema);
      const told = `${problem.code}: ${fix.title}\n${text}\n→\n${whole}`;
      assert.ok(count(after, same) < count(before, same), `is still there: ${told}`);
      assert.ok(count(after, isError) <= count(before, isError), `a new error: ${told}`);
      seen.set(problem.code, (seen.get(problem.code) ?? 0) + 1);
    }
  }
}

describe('fixes', () => {
  it('fix randomly introduced mistakes without adding errors', () => {
    const random = seeded(11);
    const seen = new Map<ProblemCode, number>();
    for (let i = 0; i < 1_500; i++) {
      const query = analyzeQuery(random.pick(samples), schema);
      const mistake = makeMistake(random.pick(mistakeKinds), query, random);
      if (mistake !== undefined) tryFixes(mistake.text, seen);
    }
    const mended = [...seen.values()].reduce((a, b) => a + b, 0);
    assert.ok(mended > 300, `${mended} fixes`);
    for (const code of ['unknown-function', 'unknown-operator', 'expected-closing'] as const)
      assert.ok((seen.get(code) ?? 0) > 5, `${code}: ${seen.get(code)}`);
  });

  it('correct lint problems without adding an error', () => {
    const seen = new Map<ProblemCode, number>();
    for (const text of linted) tryFixes(text, seen);
    assert.ok(seen.size >= 15, [...seen.keys()].join(' '));
  });

  it("aren't computed for very long queries", () => {
    const long = `logs | where (status == 1 ${'or status == 2 '.repeat(20_000)}`;
    const analysis = analyzeQuery(long, schema);
    for (const problem of analysis.problems)
      assert.deepEqual(fixesFor(analysis, problem, schema), []);
  });
});

describe('closestFew', () => {
  it('returns the closest name first', () => {
    const names = functions.map(({ name }) => name);
    for (const wrong of ['strct', 'array_lenght', 'tolowr', 'parsejson', 'isnul', 'startofmont'])
      assert.equal(closestFew(wrong, names, 3)[0], closest(wrong, names));
  });

  it('returns only similar names, up to the requested count', () => {
    assert.deepEqual(closestFew('tat', ['tan', 'cat', 'tar', 'sqrt', 'tatter'], 2), ['tan', 'tar']);
    assert.deepEqual(closestFew('xyzzy', ['tan', 'cat'], 3), []);
    assert.deepEqual(closestFew('', ['a'], 3), []);
  });
});
