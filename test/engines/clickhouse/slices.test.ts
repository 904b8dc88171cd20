/** A result is read from ClickHouse in slices, whatever the borders of the chunks in which it arrives. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readSlices, type Slice } from '../../../local/src/engines/clickhouse/slices.ts';

async function collected(
  slices: AsyncIterable<Slice>,
): Promise<{ count: number; columns: string[] }[]> {
  const found: { count: number; columns: string[] }[] = [];
  for await (const { count, columns } of slices)
    found.push({ count, columns: columns.map((column) => Buffer.from(column).toString()) });
  return found;
}

async function* inChunks(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
}

it('cells that cross the borders of chunks stay whole', async () => {
  for (const size of [1, 2, 3, 100]) {
    const slices = await collected(readSlices(inChunks('1\t"é"\n2\t"x"\n3\tnull\n', size), 2, 2));
    assert.deepEqual(slices, [
      { count: 2, columns: ['1,2', '"é","x"'] },
      { count: 1, columns: ['3', 'null'] },
    ]);
  }
});
