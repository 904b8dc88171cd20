/** Result rows saved with a cell: exact in the file, and displayed like results. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { rowsToKeep } from '../../../client/src/notebook/keepRows.ts';
import { savedRows } from '../../../client/src/notebook/savedRows.ts';
import { bodyOf } from '../../table/tables.ts';
import { arrive, newStore } from '../store/stores.ts';

const store = newStore();
after(() => store.dispose());

describe('saved rows', () => {
  it('keep every digit, line break and nanosecond, and distinguish null from empty strings', async () => {
    const { id } = await arrive(
      store,
      bodyOf([
        ['_time', 'datetime', ['"2026-11-21T09:14:02.5Z"', '"2026-11-21T09:14:02.000000001Z"']],
        ['id', 'integer', ['9007199254740993', 'null']],
        ['value', 'float', ['-0.0', '1e-7']],
        ['text', 'string', ['"line\\nbreak \\u202e"', '""']],
        ['map', 'map', ['{"a":[1,9007199254740993]}', 'null']],
      ]),
    );
    assert.deepEqual(await rowsToKeep(id, store), {
      columns: [
        { name: '_time', type: 'datetime' },
        { name: 'id', type: 'integer' },
        { name: 'value', type: 'float' },
        { name: 'text', type: 'string' },
        { name: 'map', type: 'map' },
      ],
      rows: [
        [
          '2026-11-21T09:14:02.5Z',
          '9007199254740993',
          '-0.0',
          'line\nbreak \u202e',
          '{"a":[1,9007199254740993]}',
        ],
        ['2026-11-21T09:14:02.000000001Z', null, '1e-7', '', null],
      ],
      rowCount: 2,
      run: { time: '2025-11-21T09:14:02Z', range: 'last 1 hour', deployment: 'Local' },
    });
  });

  it('contain long values in full', async () => {
    const long = 'x'.repeat(5_000);
    const { id } = await arrive(store, bodyOf([['text', 'string', [`"${long}"`]]]));
    assert.deepEqual((await rowsToKeep(id, store))?.rows, [[long]]);
  });

  it('are limited to the first 100 rows and to 64 KB', async () => {
    const many = Array.from({ length: 250 }, (_, n) => String(n));
    const { id } = await arrive(store, bodyOf([['n', 'integer', many]]));
    const kept = await rowsToKeep(id, store);
    assert.equal(kept?.rows.length, 100);
    assert.deepEqual(kept?.rows.at(-1), ['99']);
    assert.equal(kept?.rowCount, 250);
    const large = Array.from({ length: 10 }, () => `"${'y'.repeat(20_000)}"`);
    const { id: second } = await arrive(store, bodyOf([['text', 'string', large]]));
    assert.equal((await rowsToKeep(second, store))?.rows.length, 3);
  });

  it('are only the rows that pass the filters, in the sort order of the table', async () => {
    const { id } = await arrive(store, bodyOf([['n', 'integer', ['1', '2', '3', '4']]]));
    await store.rows('arrange', {
      answer: id,
      table: 0,
      order: [{ column: 0, descending: true }],
      filters: [{ kind: 'number', column: 0, from: '3' }],
    });
    const kept = await rowsToKeep(id, store);
    assert.deepEqual(kept?.rows, [['4'], ['3']]);
    assert.equal(kept?.rowCount, 4);
  });

  it('are unavailable after the result was removed from the store', async () => {
    const { id } = await arrive(store, bodyOf([['n', 'integer', ['1']]]));
    await store.drop(id);
    assert.equal(await rowsToKeep(id, store), undefined);
  });
});

describe('saved rows in a notebook page', () => {
  it('show times as results do, line breaks and invisible characters as symbols, and long values truncated', () => {
    const shown = savedRows(
      {
        columns: [
          { name: 'time', type: 'datetime' },
          { name: 'na\u202eme', type: 'string' },
        ],
        rows: [
          ['2026-11-21T09:14:02.5Z', 'line\nbreak \u202e'],
          [null, 'x'.repeat(3_000)],
        ],
        rowCount: 9,
        run: {
          time: '2026-11-21T09:15:00Z',
          range: 'last 1 hour',
          deployment: 'Lo\u202ecal',
          parameters: 'least = 7',
        },
      },
      'utc',
    );
    assert.deepEqual(shown.columns[1], { name: 'na\u202eme', type: 'string' });
    assert.deepEqual(shown.rows[0], ['2026-11-21 09:14:02.5', 'line⏎break [U+202E]']);
    assert.deepEqual(shown.run, [
      'run 2026-11-21 09:15 UTC',
      'last 1 hour',
      'Lo[U+202E]cal',
      'least = 7',
    ]);
    assert.equal(shown.rows[1]?.[0], null);
    assert.equal(shown.rows[1]?.[1], `${'x'.repeat(1_999)}…`);
  });
});
