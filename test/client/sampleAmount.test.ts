/** Parses the number of sample events as the user types it. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { amountIn } from '../../client/src/ingest/samples/amount.ts';

it('a number of sample events may contain thousands separators or end with k or M', () => {
  const read = ['1', '250000', '250,000', '250 000', '250k', '2.5M', '10,000,000'].map(amountIn);
  assert.deepEqual(read, [1, 250_000, 250_000, 250_000, 250_000, 2_500_000, 10_000_000]);
});

it('a number of sample events is rejected unless it is a whole number from 1 to 10,000,000', () => {
  for (const text of ['', '0', '-5', '0.2', '10000001', '11M', 'many', '1e5', '5kk', ',5']) {
    assert.equal(amountIn(text), undefined, text);
  }
});
