// Runs against an HTTP server: the file's events are stored, and every event is accounted for.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { RunProgress, RunReport } from '../../../ingest/src/contract.ts';
import { savedRuns } from '../../../ingest/src/send/savedRuns.ts';
import { type NewRun, resumeRun, startRun } from '../../../ingest/src/send/startRun.ts';
import { assertMode } from '../../platform.ts';
import { assertAddsUp, jobFor, lines, Place, sinkTo } from './running.ts';
import { type Behave, StoringServer } from './storingServer.ts';

interface Ran {
  readonly report: RunReport;
  readonly server: StoringServer;
  readonly progress: readonly RunProgress[];
  readonly failedText: string | undefined;
  readonly resumable: number;
}

async function ran(
  text: string,
  behave?: Behave,
  more: Partial<NewRun> & { batchEvents?: number; datasetExists?: boolean } = {},
): Promise<Ran> {
  await using place = await Place.create();
  await using server = await StoringServer.start(behave);
  server.datasetExists = more.datasetExists ?? true;
  const progress: RunProgress[] = [];
  const job = await jobFor(place, text, sinkTo(server.service()), more.batchEvents);
  const run = await startRun({ ...job, ...more, onProgress: (now) => progress.push(now) });
  const report = await run.run();
  assertAddsUp(report);
  const { failedFile } = report;
  if (failedFile !== undefined) assertMode(failedFile, 0o600);
  const failedText = failedFile === undefined ? undefined : await readFile(failedFile, 'utf8');
  const resumable = (await savedRuns(job.runsFolder ?? '')).length;
  return { report, server, progress, failedText, resumable };
}

/** Returns the ids of the stored events and asserts that each is stored once. */
function idsOf({ stored }: StoringServer): number[] {
  for (const [id, times] of stored) assert.equal(times, 1, `event ${id}`);
  return [...stored.keys()].sort((a, b) => a - b);
}

const upTo = (count: number) => Array.from({ length: count }, (_, id) => id);
const once =
  (first: Awaited<ReturnType<Behave>>): Behave =>
  (_, index) =>
    index === 0 ? first : { kind: 'store' };

describe('a run', () => {
  const storeSlowly: Behave = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { kind: 'store' };
  };

  it('stores every event once with several concurrent requests', async () => {
    const more = { encoding: 'zstd' } as const;
    const { report, server, progress } = await ran(lines(1_000), storeSlowly, more);
    assert.deepEqual(idsOf(server), upTo(1_000));
    assert.equal(report.outcome, 'complete');
    assert.deepEqual([report.read, report.stored, report.failed], [1_000, 1_000, 0]);
    assert.equal(report.bytes, lines(1_000).length);
    assert.equal(server.inFlightMax, 3);
    const last = progress.at(-1);
    assert.equal(last?.state, 'done');
    assert.equal(last?.bytes, last?.totalBytes);
    assert.equal(last?.events, 1_000);
  });

  it('doubles its concurrent requests up to 32 if they are uncompressed', async () => {
    const waves = [1, 2, 4, 8, 16, 32];
    const waiting: (() => void)[] = [];
    const { report, server } = await ran(lines(1_000), async (_, index) => {
      if (index < 63) {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length < waves[0]!) return;
          waves.shift();
          setTimeout(() => {
            for (const answer of waiting.splice(0)) answer();
          }, 5);
        });
      }
      return { kind: 'store' };
    });
    assert.equal(report.stored, 1_000);
    assert.equal(server.inFlightMax, 32);
  });

  it('reads one batch more than it may send', async () => {
    let read = 0;
    let readAtFirst = 0;
    await using place = await Place.create();
    await using server = await StoringServer.start(async (request, index) => {
      await storeSlowly(request, index);
      if (index === 0) readAtFirst = read;
      return { kind: 'store' };
    });
    const job = await jobFor(place, lines(100), sinkTo(server.service()));
    const openReader: NewRun['openReader'] = (...given) => {
      const reader = job.openReader(...given);
      const batches = async function* (...from: Parameters<typeof reader.batches>) {
        for await (const batch of reader.batches(...from)) {
          read += 1;
          yield batch;
        }
      };
      return { ...reader, batches };
    };
    const report = await (await startRun({ ...job, openReader })).run();
    assert.deepEqual([report.stored, readAtFirst], [100, 2]);
  });

  for (const encoding of ['gzip', 'zstd'] as const) {
    it(`compresses requests with ${encoding}`, async () => {
      const { report, server } = await ran(lines(100), undefined, { encoding });
      assert.deepEqual(idsOf(server), upTo(100));
      assert.equal(server.requests[0]?.headers['content-encoding'], encoding);
      assert.equal(report.bytes, lines(100).length);
    });
  }

  it('leaves no journal after completion', async () => {
    assert.equal((await ran(lines(30))).resumable, 0);
  });

  it('creates a missing dataset once', async () => {
    const { report, server } = await ran(lines(50), undefined, { datasetExists: false });
    assert.deepEqual(idsOf(server), upTo(50));
    assert.equal(report.outcome, 'complete');
    assert.deepEqual(server.others, ['POST /v2/datasets']);
  });

  it('deletes the dataset that it created if no event is stored', async () => {
    const { report, server } = await ran(lines(5), (_, index) =>
      index === 0
        ? { kind: 'answer', status: 404 }
        : { kind: 'answer', status: 403, body: { message: 'No ingest.' } },
    );
    assert.equal(report.outcome, 'stopped');
    assert.equal(report.problem, 'No ingest.');
    assert.equal(server.others.at(-1), 'DELETE /v2/datasets/data');
  });

  for (const status of [429, 503]) {
    it(`retries a request rejected with ${status}`, async () => {
      const behave = once({ kind: 'answer', status, headers: { 'retry-after': '0' } });
      const { report, server, progress } = await ran(lines(30), behave);
      assert.deepEqual(idsOf(server), upTo(30));
      assert.equal(report.outcome, 'complete');
      const waiting = progress.find(({ state }) => state === 'waiting');
      assert.equal(waiting?.waiting?.message, 'No.');
    });
  }

  for (const [name, behavior] of [
    ['500', { kind: 'answer', status: 500 }],
    ['502', { kind: 'answer', status: 502 }],
    ['503 of a proxy', { kind: 'answer', status: 503, body: '<html>' }],
    ['cut before it is stored', { kind: 'cut', stored: false }],
    ['cut after it is stored', { kind: 'cut', stored: true }],
  ] as const) {
    it(`reports a request as in doubt after ${name}, and does not retry it`, async () => {
      const { report, server } = await ran(lines(30), once(behavior));
      assert.deepEqual(report.doubt, [{ firstLine: 1, lastLine: 10, events: 10 }]);
      assert.equal(report.stored, 20);
      assert.equal(report.outcome, 'complete');
      const stored = behavior.kind === 'cut' && behavior.stored;
      assert.deepEqual(idsOf(server), stored ? upTo(30) : upTo(30).slice(10));
    });
  }

  it('stops after three consecutive requests in doubt, and can be resumed', async () => {
    const { report, resumable } = await ran(lines(1_000), () => ({ kind: 'cut', stored: false }));
    assert.equal(report.outcome, 'stopped');
    assert.match(report.problem ?? '', /the connection was closed/);
    assert.deepEqual(report.doubt, [{ firstLine: 1, lastLine: 30, events: 30 }]);
    assert.equal(report.resumeLine, 31);
    assert.equal(resumable, 1);
  });

  for (const status of [401, 403, 402, 430]) {
    it(`stops on ${status} after one request`, async () => {
      const { report, server } = await ran(lines(1_000), () => ({ kind: 'answer', status }));
      assert.equal(report.outcome, 'stopped');
      assert.equal(report.problem, 'No.');
      assert.equal(server.requests.length, 1);
      assert.equal(report.stored, 0);
    });
  }

  it('retries an unreachable service, then stops', async () => {
    await using place = await Place.create();
    const server = await StoringServer.start();
    const sink = sinkTo(server.service());
    await server[Symbol.asyncDispose]();
    const waits: string[] = [];
    const job = await jobFor(place, lines(20), sink);
    const onProgress = ({ waiting }: RunProgress) => waiting && waits.push(waiting.message);
    const run = await startRun({ ...job, onProgress });
    const report = await run.run();
    assertAddsUp(report);
    assert.equal(report.outcome, 'stopped');
    assert.equal(report.doubt.length, 0);
    assert.ok(waits.length > 0);
  });

  it('splits a request that is too large, and keeps later requests small', async () => {
    const behave: Behave = ({ lines }) =>
      lines.length > 3 ? { kind: 'answer', status: 413 } : { kind: 'store' };
    const { report, server } = await ran(lines(40), behave);
    assert.deepEqual(idsOf(server), upTo(40));
    assert.equal(report.outcome, 'complete');
    const tooLarge = server.requests.filter(({ lines }) => lines.length > 3).length;
    assert.ok(tooLarge <= 4, `${tooLarge} requests were too large`);
  });
});

describe('events that are not stored', () => {
  const invalid: Behave = ({ lines }) => {
    const place = lines.findIndex((line) => !line.endsWith('}'));
    if (place < 0) return { kind: 'store' };
    return {
      kind: 'answer',
      status: 400,
      body: { message: `line ${place + 1}: unexpected end of JSON` },
    };
  };

  it('are skipped if they are broken in the file', async () => {
    const text = lines(40).replace('{"id":17}', '{"id":17').replace('{"id":31}', 'nothing');
    const { report, server, failedText } = await ran(text, invalid);
    assert.deepEqual(
      idsOf(server),
      upTo(40).filter((id) => id !== 17 && id !== 31),
    );
    assert.equal(report.skipped, 2);
    assert.equal(report.read, 38);
    assert.deepEqual(
      report.failures.map(({ line, by, reason }) => [line, by, reason]),
      [
        [18, 'reader', 'It is not JSON.'],
        [32, 'reader', 'It is not JSON.'],
      ],
    );
    assert.equal(failedText, '{"id":17\nnothing\n');
  });

  it('stop the run at the broken line with broken: stop', async () => {
    const text = lines(40).replace('{"id":17}', '{"id":17');
    const base = { broken: 'stop', format: 'ndjson', compression: 'none' } as const;
    const settings = { ...base, encoding: 'utf-8', labels: {} } as const;
    const { report, resumable } = await ran(text, invalid, { settings });
    assert.equal(report.outcome, 'stopped');
    assert.equal(report.problem, 'Line 18: It is not JSON.');
    assert.equal(report.skipped, 0);
    assert.equal(resumable, 1);
  });

  /** Rejects requests that contain one of these events. */
  const dislikes =
    (ids: readonly number[], message: (place: number) => string): Behave =>
    ({ lines }) => {
      const place = lines.findIndex((line) =>
        ids.includes((JSON.parse(line) as { id: number }).id),
      );
      if (place < 0) return { kind: 'store' };
      return { kind: 'answer', status: 400, body: { message: message(place) } };
    };

  for (const [name, message, requestsMax] of [
    ['line', (place: number) => `line ${place + 1}: bad`, 15],
    ['index', (place: number) => `invalid event at index ${place}: bad`, 15],
    ['nothing', () => 'Something in the request is bad.', 60],
    ['the wrong line', () => 'line 1: bad', 60],
  ] as const) {
    it(`are found if the service's error names ${name}`, async () => {
      const ids = [23, 24, 71];
      const { report, server, failedText } = await ran(lines(100), dislikes(ids, message), {
        batchEvents: 50,
      });
      assert.deepEqual(
        idsOf(server),
        upTo(100).filter((id) => !ids.includes(id)),
      );
      assert.equal(report.outcome, 'complete');
      assert.deepEqual(
        report.failures.map(({ line }) => line),
        [24, 25, 72],
      );
      // Batches aren't settled in order.
      assert.deepEqual(failedText?.split('\n').sort(), ['', '{"id":23}', '{"id":24}', '{"id":71}']);
      assert.ok(server.requests.length <= requestsMax, `${server.requests.length} requests`);
    });
  }

  it('stop the run if the service rejects every event', async () => {
    const { report, server } = await ran(
      lines(1_000),
      () => ({ kind: 'answer', status: 400, body: { message: 'The layout is not valid.' } }),
      { batchEvents: 100 },
    );
    assert.equal(report.outcome, 'stopped');
    assert.equal(report.problem, 'The layout is not valid.');
    assert.equal(report.failed, 0);
    assert.ok(server.requests.length < 80, `${server.requests.length} requests`);
  });

  const times = (id: number) => `,"_time":"2026-01-01T00:00:${String(id % 60).padStart(2, '0')}Z"`;

  it("are identified by the number in the local deployment's message", async () => {
    const { report, failedText } = await ran(lines(30), () => ({
      kind: 'partly',
      failed: ({ id }, place) =>
        id % 10 === 4 ? `event ${place + 1}: too many fields` : undefined,
    }));
    assert.deepEqual([report.stored, report.failed], [27, 3]);
    assert.deepEqual(
      report.failures.map(({ line, reason }) => [line, reason]),
      [5, 15, 25].map((line) => [line, 'too many fields']),
    );
    assert.deepEqual(report.reasons, [{ reason: 'too many fields', count: 3 }]);
    assert.deepEqual(failedText?.split('\n').sort(), ['', '{"id":14}', '{"id":24}', '{"id":4}']);
  });

  const failing =
    (fails: (index: number) => boolean): Behave =>
    (_, index) => ({
      kind: 'partly',
      failed: () => (fails(index) ? 'too many fields' : undefined),
    });

  it('stop the run after three consecutive requests without a stored event', async () => {
    await using place = await Place.create();
    let isFull = true;
    await using server = await StoringServer.start(failing(() => isFull));
    const job = await jobFor(place, lines(1_000), sinkTo(server.service()));
    const report = await (await startRun(job)).run();
    assertAddsUp(report);
    assert.equal(report.outcome, 'stopped');
    assert.equal(
      report.problem,
      'The service did not store any event of 3 requests in a row: too many fields. The rest was not sent.',
    );
    // Requests in flight at the third response are completed too.
    assert.ok(server.requests.length <= 5, `${server.requests.length} requests`);
    assert.deepEqual([report.stored, report.failed], [0, 10 * server.requests.length]);
    const rest = 10 * server.requests.length;
    assert.equal(report.resumeLine, rest + 1);

    isFull = false;
    const [saved] = await savedRuns(job.runsFolder ?? '');
    const resumed = await (await resumeRun(saved?.path ?? '', job)).run();
    assertAddsUp(resumed);
    assert.deepEqual(
      [resumed.outcome, resumed.stored, resumed.failed],
      ['complete', 1_000 - rest, rest],
    );
    assert.deepEqual(idsOf(server), upTo(1_000).slice(rest));
  });

  it("don't stop the run if other requests store events in between", async () => {
    const { report } = await ran(
      lines(300),
      failing((index) => index % 3 > 0),
    );
    assert.deepEqual([report.outcome, report.stored, report.failed], ['complete', 100, 200]);
  });

  it('are identified by their time if it is unique', async () => {
    const { report } = await ran(lines(30, times), () => ({
      kind: 'partly',
      failed: ({ id }) => (id === 12 ? 'too many fields' : undefined),
    }));
    assert.deepEqual(
      report.failures.map(({ line, among }) => [line, among]),
      [[13, undefined]],
    );
  });

  it('are reported with their candidates if several events have the same time', async () => {
    const same = () => ',"_time":"2026-01-01T00:00:07.5Z"';
    const { report, failedText } = await ran(lines(30, same), () => ({
      kind: 'partly',
      failed: ({ id }) => (id === 12 || id === 14 ? 'too many fields' : undefined),
    }));
    assert.equal(report.failed, 2);
    assert.deepEqual(report.failures, [
      {
        line: 11,
        lastLine: 20,
        reason: 'too many fields',
        text: '',
        by: 'service',
        among: { events: 10, count: 2 },
      },
    ]);
    assert.equal(failedText, undefined);
  });
});

describe('a run that is paused or canceled', () => {
  it('sends nothing while it is paused', async () => {
    await using place = await Place.create();
    await using server = await StoringServer.start();
    const run = await startRun(await jobFor(place, lines(500), sinkTo(server.service())));
    run.pause();
    const done = run.run();
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(server.requests.length, 0);
    assert.equal(run.progress.state, 'paused');
    run.resume();
    assert.equal((await done).stored, 500);
    assert.equal(run.progress.state, 'done');
  });

  it('waits for requests in flight on cancellation, so that no event is in doubt', async () => {
    await using place = await Place.create();
    await using server = await StoringServer.start(async (_, index) => {
      if (index === 5) run.cancel();
      await new Promise((resolve) => setTimeout(resolve, 30));
      return { kind: 'store' };
    });
    const run = await startRun(await jobFor(place, lines(500), sinkTo(server.service())));
    const report = await run.run();
    assertAddsUp(report);
    assert.equal(report.outcome, 'cancelled');
    assert.deepEqual(report.doubt, []);
    assert.equal(report.stored, server.stored.size);
    assert.equal(report.resumeLine, report.stored + 1);
  });

  it("reports a request as in doubt if it isn't answered in time after cancellation", async () => {
    await using place = await Place.create();
    await using server = await StoringServer.start(() => {
      run.cancel();
      return new Promise(() => {});
    });
    const run = await startRun(await jobFor(place, lines(500), sinkTo(server.service())));
    const report = await run.run();
    assertAddsUp(report);
    assert.deepEqual(report.doubt, [{ firstLine: 1, lastLine: 10, events: 10 }]);
    assert.equal(report.resumeLine, 11);
  });
});
