// The number of rows of a result that are serialized at a time.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextSliceRows } from '../../local/src/engines/duckdb/slices.ts';

/**
 * Returns the row counts of the slices for `count` rows of `bytesOf` bytes each. `first` is the
 * size of the first slice.
 */
function sizes(first: number, count: number, bytesOf: (row: number) => number): number[] {
  const found: number[] = [];
  let wanted = first;
  for (let from = 0; from < count; ) {
    const read = Math.min(wanted, count - from);
    let bytes = 0;
    for (let row = from; row < from + read; row++) bytes += bytesOf(row);
    found.push(read);
    wanted = nextSliceRows(wanted, read, bytes);
    from += read;
  }
  return found;
}

describe('slices of a result', () => {
  it('at most double in size while rows are short', () => {
    assert.deepEqual(
      sizes(1_000, 20_000, () => 1),
      [1_000, 2_000, 4_000, 8_000, 5_000],
    );
    assert.equal(nextSliceRows(16_384, 16_384, 0), 32_768);
  });

  it('shrink to the size limit as soon as rows are long', () => {
    const long = 500_000;
    const found = sizes(1_000, 5_000, (row) => (row < 1_500 ? 10 : long));
    assert.deepEqual(found.slice(0, 2), [1_000, 2_000]);
    assert.ok(
      found.slice(2).every((rows) => rows * long <= 2 * 16 * 1_048_576),
      found.join(),
    );
    assert.equal(
      found.reduce((sum, rows) => sum + rows, 0),
      5_000,
    );
  });

  it('contain a single row if rows exceed the size limit, and grow again afterwards', () => {
    assert.equal(nextSliceRows(64, 64, 64 * 64 * 1_048_576), 1);
    assert.equal(nextSliceRows(1, 1, 100), 2);
  });

  it('keep growing after a slice with fewer rows than requested', () => {
    assert.equal(nextSliceRows(40_000, 10, 100), 80_000);
  });
});
