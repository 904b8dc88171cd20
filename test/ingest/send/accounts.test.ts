// Sends random files to a randomly failing service, in runs that are canceled and resumed. In every
// report, the counts add up, and each event has the reported state: stored once, failed and not
// stored, or in doubt.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import type { RunReport } from '../../../ingest/src/contract.ts';
import { batchReader } from '../../../ingest/src/read/reader.ts';
import { savedRuns } from '../../../ingest/src/send/savedRuns.ts';
import { type NewRun, resumeRun, startRun } from '../../../ingest/src/send/startRun.ts';
import type { ReadSettings } from '../../../ingest/src/settings.ts';
import { type Random, random } from '../../local/random.ts';
import { assertAddsUp, jobFor, ndjson, Place, quick, sinkTo } from './running.ts';
import { type Behave, type Behavior, type StoredEvent, StoringServer } from './storingServer.ts';

const SEEDS = process.env['APLOMB_LONG'] === '1' ? 1_500 : 100;
const ROUNDS_MAX = 12;

const csv: ReadSettings = {
  ...ndjson,
  format: 'csv',
  csv: { delimiter: ',', header: true, names: [], types: { id: 'integer' } },
};

/** A file in one of two formats, as lines with ids from 0, some of which are broken. */
interface RandomFile {
  readonly settings: ReadSettings;
  readonly text: string;
  readonly count: number;
  /** Number of lines before the first event. */
  readonly headLines: number;
  readonly broken: ReadonlySet<number>;
  readonly lineOf: (id: number) => string;
}

function randomFile(next: Random): RandomFile {
  const count = 1 + next(300);
  const isCsv = next(3) === 0;
  const broken = new Set(Array.from({ length: next(4) }, () => next(count)));
  const sameTimes = next(2) === 0;
  const time = (id: number) =>
    `2026-01-01T00:${String(sameTimes ? 0 : Math.floor(id / 60)).padStart(2, '0')}:${String(sameTimes ? id % 3 : id % 60).padStart(2, '0')}Z`;
  const lineOf = (id: number) => {
    if (isCsv) return broken.has(id) ? `${id},"a"b,x` : `${id},${time(id)},x`;
    const line = `{"id":${id},"_time":"${time(id)}"}`;
    return broken.has(id) ? line.slice(0, -1) : line;
  };
  const lines = Array.from({ length: count }, (_, id) => `${lineOf(id)}\n`).join('');
  const settings = isCsv ? csv : ndjson;
  const head = isCsv ? 'id,_time,text\n' : '';
  return { settings, text: head + lines, count, headLines: isCsv ? 1 : 0, broken, lineOf };
}

/**
 * Returns a service behavior. The rejected events are the same in all rounds, but connection
 * failures are random.
 */
function randomBehavior(next: Random, count: number): Behave {
  const poisons = new Set(next(3) === 0 ? Array.from({ length: next(4) }, () => next(count)) : []);
  const rejects = new Set(next(3) === 0 ? Array.from({ length: next(9) }, () => next(count)) : []);
  const eventsMax = next(4) === 0 ? 1 + next(20) : Number.POSITIVE_INFINITY;
  const naming = next(4);
  const trouble = next(2) === 0 ? next(40) : 0;
  return ({ lines }): Behavior => {
    if (next(100) < trouble) return randomTrouble(next);
    if (lines.length > eventsMax) return { kind: 'answer', status: 413 };
    const events = lines.map(parsed);
    const bad = events.findIndex((event) => event === undefined || poisons.has(event.id));
    if (bad >= 0) {
      const message =
        ['The request is not valid.', `event ${bad + 1}: bad`, `line ${bad + 1}: bad`][naming] ??
        'line 1: bad';
      return { kind: 'answer', status: 400, body: { message } };
    }
    const error = (place: number) => (naming % 2 === 0 ? `event ${place + 1}: no` : 'no');
    return {
      kind: 'partly',
      failed: ({ id }, place) => (rejects.has(id) ? error(place) : undefined),
    };
  };
}

function randomTrouble(next: Random): Behavior {
  switch (next(7)) {
    case 0:
      return { kind: 'answer', status: 429, headers: { 'retry-after': '0' } };
    case 1:
      return { kind: 'answer', status: 503 };
    case 2:
      return { kind: 'answer', status: 500 };
    case 3:
      return { kind: 'answer', status: 403 };
    case 4:
      return { kind: 'answer', status: 404 };
    default:
      return { kind: 'cut', stored: next(2) === 0 };
  }
}

function parsed(line: string): StoredEvent | undefined {
  try {
    return JSON.parse(line) as StoredEvent;
  } catch {
    return undefined;
  }
}

async function assertTrue(
  report: RunReport,
  file: RandomFile,
  { stored }: StoringServer,
  label: string,
): Promise<void> {
  assertAddsUp(report);
  const within = (id: number, { firstLine, lastLine }: { firstLine: number; lastLine: number }) => {
    const line = id + 1 + file.headLines;
    return line >= firstLine && line <= lastLine;
  };
  const named = report.failures.filter(({ among }) => among === undefined);
  const vague = report.failures.filter(({ among }) => among !== undefined);
  const failedIds = new Set(named.map(({ line }) => line - 1 - file.headLines));
  assert.equal(failedIds.size, named.length, `${label}: an event failed twice`);
  let certain = 0;
  for (let id = 0; id < file.count; id += 1) {
    const times = stored.get(id) ?? 0;
    const where = `${label}: event ${id} is there ${times} times`;
    assert.ok(times <= 1, where);
    const mayBeThere =
      report.doubt.some((range) => within(id, range)) ||
      vague.some(({ line, lastLine }) => within(id, { firstLine: line, lastLine }));
    if (failedIds.has(id)) assert.equal(times, 0, where);
    else if (!mayBeThere && report.outcome === 'complete') assert.equal(times, 1, where);
    if (times === 1) certain += 1;
  }
  const doubtful = report.doubt.reduce((sum, { events }) => sum + events, 0);
  assert.ok(report.stored <= certain && certain <= report.stored + doubtful, label);
  const isVague = vague.reduce((sum, { among }) => sum + (among?.count ?? 0), 0);
  assert.equal(named.length + isVague, report.failed + report.skipped, label);
  if (report.outcome === 'complete') assert.equal(report.read + report.skipped, file.count, label);
  // The events that are known not to be stored, as in the file.
  const text = report.failedFile === undefined ? '' : await readFile(report.failedFile, 'utf8');
  const lines = text.split('\n').slice(0, -1);
  if (file.headLines === 1 && lines.length > 0) assert.equal(lines.shift(), 'id,_time,text', label);
  const expected = [...failedIds].map((id) => file.lineOf(id));
  assert.deepEqual(lines.sort(), expected.sort(), label);
}

async function runSeed(seed: number): Promise<void> {
  const next = random(seed);
  const file = randomFile(next);
  await using place = await Place.create();
  await using server = await StoringServer.start(randomBehavior(next, file.count));
  const job = await jobFor(place, file.text, sinkTo(server.service()));
  const parts: NewRun = {
    ...job,
    openReader: (source, settings, limits) => batchReader(source, settings, limits),
    settings: file.settings,
    maxInFlight: 1 + next(4),
    limits: { events: 1 + next(40), bytes: 100_000, eventBytes: 100_000 },
    encoding: (['identity', 'gzip', 'zstd'] as const)[next(3)] ?? 'identity',
    retryLimits: { ...quick, cancelGraceMs: next(3) },
  };
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const [saved] = await savedRuns(job.runsFolder ?? '');
    if (!saved && server.stored.size > 0) return;
    const run = saved ? await resumeRun(saved.path, parts) : await startRun(parts);
    if (next(3) === 0) setTimeout(() => run.cancel(), next(30));
    const report = await run.run();
    await assertTrue(report, file, server, `seed ${seed}, round ${round}`);
    if (report.outcome === 'complete') return;
  }
}

it(`the counts of ${SEEDS} random runs add up and match the stored events`, async () => {
  let seed = 0;
  const worker = async () => {
    while (seed < SEEDS) await runSeed(++seed);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
});
