// The journal of a run: whichever record was the last to reach the disk, the run resumes without
// sending an event twice and reports the events in doubt.
import assert from 'node:assert/strict';
import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { RunReport } from '../../../ingest/src/contract.ts';
import { readJournal } from '../../../ingest/src/send/journal.ts';
import {
  deleteRun,
  describeResumePosition,
  journalsInProgress,
  savedRuns,
} from '../../../ingest/src/send/savedRuns.ts';
import { resumeRun, startRun } from '../../../ingest/src/send/startRun.ts';
import { assertMode } from '../../platform.ts';
import { assertAddsUp, fileSource, jobFor, lines, Place, sinkTo } from './running.ts';
import { type Behave, StoringServer } from './storingServer.ts';

/** Runs until the service fails permanently. Returns the remaining journal. */
async function endedEarly(place: Place, server: StoringServer, text: string) {
  const job = await jobFor(place, text, sinkTo(server.service()));
  const report = await (await startRun(job)).run();
  assertAddsUp(report);
  const [saved] = await savedRuns(job.runsFolder ?? '');
  assert.ok(saved);
  return { job, report, path: saved.path, saved };
}

const refusingFrom =
  (index: number): Behave =>
  (_, request) =>
    request >= index ? { kind: 'answer', status: 403 } : { kind: 'store' };

function assertStoredOnce({ stored }: StoringServer, count: number, report: RunReport): void {
  const inDoubt = (id: number) =>
    report.doubt.some(({ firstLine, lastLine }) => id + 1 >= firstLine && id + 1 <= lastLine);
  for (let id = 0; id < count; id += 1) {
    const times = stored.get(id) ?? 0;
    if (inDoubt(id)) assert.ok(times <= 1, `event ${id} is there ${times} times`);
    else assert.equal(times, 1, `event ${id}`);
  }
}

describe('a run that ended early', () => {
  it('is in progress while its process runs, and can be resumed afterwards', async () => {
    await using place = await Place.create();
    await using server = await StoringServer.start(refusingFrom(4));
    const { job, path } = await endedEarly(place, server, lines(200));
    const folder = job.runsFolder ?? '';
    await writeFile(`${path}.lock`, String(process.ppid));
    assert.deepEqual([await journalsInProgress([path]), await savedRuns(folder)], [[path], []]);
    await rm(`${path}.lock`);
    assert.deepEqual(await journalsInProgress([path]), []);
    assert.equal((await savedRuns(folder)).length, 1);
  });

  it('sends the remaining events when resumed, and reports all events', async () => {
    await using place = await Place.create();
    let accepts = false;
    await using server = await StoringServer.start((request, index) =>
      accepts ? { kind: 'store' } : refusingFrom(4)(request, index),
    );
    const { job, report, path, saved } = await endedEarly(place, server, lines(200));
    assert.equal(report.outcome, 'stopped');
    assert.equal(saved.resumeLine, report.resumeLine);
    assert.equal(saved.header.dataset, 'data');
    assertMode(path, 0o600);
    assert.doesNotMatch(await readFile(path, 'utf8'), /xaat/);
    accepts = true;
    const resumed = await (await resumeRun(path, job)).run();
    assertAddsUp(resumed);
    assert.equal(resumed.outcome, 'complete');
    assert.deepEqual([resumed.stored, resumed.read], [200, 200]);
    assertStoredOnce(server, 200, resumed);
    assert.deepEqual(await savedRuns(job.runsFolder ?? ''), []);
  });

  it('has the end of the file as its resume position if all events are stored', async () => {
    await using place = await Place.create();
    await using server = await StoringServer.start(refusingFrom(4));
    const { job, path } = await endedEarly(place, server, lines(200));
    const { state } = await readJournal(path);
    const { size } = job.file;
    assert.equal(state.isComplete(size), false);
    const none = { failures: [], reasons: [], failedFile: { bytes: 0 } };
    for (const batch of [...state.open.values()]) {
      const { batch: id, events } = batch;
      const ranges: [number, number][] = [[0, events]];
      const counts = { stored: events, failed: 0, skipped: 0, bytes: 0, durationMs: 0 };
      state.apply({ type: 'settled', batch: id, ranges, ...counts, messages: [], ...none });
    }
    state.apply({
      type: 'read',
      batch: state.next!.batch,
      start: state.next!,
      end: { ...state.next!, stored: size, line: 201 },
      ...{ events: 0, skipped: 0, firstLine: 201, lastLine: 201 },
      ...none,
    });
    assert.equal(state.isComplete(size), true);
    assert.equal(describeResumePosition({}), 'the end of the file');
  });

  it("can't be resumed with a changed file, and the reason is reported", async () => {
    await using place = await Place.create();
    await using server = await StoringServer.start(refusingFrom(2));
    const { job, path } = await endedEarly(place, server, lines(100));
    const file = job.file.path ?? '';
    await appendFile(file, '{"id":100}\n');
    const changed = { ...job, file: await fileSource('events.ndjson', file) };
    await assert.rejects(
      resumeRun(path, changed),
      /events\.ndjson has changed since the run started: it had 990 bytes and now has 1,001 bytes\./,
    );
    await writeFile(file, lines(100).replace('{"id":0}', '{"id":7}'));
    const same = { ...job, file: await fileSource('events.ndjson', file) };
    await assert.rejects(resumeRun(path, same), /its content differs/);
    await writeFile(file, lines(100));
    const saved = { ...job, file: { ...job.file, modified: 1 } };
    await assert.rejects(resumeRun(path, saved), /it was saved again/);
  });

  it('cannot be resumed twice at the same time', async () => {
    await using place = await Place.create();
    await using server = await StoringServer.start(refusingFrom(2));
    const { job, path } = await endedEarly(place, server, lines(100));
    const run = await resumeRun(path, job);
    await assert.rejects(resumeRun(path, job), /already in progress/);
    assert.deepEqual(await savedRuns(job.runsFolder ?? ''), []);
    await run.run();
    assert.equal((await savedRuns(job.runsFolder ?? '')).length, 1);
  });

  it("can't be resumed after its deletion", async () => {
    await using place = await Place.create();
    await using server = await StoringServer.start(refusingFrom(2));
    const { job, path } = await endedEarly(place, server, lines(100));
    await deleteRun(path);
    assert.deepEqual(await savedRuns(job.runsFolder ?? ''), []);
    await assert.rejects(resumeRun(path, job), /ENOENT/);
  });

  it('is not deleted while another window resumes it', async () => {
    await using place = await Place.create();
    await using server = await StoringServer.start(refusingFrom(2));
    const { job, path } = await endedEarly(place, server, lines(100));
    const run = await resumeRun(path, job);
    await deleteRun(path);
    await assert.rejects(resumeRun(path, job), /already in progress/);
    await run.run();
    assert.equal((await savedRuns(job.runsFolder ?? '')).length, 1);
  });

  for (const [name, edit, expected] of [
    ['was fixed and is shorter', () => '{"id":1,"fixed":1}\n', '{"id":1,"fixed":1}\n'],
    [
      'was fixed and is longer',
      (text: string) => text.replaceAll('{', '{"fixed":true,'),
      '{"fixed":true,"id":1}\n{"fixed":true,"id":11}\n',
    ],
    ['was deleted', () => undefined, ''],
    [
      'has more events than the journal, after a crash',
      (text: string) => `${text}{"id":99}\n`,
      '{"id":1}\n{"id":11}\n',
    ],
  ] as const) {
    it(`appends to the file of failed events on resume if it ${name}`, async () => {
      await using place = await Place.create();
      let accepts = false;
      await using server = await StoringServer.start((_, index) =>
        accepts || index < 2
          ? {
              kind: 'partly',
              failed: ({ id }, place) => (id % 10 === 1 ? `event ${place + 1}: No.` : undefined),
            }
          : { kind: 'answer', status: 403 },
      );
      const { job, report, path } = await endedEarly(place, server, lines(40));
      const failed = report.failedFile ?? '';
      const edited = edit(await readFile(failed, 'utf8'));
      if (edited === undefined) await rm(failed);
      else await writeFile(failed, edited);
      accepts = true;
      const resumed = await (await resumeRun(path, job)).run();
      assertAddsUp(resumed);
      assert.deepEqual([resumed.outcome, resumed.stored, resumed.failed], ['complete', 36, 4]);
      assert.equal(await readFile(failed, 'utf8'), `${expected}{"id":21}\n{"id":31}\n`);
    });
  }

  it('stops on resume if its dataset was deleted, and reports the lost events', async () => {
    await using place = await Place.create();
    let accepts = false;
    await using server = await StoringServer.start((request, index) =>
      accepts ? { kind: 'store' } : refusingFrom(4)(request, index),
    );
    const { job, report, path } = await endedEarly(place, server, lines(200));
    accepts = true;
    server.datasetExists = false;
    const resumed = await (await resumeRun(path, job)).run();
    assertAddsUp(resumed);
    assert.equal(resumed.outcome, 'stopped');
    assert.equal(
      resumed.problem,
      `data was deleted after ${report.stored} events were stored in it. Ingest the file as a new run.`,
    );
    assert.deepEqual(server.others, []);
  });

  it('reports its original start time after it is resumed', async () => {
    await using place = await Place.create();
    let accepts = false;
    await using server = await StoringServer.start((request, index) =>
      accepts ? { kind: 'store' } : refusingFrom(4)(request, index),
    );
    const { job, report, path, saved } = await endedEarly(place, server, lines(200));
    accepts = true;
    const resumed = await (await resumeRun(path, job)).run();
    assert.equal(report.startedAt, saved.header.startedAt);
    assert.equal(resumed.startedAt, saved.header.startedAt);
  });

  it("can't be resumed if its journal is damaged", async () => {
    await using place = await Place.create();
    await using server = await StoringServer.start(refusingFrom(2));
    const { job, path } = await endedEarly(place, server, lines(100));
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('"type":"sent"', '"type":'));
    await assert.rejects(resumeRun(path, job), /is damaged.*Delete the run/);
  });
});

describe('a journal truncated by a crash', () => {
  it('resumes at any truncation without storing an event twice', async () => {
    const count = 60;
    const text = lines(count).replace('{"id":25}', '{"id":25');
    const behave: Behave = ({ lines }) => {
      const broken = lines.some((line) => !line.endsWith('}'));
      return broken ? { kind: 'answer', status: 400 } : { kind: 'store' };
    };
    // The complete journal remains, because the service rejects the last request.
    await using place = await Place.create();
    await using server = await StoringServer.start((request, index) =>
      request.text.includes('"id":59') ? { kind: 'answer', status: 403 } : behave(request, index),
    );
    const { path, job, report } = await endedEarly(place, server, text);
    const whole = await readFile(path);
    const failedText = await readFile(report.failedFile ?? '', 'utf8');
    const journal = await readJournal(path);
    const ends = [...whole.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at + 1);
    // Also truncates in the middle of a record.
    const cuts = ends.flatMap((end) => [end, end + 7]).filter((cut) => cut <= whole.length);
    let doubts = 0;
    for (const cut of cuts) {
      await writeFile(path, whole);
      await writeFile(report.failedFile ?? '', failedText);
      const records = whole.subarray(0, cut).toString().split('\n').slice(0, -1);
      await truncate(path, cut);
      // The events that the service had stored by then: at least the settled ones, at most the sent
      // ones.
      await using later = await StoringServer.start(behave);
      const requests = new Map<number, number[]>();
      for (const line of records.slice(1)) {
        const record = JSON.parse(line) as {
          type: string;
          request: number;
          batch: number;
          stored: number;
          ranges: [number, number][];
        };
        const ids = (record.ranges ?? []).flatMap(([from, to]) =>
          Array.from({ length: to - from }, (_, at) => record.batch * 10 + from + at),
        );
        if (record.type === 'sent') requests.set(record.request, ids);
        if (record.type === 'returned' || record.stored === 0) requests.delete(record.request);
      }
      for (const id of [...requests.values()].flat()) later.stored.set(id, 1);
      later.stored.delete(25);
      const resumed = await (
        await resumeRun(path, { ...job, sink: sinkTo(later.service()) })
      ).run();
      assertAddsUp(resumed);
      assert.equal(resumed.outcome, 'complete', `cut at ${cut}: ${resumed.problem}`);
      later.stored.set(25, 1);
      assertStoredOnce(later, count, resumed);
      doubts += resumed.doubt.length;
      const doubtful = resumed.doubt.some(
        ({ firstLine, lastLine }) => firstLine <= 26 && lastLine >= 26,
      );
      if (!doubtful) {
        assert.equal(resumed.skipped, 1);
        assert.equal(await readFile(resumed.failedFile ?? '', 'utf8'), '{"id":25\n');
      }
    }
    assert.ok(doubts > 0);
    assert.equal(journal.header.dataset, 'data');
  });
});
