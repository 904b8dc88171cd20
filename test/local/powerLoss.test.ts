// Acknowledged data survives a power loss. The deployment runs under strace, which records its
// writes, syncs and responses in order. The disk is then replayed up to many moments, and a
// possible state after a power loss is opened. Tracing needs Linux and strace.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Engine } from '../../local/src/engines/duckdb/database/engine.ts';
import { readEntries } from '../../local/src/engines/duckdb/database/logFormat.ts';
import { isLong, seed } from '../drawn.ts';
import { Disk, type Fate, readTrace, type Step, spawnTraced, whyNotTraced } from './diskTrace.ts';
import { call, copyProgram, type Running } from './processes.ts';
import { random } from './random.ts';

const skip = whyNotTraced();

let folder: string;
let data: string;
let steps: Step[] = [];
before(async () => {
  // The trace has real paths.
  folder = await realpath(await mkdtemp(join(tmpdir(), 'aplomb-power-')));
  data = join(folder, 'data');
  if (skip === false) steps = await record();
});
after(() => rm(folder, { recursive: true, force: true }));

/** Number of events in a large request. The counts identify requests in the responses. */
const LARGE = 9_000;
const LARGE_REQUESTS = 16;

/** Runs the deployment and sends it events and resources. Returns its system calls. */
async function record(): Promise<Step[]> {
  const program = join(folder, 'local.cjs');
  await copyProgram(program);
  const trace = join(folder, 'trace');
  process.env['NODE_PATH'] ??= join(import.meta.dirname, '../../node_modules');
  const args = [program, '--data', data];
  const child = spawnTraced(trace, process.execPath, args);
  child.stderr!.resume();
  const killed = () => child.kill('SIGKILL');
  process.once('exit', killed);
  const [line] = await once(child.stdout!, 'data');
  const running: Running = { child, ...JSON.parse(String(line)) };
  const send = async (path: string, body: string, type?: string) => {
    const answer = await call(running, 'POST', path, body, type);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
  };
  const events = (count: number) =>
    Array.from({ length: count }, (_, i) => `{"lot":${count},"i":${i}}\n`).join('');
  const ingest = (count: number) => send('/v1/ingest/logs', events(count), 'application/x-ndjson');
  const note = (n: number) =>
    send(
      '/v2/annotations',
      JSON.stringify({ datasets: ['logs'], type: 'deploy', description: `note ${n}.` }),
    );
  await send('/v2/datasets', JSON.stringify({ name: 'logs' }));
  for (const round of [0, 1]) {
    await note(round);
    await send('/v2/rbac/roles', JSON.stringify({ name: `role ${round}.` }));
    const token = { name: `token ${round}.`, datasetCapabilities: { logs: { query: ['read'] } } };
    await send('/v2/tokens', JSON.stringify(token));
    for (let i = 1; i <= 6; i += 1) await ingest(round * 10 + i);
    // A checkpoint follows the last events, and then the log is a new file.
    while (existsSync(join(data, 'data.duckdb.wal'))) await sleep(20);
  }
  // These fill row groups, which are written to the database file before their commit.
  await Promise.all(Array.from({ length: LARGE_REQUESTS }, (_, i) => ingest(LARGE + i)));
  const ended = once(child, 'exit');
  await call(running, 'POST', '/_local/stop');
  await ended;
  process.off('exit', killed);
  return readTrace(trace);
}

/**
 * Returns what a response acknowledges: the event count of a request, or the name of a resource.
 */
function acknowledged(step: Step): string | undefined {
  if (step.kind !== 'write') return undefined;
  const text = step.bytes.subarray(0, 4_096).toString('latin1');
  if (!/^HTTP\/1\.1 20[01] /.test(text)) return undefined;
  return (
    /"ingested":(\d+)/.exec(text)?.[1] ?? /(?:note|role|token) \d+\./.exec(text)?.[0] ?? undefined
  );
}

it('a response is sent only after the acknowledged data is synced', { skip }, async () => {
  const disk = new Disk(data);
  // Database files with writes since their last sync, and their unsynced names.
  const dirty = new Set<string>();
  let answers = 0;
  let newLogs = 0;
  let unsyncedName = false;
  for (const step of steps) {
    disk.apply(step);
    const name = 'file' in step ? disk.nameOf(step.file) : undefined;
    // A checkpoint that marks its start in the log meanwhile is not part of a response.
    if (step.kind === 'write' && name?.startsWith('data.duckdb.wal')) {
      if ((await readEntries(step.bytes, 0)).markers.length === 0) dirty.add(name);
    }
    if (step.kind === 'sync-end' && name !== undefined) dirty.delete(name);
    if (step.kind === 'open' && name?.startsWith('data.duckdb.wal') && disk.isUnsynced(name)) {
      newLogs += unsyncedName ? 0 : 1;
      unsyncedName = true;
    }
    if (acknowledged(step) === undefined) continue;
    answers += 1;
    assert.deepEqual([...dirty], [], `answer ${answers}`);
    assert.equal(disk.isUnsynced('data.duckdb'), false);
    assert.ok(!disk.has('data.duckdb.wal') || !disk.isUnsynced('data.duckdb.wal'));
    unsyncedName = false;
  }
  assert.equal(answers, 2 * 9 + LARGE_REQUESTS);
  assert.ok(newLogs >= 2, `${newLogs} new logs`);
});

/** The offset of the blocks in a database file, and their size in bytes. */
const BLOCKS_AT = 3 * 4_096;
const BLOCK_BYTES = 262_144;

/** The steps of one checkpoint, from the previous response to the sync of its header. */
interface CheckpointSteps {
  /** Steps that write to a database file or sync it. */
  readonly steps: readonly number[];
  /** Whether it wrote to the block of the header that it replaced. */
  readonly isInPlace: boolean;
}

/** Finds the checkpoints by their headers, which are written alternately to two places. */
function checkpoints(): CheckpointSteps[] {
  const disk = new Disk(data);
  const found: CheckpointSteps[] = [];
  let current: number[] = [];
  let written = new Set<number>();
  let root: bigint | undefined;
  let next: bigint | undefined;
  for (const [i, step] of steps.entries()) {
    disk.apply(step);
    if (acknowledged(step) !== undefined) current = [];
    const name = 'file' in step ? disk.nameOf(step.file) : undefined;
    if (name?.startsWith('data.duckdb') === true) current.push(i);
    if (name !== 'data.duckdb') continue;
    if (step.kind === 'write' && step.at! >= BLOCKS_AT) written.add(step.at!);
    // The first header has no checkpoint yet.
    const isHeader = step.kind === 'write' && step.at! > 0 && step.at! < BLOCKS_AT;
    if (isHeader && step.bytes.readBigUInt64LE(8) > 0n) next = step.bytes.readBigUInt64LE(16);
    if (step.kind !== 'sync-end' || next === undefined) continue;
    const block = root === undefined ? undefined : Number(root & 0xff_ffff_ffff_ffffn);
    const isInPlace = block !== undefined && written.has(BLOCKS_AT + block * BLOCK_BYTES);
    found.push({ steps: current, isInPlace });
    root = next;
    next = undefined;
    current = [];
    written = new Set();
  }
  return found;
}

describe('after a power loss', { skip }, () => {
  const below = random(seed);

  /** Returns random moments, half of them directly after a response. */
  function drawn(moments: number): Set<number> {
    const first = steps.findIndex((step) => acknowledged(step) !== undefined);
    const answers = steps.flatMap((step, i) => (acknowledged(step) === undefined ? [] : [i]));
    return new Set(
      Array.from({ length: moments }, (_, i) =>
        i % 2 === 0 ? answers[below(answers.length)]! : first + below(steps.length - first),
      ),
    );
  }

  /**
   * Opens the remaining state `draws` times at each of some moments and compares it with the
   * acknowledged data.
   */
  async function check(fate: Fate, chosen: ReadonlySet<number>, draws = 1): Promise<void> {
    const disk = new Disk(data);
    const known = new Set<string>();
    const sent = new Set(steps.flatMap((step) => acknowledged(step) ?? []));
    for (const [i, step] of steps.entries()) {
      disk.apply(step);
      const what = acknowledged(step);
      if (what !== undefined) known.add(what);
      if (!chosen.has(i)) continue;
      for (let draw = 0; draw < draws; draw += 1) {
        const left = join(folder, `left-${fate}-${i}-${draw}`);
        disk.leave(left, fate, below);
        const found = await contentOf(left).catch((error: Error) => {
          throw new Error(`${fate}, step ${i} of ${steps.length}: ${error.message}`);
        });
        for (const each of known) assert.ok(found.has(each), `${fate}, step ${i}: ${each} is lost`);
        for (const each of found) assert.ok(sent.has(each), `${fate}, step ${i}: ${each} is odd`);
        await rm(left, { recursive: true });
      }
    }
  }

  it('acknowledged events are stored exactly once if all unsynced data was lost', () =>
    check('lost', drawn(isLong ? 150 : 12)));

  it('acknowledged events are stored exactly once if all unsynced data reached the disk', () =>
    check('written', drawn(isLong ? 50 : 2)));

  it('acknowledged events are stored exactly once, whichever unsynced data reached the disk', () =>
    check('torn', drawn(isLong ? 300 : 16)));

  // Every checkpoint but the first rewrites the blocks that the current header needs.
  it('during any step of a checkpoint, acknowledged events are stored exactly once', async () => {
    const found = checkpoints();
    assert.deepEqual(
      found.map(({ isInPlace }) => isInPlace),
      [false, true, true],
    );
    const moments = found.flatMap((each) => each.steps);
    await check('torn', new Set(moments), isLong ? 12 : 1);
  });
});

/**
 * Returns the remaining requests and resources. A request must be stored completely once, or not at
 * all.
 */
async function contentOf(left: string): Promise<Set<string>> {
  const options = {
    file: join(left, 'data.duckdb'),
    spool: left,
    temporary: join(left, 'temporary'),
    memoryLimit: '1GB',
  };
  const engine = await Engine.open(Promise.resolve(options));
  try {
    return await engine.use(async (session) => {
      const found = new Set<string>();
      const columns = await session.rows<[string]>(
        "SELECT column_name FROM duckdb_columns() WHERE schema_name = 'events' AND table_name = 'd1'",
      );
      const hasEvents = columns.some(([name]) => name === 'lot');
      const lots = hasEvents
        ? await session.rows<[bigint, bigint, bigint]>(
            'SELECT lot, count(*), count(DISTINCT i) FROM events.d1 GROUP BY lot',
          )
        : [];
      for (const [lot, count, distinct] of lots) {
        assert.equal(count, lot, `events of request ${lot} in ${basename(left)}`);
        assert.equal(distinct, lot);
        found.add(String(lot));
      }
      const documents = await session.rows<[string]>('SELECT document FROM aplomb.resources');
      for (const [json] of documents) {
        const [name] = /(?:note|role|token) \d+\./.exec(json) ?? [];
        assert.ok(name !== undefined && !found.has(name), json);
        found.add(name);
      }
      return found;
    });
  } finally {
    await engine.close();
  }
}
