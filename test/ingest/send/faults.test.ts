// Sends files to a local deployment over connections that are cut, rejected or slow, and resumes
// the runs until they are complete. Every event is stored exactly once, except for events in doubt,
// which are stored at most once.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { directDispatcher } from '../../../client/src/deployments/network.ts';
import { serviceSink } from '../../../client/src/ingest/serviceSink.ts';
import { Service } from '../../../client/src/service/service.ts';
import type { RunReport, Sink } from '../../../ingest/src/contract.ts';
import { batchReader } from '../../../ingest/src/read/reader.ts';
import type { IngestRun } from '../../../ingest/src/send/run.ts';
import { savedRuns } from '../../../ingest/src/send/savedRuns.ts';
import { type NewRun, resumeRun, startRun } from '../../../ingest/src/send/startRun.ts';
import { call, Processes, type Running } from '../../local/processes.ts';
import { type Random, random } from '../../local/random.ts';
import { CuttingProxy, randomPlan } from './cuttingProxy.ts';
import { assertAddsUp, ndjson, Place, quick } from './running.ts';

const isLong = process.env['APLOMB_LONG'] === '1';
/** Number of runs over cut connections, higher with APLOMB_LONG. */
const CUT_SEEDS = isLong ? 300 : 12;
const KILL_SEEDS = isLong ? 40 : 3;
const AT_ONCE = 4;
const EVENTS = 300;
/** Enough events that a process killed three times does not finish. */
const KILLED_EVENTS = 2_000;
const BATCH_EVENTS = 20;
const LINE_BYTES = 60;

let processes: Processes;
let deployment: Running;

before(async () => {
  processes = await Processes.create();
  deployment = await processes.start('data');
});

after(() => processes.dispose());

const portOf = ({ url }: Running) => Number(new URL(url).port);

function sinkVia(url: () => string, token: () => string, dataset: string): Sink & AsyncDisposable {
  const dispatcher = directDispatcher();
  const service = async () => {
    const address = url();
    const connection = { general: address, edge: address, dispatcher };
    return { ok: true, value: new Service({ ...connection, token: async () => token() }) } as const;
  };
  return {
    ...serviceSink({ dataset, service }),
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
  };
}

/** Returns lines with ids from 0, some of which are broken. */
function linesOf(broken: ReadonlySet<number>, count = EVENTS): string {
  return Array.from({ length: count }, (_, id) => {
    const line = `{"id":${id},"text":"${'x'.repeat(id % 40)}"}`;
    return `${broken.has(id) ? line.slice(0, -1) : line}\n`;
  }).join('');
}

async function jobOf(place: Place, text: string, sink: Sink, dataset: string): Promise<NewRun> {
  return {
    file: await place.file('events.ndjson', text),
    openReader: (file, settings, limits) => batchReader(file, settings, limits),
    sink,
    retryLimits: quick,
    dataset,
    deployment: 'Local',
    settings: ndjson,
    limits: { events: BATCH_EVENTS, bytes: 1_000_000, eventBytes: 1_000_000 },
    encoding: 'identity',
    runsFolder: join(place.folder, 'runs'),
    failedFolder: place.folder,
  };
}

/** Queries the number of times that each id is stored. */
async function storedTimes(running: Running, dataset: string): Promise<Map<number, number>> {
  const apl = `['${dataset}'] | summarize times = count() by id | limit 10000`;
  const range = { startTime: '2000-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' };
  const body = JSON.stringify({ apl, ...range });
  const answer = await call(running, 'POST', '/v1/query/_apl?format=tabular', body);
  if (answer.status === 404) return new Map();
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const table = answer.body.tables.at(-1);
  const column = (name: string) =>
    table.columns[table.fields.findIndex((field: { name: string }) => field.name === name)];
  const ids = (column('id') ?? []) as number[];
  return new Map(ids.map((id, row) => [id, column('times')[row]]));
}

interface Expected {
  readonly running: Running;
  readonly dataset: string;
  readonly broken: ReadonlySet<number>;
  readonly events?: number;
  readonly label: string;
}

async function assertAllThere(
  report: RunReport,
  expected: Expected,
): Promise<Pick<CutRun, 'doubtful' | 'doubtfulStored'>> {
  const { running, dataset, broken, events = EVENTS, label } = expected;
  assertAddsUp(report);
  assert.equal(report.outcome, 'complete', `${label}: ${report.problem}`);
  const times = await storedTimes(running, dataset);
  const inDoubt = (line: number) =>
    report.doubt.some(({ firstLine, lastLine }) => line >= firstLine && line <= lastLine);
  for (let id = 0; id < events; id += 1) {
    const found = times.get(id) ?? 0;
    if (broken.has(id)) assert.equal(found, 0, `${label}: broken event ${id}`);
    else if (inDoubt(id + 1))
      assert.ok(found <= 1, `${label}: event ${id} is there ${found} times`);
    else assert.equal(found, 1, `${label}: event ${id} is there ${found} times`);
  }
  assert.equal([...times.keys()].filter((id) => id < 0 || id >= events).length, 0);
  const doubtful = report.doubt.reduce((sum, { events }) => sum + events, 0);
  const found = [...times.values()].reduce((sum, count) => sum + count, 0);
  assert.ok(report.stored <= found && found <= report.stored + doubtful, label);
  return { doubtful, doubtfulStored: found - report.stored };
}

/** Starts a run or resumes the saved one, until it is complete. Calls `started` for each run. */
async function untilComplete(
  job: NewRun,
  sinkOf: (round: number) => Sink,
  started: (run: IngestRun, round: number) => void = () => {},
): Promise<{ readonly report: RunReport; readonly rounds: number }> {
  for (let round = 1; ; round += 1) {
    const [saved] = await savedRuns(job.runsFolder ?? '');
    const parts = { ...job, sink: sinkOf(round) };
    const run = saved ? await resumeRun(saved.path, parts) : await startRun(parts);
    started(run, round);
    const report = await run.run();
    assertAddsUp(report);
    if (report.outcome === 'complete' || round === 20) return { report, rounds: round };
  }
}

interface CutRun {
  readonly cuts: number;
  /** The number of times the run was resumed. */
  readonly resumed: number;
  /** Number of events in doubt, and the stored ones among them. */
  readonly doubtful: number;
  readonly doubtfulStored: number;
}

async function cutRun(seed: number): Promise<CutRun> {
  const next = random(seed);
  const dataset = `cuts-${seed}`;
  const broken = new Set(next(3) === 0 ? [next(EVENTS), next(EVENTS)] : []);
  const requestBytes = BATCH_EVENTS * LINE_BYTES;
  await using place = await Place.create();
  await using proxy = await CuttingProxy.start(
    () => randomPlan(next, requestBytes),
    () => portOf(deployment),
  );
  await using cut = sinkVia(
    () => proxy.url,
    () => deployment.token,
    dataset,
  );
  await using whole = sinkVia(
    () => deployment.url,
    () => deployment.token,
    dataset,
  );
  const job = await jobOf(place, linesOf(broken), cut, dataset);
  const encoding = (['identity', 'gzip', 'zstd'] as const)[next(3)] ?? 'identity';
  const shape = { encoding, maxInFlight: 1 + next(4), retryLimits: { ...quick, cancelGraceMs: 5 } };
  const { report, rounds } = await untilComplete(
    { ...job, ...shape },
    // The last rounds use connections that are not cut.
    (round) => (round < 8 ? cut : whole),
    (run, round) => {
      if (round < 5 && next(2) === 0) setTimeout(() => run.cancel(), next(80));
    },
  );
  const label = `seed ${seed}`;
  const found = await assertAllThere(report, { running: deployment, dataset, broken, label });
  await call(deployment, 'DELETE', `/v2/datasets/${dataset}`).catch(() => undefined);
  return { cuts: proxy.cuts, resumed: rounds - 1, ...found };
}

async function eachSeed(count: number, atOnce: number, work: (seed: number) => Promise<void>) {
  let seed = 0;
  const worker = async () => {
    while (seed < count) await work(++seed);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

describe('runs over bad connections', () => {
  it(`store each event once despite cuts, rejections and delays, ${CUT_SEEDS} times`, async (test) => {
    const total = { cuts: 0, resumed: 0, doubtful: 0, doubtfulStored: 0 };
    await eachSeed(CUT_SEEDS, AT_ONCE, async (seed) => {
      const found = await cutRun(seed);
      for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += found[name];
    });
    test.diagnostic(JSON.stringify(total));
    assert.ok(total.cuts >= CUT_SEEDS, `${total.cuts} connections were cut`);
    assert.ok(total.resumed > 0 && total.doubtfulStored > 0);
    // Only events in flight can be in doubt.
    const requests = total.cuts + 4 * total.resumed;
    assert.ok(total.doubtful <= requests * BATCH_EVENTS, `${total.doubtful} events are in doubt`);
  });
});

describe('a killed process', () => {
  it(`that was sending leaves a run that resumes without duplicates, ${KILL_SEEDS} times`, async (test) => {
    let doubtful = 0;
    await eachSeed(KILL_SEEDS, 2, async (seed) => {
      doubtful += await killedRun(seed);
    });
    test.diagnostic(`${doubtful} events in doubt`);
    assert.ok(doubtful > 0, 'No process was killed while a request was under way.');
  });

  it('of the deployment stops the run, which can be resumed after a restart', async () => {
    for (let seed = 1; seed <= (isLong ? 10 : 2); seed += 1) await deploymentKilled(seed);
  });
});

/**
 * Sends from a process that is killed several times, then resumes in this process. Returns the
 * number of events in doubt.
 */
async function killedRun(seed: number): Promise<number> {
  const next = random(1_000 + seed);
  const dataset = `kills-${seed}`;
  await using place = await Place.create();
  const { url, token } = deployment;
  await using sink = sinkVia(
    () => url,
    () => token,
    dataset,
  );
  const broken = new Set([7]);
  const text = linesOf(broken, KILLED_EVENTS);
  const job = await jobOf(place, text, sink, dataset);
  const script = fileURLToPath(new URL('./sendingProcess.ts', import.meta.url));
  for (let kill = 0; kill < 3; kill += 1) {
    const child = fork(script, [place.folder, dataset, url, token, String(BATCH_EVENTS)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const exited = once(child, 'exit');
    await Promise.race([once(child, 'message'), exited]);
    await sleep(next(12));
    child.kill('SIGKILL');
    await exited;
  }
  const { report } = await untilComplete(job, () => sink);
  const found = await assertAllThere(report, {
    running: deployment,
    dataset,
    broken,
    events: KILLED_EVENTS,
    label: `kill ${seed}`,
  });
  return found.doubtful;
}

async function deploymentKilled(seed: number): Promise<void> {
  const next: Random = random(2_000 + seed);
  const dataset = `restarts-${seed}`;
  let running = await processes.start(`restarted-${seed}`);
  await using place = await Place.create();
  await using sink = sinkVia(
    () => running.url,
    () => running.token,
    dataset,
  );
  const job = await jobOf(place, linesOf(new Set()), sink, dataset);
  const run = await startRun(job);
  const done = run.run();
  await sleep(next(60));
  const exited = once(running.child, 'exit');
  running.child.kill('SIGKILL');
  await exited;
  const ended = await done;
  assertAddsUp(ended);
  running = await processes.start(`restarted-${seed}`);
  while ((await call(running, 'GET', '/v2/datasets')).status === 503) await sleep(20);
  const report =
    ended.outcome === 'complete' ? ended : (await untilComplete(job, () => sink)).report;
  await assertAllThere(report, { running, dataset, broken: new Set(), label: `restart ${seed}` });
  running.child.kill('SIGKILL');
}
