/** The values of a result that are reported to the language server, and their limits. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stringifyJson } from '../../api/src/plain.ts';
import { commonValues } from '../../table/src/distinct.ts';
import { valuesToOffer } from '../../table/src/offer.ts';
import type { Cell } from '../../table/src/result.ts';
import { type JsonColumn, patient, tableOf } from './tables.ts';

async function seenValues(columns: Readonly<Record<string, readonly Cell[]>>, aggregated = false) {
  const json = Object.entries(columns).map(
    ([name, cells]): JsonColumn => [name, 'unknown', cells.map((cell) => stringifyJson(cell))],
  );
  const offered = await valuesToOffer(tableOf(json), aggregated, patient);
  return Object.fromEntries(offered.map((column) => [column.name, column.values]));
}

const rows = <T extends Cell>(count: number, value: (row: number) => T): T[] =>
  Array.from({ length: count }, (_, row) => value(row));

describe('the values that a result offers for completion', () => {
  it('are listed once each, without null and empty strings', async () => {
    assert.deepEqual(
      await seenValues({ method: ['GET', 'PUT', null, '', 'GET'], ok: [true, false] }),
      {
        method: ['GET', 'PUT'],
        ok: [true, false],
      },
    );
  });

  it('include repeated strings, but not unique ones', async () => {
    const found = await seenValues({
      method: rows(1_000, (row) => `m${row % 100}`),
      trace: rows(1_000, (row) => `t${row}`),
      half: rows(40, (row) => `h${row}`),
      few: rows(20, (row) => `f${row}`),
    });
    assert.deepEqual(Object.keys(found), ['method', 'few']);
  });

  it('are at most the 20 most frequent strings of a column, in order of frequency', async () => {
    // /p7 is in every other row, /p3 in every tenth, and each other path in one or two rows.
    const uri = rows(2_000, (row) => `/p${row % 2 === 0 ? 7 : row % 5 === 0 ? 3 : row % 1_500}`);
    const found = await seenValues({ uri, few: ['b', 'a', 'a', 'b', 'a'] });
    assert.deepEqual(found['uri']?.slice(0, 2), ['/p7', '/p3']);
    assert.equal(found['uri']?.length, 20);
    assert.deepEqual(found['few'], ['a', 'b']);
    const groups = rows(300, (row) => `g${row}`);
    assert.deepEqual(await seenValues({ groups }), {});
    assert.deepEqual(await seenValues({ groups }, true), { groups: groups.slice(0, 20) });
    assert.deepEqual(await seenValues({ mixed: [...groups, ...groups, 1] }), {});
  });

  it('include numeric codes, but not measurements', async () => {
    const found = await seenValues({
      status: rows(1_000, (row) => [200, 404, 500][row % 3] ?? 0),
      bytes: rows(1_000, (row) => row),
      duration: rows(1_000, (row) => (row % 3) + 0.5),
      id: rows(1_000, () => 9_007_199_254_740_993n),
    });
    assert.deepEqual(found, { status: [200, 404, 500] });
    assert.deepEqual(await seenValues({ status: [200, 404, 500] }), {});
    assert.deepEqual(await seenValues({ status: [200, 404, 500] }, true), {
      status: [200, 404, 500],
    });
  });

  it('exclude long and multi-line strings, too many numbers, and dynamic values', async () => {
    const found = await seenValues({
      long: ['x'.repeat(101)],
      lines: ['a\nb'],
      many: rows(20_000, (row) => row % 101),
      bags: [{ a: 1 }],
      arrays: [[1]],
      nothing: [null, null],
    });
    assert.deepEqual(found, {});
    const names = rows(1_000, (n) => `c${n}`);
    const wide = Object.fromEntries(names.map((name) => [name, ['x']]));
    assert.equal(Object.keys(await seenValues(wide)).length, 300);
  });
});

describe('the common values of a field', () => {
  it('are strings, numbers and booleans, the most frequent first', () => {
    assert.deepEqual(
      commonValues(
        new Map([
          ['PUT', 3],
          ['GET', 9],
        ]),
      ),
      ['GET', 'PUT'],
    );
    assert.deepEqual(
      commonValues(
        new Map([
          [404, 5],
          [200, 90],
        ]),
      ),
      [200, 404],
    );
    assert.deepEqual(
      commonValues(
        new Map([
          [true, 1],
          [false, 2],
        ]),
      ),
      [false, true],
    );
  });

  it('exclude null, empty strings, long strings and strings with line breaks', () => {
    const counts = new Map([
      ['a\nb', 90],
      ['x'.repeat(101), 80],
      ['', 70],
      ['GET', 9],
    ]);
    assert.deepEqual(commonValues([[null, 99], ...counts]), ['GET']);
  });

  it('are empty for measurements, unique strings and dynamic values', () => {
    assert.deepEqual(
      commonValues([
        [1, 50],
        [2.5, 40],
      ]),
      [],
    );
    assert.deepEqual(
      commonValues([
        [1, 50],
        [9007199254740993n, 40],
      ]),
      [],
    );
    assert.deepEqual(commonValues(rows(51, (row) => [row, 100] as const)), []);
    assert.deepEqual(commonValues(rows(101, (row) => [`id${row}`, 1] as const)), []);
    assert.deepEqual(
      commonValues([
        ['GET', 9],
        [{ a: 1 }, 2],
      ]),
      [],
    );
  });
});
