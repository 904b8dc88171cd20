/** Edits as values. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEdits } from '../../language/src/index.ts';

describe('edits', () => {
  it('are applied in text order, regardless of the order given', () => {
    const edits = [
      { start: 6, end: 9, text: 'C' },
      { start: 0, end: 2, text: 'A' },
      { start: 3, end: 3, text: 'b' },
    ];
    assert.equal(applyEdits('aa ... ccc', edits), 'A b...Cc');
  });

  it('insert several strings at one offset in the order given', () => {
    const edits = [
      { start: 1, end: 1, text: '1' },
      { start: 1, end: 1, text: '2' },
    ];
    assert.equal(applyEdits('ab', edits), 'a12b');
  });

  it('are rejected with an error if they overlap', () => {
    const edits = [
      { start: 0, end: 2, text: '' },
      { start: 1, end: 3, text: '' },
    ];
    assert.throws(() => applyEdits('abc', edits), /overlap at 1/);
  });
});
