/** Reads rows: find, column summaries and values, statistics, comparisons and values to offer. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { passing } from '../../table/src/arrange/filters.ts';
import { ordered } from '../../table/src/arrange/order.ts';
import { cellText, compareCells } from '../../table/src/cells.ts';
import type { HeldTable } from '../../table/src/columns/heldTable.ts';
import type { Store } from '../../table/src/columns/store.ts';
import { columnValues } from '../../table/src/columnValues.ts';
import { compareTables } from '../../table/src/compare.ts';
import { offeredValues } from '../../table/src/distinct.ts';
import { drawnWindow } from '../../table/src/drawn.ts';
import { Search } from '../../table/src/find.ts';
import { valuesToOffer } from '../../table/src/offer.ts';
import type { Cell } from '../../table/src/result.ts';
import { selectionFigures } from '../../table/src/selectionFigures.ts';
import { columnSummary } from '../../table/src/summary.ts';
import { type Random, random } from '../api/random.ts';
import { type JsonColumn, patient, plainCells, tableOf } from './tables.ts';

const utc = { timeZone: 'utc' } as const;
const rowCount = 5_000;
const next = random(33);
const make = (
  name: string,
  type: string,
  value: (next: Random, row: number) => string,
): JsonColumn => [
  name,
  type,
  Array.from({ length: rowCount }, (_, row) => (next.below(9) === 0 ? 'null' : value(next, row))),
];
const columns: readonly JsonColumn[] = [
  make('small', 'integer', (n) => String(n.below(12) - 5)),
  make('wide', 'integer', (n) => (9_007_199_254_740_993n * BigInt(n.below(900) + 1)).toString()),
  make('real', 'float', (n) =>
    n.pick(['0.1', '-0.0', '2.5', '1e-7', String(n.below(1_000) / 8 + 0.0625)]),
  ),
  make('word', 'string', (n) =>
    JSON.stringify(n.pick(['alpha', 'Beta', 'gamma 42', '', 'ALPHA 42'])),
  ),
  make('unique', 'string', (n, row) =>
    JSON.stringify(`row ${row} ${n.below(100)} é`.slice(0, n.below(2) === 0 ? -2 : 99)),
  ),
  make('time', 'datetime', (n) => `"2026-11-21T09:14:${10 + n.below(50)}.${1 + n.below(9)}Z"`),
  make('mixed', 'integer|string', (n) => n.pick(['42', '"42"', 'true', '[42]', '4.2e1', '"x"'])),
  make('flag', 'boolean', (n) => n.pick(['true', 'false'])),
];
const cells = columns.map(plainCells);

async function fresh(isArranged: boolean): Promise<{ table: HeldTable; rows: number[] }> {
  const table = tableOf(columns);
  if (isArranged) {
    const filters = [{ column: 0, kind: 'number', from: '-2' }] as const;
    const rows = await passing(table, filters, patient);
    table.arranged = await ordered(rows, table.columns, [{ column: 3, descending: true }], patient);
  }
  return {
    table,
    rows: Array.from({ length: table.shownCount }, (_, shown) => table.rowAt(shown)),
  };
}

describe('Find', () => {
  const searched = [3, 0, 1, 2, 4, 5, 6, 7];
  const wanted = [
    { text: '42', options: { match: 'contains', caseSensitive: false } },
    { text: 'ALPHA', options: { match: 'contains', caseSensitive: true } },
    { text: 'alpha', options: { match: 'equals', caseSensitive: false } },
    { text: '21 09:14:2', options: { match: 'contains', caseSensitive: false } },
    { text: 'T09:14:30', options: { match: 'contains', caseSensitive: false } },
    { text: '^(true|-0\\.0|row 7\\d* )', options: { match: 'regex', caseSensitive: true } },
    { text: 'É', options: { match: 'contains', caseSensitive: false } },
    { text: 'nowhere', options: { match: 'contains', caseSensitive: false } },
    { text: '', options: { match: 'contains', caseSensitive: false } },
  ] as const;
  for (const isArranged of [false, true])
    for (const { text, options } of wanted) {
      it(`agrees with a reference implementation for ${options.match} "${text}"${isArranged ? ' in arranged rows' : ''}`, async () => {
        const { table, rows } = await fresh(isArranged);
        const search = await Search.run(table, text, options, searched, utc, patient);
        const fold = (value: string) => (options.caseSensitive ? value : value.toLowerCase());
        const test = (value: string) =>
          options.match === 'regex'
            ? new RegExp(text).test(value)
            : options.match === 'equals'
              ? fold(value) === fold(text)
              : fold(value).includes(fold(text));
        const window = drawnWindow(table, { from: 0, to: rowCount }, searched, utc);
        const places: { row: number; column: number }[] = [];
        for (const [row, stored] of rows.entries())
          for (const [at, column] of searched.entries()) {
            const exact = table.columns[column]?.text(stored) ?? null;
            if (text === '' || exact === null) continue;
            if (test(exact) || (column === 5 && test(window.rows[row]?.[at] ?? '')))
              places.push({ row, column });
          }
        assert.equal(await search.total(patient), places.length);
        const total = places.length;
        let at: { row: number; column: number } = { row: -1, column: 7 };
        for (const [index, place] of places.slice(0, 60).entries()) {
          const found = await search.next(
            Math.max(0, at.row),
            at.row < 0 ? -1 : at.column,
            false,
            patient,
          );
          assert.deepEqual(found, { ...place, ordinal: index + 1, total });
          at = place;
        }
        const [first] = places;
        const last = places.at(-1);
        if (first !== undefined && last !== undefined) {
          assert.deepEqual(await search.next(last.row, last.column, false, patient), {
            ...first,
            ordinal: 1,
            total,
          });
          assert.deepEqual(await search.next(first.row, first.column, true, patient), {
            ...last,
            ordinal: total,
            total,
          });
        } else assert.equal(await search.next(0, 3, false, patient), null);
        const within = search.within({ from: 100, to: 150 }, searched);
        const expected = places
          .filter(({ row }) => row >= 100 && row < 150)
          .map(({ row, column }) => (row - 100) * searched.length + searched.indexOf(column));
        assert.deepEqual(within, expected);
      });
    }

  it('finds nothing in columns of nulls, and does not test their rows', async () => {
    const nulls = Array.from({ length: 100 }, () => 'null');
    const table = tableOf([
      ['none', 'string', nulls],
      ['when', 'datetime', nulls],
      ['number', 'integer', nulls.map((_, row) => String(row))],
    ]);
    const options = { match: 'contains', caseSensitive: false } as const;
    for (const text of ['4', '', '.*'])
      for (const match of ['contains', 'regex'] as const) {
        const search = await Search.run(table, text, { ...options, match }, [0, 1], utc, patient);
        assert.equal(await search.total(patient), 0);
      }
    const search = await Search.run(table, '4', options, [0, 1, 2], utc, patient);
    assert.equal(await search.total(patient), 19);
    assert.equal((await search.next(0, 0, false, patient))?.column, 2);
    for (const column of table.columns.slice(0, 2))
      assert.equal((await column.store.matches({ ...options, text: '' }, patient)).length, 0);
  });

  it('pauses while it searches a column of times', async () => {
    const times = Array.from({ length: 40_000 }, () => '"2026-11-21T09:14:10Z"');
    const table = tableOf([['time', 'datetime', times]]);
    const store = table.columns[0]?.store as Store;
    let rows = 0;
    let most = 0;
    store.isNull = () => {
      rows++;
      return false;
    };
    const pause = async () => {
      most = Math.max(most, rows);
      rows = 0;
    };
    const options = { match: 'contains', caseSensitive: false } as const;
    const task = { due: true, pause };
    const search = await Search.run(table, '2026', options, [0], utc, task);
    assert.equal(await search.total(patient), times.length);
    assert.ok(most < 10_000, `${most} rows without a pause`);
  });

  it('counts only the rows that are shown after a new arrangement', async () => {
    const { table } = await fresh(false);
    const search = await Search.run(
      table,
      '42',
      { match: 'contains', caseSensitive: false },
      [3],
      utc,
      patient,
    );
    const all = await search.total(patient);
    table.arranged = Uint32Array.from([5, 4, 3]);
    const some = [5, 4, 3].filter((row) =>
      (table.columns[3]?.text(row) ?? '').includes('42'),
    ).length;
    assert.equal(await search.total(patient), some);
    table.arranged = undefined;
    assert.equal(await search.total(patient), all);
  });
});

describe('the summary of a column', () => {
  for (const isArranged of [false, true])
    for (const [index, [name]] of columns.entries()) {
      it(`agrees with a reference implementation for the column ${name}${isArranged ? ' in arranged rows' : ''}`, async () => {
        const { table, rows } = await fresh(isArranged);
        const summary = await columnSummary(table, index, 5, 10, patient);
        const values = rows
          .map((row) => cells[index]?.[row] ?? null)
          .filter((cell) => cell !== null);
        assert.equal(summary.rowCount, rows.length);
        assert.equal(summary.nulls, rows.length - values.length);
        assert.equal(summary.empty, values.filter((cell) => cell === '').length);
        const counts = new Map<string, number>();
        const keyOf = (cell: Cell) =>
          `${typeof cell === 'bigint' ? 'number' : typeof cell} ${cellText(cell)}`;
        for (const cell of values) counts.set(keyOf(cell), (counts.get(keyOf(cell)) ?? 0) + 1);
        assert.deepEqual(summary.distinct, { count: counts.size, exact: true });
        const common = [...counts.values()].sort((a, b) => b - a).slice(0, 5);
        assert.deepEqual(
          summary.top.map(({ count }) => count),
          common,
        );
        const sorted = [...values].sort(compareCells);
        const held = table.columns[index];
        const texts = rows.map((row) => [held?.cell(row) ?? null, held?.text(row) ?? ''] as const);
        const textOf = (cell: Cell) =>
          texts
            .filter(([other]) => other !== null && compareCells(other, cell) === 0)
            .map(([, text]) => text);
        assert.ok(textOf(sorted[0] ?? null).includes(summary.min ?? ''));
        assert.ok(textOf(sorted.at(-1) ?? null).includes(summary.max ?? ''));
        if (index < 3 || index === 5) {
          const sum = summary.histogram?.counts.reduce((total, count) => total + count, 0);
          assert.equal(sum, values.length);
          assert.equal(summary.histogram?.counts.length, 10);
        } else assert.equal(summary.histogram, undefined);
      });
    }

  it('stops counting distinct values at 100,000', async () => {
    const table = tableOf([
      ['n', 'integer', Array.from({ length: 100_500 }, (_, row) => String(row))],
    ]);
    const summary = await columnSummary(table, 0, 5, 4, patient);
    assert.deepEqual(summary.distinct, { count: 100_000, exact: false });
    assert.deepEqual(summary.top, []);
    assert.deepEqual(summary.histogram, {
      kind: 'number',
      min: '0',
      max: '100499',
      counts: [25_125, 25_125, 25_125, 25_125],
    });
    assert.equal(summary.mean, '50249.5');
  });
});

describe('the values of a column', () => {
  it('are counted in the rows that pass the filters on other columns', async () => {
    const { table } = await fresh(false);
    const filters = [
      { column: 0, kind: 'number', from: '3' },
      { column: 3, kind: 'isNull' },
    ] as const;
    const { values, distinct } = await columnValues(table, filters, 3, '', 10, patient);
    const expected = new Map<Cell, number>();
    for (const [row, cell] of (cells[3] ?? []).entries())
      if (((cells[0]?.[row] ?? -9) as number) >= 3)
        expected.set(cell, (expected.get(cell) ?? 0) + 1);
    assert.equal(distinct.count, expected.size);
    for (const { key, count } of values)
      assert.equal(count, expected.get(key === null ? null : key.text));
    const searched = await columnValues(table, filters, 3, 'ALPHA', 10, patient);
    assert.deepEqual(searched.values.map(({ key }) => key?.text).sort(), ['ALPHA 42', 'alpha']);
  });
});

describe('the statistics of a selection', () => {
  it('agree with a reference implementation, and 64-bit sums are exact', async () => {
    const { table, rows } = await fresh(true);
    const blocks = [
      { fromRow: 10, toRow: 900, columns: [1, 0] },
      { fromRow: 500, toRow: 1_200, columns: [1] },
    ];
    const figures = await selectionFigures(table, blocks, patient);
    const selected = [
      ...rows.slice(10, 1_200).map((row) => cells[1]?.[row] ?? null),
      ...rows.slice(10, 900).map((row) => cells[0]?.[row] ?? null),
    ];
    const numbers = selected.filter((cell) => cell !== null).map((cell) => BigInt(cell as number));
    const sum = numbers.reduce((total, value) => total + value, 0n);
    assert.equal(figures.cells, selected.length);
    assert.equal(figures.count, numbers.length);
    assert.equal(figures.numbers, numbers.length);
    assert.equal(figures.sum, sum.toString());
    assert.deepEqual(figures.distinct, { count: new Set(numbers).size, exact: true });
    assert.equal(figures.avg?.split('.')[0], (sum / BigInt(numbers.length)).toString());
    assert.equal(figures.min, '-2');
    assert.equal(
      figures.max,
      numbers.reduce((most, value) => (value > most ? value : most)).toString(),
    );
  });

  it('have an accurate sum of fractions, and the minimum and maximum of times', async () => {
    const table = tableOf([
      ['f', 'float', ['0.1', '0.2', '0.3', '1e16', '1', '-1e16']],
      [
        't',
        'datetime',
        ['"2026-11-21T09:14:02Z"', '"2026-11-21T09:14:01.5Z"', 'null', 'null', 'null', 'null'],
      ],
      ['s', 'string', ['"b"', '"a"', 'null', 'null', 'null', 'null']],
    ]);
    const of = (columnIndexes: number[]) =>
      selectionFigures(table, [{ fromRow: 0, toRow: 99, columns: columnIndexes }], patient);
    assert.equal((await of([0])).sum, '1.6');
    const times = await of([1]);
    assert.deepEqual(
      [times.min, times.max, times.sum, times.measured],
      ['2026-11-21T09:14:01.5Z', '2026-11-21T09:14:02Z', undefined, [1]],
    );
    const texts = await of([2]);
    assert.deepEqual(texts, {
      cells: 6,
      count: 2,
      distinct: { count: 2, exact: true },
      numbers: 0,
      measured: [],
    });
    assert.deepEqual((await of([0, 1, 2])).measured, [0], 'the column of the numbers');
    assert.deepEqual((await of([1, 2])).measured, [], 'times next to text have no ends');
    assert.equal((await selectionFigures(table, [], patient)).cells, 0);
  });
});

describe('a comparison of two results', () => {
  const before = tableOf([
    ['id', 'integer', ['1', '2', '3', '3', '9007199254740993']],
    ['status', 'string', ['"ok"', '"ok"', '"a"', '"b"', 'null']],
    ['old', 'float', ['1.0', '2.0', '3.0', '4.0', '5.0']],
  ]);
  const after = tableOf([
    ['status', 'string', ['"ok"', '"b"', '"a"', '""', '"new"']],
    ['id', 'integer', ['1', '3', '3', '9007199254740993', '9007199254740992']],
    ['old', 'float', ['1.0', '3', '4.0', '5.0', 'null']],
  ]);

  it('by key columns lists added, removed and changed rows', async () => {
    const { head, table, ...counts } = await compareTables(before, after, ['id'], patient);
    assert.deepEqual(counts, { added: 1, removed: 1, changed: 3, unchanged: 1 });
    assert.deepEqual(
      head.tables[0]?.fields.map(({ name }) => name),
      ['change', 'status', 'id', 'old', 'changed columns', 'former values'],
    );
    assert.deepEqual(drawnWindow(table, { from: 0, to: 9 }, [0, 1, 2, 3, 4, 5], utc).rows, [
      ['changed', 'b', '3', '3', '["status"]', '{"status":"a"}'],
      ['changed', 'a', '3', '4.0', '["status"]', '{"status":"b"}'],
      ['changed', '', '9007199254740993', '5.0', '["status"]', '{"status":null}'],
      ['added', 'new', '9007199254740992', null, null, null],
      ['removed', 'ok', '2', '2.0', null, null],
    ]);
  });

  it('without key columns compares entire rows', async () => {
    const {
      table: _table,
      head: _head,
      ...counts
    } = await compareTables(before, before, [], patient);
    assert.deepEqual(counts, { added: 0, removed: 0, changed: 0, unchanged: 5 });
  });

  it('by a missing key column is rejected with a message', async () => {
    await assert.rejects(compareTables(before, after, ['none'], patient), {
      name: 'Invalid',
      message: /key column none/,
    });
  });
});

describe('values to offer', () => {
  it('are those of all rows, even if the table is filtered', async () => {
    const { table } = await fresh(true);
    const wanted = columns.flatMap(([name], index) => {
      const counts = new Map<Cell, number>();
      for (const cell of cells[index] ?? []) counts.set(cell, (counts.get(cell) ?? 0) + 1);
      const values = offeredValues(counts, false);
      return values.length === 0 ? [] : [{ name, values }];
    });
    assert.deepEqual(await valuesToOffer(table, false, patient), wanted);
  });
});
