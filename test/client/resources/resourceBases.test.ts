// The records from which resource documents were opened. A save compares them with the service to detect changes by
// others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Bases } from '../../../client/src/resources/files/bases.ts';

function memory() {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key: string, otherwise?: unknown) => values.get(key) ?? otherwise,
    update: async (key: string, value: unknown) => void values.set(key, value),
  } as ConstructorParameters<typeof Bases>[0];
}

describe('the base record of a document', () => {
  const [old, theirs] = [{ name: 'old' }, { name: 'theirs' }];

  it('reverts to the record before a merge when the merge is undone', () => {
    const bases = new Bases(memory());
    bases.read('m', 'old text', old);
    bases.clean('m', 'old text');
    bases.dirty('m');
    assert.deepEqual(bases.get('m'), old);
    bases.merged('m', 'my text', theirs);
    assert.deepEqual(bases.get('m'), theirs);
    bases.undone('m', 'text with some marks');
    assert.deepEqual(bases.get('m'), theirs);
    bases.undone('m', 'my text');
    assert.deepEqual(bases.get('m'), old, 'Undo would overwrite the other change.');
    bases.merged('m', 'my text', theirs);
    bases.read('m', 'merged text', theirs);
    bases.clean('m', 'merged text');
    bases.undone('m', 'my text');
    assert.deepEqual(bases.get('m'), theirs, 'What was saved is what the text is a change of.');
  });

  it('is restored in a new window if the document has unsaved changes', () => {
    const kept = memory();
    const bases = new Bases(kept);
    bases.set('m', { big: 9_223_372_036_854_775_807n });
    bases.dirty('m');
    assert.deepEqual(new Bases(kept).get('m'), { big: 9_223_372_036_854_775_807n });
    new Bases(kept).closed('m');
    assert.equal(new Bases(kept).get('m'), undefined);
  });
});
