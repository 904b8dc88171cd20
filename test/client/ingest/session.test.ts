// Sessions of the ingest page, without the page: concurrent requests, and files that change meanwhile.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, describe, it } from 'node:test';
import type { SessionEffects } from '../../../client/src/ingest/host/effects.ts';
import { doubledQuestion } from '../../../client/src/ingest/host/endedRuns.ts';
import type {
  FinishedReport,
  IngestInput,
  Run,
  RunJob,
} from '../../../client/src/ingest/host/engine.ts';
import { IngestSession } from '../../../client/src/ingest/host/session.ts';
import { isIncluded } from '../../../client/src/ingest/host/sessionState.ts';
import { reportCounts, reportHeadline } from '../../../client/src/ingest/reportText.ts';
import { fallbackTimeRange } from '../../../client/src/time/timeRange.ts';
import { FileProblem, type FileSource } from '../../../ingest/src/contract.ts';
import { previewFile } from '../../../ingest/src/preview/previewFile.ts';
import { diskSource, memorySource } from '../../../ingest/src/read/sources.ts';
import type { SavedRun } from '../../../ingest/src/send/savedRuns.ts';

const folder = mkdtempSync(join(tmpdir(), 'aplomb-session-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const settings = {
  format: 'ndjson',
  compression: 'none',
  encoding: 'utf-8',
  labels: {},
  broken: 'skip',
} as const;
const saved = { path: 'saved.run', dataset: 'data', settings };

function reportOf(job: RunJob, more: Partial<FinishedReport> = {}): FinishedReport {
  return {
    file: job.source.name,
    dataset: job.dataset,
    outcome: 'complete',
    read: 1,
    stored: 1,
    failed: 0,
    unsent: 0,
    skipped: 0,
    bytes: 1,
    durationMs: 1_000,
    failures: [],
    reasons: [],
    doubt: [],
    messages: [],
    ...more,
  };
}

interface Given {
  readonly input: IngestInput;
  /** Further files. */
  readonly others?: readonly IngestInput[];
  readonly arrivedSpan?: SessionEffects['arrivedSpan'];
  readonly send?: (job: RunJob) => Promise<FinishedReport>;
  readonly connect?: (job: Parameters<SessionEffects['connect']>[0]) => Promise<void>;
  readonly openFailed?: SessionEffects['openFailed'];
  readonly actionsFor?: SessionEffects['actionsFor'];
  /** The dataset that was chosen before, null for none. */
  readonly dataset?: string | null;
}

function open({
  input,
  others = [],
  arrivedSpan = async () => undefined,
  send = async (job) => reportOf(job),
  connect = async () => {},
  openFailed = async () => {},
  actionsFor = () => [],
  dataset = 'data',
}: Given) {
  const sent: RunJob[] = [];
  const checked: RunJob[] = [];
  const arrived: unknown[] = [];
  const posted: { readonly name: string; readonly content: unknown }[] = [];
  const ran: string[] = [];
  const listeners = new Set<(message: unknown) => void>();
  const running =
    (list: RunJob[]) =>
    (job: RunJob): Run => {
      list.push(job);
      const none = () => undefined;
      return { pause: none, resume: none, cancel: none, report: send(job) };
    };
  const effects: Partial<SessionEffects> = {
    datasets: async () => ['data', 'other'],
    targetSchema: async () => undefined,
    connect: async (job) => {
      await connect(job);
      return { run: running(sent), end: async () => undefined };
    },
    arrivedSpan,
    currentRange: () => ({ range: fallbackTimeRange, zone: 'utc', now: Date.now() }),
    queryArrived: async (events) => void arrived.push(events),
    openFailed,
    actionsFor,
    runAction: ({ command, arguments: given = [] }) => void ran.push([command, ...given].join(' ')),
    ended: async () => undefined,
  };
  const session = new IngestSession({
    inputs: [input, ...others],
    engine: {
      preview: (source, choices, target, signal) => previewFile(source, choices, target, signal),
      check: running(checked),
    },
    effects: effects as SessionEffects,
    deployment: 'Local',
    production: false,
    ...(dataset !== null && { dataset }),
    onProblem: () => {},
  });
  session.attach({
    post: (message) => void posted.push(message as (typeof posted)[number]),
    onMessage: (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  });
  const say = (name: string, content: unknown) => {
    for (const listener of listeners) listener({ kind: 'event', name, content });
  };
  return { session, sent, checked, arrived, posted, ran, say };
}

async function until(reached: () => boolean): Promise<void> {
  for (const end = Date.now() + 5_000; !reached(); ) {
    assert.ok(Date.now() < end, 'it did not come to it');
    await new Promise((done) => setTimeout(done, 5));
  }
}

/** Creates a file that cannot be read. */
const unreadableSource = (name: string): FileSource => ({
  name,
  size: 0,
  open: () =>
    new Readable({
      read: () => {},
      construct: (done) => done(new FileProblem(`${name} is a folder.`)),
    }),
});

const memory = (more: Partial<IngestInput> = {}): IngestInput => ({
  source: memorySource('a.ndjson', '{"a":1}\n'),
  included: true,
  ...more,
});

describe('a session of the ingest page', () => {
  it('resumes a run once, even if requested several times', async () => {
    let connects = 0;
    const { session, sent, say } = open({
      input: memory(),
      send: async (job) =>
        job.resume === undefined
          ? reportOf(job, { outcome: 'stopped', resumable: 'a.run' })
          : reportOf(job),
      connect: async () => {
        connects += 1;
        await new Promise((done) => setTimeout(done, 20));
      },
    });
    await session.start('ingest');
    say('resumeRun', { file: 0 });
    say('resumeRun', { file: 0 });
    await until(() => connects === 2 && session.state.phase === 'report' && sent.length > 1);
    await new Promise((done) => setTimeout(done, 60));
    assert.deepEqual(
      sent.map(({ resume }) => resume),
      [undefined, 'a.run'],
    );
  });

  it('excludes an unreadable file, and names the dataset after the next one', async () => {
    const { session, sent } = open({
      dataset: null,
      input: memory({ source: unreadableSource('photos') }),
      others: [memory({ source: memorySource('good.ndjson', '{"a":1}\n') })],
    });
    await session.begin();
    assert.deepEqual(
      session.files.map((file) => [file.source.name, isIncluded(file)]),
      [
        ['photos', false],
        ['good.ndjson', true],
      ],
    );
    assert.equal(session.state.dataset, 'good');
    await session.start('ingest');
    assert.deepEqual(
      sent.map(({ source }) => source.name),
      ['good.ndjson'],
    );
  });

  it('keeps the dataset that the user chose, even if it has the name of an unreadable file', async () => {
    const { session } = open({
      dataset: 'photos',
      input: memory({ source: unreadableSource('photos') }),
      others: [memory()],
    });
    await session.begin();
    assert.equal(session.state.dataset, 'photos');
  });

  it('includes an unreadable file again once other settings make it readable', async () => {
    const { session, say } = open({
      input: memory(),
      others: [memory()],
    });
    const isFirstIncluded = () => session.files.slice(0, 1).some(isIncluded);
    await session.begin();
    say('choose', { file: 0, choices: { compression: 'gzip' } });
    await until(() => !isFirstIncluded());
    say('choose', { file: 0, choices: { compression: 'none' } });
    await until(isFirstIncluded);
  });

  it('sends small files concurrently, and queries the time span of all files once', async () => {
    const inputs = Array.from({ length: 20 }, (_, n) =>
      memory({ source: memorySource(`f${n}.ndjson`, '{"_time":"2026-01-01T00:00:00Z"}\n') }),
    );
    const [input, ...others] = inputs as [IngestInput, ...IngestInput[]];
    const ends: (() => void)[] = [];
    let areHeld = true;
    let spans = 0;
    const { session, sent } = open({
      input,
      others,
      send: async (job) => {
        if (areHeld) await new Promise<void>((end) => ends.push(end));
        return reportOf(job);
      },
      arrivedSpan: async () => {
        spans += 1;
        return { events: 20, first: '2026-01-01T00:00:00Z', last: '2026-01-02T00:00:00Z' };
      },
    });
    await session.begin();
    const run = session.start('ingest');
    await until(() => ends.length > 2);
    areHeld = false;
    for (const end of ends) end();
    await run;
    assert.equal(sent.length, 20);
    assert.equal(spans, 1);
    const { report } = session.state;
    assert.ok(report);
    assert.match(reportHeadline(report), /^Ingested 20 of 20 files/);
    const times = reportCounts(report).find(({ label }) => label === 'Times');
    assert.match(times?.value ?? '', /2026-01-02/);
    assert.equal(session.files.at(-1)?.report?.lastTime, '2026-01-02T00:00:00Z');
  });

  it('does not send all files to the page again after each file of a run', async () => {
    const inputs = Array.from({ length: 50 }, (_, n) =>
      memory({ source: memorySource(`f${n}.ndjson`, '{"a":1}\n') }),
    );
    const [input, ...others] = inputs as [IngestInput, ...IngestInput[]];
    const { session, sent, posted } = open({
      input,
      others,
      send: async (job) => {
        if (job.source.name === 'f3.ndjson') throw new Error('The connection broke.');
        return reportOf(job);
      },
    });
    await session.begin();
    let changes = 0;
    session.onDidChange(() => {
      changes += 1;
    });
    posted.length = 0;
    await session.start('ingest');
    assert.equal(sent.length, 50);
    const count = (name: string) => posted.filter((one) => one.name === name).length;
    assert.deepEqual([count('screen'), count('report')], [3, 1]);
    assert.ok(changes >= 50, 'listeners are notified of each file');
    assert.equal(session.files[3]?.report?.problem, 'The connection broke.');
  });

  it('shows the current size of a file that grew before its run was resumed', async () => {
    const path = join(folder, 'grown.ndjson');
    writeFileSync(path, '{"a":1}\n');
    const reopen = () => diskSource(path);
    const { session, say, posted } = open({
      input: { source: await reopen(), reopen, included: true, resume: saved },
    });
    await session.begin();
    writeFileSync(path, '{"a":1}\n{"a":2}\n');
    posted.length = 0;
    await session.start('ingest');
    say('back', null);
    const shown = posted.findLast(({ name }) => name === 'file');
    assert.ok(shown);
    assert.equal((shown.content as { size: number }).size, 16);
  });

  it('runs only commands that are actions of a report, with their arguments', async () => {
    const { session, ran } = open({
      input: memory(),
      actionsFor: () => [{ label: 'Change Token', command: 'changeToken', arguments: ['EU'] }],
    });
    await session.start('ingest');
    session.runAction('deleteEverything');
    session.runAction('changeToken');
    assert.deepEqual(ran, ['changeToken EU']);
  });

  it('resumes the saved run of a file after a check, instead of sending it from the start', async () => {
    const { session, sent, checked } = open({ input: memory({ resume: saved }) });
    await session.begin();
    await session.start('check');
    await session.start('ingest');
    assert.equal(checked.length, 1);
    assert.deepEqual(
      sent.map(({ resume }) => resume),
      ['saved.run'],
    );
  });

  it('tries to resume a run again after that failed, instead of sending from the start', async () => {
    let fails = true;
    const { session, sent } = open({
      input: memory({ resume: saved }),
      send: async (job) => {
        if (fails) throw new Error('The run is already in progress, here or in another window.');
        return reportOf(job);
      },
    });
    await session.begin();
    await session.start('ingest');
    fails = false;
    await session.start('ingest');
    assert.deepEqual(
      sent.map(({ resume }) => resume),
      ['saved.run', 'saved.run'],
    );
  });

  it('sends a file from the start if another dataset is chosen than that of its saved run', async () => {
    const { session, sent, say } = open({ input: memory({ resume: saved }) });
    await session.begin();
    say('setDataset', { dataset: 'other' });
    await session.start('ingest');
    assert.deepEqual(
      sent.map(({ dataset, resume }) => [dataset, resume]),
      [['other', undefined]],
    );
  });

  it('previews and sends the current content of a saved file', async () => {
    const path = join(folder, 'a.csv');
    writeFileSync(path, 'a\n1\n2\n');
    const reopen = () => diskSource(path);
    const { session, sent } = open({
      input: { source: await reopen(), reopen, included: true },
    });
    await session.begin();
    writeFileSync(path, 'a,b\n1,x\n2,y\n3,z\n');
    utimesSync(path, new Date(), new Date(Date.now() + 5_000));
    await session.start('ingest');
    const [job] = sent;
    assert.equal(job?.source.size, 16);
    assert.equal(session.files[0]?.preview?.fields.length, 3);
  });

  it('passes the files that are sent from the start to the connection, but not resumed ones', async () => {
    const path = join(folder, 'b.ndjson');
    writeFileSync(path, '{"a":1}\n');
    const fresh: (readonly string[])[] = [];
    const { session, sent, say } = open({
      input: { source: await diskSource(path), included: true },
      send: async (job) => reportOf(job, { outcome: 'stopped', resumable: 'b.run' }),
      connect: async (job) => void fresh.push(job.fresh),
    });
    await session.begin();
    await session.start('ingest');
    say('resumeRun', { file: 0 });
    await until(() => sent.length === 2 && session.state.phase === 'report');
    say('back', null);
    await session.start('ingest');
    assert.deepEqual(fresh, [[path], [], [path]]);
  });

  it('opens the file of failed events with the settings of the original file', async () => {
    const failed: unknown[] = [];
    const { session, say } = open({
      input: {
        source: memorySource('a.csv', 'day,zip\n25/12/2024,0123\n03/04/2025,4567\n'),
        included: true,
      },
      send: async (job) => reportOf(job, { failed: 1, failedFile: '/a.failed.csv' }),
      openFailed: async (path, from) => void failed.push({ path, ...from }),
    });
    await session.begin();
    await session.start('ingest');
    say('openFailed', { file: 0 });
    await until(() => failed.length === 1);
    // From the failed row alone, the order of day and month and the leading zero of the number are unknown.
    assert.deepEqual(failed, [
      {
        path: '/a.failed.csv',
        dataset: 'data',
        choices: {
          format: 'csv',
          csv: { delimiter: ',', header: true, types: { day: 'string', zip: 'string' } },
          time: {
            field: 'day',
            format: { kind: 'layout', layout: '02/01/2006' },
            zone: 'UTC',
          },
          labels: {},
        },
      },
    ]);
  });

  it('asks before sending a file from the start if an earlier run stored events of it', () => {
    const run = {
      path: 'b.run',
      header: {
        file: { name: 'b.ndjson', path: '/b.ndjson' },
        dataset: 'data',
        deployment: 'Local',
      },
      stored: 12_000,
      doubt: [],
      resumeLine: 12_001,
    } as unknown as SavedRun;
    const files = { paths: ['/b.ndjson'], dataset: 'data', deployment: 'Local' };
    assert.deepEqual(doubledQuestion([run], files), {
      message: 'Send b.ndjson from the start?',
      detail:
        "An earlier ingest into 'data' ended at line 12,001 after storing 12,000 events, which would be stored twice. To continue it, cancel and run the command Resume Ingest….",
    });
    for (const other of [{ paths: ['/c'] }, { dataset: 'other' }, { deployment: 'Prod' }]) {
      assert.equal(doubledQuestion([run], { ...files, ...other }), undefined);
    }
  });

  it('queries arrived events from the start of the first part of a resumed run', async () => {
    const startedAt = '2026-01-01T00:00:00.000Z';
    const { session, arrived } = open({
      input: memory({ resume: saved }),
      send: async (job) => reportOf(job, { startedAt }),
    });
    await session.start('ingest');
    const report = session.files[0]?.report as FinishedReport;
    assert.equal(session.sentAt(report).from, Date.parse(startedAt));
    await session.queryArrived();
    assert.equal((arrived[0] as { from: number }).from, Date.parse(startedAt));
  });
});
