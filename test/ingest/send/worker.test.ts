// Reads files in the bundled worker thread: batches are the same as in this thread, files without a path are shared
// as bytes, and failures have their line.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { ReaderWorker } from '../../../client/src/ingest/readerWorker.ts';
import { type Batch, FileProblem, type FileSource } from '../../../ingest/src/contract.ts';
import { batchReader } from '../../../ingest/src/read/reader.ts';
import { diskSource, memorySource } from '../../../ingest/src/read/sources.ts';
import { startRun } from '../../../ingest/src/send/startRun.ts';
import { ensureBuilt } from '../../../scripts/host/build.ts';
import { distDirectory } from '../../../scripts/host/paths.ts';
import { jobFor, lines, ndjson, Place, sinkTo } from './running.ts';
import { StoringServer } from './storingServer.ts';

const limits = { events: 100, bytes: 1_000_000, eventBytes: 1_000_000 };

let place: Place;
let worker: ReaderWorker;

before(async () => {
  place = await Place.create();
  await ensureBuilt();
  worker = new ReaderWorker(join(distDirectory, 'ingest.cjs'));
});

after(async () => {
  await worker.dispose();
  await place[Symbol.asyncDispose]();
});

async function all(batches: AsyncIterable<Batch>): Promise<Batch[]> {
  const found: Batch[] = [];
  for await (const batch of batches) found.push(batch);
  return found;
}

const plain = ({ body, ...rest }: Batch) => ({ ...rest, body: Buffer.from(body).toString() });

describe('a file read in the worker', () => {
  const text = lines(1_050).replace('{"id":700}', '{"id":');

  for (const [name, sourceOf] of [
    ['on a disk', async () => diskSource((await place.file('a.ndjson', text)).path ?? '')],
    ['in memory', async () => memorySource('a.ndjson', text)],
  ] as const) {
    it(`${name} gives the same batches, events and rebuilt batches as in this thread`, async () => {
      const source = await sourceOf();
      const there = worker.open(source, ndjson, limits);
      const here = batchReader(source, ndjson, limits);
      const batches = await all(there.batches());
      assert.deepEqual(batches.map(plain), (await all(here.batches())).map(plain));
      assert.equal(batches.length, 11);
      const { start, end } = batches[7] as Batch;
      assert.deepEqual(await there.events(start, end), await here.events(start, end));
      const without = new Set([0, 5, 99]);
      assert.deepEqual(
        plain(await there.batchWithout(start, end, without)),
        plain(await here.batchWithout(start, end, without)),
      );
      assert.equal(await there.fileHead(), '');
      const rest = await all(there.batches(end));
      assert.deepEqual(rest.map(plain), batches.slice(8).map(plain));
    });
  }

  it('in memory is copied once for concurrent calls', async () => {
    let opened = 0;
    const { open, ...about } = memorySource('a.ndjson', lines(1_000));
    const source: FileSource = {
      ...about,
      open: (from) => {
        opened += 1;
        return open(from);
      },
    };
    const { signal } = new AbortController();
    const batches = worker.open(source, ndjson, limits).batches();
    const [read, check] = await Promise.all([
      all(batches),
      worker.check(source, ndjson, { signal }),
    ]);
    assert.equal(read.length, 10);
    assert.equal(check.events, 1_000);
    assert.equal(opened, 1);
  });

  it('without a path is refused above 256 MB before it is read', async () => {
    const open = () => assert.fail('It was read.');
    const large: FileSource = { name: 'large.ndjson', size: 256 * 1024 * 1024 + 1, open };
    await assert.rejects(
      all(worker.open(large, ndjson, limits).batches()),
      (error) =>
        error instanceof FileProblem && /^large\.ndjson exceeds 256 MB/.test(error.message),
    );
  });

  it('without a path is refused if its length differs from the stated one', async () => {
    for (const size of [3, 30]) {
      const source: FileSource = { ...memorySource('a.ndjson', lines(1)), size };
      await assert.rejects(all(worker.open(source, ndjson, limits).batches()), /has changed/);
    }
  });

  it("fails with its line if it can't be read", async () => {
    const stopping = { ...ndjson, broken: 'stop' } as const;
    const reader = worker.open(memorySource('a.ndjson', 'nothing\n'), stopping, limits);
    await assert.rejects(
      all(reader.batches()),
      (error) => error instanceof FileProblem && error.line === 1,
    );
    const missing = { name: 'no.ndjson', path: join(place.folder, 'no.ndjson'), size: 9 };
    const gone = worker.open({ ...missing, open: () => Readable.from([]) }, ndjson, limits);
    await assert.rejects(all(gone.batches()), /no\.ndjson does not exist/);
  });

  it('can be previewed and checked, and a preview can be canceled', async () => {
    const source = memorySource('a.csv', 'id,name\n1,a\n2,b\n');
    const { signal } = new AbortController();
    const preview = await worker.preview(source, { choices: {} }, signal);
    assert.equal(preview.settings.format, 'csv');
    assert.equal(preview.events.length, 2);
    const check = await worker.check(source, preview.settings, { signal });
    assert.equal(check.events, 2);
    const csv = worker.open(source, preview.settings, limits);
    assert.equal(await csv.fileHead(), 'id,name\n');
    const aborted = AbortSignal.abort(new Error('Not wanted.'));
    await assert.rejects(worker.preview(source, { choices: {} }, aborted), /Not wanted/);
  });

  it('is sent by a run that recycles the memory of batches', async () => {
    await using server = await StoringServer.start();
    const sink = sinkTo(server.service());
    for (const encoding of ['identity', 'gzip'] as const) {
      server.stored.clear();
      const job = await jobFor(place, lines(5_000), sink);
      const openReader: typeof job.openReader = (file, settings) =>
        worker.open(file, settings, limits);
      const run = await startRun({ ...job, openReader, encoding });
      const report = await run.run();
      assert.equal(report.stored, 5_000);
      assert.deepEqual(
        [...server.stored.keys()].sort((a, b) => a - b),
        Array.from({ length: 5_000 }, (_, id) => id),
      );
    }
  });

  it('can be read again after the worker has ended', async () => {
    const reader = worker.open(memorySource('a.ndjson', lines(10)), ndjson, limits);
    const batches = reader.batches()[Symbol.asyncIterator]();
    await batches.next();
    await worker.dispose();
    await assert.rejects(
      worker.preview(memorySource('b', ''), { choices: {} }, AbortSignal.timeout(5_000)),
      FileProblem,
    );
    assert.equal((await all(reader.batches())).length, 1);
  });
});
