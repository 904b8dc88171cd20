// Eight concurrent writers and readers over HTTP, each with a token for its own datasets: no
// request fails, every count is always correct, no token can access another's datasets, and the
// process does not grow.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { median } from '../bench/measure.ts';
import { ALL_TIMES } from './deployment.ts';
import { Processes, type Running, stop } from './processes.ts';

const SECONDS = process.env['APLOMB_LONG'] === '1' ? 60 : 3;
const WRITERS = 8;
const READERS = 8;
const DATASETS = ['d0', 'd1', 'd2', 'd3'];
const EVENTS = 100;
/**
 * A pause between a writer's requests, so that the data stays small compared to the process's
 * memory.
 */
const REST_MS = 20;

/**
 * Duration in which heaps and caches fill, until after the first checkpoint. Then the first and
 * last sixth are compared.
 */
const WARM_UP_SECONDS = SECONDS >= 60 ? 60 : 1;
const PART = 1 / 6;
/** The maximum memory difference between the two parts for a process that does not grow, in MiB. */
const DRIFT_MIB = 64;

let processes: Processes;
let running: Running;
const agent = new Agent({ connections: WRITERS + READERS });
before(async () => {
  processes = await Processes.create();
  running = await processes.start('data', '--memory-limit', '256MB');
});
after(async () => {
  await agent.close();
  await processes.dispose();
});

async function send(path: string, token: string, body: string, type = 'application/json') {
  const answer = await request(running.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body,
    dispatcher: agent,
  });
  const text = await answer.body.text();
  // biome-ignore lint/suspicious/noExplicitAny: responses of every shape.
  return { status: answer.statusCode, text, body: JSON.parse(text) as any };
}

async function made(path: string, body: object) {
  const answer = await send(path, running.token, JSON.stringify(body));
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

async function tokenFor(capability: 'ingest' | 'query', datasets: readonly string[]) {
  const actions = capability === 'ingest' ? { ingest: ['create'] } : { query: ['read'] };
  const datasetCapabilities = Object.fromEntries(datasets.map((name) => [name, actions]));
  const { token } = await made('/v2/tokens', { name: capability, datasetCapabilities });
  return token as string;
}

interface Writer {
  readonly id: number;
  readonly dataset: string;
  readonly token: string;
  /** Numbers of sent and of acknowledged requests. */
  sent: number;
  acknowledged: number;
}

const other = (datasets: readonly string[]) => DATASETS.find((name) => !datasets.includes(name))!;

async function write(writer: Writer, isOver: () => boolean): Promise<void> {
  const { id, dataset, token } = writer;
  while (!isOver()) {
    const round = writer.sent;
    const lines = Array.from({ length: EVENTS }, (_, n) =>
      JSON.stringify({ writer: id, round, n, text: `${id} ${round} ${n}` }),
    );
    writer.sent += 1;
    const body = lines.join('\n');
    const answer = await send(`/v1/ingest/${dataset}`, token, body, 'application/x-ndjson');
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([answer.body.ingested, answer.body.failed], [EVENTS, 0]);
    writer.acknowledged += 1;
    if (round % 10 === 0) {
      const refused = await send(`/v1/ingest/${other([dataset])}`, token, body);
      assert.deepEqual([refused.status, refused.body.reason], [403, 'dataset-forbidden']);
    }
    await pause(REST_MS);
  }
}

/**
 * Repeatedly reads the event counts of all writers of some datasets. Returns the number of reads.
 */
async function read(
  datasets: readonly string[],
  writers: readonly Writer[],
  isOver: () => boolean,
): Promise<number> {
  const token = await tokenFor('query', datasets);
  const path = '/v1/query/_apl?format=tabular';
  const body = (apl: string) => JSON.stringify({ apl, ...ALL_TIMES });
  const from =
    datasets.length === 1 ? `['${datasets[0]}']` : `union ['${datasets.join("'], ['")}']`;
  const own = writers.filter(({ dataset }) => datasets.includes(dataset));
  for (let count = 0; ; count += 1) {
    if (isOver()) return count;
    const least = own.map(({ acknowledged }) => acknowledged);
    const apl = `${from} | where writer >= 0 | summarize events = count(), sum = sum(n) by writer`;
    const answer = await send(path, token, body(apl));
    assert.equal(answer.status, 200, answer.text);
    const [ids, events, sums] = answer.body.tables[0].columns as number[][];
    const found = new Map((ids ?? []).map((id, row) => [id, events![row]!]));
    for (const [row, count] of (events ?? []).entries()) {
      assert.equal(
        sums![row],
        (count * (EVENTS - 1)) / 2,
        'events that are not those that were sent',
      );
    }
    for (const [index, { id, sent }] of own.entries()) {
      const there = found.get(id) ?? 0;
      found.delete(id);
      const is = there % EVENTS === 0 && there >= least[index]! * EVENTS && there <= sent * EVENTS;
      assert.ok(is, `${there} events of ${least[index]! * EVENTS} to ${sent * EVENTS}`);
    }
    assert.deepEqual([...found.keys()], [], 'events of a writer of another dataset');
    if (count % 10 === 0) {
      const refused = await send(path, token, body(`['${other(datasets)}'] | count`));
      assert.deepEqual([refused.status, refused.body.reason], [403, 'query-forbidden']);
    }
  }
}

/**
 * Returns the resident memory of the process in MiB, or undefined if the system does not report it.
 */
function memory(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const text = readFileSync(`/proc/${running.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(text)?.[1]) / 1_024;
}

it(`${WRITERS} writers and ${READERS} readers get correct counts for ${SECONDS} seconds`, async (t) => {
  for (const name of DATASETS) {
    await made('/v2/datasets', { name });
    // Makes the fields known to queries from the start.
    const event = '{"writer":-1,"round":0,"n":0,"text":""}';
    const sent = await send(`/v1/ingest/${name}`, running.token, event);
    assert.equal(sent.status, 200, sent.text);
  }
  const writers: Writer[] = [];
  for (let id = 0; id < WRITERS; id += 1) {
    const dataset = DATASETS[id % DATASETS.length]!;
    const token = await tokenFor('ingest', [dataset]);
    writers.push({ id, dataset, token, sent: 0, acknowledged: 0 });
  }
  const began = performance.now();
  let failed = false;
  const isOver = () => failed || performance.now() - began > (WARM_UP_SECONDS + SECONDS) * 1_000;
  const work = [
    ...writers.map((writer) => write(writer, isOver)),
    ...Array.from({ length: READERS }, (_, reader) => {
      const start = reader % DATASETS.length;
      // Every other reader has two datasets.
      const datasets = [...DATASETS, ...DATASETS].slice(start, start + 1 + (reader & 1));
      return read(datasets, writers, isOver);
    }),
  ];
  const measured: number[] = [];
  const measuring = (async () => {
    await pause(WARM_UP_SECONDS * 1_000);
    while (!isOver()) {
      const now = memory();
      if (now !== undefined) measured.push(now);
      await pause((SECONDS * 1_000) / 120);
    }
  })();
  const done = Promise.all(work).catch((error) => {
    failed = true;
    throw error;
  });
  const reads = (await done).slice(WRITERS).reduce<number>((sum, count) => sum + (count ?? 0), 0);
  await measuring;
  for (const { id, dataset, acknowledged, sent } of writers) {
    const apl = `['${dataset}'] | where writer == ${id} | summarize count(), dcount(round)`;
    const { body } = await send(
      '/v1/query/_apl?format=tabular',
      running.token,
      JSON.stringify({ apl, ...ALL_TIMES }),
    );
    assert.equal(acknowledged, sent);
    assert.deepEqual(body.tables[0].columns, [[sent * EVENTS], [sent]]);
  }
  const requests = writers.reduce((sum, { sent }) => sum + sent, 0);
  assert.ok(requests > SECONDS && reads > SECONDS, `${requests} writes and ${reads} reads`);
  const part = (from: number) =>
    measured.slice(Math.floor(from * measured.length), Math.ceil((from + PART) * measured.length));
  const [warm, end] = [median(part(0)), median(part(1 - PART))];
  t.diagnostic(
    `${requests} writes of ${EVENTS} events, ${reads} reads; ${warm.toFixed(0)} MiB after warm-up, ${end.toFixed(0)} MiB at the end`,
  );
  if (process.env['APLOMB_SHOW'] === '1') t.diagnostic(measured.map(Math.round).join(' '));
  if (measured.length > 0 && SECONDS >= 60) {
    assert.ok(end - warm < DRIFT_MIB, `${end - warm} MiB more than after warm-up`);
  }
  assert.equal(await stop(running), 0);
});
