// The language against facts and real queries that are no part of the repository: the folder that
// APLOMB_CORPORA names, with spec/apl/catalog.json and corpus/apl-docs.jsonl. Run by .ci/run where there is
// such a folder; its files are not tests of `npm test`, which needs nothing beside the clone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  aggregateNamed,
  analyze,
  functionNamed,
  operatorNamed,
  scalarOperatorNamed,
} from '../../language/src/index.ts';
import { readEntries } from './documentation.ts';

interface Catalog {
  readonly functions: readonly { name: string; kind: 'scalar' | 'aggregate' }[];
  readonly operators: readonly { name: string; role: string }[];
  readonly scalarOperators: readonly { operator: string }[];
}

const folder = process.env.APLOMB_CORPORA ?? '';
const read = (path: string) => readFileSync(join(folder, path), 'utf8');

describe('the documented language', () => {
  const catalog: Catalog = JSON.parse(read('spec/apl/catalog.json'));

  it('has every function in the catalog', () => {
    const missing = catalog.functions.filter(({ name, kind }) =>
      kind === 'aggregate' ? !aggregateNamed(name) : !functionNamed(name),
    );
    assert.deepEqual(missing, []);
  });

  it('has every operator in the catalog', () => {
    assert.deepEqual(
      catalog.operators.map(({ name }) => name).filter((name) => !operatorNamed(name)),
      [],
    );
    assert.deepEqual(
      catalog.scalarOperators
        .map(({ operator }) => operator)
        .filter(
          (operator) =>
            !scalarOperatorNamed(operator) && !functionNamed(operator.replace('()', '')),
        ),
      [],
    );
  });
});

describe('the queries of the documentation', () => {
  const entries = readEntries();

  it('are analysed without an exception, whatever is wrong with them', () => {
    assert.ok(entries.length > 800);
    for (const { query } of entries) analyze(query);
  });

  it('are one query each and have no error, where they are sound', () => {
    const sound = entries.filter(({ kind, issues }) => kind === 'query' && !issues);
    const wrong = sound.flatMap(({ page, line, query }) => {
      const { problems, queries } = analyze(query);
      const errors = problems.filter(({ severity }) => severity === 'error');
      if (errors.length === 0 && queries.length === 1) return [];
      return [
        { page, line, queries: queries.length, errors: errors.map((error) => error.message) },
      ];
    });
    assert.deepEqual(wrong, []);
  });
});
