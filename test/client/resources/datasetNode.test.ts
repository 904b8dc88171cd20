// The tree items on which the commands that delete or trim a dataset run.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DatasetNode, datasetOfNode } from '../../../client/src/resources/datasetNode.ts';

const nodes: readonly (readonly [node: DatasetNode, dataset: string | undefined])[] = [
  [{ kind: 'dataset', dataset: { name: 'orders', kind: 'dataset', description: '' } }, 'orders'],
  [{ kind: 'field', dataset: 'orders', field: { name: 'id', type: 'integer' } }, undefined],
  [{ kind: 'group', of: 'virtualFields', dataset: 'orders' }, undefined],
  [
    {
      kind: 'resource',
      resource: { kind: 'mapFields', id: 'orders', name: 'Map Fields', note: '' },
    },
    undefined,
  ],
  [{ kind: 'note', text: 'No virtual fields' }, undefined],
];

describe('a command that deletes or trims a dataset', () => {
  for (const [node, dataset] of nodes)
    it(`${dataset === undefined ? 'does not run' : 'runs'} on a ${node.kind} item of the tree`, () =>
      assert.equal(datasetOfNode(node), dataset));

  it('does not run if its argument is not a tree item', () => {
    for (const given of [undefined, null, 'orders', {}, { dataset: { name: 'orders' } }])
      assert.equal(datasetOfNode(given), undefined);
  });
});
