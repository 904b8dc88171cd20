/**
 * What the gate adds to a query: the time of a request in the process, times the share that a CPU profile finds in
 * `local/src/access/` and `local/src/license/`, with all that is called from there. There is no deployment without a
 * gate to compare with, and timing its calls one by one would leave out whatever is forgotten.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { type Profiler, Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, createApp } from '../../../local/src/app.ts';
import { HttpHeaders, type HttpRequest } from '../../../local/src/http.ts';
import { openStore } from '../../../local/src/store/store.ts';
import { type Measure, measure, median } from '../measure.ts';

const DATASETS = 1_000;
const TOKENS = 200;
const ROLES = 200;
/** Datasets that the token of the requests may query. */
const READABLE = 100;

const ROUNDS = 5;
const REQUESTS = 2_000;
const CHANGES = 200;
const SAMPLING_MICROSECONDS = 100;

/** What the gate may add, in milliseconds. */
const BAR_MS = 0.1;

const OWNER = 'xaat-bench';

export async function gateMeasures(): Promise<Measure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'aplomb-gate-'));
  const store = await openStore({ folder });
  try {
    const app = createApp({
      store,
      token: OWNER,
      personalToken: 'xapt-bench',
      log: () => undefined,
      fatal: () => undefined,
    });
    const token = await fill(app);
    const path = '/v1/query/_apl?format=tabular';
    const empty = () => send(app, 'POST', path, token, undefined, 422);
    const nothing = { apl: "['d0'] | limit 0" };
    const query = () => send(app, 'POST', path, token, nothing, 200);
    // So that the gate finds nothing that it knew before.
    const change = () => store.resources.change('view', 'changing', () => ({ name: 'changing' }));
    return [
      await gateMeasure('the gate, of a query without text', REQUESTS, empty, 1),
      await gateMeasure('the gate, of a query for nothing', REQUESTS / 4, query, 1),
      // Reported without a bar: it finds out again what the token may read of all there is.
      await gateMeasure('the gate, of a query after a change', CHANGES, async () => {
        await change();
        await query();
      }),
    ];
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The milliseconds that the gate takes of a request, in the round in the middle. */
async function gateMeasure(
  name: string,
  count: number,
  request: () => Promise<unknown>,
  bar?: number,
): Promise<Measure> {
  for (let n = 0; n < count; n += 1) await request();
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await gateTime(count, request));
  return measure('local', name, 'ms', median(rounds), BAR_MS, bar);
}

async function gateTime(count: number, request: () => Promise<unknown>): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_MICROSECONDS });
    await session.post('Profiler.start');
    for (let n = 0; n < count; n += 1) await request();
    const { profile } = await session.post('Profiler.stop');
    return gateMicroseconds(profile) / count / 1_000;
  } finally {
    session.disconnect();
  }
}

const GATE = /\/local\/src\/(?:access|license)\//;

/** The allowances call what they let through, which is not theirs. */
const LET_THROUGH = /\/local\/src\/(?:app\.ts|routes\/)/;

/** The time of all samples that were taken inside of the gate, or of what it calls. */
function gateMicroseconds({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): number {
  const inside = new Set<number>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const enter = (node: Profiler.ProfileNode, isInside: boolean) => {
    const { url } = node.callFrame;
    const is = GATE.test(url) || (isInside && !LET_THROUGH.test(url));
    if (is) inside.add(node.id);
    for (const child of node.children ?? []) enter(byId.get(child)!, is);
  };
  enter(nodes[0]!, false);
  return samples.reduce((sum, id, n) => (inside.has(id) ? sum + timeDeltas[n]! : sum), 0);
}

async function send(
  app: App,
  method: string,
  path: string,
  token: string,
  body: object | undefined,
  status: number,
) {
  const bytes = body === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(body));
  const request: HttpRequest = {
    method,
    url: `http://127.0.0.1${path}`,
    headers: new HttpHeaders([
      ['authorization', `Bearer ${token}`],
      ['content-type', 'application/json'],
    ]),
    signal: new AbortController().signal,
    body: new Blob([bytes]).stream(),
  };
  const answer = await app(request);
  const text = await answer.text();
  assert.equal(answer.status, status, text);
  return text === '' ? undefined : JSON.parse(text);
}

function made(app: App, path: string, body: object) {
  return send(app, 'POST', path, OWNER, body, 200);
}

/** Makes what there is to know, and gives a token that may query some of it. */
async function fill(app: App): Promise<string> {
  for (let n = 0; n < DATASETS; n += 1) await made(app, '/v2/datasets', { name: `d${n}` });
  const query = { query: ['read'] };
  for (let n = 0; n < ROLES; n += 1) {
    const datasetCapabilities = { [`d${n}`]: query };
    await made(app, '/v2/rbac/roles', { name: `role ${n}`, datasetCapabilities });
  }
  let token = '';
  for (let n = 0; n < TOKENS; n += 1) {
    const names = Array.from({ length: READABLE }, (_, i) => `d${(n + i) % DATASETS}`);
    const datasetCapabilities = Object.fromEntries(names.map((name) => [name, query]));
    const answer = await made(app, '/v2/tokens', { name: `token ${n}`, datasetCapabilities });
    if (n === 0) token = answer.token;
  }
  return token;
}
