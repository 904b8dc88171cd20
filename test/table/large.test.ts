/**
 * Compares sorting, filters, find and summaries with a reference implementation: 1,000,000 rows by 20 columns with
 * APLOMB_LONG=1, a tenth of the rows otherwise.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { passing } from '../../table/src/arrange/filters.ts';
import { ordered } from '../../table/src/arrange/order.ts';
import { compareCells } from '../../table/src/cells.ts';
import type { Column } from '../../table/src/columns/column.ts';
import type { HeldTable } from '../../table/src/columns/heldTable.ts';
import { Search } from '../../table/src/find.ts';
import type { Cell } from '../../table/src/result.ts';
import { columnSummary } from '../../table/src/summary.ts';
import { answerBody } from '../bench/workbench/answerBody.ts';
import { decodedChunks, patient } from './tables.ts';

const rowCount = process.env['APLOMB_LONG'] === '1' ? 1_000_000 : 100_000;
const columnCount = 20;
const table = decodedChunks(answerBody(rowCount, columnCount))[0] as HeldTable;
const rows = await passing(table, [], patient);
const column = (name: string) => table.fields.findIndex((field) => field.name === name);
const cellsOf = (index: number): Cell[] =>
  Array.from({ length: rowCount }, (_, row) => (table.columns[index] as Column).cell(row));

describe(`${rowCount} rows`, () => {
  for (const names of [
    ['code', 'bytes'],
    ['geo.city', 'ratio'],
    ['_time'],
    ['message'],
    ['id', 'status'],
  ]) {
    it(`sorted by ${names.join(' and ')} are in the same order as in a reference implementation`, async () => {
      const order = names.map((name, at) => ({ column: column(name), descending: at === 0 }));
      const sorted = await ordered(rows.slice(), table.columns, order, patient);
      const cells = order.map(({ column: index }) => cellsOf(index));
      const seen = new Uint8Array(rowCount);
      let before = -1;
      for (const row of sorted) {
        assert.equal(seen[row], 0);
        seen[row] = 1;
        if (before >= 0) {
          let difference = 0;
          for (let at = 0; at < cells.length && difference === 0; at++) {
            const [left, right] = [cells[at]?.[before] ?? null, cells[at]?.[row] ?? null];
            const isDescending = at === 0 && left !== null && right !== null;
            difference = compareCells(left, right) * (isDescending ? -1 : 1);
          }
          assert.ok(difference < 0 || (difference === 0 && before < row), `${before} and ${row}`);
        }
        before = row;
      }
      assert.equal(sorted.length, rowCount);
    });
  }

  it('that pass the filters are the same as in a reference implementation', async () => {
    const [bytes, message, code] = ['bytes', 'message', 'code'].map(column) as [
      number,
      number,
      number,
    ];
    const found = await passing(
      table,
      [
        { column: bytes, kind: 'number', from: '1000', to: '900000' },
        { column: message, kind: 'text', match: 'contains', text: 'RETRY', caseSensitive: false },
        {
          column: code,
          kind: 'values',
          values: [
            { kind: 'text', text: 'E7' },
            { kind: 'number', text: '404' },
          ],
        },
      ],
      patient,
    );
    const [numbers, texts, codes] = [cellsOf(bytes), cellsOf(message), cellsOf(code)];
    const expected = numbers.flatMap((value, row) =>
      (value as number) >= 1_000 &&
      (value as number) <= 900_000 &&
      (texts[row] as string).toLowerCase().includes('retry') &&
      (codes[row] === 'E7' || codes[row] === 404)
        ? [row]
        : [],
    );
    assert.ok(expected.length > 10);
    assert.deepEqual([...found], expected);
  });

  it('have as many matches as a reference implementation finds', async () => {
    const searched = ['trace_id', 'message', 'path', 'bytes'].map(column);
    const options = { match: 'contains', caseSensitive: false } as const;
    const search = await Search.run(table, '4A', options, searched, { timeZone: 'utc' }, patient);
    let expected = 0;
    for (const index of searched)
      for (const cell of cellsOf(index))
        expected += Number(String(cell).toLowerCase().includes('4a'));
    assert.equal(await search.total(patient), expected);
  });

  it('have the same column summaries as in a reference implementation', async () => {
    const index = column('geo.city');
    const summary = await columnSummary(table, index, 3, 10, patient);
    const counts = new Map<Cell, number>();
    for (const cell of cellsOf(index)) counts.set(cell, (counts.get(cell) ?? 0) + 1);
    assert.equal(summary.nulls, counts.get(null));
    counts.delete(null);
    const common = [...counts].sort(([, left], [, right]) => right - left).slice(0, 3);
    assert.deepEqual(
      summary.top.map(({ text, count }) => [text, count]),
      common,
    );
    assert.deepEqual(summary.distinct, { count: counts.size, exact: true });
    const bytes = cellsOf(column('bytes')) as number[];
    const ofBytes = await columnSummary(table, column('bytes'), 3, 10, patient);
    assert.equal(Number(ofBytes.mean), bytes.reduce((sum, value) => sum + value, 0) / rowCount);
  });
});
