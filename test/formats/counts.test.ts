/** Tests the formatting of counts in sentences. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { counted, grouped, plural } from '../../formats/src/counts.ts';

it('grouped formats numbers as Intl does', () => {
  const numbers = [0, 7, 999, 1_000, 12_345, 999_999, 1_000_000, 2 ** 53 - 1, 1_234.5, 0.25];
  for (const number of [...numbers, ...numbers.slice(1).map((number) => -number)])
    assert.equal(grouped(number), number.toLocaleString('en-US'));
});

it('counted and plural use the singular for 1 alone', () => {
  assert.deepEqual(
    [0, 1, 2, 12_000].map((count) => counted(count, 'row')),
    ['0 rows', '1 row', '2 rows', '12,000 rows'],
  );
  assert.equal(counted(2, 'query', 'queries'), '2 queries');
  assert.equal(plural(2, 'is', 'are'), 'are');
});
