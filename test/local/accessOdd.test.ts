// Sends random requests with unusual tokens, capabilities, headers and bodies, generated from the
// contract's schemas. None returns a 500, none succeeds without the required token or capability,
// and guarded data is neither disclosed nor changed.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, it } from 'node:test';
import {
  DATASET_CAPABILITY_ACTIONS,
  endpointRow,
  ORG_CAPABILITY_ACTIONS,
} from '../../api/src/index.ts';
import { isLong, seed } from '../drawn.ts';
import { errorProblem } from './answerForms.ts';
import { type Answer, Deployment, PERSONAL_TOKEN, TOKEN } from './deployment.ts';
import { DATASETS, type HostileRequest, hostileRequest } from './hostileRequests.ts';
import { hostileText } from './hostileTexts.ts';
import { type Random, random } from './random.ts';

const count = isLong ? 10_000 : 1_000;
const MOST_SHOWN = 10;

/** Only the owner's token may use this dataset. Its events and documents contain the word below. */
const [, , guarded] = DATASETS;
const WORD = 'guarded-word';

let local: Deployment;
const known: Record<string, string[]> = {
  dataset: [...DATASETS],
  field_id: ['status', 'nothing'],
  map_field_name: ['labels'],
  uid: ['board'],
  views: ['slow', 'view2', WORD],
  orgs: ['local'],
};

interface Held {
  readonly secret: string;
  readonly capabilities: ReadonlySet<string>;
}
const tokens: Held[] = [];

const org = pairs(ORG_CAPABILITY_ACTIONS).filter(
  // With these, a token could grant or remove access to guarded data.
  (each) => !/^(apiTokens|rbac|users|datasets):(create|update|delete)$/.test(each),
);
const data = pairs(DATASET_CAPABILITY_ACTIONS);

/** Names close to the guarded dataset's name or to `*`. No dataset has these names. */
const NEARLY = [
  guarded.toUpperCase(),
  `${guarded} `,
  ` ${guarded}`,
  `${guarded}\0`,
  guarded.slice(0, -1),
  `${guarded}*`,
  '**',
  ' *',
  '.*',
  '',
  '__proto__',
];

function pairs(table: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(table).flatMap(([name, actions]) => actions.map((a) => `${name}:${a}`));
}

function some(from: readonly string[], below: Random): string[] {
  const most = below(4) === 0 ? from.length + 1 : 4;
  return from.filter(() => below(from.length) < most);
}

function members(held: readonly string[]): Record<string, string[]> {
  const by: Record<string, string[]> = {};
  for (const each of held) {
    const [name, action] = each.split(':') as [string, string];
    by[name] = [...(by[name] ?? []), action];
  }
  return by;
}

async function owned(path: string, body: object): Promise<string> {
  const { status, body: made, text } = await local.call('POST', path, body);
  assert.ok(status < 300, text);
  return made.id ?? made.dashboard?.uid;
}

async function addToken(below: Random): Promise<void> {
  const orgHeld = some(org, below);
  const names = [DATASETS[0], DATASETS[1], hostileText(below), ...NEARLY];
  const held = names.map((name) => [name, some(data, below)] as const);
  const body = {
    name: hostileText(below).slice(0, 200) || 'x',
    orgCapabilities: members(orgHeld),
    datasetCapabilities: Object.fromEntries(held.map(([name, all]) => [name, members(all)])),
    viewCapabilities: { [hostileText(below)]: { query: ['read'] } },
    expiresAt: below(3) === 0 ? '2090-01-01T00:00:00Z' : null,
  };
  const odd = { ...members(orgHeld), [`x${hostileText(below)}`]: ['create'] };
  const refused = await local.call('POST', '/v2/tokens', { ...body, orgCapabilities: odd });
  assert.equal(refused.status, 400, refused.text);
  const made = await local.call('POST', '/v2/tokens', body);
  assert.equal(made.status, 200, made.text);
  // A view with that name could exist, and the token may query it.
  const capabilities = new Set([...orgHeld, ...held.flatMap(([, all]) => all), 'query:read']);
  tokens.push({ secret: made.body.token, capabilities });
}

before(async () => {
  const below = random(seed);
  local = await Deployment.open();
  for (const name of DATASETS) {
    await local.dataset(name);
    const word = name === guarded ? WORD : 'open';
    await local.stored(name, [{ status: 200, service: word, duration: 1.5 }]);
  }
  const apl = `['${guarded}'] | where service == '${WORD}'`;
  known['monitors'] = [
    await owned('/v2/monitors', { name: WORD, type: 'Threshold', aplQuery: apl }),
  ];
  await owned('/v2/views', { name: WORD, aplQuery: apl });
  const annotation = { datasets: [guarded], type: 'deploy', title: WORD };
  known['annotations'] = [await owned('/v2/annotations', annotation)];
  const query = { name: WORD, kind: 'apl', query: { apl }, dataset: guarded };
  known['apl-starred-queries'] = [await owned('/v2/apl-starred-queries', query)];
  const field = { dataset: guarded, name: 'v', expression: `'${WORD}'` };
  known['vfields'] = [await owned('/v2/vfields', field)];
  const kept = await local.call('POST', '/v1/query/_apl?format=tabular&saveAsKind=apl', { apl });
  known['_history'] = [kept.headers.get('x-axiom-history-query-id')!];
  for (let n = 0; n < 60; n++) await addToken(below);
});
after(() => local.close());

/** Returns the guarded resources and events, read with the owner's token. */
async function guardedState(): Promise<string> {
  const paths = [
    `/v2/datasets/${guarded}`,
    `/v2/datasets/${guarded}/fields`,
    ...['monitors', 'annotations', 'apl-starred-queries', 'vfields'].map(
      (kind) => `/v2/${kind}/${known[kind]![0]}`,
    ),
    `/v2/views/${WORD}`,
    '/v2/users',
    '/v2/tokens',
  ];
  const answers = await Promise.all(paths.map((path) => local.call('GET', path)));
  for (const { status, text } of answers) assert.equal(status, 200, text);
  const rows = await local.rows(`['${guarded}'] | count`);
  return answers.map(({ text }) => text).join('\n') + JSON.stringify(rows);
}

interface Sent {
  readonly authorization: string | undefined;
  readonly token?: Held;
}

/** Returns a random `Authorization` header, with its token if the header is valid. */
function authorization(below: Random): Sent {
  const token = tokens[below(tokens.length)]!;
  const { secret } = token;
  if (below(3) > 0) return { authorization: `Bearer ${secret}`, token };
  const forms: readonly Sent[] = [
    { authorization: `bearer   ${secret}  `, token },
    { authorization: `BEARER ${secret}`, token },
    ...[
      undefined,
      '',
      'Bearer',
      secret,
      `Basic ${secret}`,
      `Bearer ${secret}x`,
      `Bearer ${secret.slice(0, -1)}`,
      `Bearer ${secret.toLowerCase()}!`,
      `Bearer ${secret} ${secret}`,
      `Bearer ${secret}, Bearer ${TOKEN}`,
      `Bearer ${secret.replace('xaat-', 'xapt-')}`,
      `Bearer ${createHash('sha256').update(secret).digest('hex')}`,
      `Bearer ${createHash('sha256').update(TOKEN).digest('hex')}`,
      `Bearer ${TOKEN.slice(0, -1)}`,
      `Bearer ${PERSONAL_TOKEN}=`,
      'Bearer xaat-',
      'Bearer __proto__',
      'Bearer *',
      `Bearer ${'x'.repeat(9_000)}`,
    ].map((text) => ({ authorization: text })),
  ];
  return forms[below(forms.length)]!;
}

/** Headers that other servers interpret and this one must ignore. */
const ODD_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['x-axiom-org-id', 'other'],
  ['x-http-method-override', 'DELETE'],
  ['x-method-override', 'GET'],
  ['x-original-url', '/v2/tokens'],
  ['x-rewrite-url', `/v2/datasets/${guarded}`],
  ['x-forwarded-for', '127.0.0.1'],
  ['x-forwarded-host', 'localhost'],
  ['forwarded', 'for=127.0.0.1;host=localhost'],
  ['x-authorization', `Bearer ${TOKEN}`],
  ['proxy-authorization', `Bearer ${TOKEN}`],
  ['cookie', `token=${TOKEN}; authorization=Bearer ${TOKEN}`],
  ['x-axiom-token', TOKEN],
  ['origin', 'null'],
  ['if-none-match', '*'],
  ['range', 'bytes=0-'],
  ['transfer-encoding', 'gzip'],
];

/** Alternative spellings of a path, none of which leads to another resource. */
const PATHS: readonly ((path: string) => string)[] = [
  (path) => `/edge/us-east-1${path}`,
  (path) => `/edge/eu-central-1${path}`,
  (path) => `/edge/us-east-1/..${path}`,
  (path) => `/edge/us-east-1/%2e%2e/edge/us-east-1${path}`,
  (path) => `/v2/orgs/..${path.replace(/^\/v2/, '')}`,
  (path) => `/.${path}`,
  (path) => `/_local/..${path}`,
  (path) => `/_local${path}`,
  (path) => path.replaceAll('/', '//'),
  (path) => path.replaceAll('/', '%2f'),
  (path) => path.replaceAll('/', '\\'),
  (path) => path.replaceAll('%', '%25'),
  (path) => path.toUpperCase(),
  (path) => path.replace(/(\?|$)/, '/$1'),
  (path) => path.replace(/(\?|$)/, '%20$1'),
  (path) => path.replace(/(\?|$)/, ';a=b$1'),
];

function oddly(request: HostileRequest, below: Random): HostileRequest {
  if (below(12) > 0) return request;
  const path = PATHS[below(PATHS.length)]!(request.path);
  // A string that isn't a valid URL is not sent.
  return URL.canParse(`http://127.0.0.1${path}`) ? { ...request, path } : request;
}

function wrongWith(request: HostileRequest, sent: Sent, answer: Answer): string | undefined {
  const { status, text } = answer;
  if (status >= 500 && status !== 501) return `it is ${status}`;
  if (text.includes('"code":500')) return 'it holds a 500';
  if (text.includes(WORD) && !JSON.stringify(echoed(request)).includes(WORD)) return 'it leaks';
  if (status >= 400 && request.method !== 'HEAD') {
    const problem = errorProblem(answer, endpointRow(request.key));
    if (problem !== undefined) return problem;
  }
  if (sent.token === undefined) return status === 401 ? undefined : `it is ${status}, not 401`;
  if (status >= 400 || request.method !== endpointRow(request.key).method) return undefined;
  const { capability, tokens: kinds } = endpointRow(request.key);
  if (!kinds.includes('api')) return 'it takes an API token';
  if (capability !== undefined && !sent.token.capabilities.has(capability)) {
    return `it was let in without ${capability}`;
  }
  return undefined;
}

/** Returns the parts of a request that a response may repeat. */
const echoed = ({ path, body }: HostileRequest) => [path, Buffer.from(body ?? []).toString()];

it(`none of ${count} random requests succeeds without the required token or capability`, async () => {
  const below = random(seed + 1);
  const before = await guardedState();
  const failures: string[] = [];
  let letIn = 0;
  for (let id = 0; id < count && failures.length < MOST_SHOWN; id++) {
    const request = oddly(hostileRequest(below, known), below);
    const sent = authorization(below);
    const { authorization: _own, ...odd } = request.headers;
    const headers: Record<string, string> = { ...odd, authorization: sent.authorization ?? '' };
    for (let n = below(4) === 0 ? 1 + below(3) : 0; n > 0; n--) {
      const [name, value] = ODD_HEADERS[below(ODD_HEADERS.length)]!;
      headers[name] = value;
    }
    const answer = await local.call(request.method, request.path, request.body, {
      headers,
      ...(headers['content-type'] === undefined ? {} : { type: headers['content-type'] }),
    });
    if (answer.status < 400) letIn += 1;
    const wrong = wrongWith(request, sent, answer);
    if (wrong === undefined) continue;
    const { key, method, path, body = [] } = request;
    const text = Buffer.from(body).toString().slice(0, 500);
    const held = [...(sent.token?.capabilities ?? [])].join(' ');
    failures.push(
      `number ${id}: ${wrong}\n${key}: ${method} ${path.slice(0, 200)}\n${text}\n${held}\n${answer.text.slice(0, 300)}\n${local.logged.splice(0).join('\n').slice(0, 500)}`,
    );
  }
  if (failures.length > 0) assert.fail(failures.join('\n\n'));
  assert.equal(await guardedState(), before);
  // If all requests were refused, the test would prove nothing.
  assert.ok(letIn > count / 50, `${letIn} of ${count} were let in`);
});
