/** Values as text, their order, and ranges for the clipboard. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cellText, compareCells, jsonText, shownText } from '../../../client/src/results/cells.ts';
import type { Cell, ResultTable } from '../../../client/src/results/result.ts';
import { TableRows } from '../../../client/src/results/rows.ts';
import { duration } from '../../../client/src/results/viewState.ts';

function oneColumn(type: string, cells: Cell[]): TableRows {
  const table: ResultTable = {
    name: '0',
    columns: [{ name: 'value', type }],
    values: [cells],
    rowCount: cells.length,
  };
  return new TableRows(table);
}

describe('a value as text', () => {
  it('keeps every digit and tells null from empty text on the screen', () => {
    assert.equal(shownText(9_223_372_036_854_775_807n, 'integer'), '9223372036854775807');
    assert.equal(
      shownText('2026-11-21T09:14:02.118394221Z', 'datetime'),
      '2026-11-21 09:14:02.118394221',
    );
    assert.equal(shownText(null, 'string'), null);
    assert.equal(shownText('', 'string'), '');
    assert.equal(shownText(false, 'boolean'), 'false');
  });

  it('stays on one line and of bounded length on the screen, whole on the clipboard', () => {
    const long = `first\nsecond\t${'x'.repeat(10_000)}\u0007`;
    const shown = shownText(long, 'string') ?? '';
    assert.match(shown, /^first⏎second⇥x+…$/);
    assert.ok(shown.length < 2_100);
    assert.equal(cellText(long), long);
  });

  it('writes dynamic values as JSON with exact integers', () => {
    assert.equal(jsonText({ a: [1n, null, 'x"y'], b: 2.5 }), '{"a":[1,null,"x\\"y"],"b":2.5}');
  });
});

describe('rows in order', () => {
  const shown = (rows: TableRows) => rows.window(0, 100).map((row) => row[0]);

  it('sorts numbers of both kinds by value, with nulls last in either direction', () => {
    const rows = oneColumn('integer', [3, null, 10n, -1, 9_007_199_254_740_993n, 2.5]);
    rows.sort({ column: 0, descending: false });
    assert.deepEqual(shown(rows), ['-1', '2.5', '3', '10', '9007199254740993', null]);
    rows.sort({ column: 0, descending: true });
    assert.deepEqual(shown(rows), ['9007199254740993', '10', '3', '2.5', '-1', null]);
    rows.sort(null);
    assert.deepEqual(shown(rows)[0], '3');
  });

  it('keeps equal values as they came', () => {
    const table: ResultTable = {
      name: '0',
      columns: [
        { name: 'key', type: 'string' },
        { name: 'row', type: 'integer' },
      ],
      values: [
        ['b', 'a', 'b', 'a'],
        [0, 1, 2, 3],
      ],
      rowCount: 4,
    };
    const rows = new TableRows(table);
    rows.sort({ column: 0, descending: true });
    assert.deepEqual(
      rows.window(0, 4).map((row) => row[1]),
      ['0', '2', '1', '3'],
    );
  });

  it('orders any two values without contradiction', () => {
    const values: Cell[] = [null, 1, 2n, 'a', '', true, false, [1], { a: 1 }, -0.5, 'B'];
    for (const a of values)
      for (const b of values)
        assert.equal(Math.sign(compareCells(a, b)), -Math.sign(compareCells(b, a)) + 0);
  });

  it('cuts a window to the table', () => {
    const rows = oneColumn('integer', [1, 2, 3]);
    assert.deepEqual(rows.window(-5, 2).flat(), ['1', '2']);
    assert.deepEqual(rows.window(2, 50).flat(), ['3']);
  });

  it('quotes what would break a spreadsheet row, but not a single cell', () => {
    const rows = oneColumn('string', ['a\tb', 'say "x"', null]);
    const range = { fromRow: 0, toRow: 2, fromColumn: 0, toColumn: 0 };
    assert.equal(rows.copyText(range), 'value\n"a\tb"\n"say ""x"""\n');
    assert.equal(rows.copyText({ ...range, toRow: 0 }), 'a\tb');
  });
});

describe('a duration', () => {
  it('has the unit that suits it', () => {
    assert.deepEqual([0.42, 12.3, 3_210].map(duration), ['0.4 ms', '12 ms', '3.2 s']);
  });
});
