// Rows of ClickHouse in the format Native, in chunks of any size.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readRows } from '../../local/src/engines/clickhouse/native.ts';

function number(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(Math.floor(value / 0x80))];
}

function text(value: string): number[] {
  const bytes = [...Buffer.from(value)];
  return [...number(bytes.length), ...bytes];
}

/** Returns a block of columns with equally many strings. */
function block(columns: readonly (readonly string[])[], type = 'String'): number[] {
  const written = columns.map((values, i) => [text(`r${i}`), text(type), ...values.map(text)]);
  return [...number(columns.length), ...number(columns[0]!.length), ...written.flat(2)];
}

const long = 'x'.repeat(300);
const columns = [
  [['', 'a', long], ['Zürich']],
  [['1', long.repeat(60), '3'], ['4']],
] as const;
const bytes = Buffer.from([0, 1].flatMap((n) => block(columns.map((blocks) => blocks[n]!))));

async function read(size: number, limit = Number.POSITIVE_INFINITY) {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size)
      yield Buffer.from(bytes.subarray(at, at + size));
  }
  const found = ['', ''];
  const rows = await readRows(chunks(), limit, (column, values) => {
    found[column] += Buffer.from(values).toString();
  });
  return { rows, found };
}

describe('rows in the format Native', () => {
  for (const size of [1, 2, 3, 7, 128, 301, 100_000]) {
    it(`are values after commas, from chunks of ${size} bytes`, async () => {
      const found = [`,,a,${long},Zürich`, `,1,${long.repeat(60)},3,4`];
      // Characters may be in two chunks, but a value isn't.
      assert.deepEqual(await read(size), { rows: 4, found });
    });
  }

  it('are counted beyond the limit of values', async () => {
    const found = [',,a', `,1,${long.repeat(60)}`];
    assert.deepEqual(await read(5, 2), { rows: 4, found });
  });

  it('end the answer if taking a value fails, so that its connection is free', async () => {
    let isEnded = false;
    async function* chunks() {
      try {
        yield Buffer.from(bytes);
        yield Buffer.from(bytes);
      } finally {
        isEnded = true;
      }
    }
    const full = () => Promise.reject(new Error('The disk is full.'));
    await assert.rejects(readRows(chunks(), 4, full), /disk is full/);
    assert.ok(isEnded);
  });

  it('are refused if a column is not of strings, or if they end early', async () => {
    async function* chunks(data: readonly number[]) {
      yield Buffer.from(data);
    }
    const take = () => undefined;
    await assert.rejects(
      readRows(chunks(block([['1']], 'Int64')), 1, take),
      /r0 has the type Int64/,
    );
    await assert.rejects(readRows(chunks(block([['abc']]).slice(0, -1)), 1, take), /end early/);
  });
});
