// Permissions as a table: kind of token × capabilities × endpoint × dataset. The expected status of
// a cell follows from the endpoint's row and from the specification's rules below, not from the
// server's own tables.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  ACTIONS,
  DATASET_CAPABILITY_ACTIONS,
  type EndpointKey,
  endpointKeys,
  endpointRow,
  ORG_CAPABILITY_ACTIONS,
} from '../../api/src/index.ts';
import { makeTargets, type Name, requestOf, restore, type Targets } from './accessRequests.ts';
import { type Answer, Deployment, PERSONAL_TOKEN, TOKEN } from './deployment.ts';

// ── Capabilities as sets of strings, independent of the deployment's representation
// ────────────────

const everyOrg = pairs(ORG_CAPABILITY_ACTIONS);
const everyData = pairs(DATASET_CAPABILITY_ACTIONS);

/** `on` maps `a`, `b` or `*` to the actions allowed on it. */
interface Grants {
  readonly org: readonly string[];
  readonly on: Readonly<Partial<Record<Name | '*', readonly string[]>>>;
}

function pairs(table: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(table).flatMap(([name, actions]) => actions.map((a) => `${name}:${a}`));
}

function members(held: readonly string[]): Record<string, string[]> {
  const by: Record<string, string[]> = {};
  for (const each of held) {
    const [name, action] = each.split(':') as [string, string];
    by[name] = [...(by[name] ?? []), action];
  }
  return by;
}

function bodyOf({ org, on }: Grants) {
  const datasetCapabilities = Object.fromEntries(
    Object.entries(on).map(([name, held]) => [name, members(held)]),
  );
  return { orgCapabilities: members(org), datasetCapabilities };
}

const without = (all: readonly string[], one: string) => all.filter((each) => each !== one);

/**
 * Returns the grants to test an endpoint with: only the required ones, all others, none, and all.
 */
function grantsFor(key: EndpointKey): Grants[] {
  const { capability } = endpointRow(key);
  const [name = ''] = capability?.split(':') ?? [];
  const isOfData = capability !== undefined && everyData.includes(capability);
  const needed = isOfData ? capability : 'query:read';
  const orgs =
    capability === undefined || isOfData
      ? [[], everyOrg]
      : [[], [capability], without(everyOrg, capability), everyOrg];
  const otherActions = isOfData
    ? ACTIONS.map((action) => `${name}:${action}`).filter(
        (each) => each !== needed && everyData.includes(each),
      )
    : [];
  const ons: Grants['on'][] = [
    {},
    { a: [needed] },
    { b: [needed] },
    { a: ['query:read', needed] },
    { a: otherActions, b: ['query:read'] },
    { a: without(everyData, needed), '*': without(everyData, needed) },
    { '*': [needed] },
    { '*': everyData },
  ];
  return orgs.flatMap((org) => ons.map((on) => ({ org, on })));
}

// ── Rules of the specification
// ──────────────────────────────────────────────────────────────────────

/** Further checks on datasets, in addition to the capability. */
type About =
  /** The path contains a dataset. Refused unless the token may query it. */
  | 'dataset'
  /** A document about datasets. Hidden, as if nonexistent, unless the token may query them. */
  | 'document'
  /** The body refers to datasets. Refused unless the token may query them. */
  | 'body'
  /** A list of resources about datasets. Filtered. */
  | 'list'
  | 'nothing';

const about: { readonly [K in EndpointKey]?: About } = {
  listFields: 'dataset',
  getField: 'dataset',
  listMapFields: 'dataset',
  getDataset: 'dataset',
  getDatasetV1: 'dataset',
  getDatasetInfo: 'dataset',
  getHistoryQuery: 'document',
  getMonitorHistory: 'document',
  listDatasets: 'list',
  listDatasetsV1: 'list',
  listAllFields: 'list',
  listSavedQueries: 'list',
  ...Object.fromEntries(
    ['Monitor', 'View', 'Annotation'].flatMap((kind) => [
      [`list${kind}s`, 'list'],
      [`create${kind}`, 'body'],
      ...['get', 'update', 'delete'].map((verb) => [`${verb}${kind}`, 'document']),
    ]),
  ),
  ...Object.fromEntries(
    ['SavedQuery', 'VirtualField'].flatMap((kind) =>
      ['get', 'update', 'delete'].map((verb) => [`${verb}${kind}`, 'document']),
    ),
  ),
};

const holds = ({ on }: Grants, name: Name, capability: string) =>
  on[name]?.includes(capability) === true || on['*']?.includes(capability) === true;

const holdsAnywhere = ({ org, on }: Grants, capability: string) =>
  org.includes(capability) || Object.values(on).some((held) => held.includes(capability));

/** Metrics aren't supported. A token that may ingest learns that they aren't stored. */
const METRICS = 501;

/** Returns the expected status of a cell. */
function expected(key: EndpointKey, kind: 'api' | 'personal', grants: Grants, name: Name): number {
  const row = endpointRow(key);
  const success = key === 'ingestMetrics' ? METRICS : row.status[0]!;
  if (!row.tokens.includes(kind)) return 403;
  const { capability } = row;
  if (capability !== undefined && !holdsAnywhere(grants, capability)) return 403;
  const is = about[key] ?? 'nothing';
  if (capability !== undefined && everyData.includes(capability)) {
    if (key === 'queryBatch' || key === 'ingestMetrics' || is === 'list') return success;
    if (holds(grants, name, capability)) return success;
    if (is !== 'document') return 403;
    // A token that may read the document learns that it may not change it.
    const [resource] = capability.split(':');
    return holds(grants, name, `${resource}:read`) ? 403 : 404;
  }
  if (is === 'list' || is === 'nothing') return success;
  if (holds(grants, name, 'query:read')) return success;
  if (
    key.startsWith('getDataset') &&
    key !== 'getDatasetInfo' &&
    grants.org.includes('datasets:read')
  )
    return success;
  return is === 'document' ? 404 : 403;
}

/** Returns whether a list must contain the resource about a dataset. */
function isListed(key: EndpointKey, grants: Grants, name: Name): boolean {
  if (key === 'listSavedQueries') return holds(grants, name, 'starredQueries:read');
  if (key.startsWith('listDatasets') && grants.org.includes('datasets:read')) return true;
  return holds(grants, name, 'query:read');
}

/** Returns the datasets that a list contains resources about. */
function listed(key: EndpointKey, answer: Answer, targets: Readonly<Record<Name, Targets>>) {
  const ids = (on: Targets): Readonly<Record<string, string>> => ({
    listDatasets: on.dataset,
    listDatasetsV1: on.dataset,
    listAllFields: on.dataset,
    listMonitors: on.monitor,
    listViews: on.view,
    listAnnotations: on.annotation,
    listSavedQueries: on.savedQuery,
  });
  const found = (answer.body as { id?: string; datasetName?: string }[]).map(
    ({ id, datasetName }) => id ?? datasetName,
  );
  return (['a', 'b'] as const).filter((name) => found.includes(ids(targets[name])[key]));
}

// ── The table ───────────────────────────────────────────────────────────────────────────────────────

let local: Deployment;
let targets: Record<Name, Targets>;
/** The role of the local user, which determines the personal token's capabilities. */
let roleId: string;
let rolesBody = '';

before(async () => {
  local = await Deployment.open();
  for (const name of ['a', 'b'] as const) {
    await local.dataset(name);
    await local.stored(name, [{ n: 1 }]);
  }
  targets = { a: await makeTargets(local, 'a'), b: await makeTargets(local, 'b') };
  // Another owner, because the last owner can't lose the role.
  const other = { name: 'O', email: 'o@example.com', role: 'Owner' };
  assert.equal((await local.call('POST', '/v2/users', other)).status, 200);
  const role = await local.call('POST', '/v2/rbac/roles', { name: 'under test' });
  roleId = role.body.id;
  const given = await local.call('PUT', '/v2/users/local-user/role', { role: roleId });
  assert.equal(given.status, 200, given.text);
});
after(() => local.close());

const secrets = new Map<string, string>();

async function apiToken(grants: Grants): Promise<string> {
  const body = bodyOf(grants);
  const key = JSON.stringify(body);
  const known = secrets.get(key);
  if (known !== undefined) return known;
  const made = await local.call('POST', '/v2/tokens', { name: 't', ...body });
  assert.equal(made.status, 200, made.text);
  secrets.set(key, made.body.token);
  return made.body.token;
}

/** Returns the personal token after granting its user's role these capabilities. */
async function personalToken(grants: Grants): Promise<string> {
  const body = { name: 'under test', ...bodyOf(grants) };
  if (JSON.stringify(body) !== rolesBody) {
    const changed = await local.call('PUT', `/v2/rbac/roles/${roleId}`, body);
    assert.equal(changed.status, 200, changed.text);
    rolesBody = JSON.stringify(body);
  }
  return PERSONAL_TOKEN;
}

/** Returns everything that requests could change, read with the owner's token. */
async function state(): Promise<string> {
  const lists = [
    ...['datasets', 'monitors', 'dashboards', 'views', 'annotations', 'users', 'orgs', 'tokens'],
    ...['rbac/groups', 'apl-starred-queries?who=all', 'vfields?dataset=a', 'vfields?dataset=b'],
    ...['datasets/a/mapfields', 'datasets/b/mapfields', 'datasets/a/fields'],
  ];
  const parts = await Promise.all(lists.map((list) => local.call('GET', `/v2/${list}`)));
  const counts = await local.rows("union ['a'], ['b'] | count");
  // The usage is updated periodically.
  return parts
    .map(({ text }) => text.replace(/"lastUsageSync":"[^"]*"/g, ''))
    .join('\n')
    .concat(JSON.stringify(counts));
}

interface Cell {
  readonly kind: 'api' | 'personal';
  readonly grants: Grants;
  readonly name: Name;
  readonly status: number;
}

describe('permissions', () => {
  let cells = 0;
  for (const key of endpointKeys) {
    it(`are enforced for each kind of token, capability and dataset: ${key}`, async () => {
      const all = (['api', 'personal'] as const).flatMap((kind) =>
        grantsFor(key).flatMap((grants) =>
          (['a', 'b'] as const).map((name): Cell => {
            return { kind, grants, name, status: expected(key, kind, grants, name) };
          }),
        ),
      );
      const refused = all.filter(({ status }) => status >= 400);
      const letIn = all.filter(({ status }) => status < 400);
      for (const { kind, grants } of all) if (kind === 'api') await apiToken(grants);
      // Roles are not compared, because they change for the personal tokens.
      const before = await state();
      for (const cell of refused) await check(cell);
      assert.equal(await state(), before, 'a request that was refused changed something');
      for (const cell of letIn) {
        const answer = await check(cell);
        await restore(local, key, targets[cell.name], answer);
      }
      cells += all.length;
    });

    const check = async ({ kind, grants, name, status }: Cell) => {
      const secret = await (kind === 'api' ? apiToken(grants) : personalToken(grants));
      const { path, body, type, headers } = requestOf(key, targets[name]);
      const answer = await local.call(endpointRow(key).method, path, body, {
        ...(type === undefined ? {} : { type }),
        headers: { ...headers, authorization: `Bearer ${secret}` },
      });
      const cell = () => `${kind} ${JSON.stringify(bodyOf(grants))} ${path}: ${answer.text}`;
      const success = endpointRow(key).status;
      // Vacuum is allowed once a day, so 429 also means that access was granted.
      const letIn = key === 'vacuumDataset' ? [...success, 429] : success;
      const wanted = status < 400 ? letIn : [status];
      assert.ok(wanted.includes(answer.status), `${answer.status}, not ${status}: ${cell()}`);
      if (answer.status >= 400) assert.equal(typeof answer.body.reason, 'string');
      if (answer.status === 200 && about[key] === 'list') {
        const wantedNames = (['a', 'b'] as const).filter((each) => isListed(key, grants, each));
        assert.deepEqual(listed(key, answer, targets), wantedNames, cell());
      }
      if (answer.status === 200 && key === 'queryBatch') {
        const isRefused = !holds(grants, name, 'query:read');
        assert.equal(answer.text.includes('"code":403'), isRefused, cell());
      }
      return answer;
    };
  }

  it('are tested with more than 5,000 combinations', () => assert.ok(cells > 5_000, `${cells}`));
});

describe('without a valid token', () => {
  const answerTo = (key: EndpointKey, authorization: string | undefined) => {
    const { path, body, type, headers } = requestOf(key, targets.a);
    return local.call(endpointRow(key).method, path, body, {
      ...(type === undefined ? {} : { type }),
      headers: { ...headers, authorization: authorization ?? '' },
    });
  };

  it('every endpoint returns 401, whether the token is missing, unknown, deleted or expired', async () => {
    const everything = { ...bodyOf({ org: everyOrg, on: { '*': everyData } }), name: 't' };
    const past = '2020-01-01T00:00:00Z';
    const expired = await local.call('POST', '/v2/tokens', { ...everything, expiresAt: past });
    const deleted = await local.call('POST', '/v2/tokens', everything);
    await local.call('DELETE', `/v2/tokens/${deleted.body.id}`);
    const before = await state();
    for (const key of endpointKeys) {
      for (const [authorization, reason] of [
        [undefined, 'no-token'],
        ['Basic eDp5', 'no-token'],
        [`Bearer ${TOKEN}x`, 'wrong-token'],
        [`Bearer ${PERSONAL_TOKEN.toUpperCase()}`, 'wrong-token'],
        [`Bearer ${deleted.body.token}`, 'wrong-token'],
        [`Bearer ${deleted.body.id}`, 'wrong-token'],
        [`Bearer ${expired.body.token}`, 'expired-token'],
      ] as const) {
        const answer = await answerTo(key, authorization);
        assert.deepEqual(
          [answer.status, answer.body.reason],
          [401, reason],
          `${key}: ${answer.text}`,
        );
      }
    }
    assert.equal(await state(), before);
  });
});
