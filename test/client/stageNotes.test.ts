// The row counts of stages, as shown at the ends of lines.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CountedStage, countNotes } from '../../client/src/query/stageNotes.ts';

const stage = (line: number, rows?: number, problem?: string): CountedStage => ({
  line,
  title: `stage ${line}`,
  ...(rows !== undefined && { rows }),
  ...(problem !== undefined && { problem }),
});

describe('the row counts of stages', () => {
  it('show the number of rows before and after each stage', () => {
    assert.deepEqual(countNotes([stage(2, 1799), stage(3, 120), stage(5, 12)]), [
      { line: 2, text: '1,799' },
      { line: 3, text: '1,799 → 120' },
      { line: 5, text: '120 → 12' },
    ]);
  });

  it('of several stages on one line are shown as a chain', () => {
    assert.deepEqual(countNotes([stage(0, 1799), stage(0, 120), stage(0, 12), stage(1, 1)]), [
      { line: 0, text: '1,799 → 120 → 12' },
      { line: 1, text: '12 → 1' },
    ]);
  });

  it('show which counts are pending, and why others are missing', () => {
    assert.deepEqual(countNotes([stage(0), stage(1, 120), stage(2)]), [
      { line: 1, text: '… → 120' },
    ]);
    assert.deepEqual(countNotes([stage(0, 5), stage(1, undefined, 'No column x.'), stage(2, 0)]), [
      { line: 0, text: '5' },
      { line: 1, text: '5 → not counted', hover: ['stage 1: No column x.'] },
      { line: 2, text: 'not counted → 0' },
    ]);
    assert.deepEqual(countNotes([]), []);
  });
});
