// A notebook says whether its outputs are saved, but not whether rows of a deployment may be written to a file: the
// deployment's own setting decides. test/host/suites/notebookProduction.ts runs one in VS Code.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { EDGE_DEPLOYMENTS } from '../../api/src/plain.ts';
import { localProfile, type Profile, readProfiles } from '../../client/src/deployments/profiles.ts';
import { outputsToKeep } from '../../client/src/notebook/keepRows.ts';
import { arrive, newStore } from '../client/store/stores.ts';
import { bodyOf } from '../table/tables.ts';

const store = newStore();
after(() => store.dispose());

const url = 'https://apl.test';
const { profiles } = readProfiles({
  user: [
    { name: 'Test', url },
    { name: 'Live', url, production: true },
    { name: 'Private', url, keepResults: false },
    { name: 'Contradicting', url, production: true, keepResults: true },
    { name: 'Other', url: 'https://other.test' },
    { name: 'Hosted', region: 'us-east-1', production: true },
  ],
  // What a notebook's folder brings along.
  workspace: [
    { name: 'Live', url, production: false, keepResults: true },
    { name: 'Private', url, keepResults: true },
    { name: 'Test', url },
    { name: 'Alias', url, keepResults: true },
    { name: 'Alias of host', url: 'https://APL.test./path' },
    { name: 'Alias of edge', url: 'https://elsewhere.test', edgeUrl: url },
    { name: 'Alias of region', url: 'https://elsewhere.test', edgeUrl: EDGE_DEPLOYMENTS[1]!.url },
    { name: 'Other', url: 'https://other.test', edgeUrl: url },
    { name: 'New', url: 'https://new.test' },
  ],
});
const profileOf = (name: string): Profile | undefined =>
  [localProfile, ...profiles].find((profile) => profile.name === name);

describe('rows that a notebook saves', () => {
  for (const [deployment, saved] of [
    ['Local', true],
    ['Test', true],
    ['Live', false],
    ['Private', false],
    ['Contradicting', false],
    ['Alias', false],
    ['Alias of host', false],
    ['Alias of edge', false],
    ['Alias of region', false],
    ['Other', false],
    ['New', true],
    ['Unknown', false],
    ['', false],
  ] as const) {
    it(`${saved ? 'include' : 'exclude'} those of the deployment ${JSON.stringify(deployment)}`, async () => {
      const { id } = await arrive(store, bodyOf([['card', 'integer', ['4111111111111111']]]));
      const kept = await outputsToKeep([{ answer: id, deployment }], store, profileOf);
      assert.deepEqual(
        kept.map(({ rows }) => rows),
        saved ? [[['4111111111111111']]] : [],
      );
    });
  }

  it('include only those of other deployments if a cell queries several', async () => {
    const answers = [];
    for (const deployment of ['Live', 'Local', 'Private', 'Test']) {
      const { id } = await arrive(store, bodyOf([['of', 'string', [JSON.stringify(deployment)]]]));
      answers.push({ answer: id, deployment });
    }
    const kept = await outputsToKeep(answers, store, profileOf);
    assert.deepEqual(
      kept.map(({ rows }) => rows),
      [[['Local']], [['Test']]],
    );
  });
});
