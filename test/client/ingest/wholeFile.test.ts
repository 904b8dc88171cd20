// Files of other file systems, which can only be read completely.
import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { wholeFileSource } from '../../../client/src/ingest/host/wholeFile.ts';

function fileOf(text: string, size = text.length) {
  const reads: number[] = [];
  const source = wholeFileSource({
    name: 'a.csv',
    size,
    read: async () => {
      reads.push(Date.now());
      return Buffer.from(text);
    },
  });
  return { source, reads };
}

describe('a file on a virtual file system', () => {
  it('is read once, when its content is first needed', async () => {
    const { source, reads } = fileOf('a,b\n1,2\n');
    assert.equal(reads.length, 0);
    assert.equal((await buffer(source.open())).toString(), 'a,b\n1,2\n');
    assert.equal((await buffer(source.open(4))).toString(), '1,2\n');
    assert.equal(reads.length, 1);
  });

  it('is dropped from memory when another one is read', async () => {
    const [one, other] = [fileOf('1'), fileOf('2')];
    await buffer(one.source.open());
    await buffer(other.source.open());
    await buffer(one.source.open());
    assert.deepEqual([one.reads.length, other.reads.length], [2, 1]);
  });

  it('is reported as changed if its length differs from the listed size', async () => {
    const { source } = fileOf('a,b\n1,2\n', 4);
    await assert.rejects(buffer(source.open()), /a\.csv has changed since it was opened/);
  });
});
