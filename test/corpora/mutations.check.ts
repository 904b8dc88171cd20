// Single mistakes in the queries of the documentation: 5,000 seeded ones, those left out that the catalog's
// signatures allow. At least 97% have an error at or next to them, and the stages around keep their columns.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertSurvey } from '../language/mutations/bounds.ts';
import { soundOf, survey } from '../language/mutations/survey.ts';

interface Entry {
  readonly kind: string;
  readonly query: string;
  readonly issues?: readonly string[];
}

const entries: Entry[] = readFileSync(
  join(process.env.APLOMB_CORPORA ?? '', 'corpus/apl-docs.jsonl'),
  'utf8',
)
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));
const queries = entries.filter(({ kind, issues }) => kind === 'query' && !issues);

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
