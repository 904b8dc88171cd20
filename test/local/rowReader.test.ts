// The landing page's parser for a response in pieces: whatever the pieces, the rows and other
// members equal those of the complete response.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cellsOf, RowReader } from '../../local/page/rowReader.ts';
import { random } from './random.ts';

function read(text: string, cuts: readonly number[]) {
  const reader = new RowReader();
  let from = 0;
  for (const cut of [...cuts, text.length]) {
    reader.push(text.slice(from, cut));
    from = cut;
  }
  return reader.end();
}

const nasty = [
  '',
  'a',
  '"',
  '\\',
  '"],[',
  '{"rows":[[1]]}',
  ']}',
  '\n',
  '\\"',
  'tables',
  '😀',
  'é',
];

describe('a response read in chunks', () => {
  it('yields the same rows, even if chunks split values', () => {
    const below = random(7);
    const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
    const value = (depth: number): unknown => {
      const kind = below(depth > 2 ? 5 : 7);
      if (kind === 0) return null;
      if (kind === 1) return below(2) === 0;
      if (kind === 2) return below(1e6) / 7;
      if (kind < 5) return pick(nasty);
      if (kind === 5) return Array.from({ length: 3 }, () => value(depth + 1));
      return { [pick(nasty)]: value(depth + 1), rows: [value(depth + 1)] };
    };
    for (let round = 0; round < 300; round += 1) {
      const tables = Array.from({ length: below(3) }, (_, i) => ({
        name: i === 0 ? '0' : '_totals',
        sources: [{ name: pick(nasty) }],
        fields: [
          { name: pick(nasty), type: 'string' },
          { name: 'rows', type: 'string' },
        ],
        rows: Array.from({ length: below(5) }, () => [value(0), value(0)]),
      }));
      const whole = {
        format: 'tabular-rows',
        status: { elapsedTime: round, messages: [{ msg: pick(nasty) }] },
        datasetNames: [pick(nasty)],
        fieldsMetaMap: { rows: [{ name: 'rows', rows: [[1], [2]] }], tables: [] },
        tables,
      };
      const text = JSON.stringify(whole);
      const cuts = Array.from({ length: 8 }, () => below(text.length));
      const answer = read(
        text,
        cuts.sort((a, b) => a - b),
      );
      assert.deepEqual(answer.status, whole.status);
      assert.deepEqual(
        answer.tables.map(({ name, columns, rows }) => ({
          name,
          columns,
          rows: rows.map((row) => cellsOf(row).map((cell) => JSON.parse(cell))),
        })),
        tables.map(({ name, fields, rows }) => ({ name, columns: fields, rows })),
      );
    }
  });

  it('preserves every digit of its numbers', () => {
    const text =
      '{"status":{},"tables":[{"name":"0","fields":[],"rows":[[9223372036854775807,1.10,-0.0,1e400,[1,2.50]]]}]}';
    const [table] = read(text, []).tables;
    assert.deepEqual(cellsOf(table!.rows[0]!), [
      '9223372036854775807',
      '1.10',
      '-0.0',
      '1e400',
      '[1,2.50]',
    ]);
  });

  it('yields no cells for an empty row', () => {
    assert.deepEqual(cellsOf('[]'), []);
  });

  it('counts all rows but keeps only the first rows, up to a size limit', () => {
    const rows = (count: number, text: string) =>
      `{"status":{},"tables":[{"name":"0","fields":[],"rows":[${Array(count).fill(`["${text}"]`).join(',')}]}]}`;
    const [many] = read(rows(5_000, 'a'), [1_000, 2_000]).tables;
    assert.deepEqual([many!.rows.length, many!.rowCount], [1_000, 5_000]);
    const [large] = read(rows(4, 'b'.repeat(3_000_000)), [100, 5_000_000]).tables;
    assert.deepEqual([large!.rows.length, large!.rowCount], [2, 4]);
  });

  it('throws if it is truncated', () => {
    assert.throws(() => read('{"status":{},"tables":[{"rows":[[1],[2', []));
  });
});
