/** Maps the ranges of a failure in the sent query to the notebook cells that contain them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failuresByCell } from '../../../client/src/notebook/cellQuery.ts';
import type { CellQueryLet } from '../../../server/src/protocol.ts';

const statements = ['let a = 1', 'let b =\n  a + x'];
const own = '// mine\nT | where b > y';
const above = statements.map((text) => `${text};\n`).join('');
const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
const lets = statements.map(
  (text, index): CellQueryLet => ({
    name: 'ab'.charAt(index),
    offset: above.indexOf(text),
    length: text.length,
    uri: `cell:${index}`,
    range,
  }),
);
const query = { text: above + own, above: above.length, lets };

/** Returns the line and column of a word in the sent query, counted from 1 as the service does. */
function placeOf(word: string) {
  const at = query.text.lastIndexOf(word);
  const before = query.text.slice(0, at).split('\n');
  return { message: word, line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

describe('the ranges of a failed cell query', () => {
  it('in the cell itself are relative to its first line', () => {
    const found = failuresByCell(query, { places: [placeOf('y')] });
    assert.deepEqual(found, [{ places: [{ message: 'y', line: 2, column: 15 }] }]);
  });

  it('in a let statement from another cell are relative to the first line of that statement', () => {
    const found = failuresByCell(query, { places: [placeOf('x')] });
    assert.deepEqual(found, [{ let: lets[1], places: [{ message: 'x', line: 2, column: 7 }] }]);
  });

  it('in several cells are grouped by cell and keep their end positions', () => {
    const first = { ...placeOf('a = 1'), endLine: 1, endColumn: 10 };
    const found = failuresByCell(query, { places: [first, placeOf('T')] });
    assert.deepEqual(found, [
      { let: lets[0], places: [{ ...first, line: 1, endLine: 1 }] },
      { places: [{ message: 'T', line: 2, column: 1 }] },
    ]);
  });

  it('are unchanged if the query has no let statements from other cells', () => {
    const places = [{ message: 'y', line: 2, column: 15 }];
    assert.deepEqual(failuresByCell({ text: own, above: 0, lets: [] }, { places }), [{ places }]);
    assert.deepEqual(failuresByCell(query, {}), []);
  });
});
