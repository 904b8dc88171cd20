/** Compares sorting and filters with a reference implementation, on mixed types, nulls and ties. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { passing } from '../../table/src/arrange/filters.ts';
import { ordered } from '../../table/src/arrange/order.ts';
import { cellText, compareCells } from '../../table/src/cells.ts';
import type { HeldTable } from '../../table/src/columns/heldTable.ts';
import { BooleanStore } from '../../table/src/columns/plainStores.ts';
import type { Store } from '../../table/src/columns/store.ts';
import type { Cell } from '../../table/src/result.ts';
import type { ColumnFilter, ColumnOrder } from '../../table/src/viewState.ts';
import { type Random, random } from '../api/random.ts';
import { type JsonColumn, patient, plainCells, tableOf } from './tables.ts';

async function arranged(
  table: HeldTable,
  order: readonly ColumnOrder[],
  filters: readonly ColumnFilter[] = [],
): Promise<number[]> {
  const rows = await passing(table, filters, patient);
  return [...(await ordered(rows, table.columns, order, patient))];
}

/** Sorts rows as the reference implementation, by comparing the values themselves. */
function plainOrder(
  cells: readonly Cell[][],
  rows: number[],
  order: readonly ColumnOrder[],
): number[] {
  return [...rows].sort((a, b) => {
    for (const { column, descending } of order) {
      const left = cells[column]?.[a] ?? null;
      const right = cells[column]?.[b] ?? null;
      const difference = compareCells(left, right);
      if (difference !== 0)
        return descending && left !== null && right !== null ? -difference : difference;
    }
    return a - b;
  });
}

const makers: Readonly<Record<string, (next: Random) => string>> = {
  bytes: (next) => String(next.below(9) - 4),
  integers: (next) => String(next.below(100_000) - 50_000),
  'wide integers': (next) => String((next.below(2 ** 31) - 2 ** 30) * 2 ** 20),
  '64 bits': (next) =>
    (BigInt(next.below(2 ** 31) - 2 ** 30) * 2n ** 30n + BigInt(next.below(3))).toString(),
  'beyond 64 bits': (next) =>
    next.pick([
      '18446744073709551615',
      '18446744073709551616',
      '18446744073709551616.5',
      '1.5',
      '-3',
      '1e400',
      '9007199254740993',
      '9007199254740992.0',
    ]),
  fractions: (next) =>
    next.pick(['0.5', '-0.0', '0.0', '1e-7', '-2.25', '1.5', String(next.below(1_000) / 7)]),
  times: (next) => `"2026-11-${10 + next.below(9)}T09:14:0${next.below(9)}.${1 + next.below(9)}Z"`,
  'old and new times': (next) =>
    next.pick([
      '"1969-12-31T23:59:59.999999999Z"',
      '"1970-01-01T00:00:00Z"',
      '"2261-01-01T00:00:00Z"',
      '"1700-01-01T00:00:00Z"',
    ]),
  booleans: (next) => next.pick(['true', 'false']),
  words: (next) =>
    JSON.stringify(
      next.pick([
        'a',
        'b',
        'B',
        '',
        'ä',
        'a\u0000',
        'a\u0000\u0000',
        '😀',
        '\uffff',
        '\ue000',
        'é',
      ]),
    ),
  'lone surrogates': (next) =>
    JSON.stringify(next.pick(['\ud800', '\udc00', '😀', '\uffff', 'a', 'a\ud83d'])),
  'different texts': (next) =>
    JSON.stringify(`${'common prefix '.repeat(next.below(3))}${next.below(2 ** 31).toString(36)}`),
  'dynamic values': (next) => next.pick(['[1]', '{"a":1}', '[2]', 'true', '"[1]"']),
  mixed: (next) =>
    next.pick(['1', '"1"', 'true', '1.5', '2', '9007199254740993', '"b"', '[]', '"true"', '-1']),
  nulls: () => 'null',
};

describe('the sort order of rows', () => {
  for (const [name, make] of Object.entries(makers)) {
    it(`agrees with a reference implementation for the sample "${name}"`, async () => {
      const next = random(name.length);
      for (const rowCount of [0, 1, 2, 40, 3_000]) {
        const columns: JsonColumn[] = [make, makers['bytes'] as typeof make].map((maker, index) => [
          `c${index}`,
          'string',
          Array.from({ length: rowCount }, () => (next.below(6) === 0 ? 'null' : maker(next))),
        ]);
        const table = tableOf(columns);
        const cells = columns.map(plainCells);
        const rows = Array.from({ length: rowCount }, (_, row) => row);
        const orders: ColumnOrder[][] = [false, true].flatMap((descending) => [
          [{ column: 0, descending }],
          [
            { column: 1, descending },
            { column: 0, descending: !descending },
          ],
          [
            { column: 0, descending },
            { column: 1, descending: true },
          ],
        ]);
        for (const order of orders)
          assert.deepEqual(await arranged(table, order), plainOrder(cells, rows, order));
      }
    });
  }

  it('of strings is by UTF-16 code units, with a prefix ahead of longer strings', async () => {
    const next = random(9);
    const parts = ['', 'a', 'aaaaaaaa', 'aaaaaaaaaaaaaaaa', '\u0000', '漢', '😀', '\uffee', 'z'];
    const values = Array.from(
      { length: 6_000 },
      (_, row) =>
        `${next.pick(parts)}${next.pick(parts)}${next.pick(parts)}${row % 3 === 0 ? '' : row}`,
    );
    const column: JsonColumn = ['c', 'string', values.map((value) => JSON.stringify(value))];
    const table = tableOf([column]);
    const order = [{ column: 0, descending: false }];
    const rows = values.map((_, row) => row);
    assert.deepEqual(await arranged(table, order), plainOrder([values], rows, order));
  });

  it('is the original order if there are no sort columns or only unknown ones', async () => {
    const table = tableOf([['c', 'integer', ['3', '1', '2']]]);
    assert.deepEqual(await arranged(table, []), [0, 1, 2]);
    assert.deepEqual(await arranged(table, [{ column: 7, descending: true }]), [0, 1, 2]);
  });

  it('is computed with pauses in a long column of booleans', async () => {
    const store = new BooleanStore();
    for (let row = 0; row < 30_000; row++) store.addBoolean(row % 3 === 0);
    let pauses = 0;
    const task = { due: true, pause: async () => void pauses++ };
    const [keys] = await store.sortKeys(task);
    assert.deepEqual([...(keys?.subarray(0, 4) ?? [])], [1, 0, 0, 1]);
    assert.ok(pauses > 2, `${pauses} pauses`);
  });
});

describe('filters', () => {
  const rowCount = 2_000;
  const next = random(21);
  const names = Object.keys(makers);
  const columns: JsonColumn[] = names.map((name) => [
    name,
    name.includes('time') ? 'datetime' : 'string',
    Array.from({ length: rowCount }, () =>
      next.below(7) === 0 ? 'null' : (makers[name] as (next: Random) => string)(next),
    ),
  ]);
  const table = tableOf(columns);
  const cells = columns.map(plainCells);
  const texts = columns.map(([, , values]) =>
    values.map((value) =>
      value === 'null' ? null : value.startsWith('"') ? (JSON.parse(value) as string) : value,
    ),
  );

  async function agrees(
    filter: ColumnFilter,
    passes: (cell: Cell, text: string | null) => boolean,
  ): Promise<void> {
    const expected = cells[filter.column]?.flatMap((cell, row) =>
      passes(cell, texts[filter.column]?.[row] ?? null) ? [row] : [],
    );
    const name = `${names[filter.column]} ${JSON.stringify(filter)}`;
    assert.deepEqual(await arranged(table, [], [filter]), expected, name);
  }

  it('on text agree with a reference implementation', async () => {
    for (const column of names.keys())
      for (const text of [
        'a',
        'A',
        '1',
        '.',
        '',
        '\u0000',
        '😀',
        'common prefix common',
        'É',
        '[1]',
      ])
        for (const caseSensitive of [true, false]) {
          const fold = (value: string) => (caseSensitive ? value : value.toLowerCase());
          const base = { column, kind: 'text', text, caseSensitive } as const;
          const of = (test: (value: string) => boolean) => (_: Cell, value: string | null) =>
            value !== null && test(fold(value));
          const wanted = fold(text);
          await agrees(
            { ...base, match: 'contains' },
            of((value) => value.includes(wanted)),
          );
          await agrees(
            { ...base, match: 'contains', negated: true },
            of((value) => !value.includes(wanted)),
          );
          for (const negated of [false, true]) {
            await agrees(
              { ...base, match: 'equals', negated },
              of((value) => (value === wanted) !== negated),
            );
            await agrees(
              { ...base, match: 'startsWith', negated },
              of((value) => value.startsWith(wanted) !== negated),
            );
          }
        }
    const regex = { kind: 'text', match: 'regex', text: '^a|1$', caseSensitive: true } as const;
    for (const column of names.keys())
      for (const negated of [false, true])
        await agrees(
          { ...regex, column, negated },
          (_, value) => value !== null && /^a|1$/.test(value) !== negated,
        );
  });

  it('on text read only the rows that earlier filters keep', async (t) => {
    const bytes = names.indexOf('bytes');
    const few = { column: bytes, kind: 'number', from: '4' } as const;
    for (const column of names.keys())
      for (const negated of [false, true]) {
        const text = { column, kind: 'text', match: 'contains', text: 'e', negated } as const;
        const expected = (cells[bytes] ?? []).flatMap((cell, row) => {
          const value = texts[column]?.[row] ?? null;
          const passes = cell === 4 && value !== null && value.includes('e') !== negated;
          return passes ? [row] : [];
        });
        const filters = [few, { ...text, caseSensitive: true }];
        assert.deepEqual(await arranged(table, [], filters), expected, names[column]);
      }
    const column = names.indexOf('booleans');
    const read = t.mock.method(table.columns[column]?.store as Store, 'textOf');
    const text = { column, kind: 'text', match: 'equals', text: 'true' } as const;
    await arranged(table, [], [few, { ...text, caseSensitive: true }]);
    const kept = (cells[bytes] ?? []).filter((cell) => cell === 4).length;
    assert.ok(read.mock.callCount() <= kept, `${read.mock.callCount()} texts of ${kept} rows`);
  });

  it('on numbers agree with a reference implementation, to the last digit', async () => {
    const bounds = [
      '-3',
      '0',
      '1.5',
      '9007199254740993',
      '18446744073709551616',
      '-100000000000',
      '1e300',
    ];
    for (const column of names.keys())
      for (const from of [undefined, ...bounds])
        for (const to of [undefined, ...bounds]) {
          const exact = (text: string) => (/^-?\d+$/.test(text) ? BigInt(text) : Number(text));
          await agrees(
            {
              column,
              kind: 'number',
              ...(from !== undefined && { from }),
              ...(to !== undefined && { to }),
            },
            (cell) =>
              (typeof cell === 'number' || typeof cell === 'bigint') &&
              (from === undefined || cell >= exact(from)) &&
              (to === undefined || cell <= exact(to)),
          );
        }
  });

  it('on integers include their bounds at the limits of every integer width', async () => {
    for (const limit of [127, 32_767, 2 ** 31 - 1, 2 ** 31]) {
      const values = [-limit, 1 - limit, -1, 0, 1, limit - 1, limit];
      const table = tableOf([['n', 'integer', values.map(String)]]);
      const bounds = [...values.map(String), '-0.5', '0.5', `${limit}.5`, `-${limit}.5`, '1e300'];
      for (const from of bounds)
        for (const to of bounds) {
          const rows = await passing(table, [{ column: 0, kind: 'number', from, to }], patient);
          const wanted = values.flatMap((value, row) =>
            value >= Number(from) && value <= Number(to) ? [row] : [],
          );
          assert.deepEqual([...rows], wanted, `${from} to ${to}`);
        }
    }
  });

  it('on times agree with a reference implementation, to the nanosecond', async () => {
    const column = names.indexOf('times');
    const old = names.indexOf('old and new times');
    for (const from of [undefined, '2026-11-12T09:14:03.5Z', '2026-11-12T11:14:03.500000001+02:00'])
      for (const to of [undefined, '2026-11-15T00:00:00Z'])
        await agrees(
          { column, kind: 'time', ...(from && { from }), ...(to && { to }) },
          (_, text) =>
            text !== null &&
            (from === undefined ||
              (from.includes('+') ? text > '2026-11-12T09:14:03.5Z' : text >= from)) &&
            (to === undefined || text < to),
        );
    await agrees(
      {
        column: old,
        kind: 'time',
        from: '1969-12-31T23:59:59.999999999Z',
        to: '1970-01-01T00:00:00Z',
      },
      (_, text) => text === '1969-12-31T23:59:59.999999999Z',
    );
    await agrees({ column: 0, kind: 'time', from: '1970-01-01T00:00:00Z' }, () => false);
  });

  it('on null and on selected values agree with a reference implementation', async () => {
    for (const column of names.keys()) {
      await agrees({ column, kind: 'isNull' }, (cell) => cell === null);
      await agrees({ column, kind: 'isNull', negated: true }, (cell) => cell !== null);
      const held = table.columns[column];
      const rows = [0, 5, 17, 100];
      const values = rows.map((row) => {
        const text = held?.text(row) ?? null;
        const kind = (['number', 'text', 'boolean', 'json'] as const)[held?.kind(row) ?? 0];
        return text === null ? null : { kind: kind ?? 'text', text };
      });
      const chosen = rows.map((row) => cells[column]?.[row] ?? null);
      const isChosen = (cell: Cell) =>
        chosen.some((value) =>
          value === null || cell === null
            ? value === cell
            : typeof value === typeof cell && cellText(value) === cellText(cell),
        );
      await agrees({ column, kind: 'values', values }, isChosen);
      await agrees({ column, kind: 'values', values, negated: true }, (cell) => !isChosen(cell));
    }
  });

  it('are combined with AND, and the remaining rows are sorted', async () => {
    const [bytes, mixed] = [names.indexOf('bytes'), names.indexOf('mixed')];
    const order = [{ column: mixed, descending: true }];
    const rows = (cells[bytes] ?? []).flatMap((cell, row) =>
      cell !== null && (cell as number) >= 0 && cells[mixed]?.[row] !== null ? [row] : [],
    );
    assert.deepEqual(
      await arranged(table, order, [
        { column: bytes, kind: 'number', from: '0' },
        { column: mixed, kind: 'isNull', negated: true },
      ]),
      plainOrder(cells, rows, order),
    );
  });

  it('are rejected with a message if they are invalid', async () => {
    const refused: readonly (readonly [ColumnFilter, RegExp])[] = [
      [{ column: 0, kind: 'number', from: 'ten' }, /ten is not a number/],
      [{ column: 0, kind: 'time', to: 'noon' }, /noon is not a time/],
      [{ column: 99, kind: 'isNull' }, /no column 99/],
      [
        { column: 9, kind: 'text', match: 'regex', text: '(', caseSensitive: true },
        /Invalid regular expression/,
      ],
    ];
    for (const [filter, message] of refused)
      await assert.rejects(arranged(table, [], [filter]), { name: 'Invalid', message });
  });

  it('stop a regular expression with catastrophic backtracking', { timeout: 20_000 }, async () => {
    const long = tableOf([['c', 'string', [`"${'a'.repeat(60)}!"`]]]);
    const filter = {
      column: 0,
      kind: 'text',
      match: 'regex',
      text: '^(a+)+$',
      caseSensitive: true,
    } as const;
    await assert.rejects(arranged(long, [], [filter]), /takes too long/);
  });
});
