/** Places that the service reports in the text that was sent, led back to the cells that hold them. */
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

/** The place of a word in the text that is sent, as the service counts. */
function placeOf(word: string) {
  const at = query.text.lastIndexOf(word);
  const before = query.text.slice(0, at).split('\n');
  return { message: word, line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

describe('the ranges of a failure', () => {
  it('in the query are relative to its first line', () => {
    const found = failuresByCell(query, { places: [placeOf('y')] });
    assert.deepEqual(found, [{ places: [{ message: 'y', line: 2, column: 15 }] }]);
  });

  it('in a let are relative to the first line of the let', () => {
    const found = failuresByCell(query, { places: [placeOf('x')] });
    assert.deepEqual(found, [{ let: lets[1], places: [{ message: 'x', line: 2, column: 7 }] }]);
  });

  it('in several cells are distinguished, with their ends', () => {
    const first = { ...placeOf('a = 1'), endLine: 1, endColumn: 10 };
    const found = failuresByCell(query, { places: [first, placeOf('T')] });
    assert.deepEqual(found, [
      { let: lets[0], places: [{ ...first, line: 1, endLine: 1 }] },
      { places: [{ message: 'T', line: 2, column: 1 }] },
    ]);
  });

  it('are those of the service if there are no lets', () => {
    const places = [{ message: 'y', line: 2, column: 15 }];
    assert.deepEqual(failuresByCell({ text: own, above: 0, lets: [] }, { places }), [{ places }]);
    assert.deepEqual(failuresByCell(query, {}), []);
  });
});
