// The planner against a real engine: 758 queries of Kusto with its answers, in the folder that APLOMB_CORPORA
// names. Cases of a kind in which APL differs on purpose have their own answers in differences.ts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { differences, type Expected } from './differences.ts';
import {
  type Answer,
  type Case,
  openOracle,
  readCases,
  sameRows,
  sameTypes,
  wireType,
} from './oracle.ts';

const folder = process.env['APLOMB_CORPORA'] ?? '';
const cases = readCases(join(folder, 'corpus/kql-oracle.jsonl'));
const different = new Map<string, Expected>(
  differences.flatMap((one) => Object.entries(one.cases)),
);
const mostDifferent = 101;
const leastPassing = 0.97;

const kustoTypes = (of: Case) => of.expectedColumns.map(({ type }) => wireType(type));

function agrees(of: Case, answer: Answer, expected: Expected): boolean {
  if ('refused' in answer || 'refused' in expected) {
    return 'refused' in answer && 'refused' in expected && answer.refused === expected.refused;
  }
  const types = expected.types ?? kustoTypes(of);
  return sameTypes(answer.types, types) && sameRows(of, answer.rows, expected.rows);
}

describe('the answers of a real engine', () => {
  const answers = new Map<string, Answer>();
  let oracle: Awaited<ReturnType<typeof openOracle>>;
  before(async () => {
    oracle = await openOracle();
    for (const { id, query } of cases) answers.set(id, await oracle.answer(query));
  });
  after(() => oracle.close());

  const failing = (of: readonly Case[], expected: (one: Case) => Expected) =>
    of.filter((one) => !agrees(one, answers.get(one.id) as Answer, expected(one)));
  const shared = cases.filter(({ id }) => !different.has(id));
  const theirs = (one: Case): Expected => ({ rows: one.expectedRows });

  it('differ on purpose in few cases, each of them in the corpus', () => {
    const known = new Set(cases.map(({ id }) => id));
    assert.deepEqual(
      [...different.keys()].filter((id) => !known.has(id)),
      [],
    );
    assert.ok(different.size <= mostDifferent, `${different.size} cases differ on purpose.`);
  });

  it('differ for reasons that the facts about APL give', () => {
    const facts = readFileSync(join(folder, 'spec/apl/semantics.md'), 'utf8');
    const quoted = differences.filter(({ source }) => source === 'semantics.md');
    assert.deepEqual(
      quoted.map(({ sentence }) => sentence).filter((sentence) => !facts.includes(sentence)),
      [],
    );
  });

  it("are APL's own where APL differs on purpose", () => {
    const apart = cases.filter(({ id }) => different.has(id));
    const wrong = failing(apart, ({ id }) => different.get(id) as Expected);
    assert.deepEqual(
      wrong.map(({ id }) => ({ id, answer: answers.get(id), expected: different.get(id) })),
      [],
    );
  });

  it('are never other answers', () => {
    const wrong = failing(shared, theirs).filter(({ id }) => 'rows' in (answers.get(id) as Answer));
    assert.deepEqual(
      wrong.map(({ id, query }) => ({ id, query, answer: answers.get(id) })),
      [],
    );
  });

  it('are ours in 97 of 100 others, and refusals in the rest', (t) => {
    const refused = failing(shared, theirs);
    const rate = 1 - refused.length / shared.length;
    t.diagnostic(
      `${shared.length - refused.length} of ${shared.length} pass (${(100 * rate).toFixed(1)} %), ${different.size} differ on purpose.`,
    );
    assert.ok(
      rate >= leastPassing,
      refused.map(({ id }) => `${id} ${JSON.stringify(answers.get(id))}`).join('\n'),
    );
  });
});
