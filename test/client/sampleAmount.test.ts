/** The number of events of a sample as a person types it. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { amountIn } from '../../client/src/ingest/samples/amount.ts';

it('parses amounts with separators and suffixes', () => {
  const read = ['1', '250000', '250,000', '250 000', '250k', '2.5M', '10,000,000'].map(amountIn);
  assert.deepEqual(read, [1, 250_000, 250_000, 250_000, 250_000, 2_500_000, 10_000_000]);
});

it('rejects anything but a valid number of events', () => {
  for (const text of ['', '0', '-5', '0.2', '10000001', '11M', 'many', '1e5', '5kk', ',5']) {
    assert.equal(amountIn(text), undefined, text);
  }
});
