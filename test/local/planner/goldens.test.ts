/**
 * The goldens, checked twice: the SQL that a query becomes, and the rows that DuckDB answers.
 * `GOLDENS=text,times` runs, and updates, these files alone.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { aggregatePlans } from '../../../local/src/planner/aggregates.ts';
import { functionPlans } from '../../../local/src/planner/functions.ts';
import { type Engine, openEngine, outcome } from './engine.ts';
import { readGoldens, writeGoldens } from './goldens.ts';

const update = process.env['UPDATE_GOLDENS'] === '1';
const files = readGoldens();
const wanted = process.env['GOLDENS']?.split(',').map((name) => `${name}.golden`);

describe('goldens', () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine();
  });
  after(() => engine.close());

  for (const file of files) {
    if (wanted && !wanted.includes(file.name)) continue;
    describe(file.name, () => {
      const outcomes: string[] = [];
      for (const golden of file.goldens) {
        it(golden.name, async () => {
          const actual = await outcome(golden.query, engine);
          outcomes.push(actual);
          if (!update) assert.equal(actual, golden.expected);
        });
      }
      after(() => {
        if (update && outcomes.length === file.goldens.length) writeGoldens(file, outcomes);
      });
    });
  }
});

describe('the table of functions', () => {
  const goldens = files.flatMap((file) => file.goldens);
  const plans = { ...functionPlans, ...aggregatePlans };
  /** An ordinary value, one that is missing, and an edge. */
  const least = 3;

  it(`has ${least} goldens for every function that is supported`, () => {
    const calls = new Map<string, number>();
    for (const { query } of goldens) {
      for (const name of new Set(
        Array.from(query.matchAll(/\b([a-z_0-9]+)\s*\(/g), ([, of]) => of),
      )) {
        if (name !== undefined) calls.set(name, (calls.get(name) ?? 0) + 1);
      }
    }
    const few = Object.entries(plans)
      .filter(([name, plan]) => !('unsupported' in plan) && (calls.get(name) ?? 0) < least)
      .map(([name]) => `${name}: ${calls.get(name) ?? 0}`);
    assert.deepEqual(few, []);
  });

  it('gives a reason for every function that is not', () => {
    for (const [name, plan] of Object.entries(plans)) {
      if ('unsupported' in plan) assert.match(plan.unsupported, /^[\w' -]{12,}$/i, name);
    }
  });
});
