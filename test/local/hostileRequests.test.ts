// Sends hostile requests, generated from the contract's schemas, to every endpoint. None returns a
// 500 or hangs, responses conform to the contract, and afterwards every list and dataset can still
// be read.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  checkStrict,
  type EndpointRow,
  endpointKeys,
  endpointRow,
  type TSchema,
} from '../../api/src/index.ts';
import { isLong, seed } from '../drawn.ts';
import { errorProblem } from './answerForms.ts';
import { type Answer, Deployment, PERSONAL_TOKEN, TOKEN } from './deployment.ts';
import { DATASETS, type HostileRequest, hostileRequest, paramKind } from './hostileRequests.ts';
import { random } from './random.ts';

const count = isLong ? 10_000 : 1_000;

/** Several failures are reported, because they often share a cause. */
const MOST_SHOWN = 10;

/** Timeout for a request that hangs. No request takes a hundredth of it. */
const HANGS_MS = 60_000;

let local: Deployment;
const known: Record<string, string[]> = {
  dataset: [...DATASETS],
  field_id: ['status', 'a.b', '_time', 'nothing'],
  map_field_name: ['labels', 'geo.city'],
  uid: ['board', 'board-2'],
  views: ['slow', 'view2'],
  annotations: ['nothing'],
  monitors: ['nothing'],
  vfields: ['nothing'],
  'apl-starred-queries': ['nothing'],
  tokens: ['nothing'],
  roles: ['nothing', 'owner'],
  groups: ['nothing'],
  users: ['nothing', 'local-user'],
  orgs: ['local'],
};

before(async () => {
  local = await Deployment.open();
  for (const name of DATASETS) await create(name);
});
after(() => local.close());

async function create(name: string): Promise<void> {
  await local.dataset(name);
  await local.stored(name, [{ status: 200, service: 'a', duration: 1.5, a: { b: 1 } }]);
}

async function send({ key, method, path, headers, body }: HostileRequest): Promise<Answer> {
  return local.call(method, path, body, {
    headers: { ...tokenFor(endpointRow(key)), ...headers },
    ...(headers['content-type'] === undefined ? {} : { type: headers['content-type'] }),
  });
}

/** Returns the problem of a response, or undefined. */
function wrongWith({ key, method }: HostileRequest, answer: Answer): string | undefined {
  const { status, body, text } = answer;
  const row = endpointRow(key);
  if (status >= 500 && status !== 501) return `it is ${status}`;
  if (text.includes('"code":500')) return 'it holds a 500';
  if (status >= 400) {
    if (method === 'HEAD') return undefined;
    return errorProblem(answer, row);
  }
  if (answer.headers.get('content-type') === 'application/x-protobuf') return undefined;
  if (method !== row.method || row.reply !== 'json') return undefined;
  const [problem] = checkStrict(row.response as TSchema, body);
  return problem === undefined ? undefined : `it breaks the contract: ${problem.message}`;
}

/** Records the identifier of a created resource, so that later requests can name it. */
function learn({ key, method, path }: HostileRequest, { status, body }: Answer): void {
  if (status >= 300 || typeof body !== 'object' || body === null || method !== 'POST') return;
  const row = endpointRow(key);
  if (row.path.includes('{') || !path.startsWith('/v2/')) return;
  // The identifiers of a collection's resources follow its path.
  const kind = paramKind({ ...row, path: `${row.path}/{id}` }, 'id');
  const id = kind === 'datasets' ? undefined : (body.dashboard?.uid ?? body.id ?? body.name);
  const ids = kind === 'dashboards' ? known['uid'] : known[kind];
  if (typeof id !== 'string' || ids === undefined || ids.includes(id)) return;
  ids.push(id);
  if (ids.length > 8) ids.shift();
}

function shown({ key, method, path, headers, body }: HostileRequest): string {
  const text = body === undefined ? '' : JSON.stringify(Buffer.from(body).toString().slice(0, 600));
  return `${key}: ${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)}\n${text}`;
}

/** Returns the header with a token that the endpoint accepts. */
function tokenFor({ tokens }: EndpointRow): Record<string, string> {
  return { authorization: `Bearer ${tokens.includes('api') ? TOKEN : PERSONAL_TOKEN}` };
}

async function everythingReads(): Promise<void> {
  for (const key of endpointKeys) {
    const row = endpointRow(key);
    if (row.method !== 'GET' || row.path.includes('{')) continue;
    const query = row.path.endsWith('/vfields') ? '?dataset=http-logs' : '?who=all';
    const { status, body, text } = await local.call('GET', row.path + query, undefined, {
      headers: tokenFor(row),
    });
    assert.equal(status, 200, `${key}: ${text.slice(0, 500)}`);
    assert.deepEqual(checkStrict(row.response as TSchema, body), [], key);
  }
  const { body } = await local.call('GET', '/v2/datasets');
  for (const { name } of body as { name: string }[]) {
    for (const stage of ['limit 10', 'count', 'summarize count() by bin_auto(_time)']) {
      const { status, text } = await local.query(`[${JSON.stringify(name)}] | ${stage}`);
      assert.equal(status, 200, `${name} | ${stage}: ${text.slice(0, 500)}`);
    }
    for (const part of ['', '/fields', '/mapfields']) {
      const path = `/v2/datasets/${encodeURIComponent(name)}${part}`;
      assert.equal((await local.call('GET', path)).status, 200, path);
    }
    const stored = await local.ingest(encodeURIComponent(name), [{ fresh: 1 }]);
    assert.equal(stored.status, 200, stored.text);
  }
}

it(`${count} hostile requests to every endpoint are answered, and everything can still be read`, async () => {
  const below = random(seed);
  const failures: string[] = [];
  const statuses = new Map<string, number>();
  for (let id = 0; id < count && failures.length < MOST_SHOWN; id++) {
    const request = hostileRequest(below, known);
    const late = new AbortController();
    const answer = await Promise.race([
      send(request),
      pause(HANGS_MS, undefined, { signal: late.signal, ref: false }),
    ]).catch((error: Error) => error);
    late.abort();
    const wrong =
      answer === undefined
        ? 'it hangs'
        : answer instanceof Error
          ? (answer.stack ?? answer.message)
          : wrongWith(request, answer);
    if (answer !== undefined && !(answer instanceof Error)) {
      learn(request, answer);
      // Recreates a deleted dataset for later requests.
      const gone = request.key === 'deleteDataset' && answer.status === 204;
      const name = gone
        ? decodeURIComponent(request.path.split('?')[0]!.split('/')[3]!)
        : undefined;
      if (DATASETS.some((dataset) => dataset === name)) await create(name!);
      const known = `${request.key} ${answer.status < 300 ? 'ok' : 'refused'}`;
      statuses.set(known, (statuses.get(known) ?? 0) + 1);
    }
    if (wrong === undefined) continue;
    const text = answer instanceof Error ? '' : answer?.text.slice(0, 400);
    const log = local.logged.splice(0).join('\n').slice(0, 800);
    failures.push(`number ${id}: ${wrong}\n${shown(request)}\n${text}\n${log}`);
  }
  if (failures.length > 0) assert.fail(failures.join('\n\n'));
  // The counts show that each endpoint received valid and invalid requests.
  if (process.env['APLOMB_SHOW'] === '1') console.log(statuses);
  await everythingReads();
  await local.reopen();
  assert.deepEqual(local.reported, []);
  await everythingReads();
});
