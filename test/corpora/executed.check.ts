// The documentation's queries, run: every sound one over HTTP against datasets made up from what the queries
// show of them, and where the page's output follows from the query alone, whether it is the answer.
// Read from the folder that APLOMB_CORPORA names, as the other checks are.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { analyzeQuery } from '../../language/src/index.ts';
import type { Deployment } from '../local/deployment.ts';
import { nameOf, readEntries } from './documentation.ts';
import { anyValue, fieldValue } from './events.ts';
import { contradictions, refusals } from './refusals.ts';
import { type Outcome, openFilled, type Run, runAll } from './run.ts';
import { isShown, shownValues } from './shown.ts';

const mostRefusedReasons = 8;
const leastWithRows = 0.97;
const sound = readEntries().filter(({ kind, issues }) => kind === 'query' && !issues);
const queries = sound.map(({ query }) => query);

describe('the queries of the documentation', () => {
  let local: Deployment;
  let run: Run;
  before(async () => {
    local = await openFilled(queries, fieldValue);
    run = await runAll(local, sound);
  });
  after(() => local.close());

  it('run, each of them, or are refused with a code', () => {
    assert.equal(run.outcomes.size, sound.length);
    assert.ok(sound.length > 750);
    assert.deepEqual(run.failures, []);
  });

  it('are refused for few reasons only, all of them known', () => {
    assert.ok(refusals.length <= mostRefusedReasons);
    const refused = [...run.outcomes].flatMap(([name, outcome]) =>
      'refused' in outcome ? [{ name, ...outcome }] : [],
    );
    const covers = (entry: string, name: string) => name === entry || name.startsWith(`${entry}:`);
    const isKnown = ({ name, refused: code }: (typeof refused)[number]) =>
      refusals.some((one) => one.code === code && one.entries.some((entry) => covers(entry, name)));
    assert.deepEqual(
      refused.filter((one) => !isKnown(one)),
      [],
    );
    const unused = refusals
      .flatMap(({ entries }) => entries)
      .filter((entry) => !refused.some(({ name }) => covers(entry, name)));
    assert.deepEqual(unused, []);
  });

  it('find rows in what the queries themselves ask for', (t) => {
    const answered = [...run.outcomes.values()].filter((outcome) => 'rows' in outcome);
    const withRows = answered.filter(({ rows }) => rows.length > 0);
    t.diagnostic(`${answered.length} of ${sound.length} answer, ${withRows.length} with rows.`);
    assert.ok(withRows.length >= leastWithRows * answered.length);
  });

  it('give the values that their pages show, where these follow from the query', (t) => {
    const known = new Set(contradictions.map(({ entry, column }) => `${entry} ${column}`));
    const compared = sound.flatMap((entry) => {
      const outcome = run.outcomes.get(nameOf(entry)) as Outcome;
      if ('refused' in outcome) return [];
      const { bound } = analyzeQuery(entry.query);
      return [...shownValues(entry, bound)].map(([column, shown]) => ({
        name: `${nameOf(entry)} ${column}`,
        actual: outcome.rows.map((row) => row[column]),
        shown,
      }));
    });
    const differs = ({ actual, shown }: (typeof compared)[number]) =>
      actual.length === 0 || !actual.every((value) => isShown(value, shown[0]));
    t.diagnostic(`${compared.length} columns compared, ${known.size} of them contradictions.`);
    assert.ok(compared.length >= 45);
    assert.deepEqual(
      compared.filter((one) => differs(one) && !known.has(one.name)),
      [],
    );
    const differing = new Set(compared.filter(differs).map(({ name }) => name));
    assert.deepEqual(
      [...known].filter((name) => !differing.has(name)),
      [],
    );
  });
});

describe('queries over fields that hold values of every type', () => {
  it('run as well, a tenth of them, or are refused with a code', async () => {
    const local = await openFilled(queries, anyValue);
    try {
      const tenth = sound.filter((_, i) => i % 10 === 0);
      const { outcomes, failures } = await runAll(local, tenth);
      assert.equal(outcomes.size, tenth.length);
      assert.deepEqual(failures, []);
    } finally {
      await local.close();
    }
  });
});
