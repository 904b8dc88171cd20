/**
 * The goldens, checked twice: the SQL that a query becomes, and the rows that DuckDB answers.
 * `GOLDENS=text,times` runs, and updates, these files alone.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Engine, openEngine, outcome } from './engine.ts';
import { readGoldens, writeGoldens } from './goldens.ts';

const update = process.env['UPDATE_GOLDENS'] === '1';
const files = readGoldens();
const isRefused = (text: string) => text.startsWith('--- refused');
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
          else if (isRefused(actual) && !isRefused(golden.expected))
            console.error(`${golden.name}: written as rejected.`);
        });
      }
      after(() => {
        if (update && outcomes.length === file.goldens.length) writeGoldens(file, outcomes);
      });
    });
  }
});
