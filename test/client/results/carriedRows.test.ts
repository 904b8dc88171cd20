/** The sort order and filters that the next answer of a tab takes over from the last one, by column name and type. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HeldAnswer } from '../../../client/src/answers/heldAnswer.ts';
import { belongsTo, hasColumns, withCarried } from '../../../client/src/results/carriedRows.ts';
import type { AnswerTable } from '../../../table/src/answer.ts';
import { type ColumnFilter, initialTableViewState } from '../../../table/src/viewState.ts';

type Field = AnswerTable['fields'][number];

const field = (name: string, type = 'integer'): Field => ({ name, type });

function tableOf(fields: readonly Field[], sources: readonly string[] = ['logs']): AnswerTable {
  return { name: '0', sources, fields, groups: [], order: [], rowCount: 1 };
}

function held(query: string, table: AnswerTable, state = {}): HeldAnswer {
  return {
    about: { query },
    head: { tables: [table] },
    viewState: { table: 0, tables: [{ ...initialTableViewState, ...state }] },
  } as unknown as HeldAnswer;
}

const filters: ColumnFilter[] = [
  { column: 0, kind: 'number', from: '9007199254740993' },
  { column: 2, kind: 'isNull', negated: true },
];
const order = [
  { column: 1, descending: true },
  { column: 3, descending: false },
];
const fields = [field('n'), field('same'), field('same'), field('text', 'string')];
const carried = held('q', tableOf(fields), { order, filters });

describe('the arrangement of an answer', () => {
  it('is carried over only if the next table has all of its columns', () => {
    assert.ok(hasColumns(carried, tableOf([field('more'), ...fields.toReversed()])));
    assert.ok(!hasColumns(carried, tableOf(fields.slice(1))));
    assert.ok(!hasColumns(carried, { ...tableOf(fields), name: '_totals' }));
  });
});

describe('the sort order and filters of an answer', () => {
  it('are carried over to the same columns at other positions, even if column names repeat', () => {
    const next = tableOf([field('text', 'string'), field('same'), field('n'), field('same')]);
    const view = withCarried(initialTableViewState, next, carried);
    assert.deepEqual(view.order, [
      { column: 1, descending: true },
      { column: 0, descending: false },
    ]);
    assert.deepEqual(view.filters, [
      { column: 2, kind: 'number', from: '9007199254740993' },
      { column: 3, kind: 'isNull', negated: true },
    ]);
  });

  it('are omitted if the column is missing or has another type', () => {
    const view = withCarried(initialTableViewState, tableOf([field('n', 'string')]), carried);
    assert.deepEqual([view.order, view.filters], [[], []]);
  });

  it('are empty in the next answer if the previous answer had none', () => {
    const view = withCarried(initialTableViewState, tableOf(fields), held('q', tableOf(fields)));
    assert.deepEqual([view.order, view.filters], [[], []]);
  });

  it('are carried over to the same query, or to another query of the same datasets', () => {
    assert.ok(belongsTo(carried, held('q', tableOf(fields, []))));
    assert.ok(belongsTo(carried, held('q | limit 1', tableOf(fields))));
    assert.ok(!belongsTo(carried, held('traces', tableOf(fields, ['traces']))));
  });
});
