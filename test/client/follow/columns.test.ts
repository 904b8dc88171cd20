// The rows of a column that remain after older ones are removed: the same values in less memory, and able to grow.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HeldTable } from '../../../table/src/columns/heldTable.ts';
import { trimRows } from '../../../table/src/trimRows.ts';
import { type JsonColumn, patient, tableOf } from '../../table/tables.ts';

const count = 2_000;

const columnOf = (name: string, type: string, value: (row: number) => string): JsonColumn => [
  name,
  type,
  Array.from({ length: count }, (_, row) => value(row)),
];

const columns: readonly JsonColumn[] = [
  columnOf('nulls', 'string', () => 'null'),
  columnOf('flags', 'boolean', (row) => ['true', 'false', 'null'][row % 3] as string),
  columnOf('small', 'integer', (row) => String(row % 100)),
  columnOf('wide', 'integer', (row) => (row % 7 === 0 ? 'null' : String(row * 1_000_003))),
  columnOf('big', 'integer', (row) => `922337203685477${1_000 + (row % 4_000)}`),
  columnOf('fraction', 'float', (row) => String(row + 0.25)),
  columnOf('literal', 'float', (row) => (row % 50 === 0 ? '0.12345678901234567890' : `${row}.5`)),
  columnOf('whole', 'float', (row) => `${row}.0`),
  columnOf('time', 'datetime', (row) =>
    row % 11 === 0 ? 'null' : `"2026-11-21T09:14:02.${String(row).padStart(9, '0')}Z"`,
  ),
  columnOf('each', 'string', (row) => JSON.stringify(`text ${row} é😀`)),
  columnOf('word', 'string', (row) => (row % 5 === 0 ? 'null' : JSON.stringify(`w${row % 9}`))),
  columnOf('words', 'string', (row) => JSON.stringify(`v${row % 700}`)),
  columnOf('surrogate', 'string', (row) => (row % 2 ? '"\\ud800"' : '"x"')),
  columnOf(
    'mixed',
    'integer|string',
    (row) => [`${row}`, `"${row}"`, 'null', 'true', `{"a":${row}}`][row % 5] as string,
  ),
  columnOf('json', 'map', (row) => `{"a":[${row},9007199254740993]}`),
];

const rowsOf = (table: HeldTable, from = 0) =>
  table.columns.map((column) =>
    Array.from({ length: column.length - from }, (_, row) => [
      column.cell(from + row),
      column.text(from + row),
      column.isNull(from + row) ? undefined : column.kind(from + row),
    ]),
  );

describe('a column whose oldest rows are removed', () => {
  for (const from of [0, 1, 7, 999, count - 1, count])
    it(`keeps the values from row ${from} on, and frees memory`, () => {
      const table = tableOf(columns);
      const wanted = rowsOf(table, from);
      const tails = table.columns.map((column) => column.tail(from));
      for (const [index, tail] of tails.entries()) {
        const [name] = columns[index] as JsonColumn;
        assert.equal(tail.length, count - from, name);
        assert.deepEqual(
          rowsOf({ ...table, columns: [tail] } as HeldTable)[0],
          wanted[index],
          name,
        );
        const former = table.columns[index]?.bytes as number;
        if (from > count / 2) assert.ok(tail.bytes <= former * 0.6, `${name}: ${tail.bytes}`);
      }
    });

  it('accepts more rows of every type', () => {
    const table = tableOf(columns);
    const tails = table.columns.map((column) => column.tail(1_500));
    const wanted = rowsOf(table, 1_500);
    for (const [index, tail] of tails.entries()) {
      const source = table.columns[index] as (typeof tails)[number];
      for (let row = 0; row < count; row++) source.store.copyTo(tail, row);
      tail.store.trim();
      const all = rowsOf({ ...table, columns: [tail] } as HeldTable)[0];
      assert.deepEqual(all?.slice(0, 500), wanted[index], columns[index]?.[0]);
      assert.deepEqual(all?.slice(500), rowsOf(table)[index], columns[index]?.[0]);
    }
  });
});

describe('a table above its limit', () => {
  it('loses its oldest rows, and counts the removed ones', async () => {
    const table = tableOf(columns);
    const wanted = rowsOf(table, count - 800);
    await trimRows(table, { maxRows: 1_000, maxBytes: 1e9 }, patient);
    assert.equal(table.rowCount, 800);
    assert.equal(table.removed, count - 800);
    assert.deepEqual(rowsOf(table), wanted);
    await trimRows(table, { maxRows: 1_000, maxBytes: 1e9 }, patient);
    assert.equal(table.rowCount, 800);
  });

  it('loses its oldest rows until it fits the byte limit, but keeps at least one', async () => {
    const table = tableOf(columns);
    const { bytes } = table;
    await trimRows(table, { maxRows: 1e9, maxBytes: bytes / 3 }, patient);
    assert.ok(table.bytes <= bytes / 3);
    assert.ok(table.rowCount > 0 && table.rowCount + table.removed === count);
    await trimRows(table, { maxRows: 1e9, maxBytes: 1 }, patient);
    assert.equal(table.rowCount, 1);
  });
});
