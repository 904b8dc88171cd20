// Single mistakes in the queries of the documentation: 5,000 seeded ones, those left out that the catalog's
// signatures allow. At least 97% have an error at or next to them, and the stages around keep their columns.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertSurvey } from '../language/mutations/bounds.ts';
import { soundOf, survey } from '../language/mutations/survey.ts';
import { readEntries } from './documentation.ts';

const queries = readEntries().filter(({ kind, issues }) => kind === 'query' && !issues);

describe('the queries of the documentation', () => {
  it('have no error with a schema that lists exactly the fields they use', () => {
    const wrong = queries.map(({ query }) => query).filter((query) => soundOf(query) === undefined);
    assert.deepEqual(wrong, []);
  });

  for (const seed of [1, 2, 3]) {
    it(`with single mistakes are found out, seed ${seed}`, (context) => {
      const sound = queries.flatMap(({ query }) => soundOf(query) ?? []);
      assertSurvey(survey(sound, 5_000, seed), context);
    });
  }
});
