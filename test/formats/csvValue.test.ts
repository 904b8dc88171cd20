/** Values of CSV records, with and without quotes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { csvValueAt } from '../../formats/src/csvValue.ts';

const cases: Readonly<
  Record<string, readonly [record: string, start: number, text: string, end: number]>
> = {
  'ends a value at the delimiter': ['a,b', 0, 'a', 1],
  'ends a value at a line feed': ['a,b\nc', 2, 'b', 3],
  'ends a value at a carriage return': ['a,b\r\nc', 2, 'b', 3],
  'ends a value at the end of the string': ['a,b', 2, 'b', 3],
  'returns an empty value between delimiters': ['a,,b', 2, '', 2],
  'returns an empty value at the end of the string': ['a,', 2, '', 2],
  'keeps quotes inside an unquoted value': ['a"b",c', 0, 'a"b"', 4],
  'removes the quotes of a value': ['"a b",c', 0, 'a b', 5],
  'keeps delimiters and line ends inside quotes': ['"a,\r\nb",c', 0, 'a,\r\nb', 7],
  'replaces doubled quotes': ['"a ""b""",c', 0, 'a "b"', 9],
  'returns an empty quoted value': ['"",c', 0, '', 2],
};

describe('csvValueAt', () => {
  for (const [title, [record, start, text, end]] of Object.entries(cases)) {
    it(title, () => {
      const quoted = record[start] === '"';
      assert.deepEqual(csvValueAt(record, start, ','), { text, quoted, isClosed: true, end });
    });
  }

  it('uses the given delimiter', () => {
    assert.equal(csvValueAt('a,b;c', 0, ';').text, 'a,b');
  });

  it('returns the rest of the string for a quote that is never closed', () => {
    const value = { text: 'a"\nb', quoted: true, isClosed: false, end: 6 };
    assert.deepEqual(csvValueAt('"a""\nb', 0, ','), value);
  });
});
