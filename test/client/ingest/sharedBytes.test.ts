// Copies in shared memory of files that have no path.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ReaderWorker } from '../../../client/src/ingest/readerWorker.ts';
import { SharedBytes } from '../../../client/src/ingest/sharedBytes.ts';
import type { FileSource } from '../../../ingest/src/contract.ts';
import { memorySource } from '../../../ingest/src/read/sources.ts';

function sourceOf(text: string) {
  const opened: number[] = [];
  const { open, ...about } = memorySource('a.ndjson', text);
  const source: FileSource = {
    ...about,
    open: (from = 0) => {
      opened.push(from);
      return open(from);
    },
  };
  return { source, opened };
}

async function use(shared: SharedBytes, source: FileSource): Promise<string> {
  const about = await shared.acquire(source);
  shared.release(source);
  assert.ok('bytes' in about);
  return Buffer.from(about.bytes).toString();
}

describe('a file without a path', () => {
  it('is copied once for several previews in a row', async () => {
    const shared = new SharedBytes();
    const { source, opened } = sourceOf('{"a":1}\n');
    for (let at = 0; at < 3; at += 1) assert.equal(await use(shared, source), '{"a":1}\n');
    assert.equal(opened.length, 1);
  });

  it('is copied again after another file was copied, because only one copy is kept', async () => {
    const shared = new SharedBytes();
    const [one, other] = [sourceOf('1'), sourceOf('2')];
    for (const { source } of [one, other, one]) await use(shared, source);
    assert.deepEqual([one.opened.length, other.opened.length], [2, 1]);
  });

  it('keeps its copy while it is in use, even if other files are copied meanwhile', async () => {
    const shared = new SharedBytes();
    const [one, other] = [sourceOf('1'), sourceOf('2')];
    await shared.acquire(one.source);
    await use(shared, other.source);
    await use(shared, one.source);
    assert.equal(one.opened.length, 1);
  });

  it('is copied again if the last copy failed', async () => {
    const shared = new SharedBytes();
    const { source, opened } = sourceOf('{"a":1}\n');
    const longer = { ...source, size: 30 };
    for (let at = 0; at < 2; at += 1) await assert.rejects(use(shared, longer), /has changed/);
    assert.equal(opened.length, 2);
  });

  it('is not copied for a preview that is already cancelled', async () => {
    const worker = new ReaderWorker('unused.cjs');
    const { source, opened } = sourceOf('{"a":1}\n');
    const signal = AbortSignal.abort(new Error('Not wanted.'));
    await assert.rejects(worker.preview(source, { choices: {} }, signal), /Not wanted/);
    assert.equal(opened.length, 0);
  });
});
