/**
 * Completion in a dataset of ten thousand fields: a limited number is sent, always including the wanted field.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Schema } from '../../language/src/index.ts';
import { offeredMax } from '../../server/src/features/completion/wideRows.ts';
import { completion } from '../../server/src/features/completion.ts';
import { cursor, snapshotOf } from './marked.ts';

const count = 10_000;
const types = ['string', 'integer', 'float', 'boolean', 'datetime'];

/** Fields of nested objects and plain fields; one in a hundred is hidden. */
const wide: Schema = {
  complete: true,
  datasets: [
    {
      name: 'wide',
      complete: true,
      fields: Array.from({ length: count }, (_, index) => ({
        name: index % 2 === 0 ? `attributes.group${index % 89}.value${index}` : `plain_${index}`,
        type: types[index % types.length] as string,
        ...(index % 100 === 99 && { hidden: true }),
      })),
    },
  ],
};

function complete(marked: string) {
  const { text, offset } = cursor(marked);
  const list = completion(snapshotOf(text, wide), offset);
  const fields = list.items.filter(({ data }) => data?.dataset === 'wide' || data === undefined);
  return { list, names: list.items.map(({ label }) => label), fields };
}

describe('completion in a wide dataset', () => {
  it('offers a limited number of fields before typing and marks the list incomplete', () => {
    const { list } = complete('wide | where $0');
    const fields = list.items.filter(({ data }) => data?.dataset === 'wide');
    assert.equal(fields.length, offeredMax);
    assert.equal(list.isIncomplete, true);
    assert.ok(fields.some(({ label }) => label === '_time'));
  });

  for (const [typed, wanted] of [
    ['plain_7777', 'plain_7777'],
    ['PLAIN_77', 'plain_7777'],
    ['value4242', 'attributes.group59.value4242'],
    ['e4242', 'attributes.group59.value4242'],
    ['atgr59v4242', 'attributes.group59.value4242'],
    ["['attributes.group59.value42", 'attributes.group59.value4242'],
    ['["attributes.group59.value42', 'attributes.group59.value4242'],
  ] as const) {
    it(`finds ${wanted} when ${typed} is typed`, () => {
      assert.ok(complete(`wide | where ${typed}$0`).names.includes(wanted));
      assert.ok(complete(`wide | extend a = 1 | project ${typed}$0`).names.includes(wanted));
    });
  }

  it('finds fields under a path prefix', () => {
    const { names, list } = complete('wide | where attributes.group59.value42$0');
    assert.ok(names.includes('value4242'), names.slice(0, 5).join());
    assert.equal(list.isIncomplete, true);
  });

  it('offers columns created by the query and no hidden fields', () => {
    assert.ok(complete('wide | extend zzz_own = 1 | where $0').names.includes('zzz_own'));
    assert.ok(!complete('wide | where plain_99$0').names.includes('plain_99'));
  });

  it('prefers fields of the expected type', () => {
    const { list } = complete('wide | extend a = strlen($0)');
    const fields = list.items.filter(({ data }) => data?.dataset === 'wide');
    const fitting = fields.filter(({ labelDetails }) => labelDetails?.description === 'string');
    assert.ok(fitting.length >= fields.length - 1, `${fitting.length} of ${fields.length}`);
  });

  it('marks the list as complete after a stage that outputs few columns', () => {
    const { list } = complete('wide | project plain_1, plain_3 | where $0');
    assert.equal(list.isIncomplete, false);
  });
});
