// Tokens, roles, groups and users: their lifecycle, their permissions, and the data that responses
// must not disclose.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { checkStrict, type EndpointKey, endpointRow } from '../../api/src/index.ts';
import { ALL_TIMES, type Answer, Deployment, PERSONAL_TOKEN, rowsOf } from './deployment.ts';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
  for (const name of ['a', 'b']) {
    await local.dataset(name);
    await local.stored(name, [{ n: 1, from: name, secret_of: `${name}-secret` }]);
  }
});
after(() => local.close());

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const asPerson = bearer(PERSONAL_TOKEN);

function granted(key: EndpointKey, answer: Answer) {
  const row = endpointRow(key);
  assert.ok(row.status.includes(answer.status), `${key}: ${answer.status} ${answer.text}`);
  if (row.response !== undefined) assert.deepEqual(checkStrict(row.response, answer.body), []);
  return answer.body;
}

async function token(members: object): Promise<{ readonly id: string; readonly token: string }> {
  return granted('createToken', await local.call('POST', '/v2/tokens', { name: 't', ...members }));
}

function refused(answer: Answer, status: number, reason: string, message?: RegExp) {
  assert.deepEqual([answer.status, answer.body?.reason], [status, reason], answer.text);
  if (message !== undefined) assert.match(answer.body.message, message);
}

describe('API tokens', () => {
  it('are created, listed, read and deleted, and only the creation returns the secret', async () => {
    const body = {
      name: 'ci',
      description: 'for the pipeline',
      expiresAt: '2090-01-01T00:00:00Z',
      datasetCapabilities: { a: { ingest: ['create'] } },
      orgCapabilities: { monitors: ['read'] },
      viewCapabilities: { v: { query: ['read'] } },
    };
    const { token: secret, ...record } = granted(
      'createToken',
      await local.call('POST', '/v2/tokens', { ...body, hash: 'x', id: 'x' }),
    );
    assert.match(secret, /^xaat-[\w-]{43}$/);
    assert.deepEqual(record, { ...body, id: record.id, samlAuthenticated: false });
    const path = `/v2/tokens/${record.id}`;
    assert.deepEqual(granted('getToken', await local.call('GET', path)), record);
    const listed = granted('listTokens', await local.call('GET', '/v2/tokens'));
    assert.deepEqual(listed, [record]);
    assert.equal((await local.ingest('a', [{ n: 2 }], bearer(secret))).status, 200);
    assert.equal((await local.call('GET', '/v2/monitors', undefined, bearer(secret))).status, 200);
    assert.equal((await local.call('DELETE', path)).status, 204);
    assert.equal((await local.call('DELETE', path)).status, 404);
    refused(await local.ingest('a', [{ n: 2 }], bearer(secret)), 401, 'wrong-token');
  });

  it('work after a restart, and no file in the data folder contains their secret', async () => {
    const { id, token: secret } = await token({
      datasetCapabilities: { a: { query: ['read'] } },
    });
    await local.reopen();
    assert.equal((await local.query("['a'] | count", {}, bearer(secret))).status, 200);
    refused(await local.query("['b'] | count", {}, bearer(secret)), 403, 'query-forbidden');
    for (const name of await readdir(local.folder, { recursive: true, withFileTypes: true })) {
      if (!name.isFile()) continue;
      const bytes = await readFile(join(name.parentPath, name.name));
      assert.equal(bytes.includes(secret.slice(5)), false, name.name);
    }
    await local.call('DELETE', `/v2/tokens/${id}`);
  });

  it('are rejected after they expire, with an error that gives the expiry time', async () => {
    const { token: secret } = await token({
      name: 'old',
      expiresAt: '2020-01-01T00:00:00Z',
      orgCapabilities: { monitors: ['read'] },
    });
    const answer = await local.call('GET', '/v2/monitors', undefined, bearer(secret));
    refused(answer, 401, 'expired-token', /"old" expired at 2020-01-01T00:00:00Z/);
  });

  it('accept an expiry time in any RFC 3339 form', async () => {
    for (const [expiresAt, status] of [
      ['9999-12-31T23:59:59Z', 200],
      ['2090-01-01t00:00:00.123456789123z', 200],
      ['2090-01-01T00:00:00+14:00', 200],
      ['1999-12-31T23:59:59.999999999-12:00', 401],
    ] as const) {
      const made = await token({ expiresAt, orgCapabilities: { monitors: ['read'] } });
      const answer = await local.call('GET', '/v2/monitors', undefined, bearer(made.token));
      assert.equal(answer.status, status, expiresAt);
    }
  });

  it('treat the zero time and null capabilities from Go clients as absent', async () => {
    const made = await token({
      expiresAt: '0001-01-01T00:00:00Z',
      datasetCapabilities: { a: { ingest: null, query: ['read'] } },
    });
    const record = (await local.call('GET', `/v2/tokens/${made.id}`)).body;
    assert.equal(record.expiresAt, null);
    assert.deepEqual(record.datasetCapabilities, { a: { query: ['read'] } });
    assert.equal((await local.query("['a']", {}, bearer(made.token))).status, 200);
  });

  it('are regenerated as new tokens with the same capabilities, and the old tokens expire at the given time', async () => {
    const old = await token({ name: 'x', datasetCapabilities: { a: { query: ['read'] } } });
    const regenerate = (existingTokenExpiresAt: string, members = {}) =>
      local.call('POST', `/v2/tokens/${old.id}/regenerate`, { existingTokenExpiresAt, ...members });
    const second = granted('regenerateToken', await regenerate('2090-01-01T00:00:00Z'));
    assert.notEqual(second.id, old.id);
    assert.deepEqual(second.datasetCapabilities, { a: { query: ['read'] } });
    for (const each of [old, second]) {
      assert.equal((await local.query("['a']", {}, bearer(each.token))).status, 200);
    }
    const third = granted(
      'regenerateToken',
      await regenerate('2020-01-01T00:00:00Z', {
        newTokenExpiresAt: '2080-01-01T00:00:00Z',
        newToken: { name: 'y', datasetCapabilities: { b: { query: ['read'] } } },
      }),
    );
    assert.deepEqual([third.name, third.expiresAt], ['y', '2080-01-01T00:00:00Z']);
    refused(await local.query("['a']", {}, bearer(old.token)), 401, 'expired-token');
    assert.equal((await local.query("['b']", {}, bearer(third.token))).status, 200);
    const nothing = { existingTokenExpiresAt: '2020-01-01T00:00:00Z' };
    assert.equal((await local.call('POST', '/v2/tokens/nothing/regenerate', nothing)).status, 404);
  });

  it('expire no later than the token that created or regenerated them', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const orgCapabilities = { apiTokens: ['create', 'read', 'update', 'delete'] };
    const parent = await token({ expiresAt, orgCapabilities });
    const own = bearer(parent.token);
    const create = (members: object) =>
      local.call('POST', '/v2/tokens', { name: 'child', ...members }, own);
    for (const members of [{}, { expiresAt: null }, { expiresAt: '2090-01-01T00:00:00Z' }]) {
      assert.equal(granted('createToken', await create(members)).expiresAt, expiresAt);
    }
    const sooner = new Date(Date.now() + 60_000).toISOString();
    const child = granted('createToken', await create({ expiresAt: sooner }));
    assert.equal(child.expiresAt, sooner);
    const path = `/v2/tokens/${child.id}/regenerate`;
    const again = await local.call('POST', path, { existingTokenExpiresAt: sooner }, own);
    const span = Date.parse(granted('regenerateToken', again).expiresAt!) - Date.now();
    assert.ok(span > 50_000 && span <= 60_000, `${span}`);
    const longer = { existingTokenExpiresAt: sooner, newTokenExpiresAt: '2090-01-01T00:00:00Z' };
    const third = granted('regenerateToken', await local.call('POST', path, longer, own));
    assert.equal(third.expiresAt, expiresAt);
  });

  it('are rejected if they have invalid actions or unknown capabilities', async () => {
    const make = (members: object) => local.call('POST', '/v2/tokens', { name: 't', ...members });
    for (const [members, place] of [
      [
        { orgCapabilities: { billing: ['delete'] } },
        /orgCapabilities\.billing\[0\] must be one of/,
      ],
      [
        { datasetCapabilities: { a: { ingest: ['read'] } } },
        /a\.ingest\[0\] must be one of create/,
      ],
      [{ datasetCapabilities: { a: ['read'] } }, /datasetCapabilities\.a must be an object/],
      [{ viewCapabilities: { v: { query: 'read' } } }, /v\.query must be a list/],
      [{ expiresAt: 'soon' }, /expiresAt must be a time/],
      [{ name: '' }, /name must not be empty/],
    ] as const) {
      refused(await make(members), 400, 'bad-request', place);
    }
    for (const members of [
      { orgCapabilities: { everything: ['create'] } },
      { datasetCapabilities: { a: { everything: ['read'] } } },
      { viewCapabilities: { v: { ingest: ['create'] } } },
    ]) {
      refused(await make(members), 400, 'bad-request', /(everything|ingest) is not a capability/);
    }
  });

  it('cannot grant permissions that they lack, directly or through a role', async () => {
    const manager = await token({
      datasetCapabilities: { a: { query: ['read'], ingest: ['create'] } },
      orgCapabilities: {
        apiTokens: ['create', 'read', 'update'],
        rbac: ['create', 'read'],
        users: ['create', 'update'],
      },
    });
    const call = (path: string, body: object, method = 'POST') =>
      local.call(method, path, body, bearer(manager.token));
    const name = 't';
    const more = [
      { orgCapabilities: { monitors: ['read'] } },
      { orgCapabilities: { apiTokens: ['delete'] } },
      { datasetCapabilities: { b: { query: ['read'] } } },
      { datasetCapabilities: { '*': { query: ['read'] } } },
      { datasetCapabilities: { a: { trim: ['update'] } } },
      { viewCapabilities: { v: { query: ['read'] } } },
    ];
    for (const grants of more) {
      refused(await call('/v2/tokens', { name, ...grants }), 403, 'grant-forbidden');
      refused(await call('/v2/rbac/roles', { name, ...grants }), 403, 'grant-forbidden');
    }
    const stronger = await token({ datasetCapabilities: { b: { query: ['read'] } } });
    const soon = { existingTokenExpiresAt: '2090-01-01T00:00:00Z' };
    const path = `/v2/tokens/${stronger.id}/regenerate`;
    refused(await call(path, soon), 403, 'grant-forbidden', /query:read on "b"/);
    const person = { name: 'P', email: 'p@example.com', role: 'Owner' };
    refused(await call('/v2/users', person), 403, 'grant-forbidden');
    refused(
      await call('/v2/users/local-user/role', { role: 'admin' }, 'PUT'),
      403,
      'grant-forbidden',
    );
    // The token can't revoke a role that it couldn't grant.
    refused(
      await call('/v2/users/local-user/role', { role: 'none' }, 'PUT'),
      403,
      'grant-forbidden',
    );
    refused(await call('/v2/rbac/groups', { name: 'g', roles: ['owner'] }), 403, 'grant-forbidden');
    const less = { name, datasetCapabilities: { a: { query: ['read'] } } };
    const weaker = granted('createToken', await call('/v2/tokens', less));
    assert.equal((await local.query("['a']", {}, bearer(weaker.token))).status, 200);
  });
});

describe('a 403 response', () => {
  it('states the required kind of token', async () => {
    const edge = await local.query("['a']", {}, asPerson);
    refused(edge, 403, 'edge-needs-api-token', /does not accept personal tokens.*xaat-/);
    refused(await local.ingest('a', [{ n: 1 }], asPerson), 403, 'edge-needs-api-token');
    const user = await local.call('GET', '/v2/user');
    refused(user, 403, 'needs-personal-token', /needs a personal token, which starts with xapt-/);
    assert.equal((await local.call('GET', '/v2/user', undefined, asPerson)).status, 200);
  });

  it('names the missing capability or the forbidden dataset', async () => {
    const ingestOnly = bearer(
      (await token({ datasetCapabilities: { a: { ingest: ['create'] } } })).token,
    );
    assert.equal((await local.ingest('a', [{ n: 1 }], ingestOnly)).status, 200);
    refused(
      await local.ingest('b', [{ n: 1 }], ingestOnly),
      403,
      'dataset-forbidden',
      /lacks the capability ingest:create for the dataset "b"/,
    );
    refused(await local.query("['a']", {}, ingestOnly), 403, 'capability-missing', /query:read/);
    refused(
      await local.call('GET', '/v2/monitors', undefined, ingestOnly),
      403,
      'capability-missing',
      /monitors:read/,
    );
    // The response doesn't disclose whether a dataset exists.
    refused(await local.ingest('nothing', [{ n: 1 }], ingestOnly), 403, 'dataset-forbidden');
    assert.deepEqual((await local.call('GET', '/v2/datasets', undefined, ingestOnly)).body, []);
  });

  it('reports a wrong organization only to personal tokens', async () => {
    const ask = (id: string, options: { headers: object }) =>
      local.call('GET', '/v2/monitors', undefined, {
        headers: { ...options.headers, 'x-axiom-org-id': id },
      });
    refused(await ask('other', asPerson), 403, 'wrong-organization', /send "local"/);
    assert.equal((await ask('local', asPerson)).status, 200);
    assert.equal((await ask('', asPerson)).status, 200);
    assert.equal((await ask('other', { headers: {} })).status, 200);
  });

  it('is returned by the /_local endpoints for every created token', async () => {
    const { token: secret } = await token({ datasetCapabilities: { '*': { query: ['read'] } } });
    for (const [method, path] of [
      ['POST', '/_local/stop'],
      ['POST', '/_local/rotate-tokens'],
      ['POST', '/_local/plan'],
      ['GET', '/_local/hold'],
    ] as const) {
      refused(await local.call(method, path, undefined, bearer(secret)), 403, 'owner-token-needed');
    }
  });
});

describe('a query', () => {
  let onlyA: ReturnType<typeof bearer>;
  before(async () => {
    onlyA = bearer((await token({ datasetCapabilities: { a: { query: ['read'] } } })).token);
    for (const [name, aplQuery] of [
      ['view-a', "['a'] | extend of = 'a'"],
      ['view-b', "['b'] | extend of = 'b'"],
      ['view-view-b', "['view-b']"],
      ['view-all', 'union * | limit 10'],
      ['view-both', "union ['a'], ['b']"],
    ] as const) {
      const made = await local.call('POST', '/v2/views', { name, aplQuery });
      assert.equal(made.status, 200, made.text);
    }
  });

  it("is rejected if a dataset is forbidden, with the dataset's position in the query and no data", async () => {
    for (const apl of [
      "['b']",
      'b',
      "['nothing']",
      "['a'] | union ['b']",
      "['a'] | union (['b'] | limit 1)",
      "['a'] | join kind=inner (['b']) on n",
      "['a'] | lookup (['b']) on n",
      "let x = ['b']; x | limit 1",
      "['a'] | where n in ((['b'] | project n))",
      "table('b')",
      "let x = 'b'; table(x)",
      'search in (b) "secret"',
      'union b*',
      "['view-b']",
      "['view-view-b']",
      "['view-both']",
      "['view-all']",
      "['a'] | union ['view-b']",
      "['b'] | getschema",
      `['a'] | extend x = '${'x'.repeat(25_000)}' | union ['b']`,
    ]) {
      for (const format of ['tabular', 'legacy']) {
        const answer = await local.call(
          'POST',
          `/v1/query/_apl?format=${format}`,
          { apl, ...ALL_TIMES },
          onlyA,
        );
        assert.ok([400, 403].includes(answer.status), `${apl.slice(0, 80)}: ${answer.text}`);
        if (answer.status === 403) assert.equal(answer.body.reason, 'query-forbidden');
        assert.doesNotMatch(answer.text, /b-secret/, apl);
      }
    }
    const { body } = await local.query("['a']\n| union ['b']", ALL_TIMES, onlyA);
    assert.deepEqual([body.code, body.detail.line, body.detail.column], [403, 2, 9]);
  });

  it('reads only datasets that the token may read if it has a dataset pattern', async () => {
    for (const apl of ['union *', 'search "secret"', 'union a*, *', "['a'] | union *"]) {
      const answer = await local.query(`${apl} | summarize count() by from`, ALL_TIMES, onlyA);
      assert.equal(answer.status, 200, answer.text);
      const found = rowsOf(answer.body.tables[0]).map((row) => row['from']);
      assert.ok(found.includes('a') && !found.includes('b'), `${apl}: ${answer.text}`);
      assert.deepEqual(answer.body.datasetNames, ['a']);
    }
  });

  it("may read a view if the token may query the view's datasets or the view itself", async () => {
    assert.equal((await local.query("['view-a']", ALL_TIMES, onlyA)).status, 200);
    const viewers = bearer(
      (await token({ viewCapabilities: { 'view-view-b': { query: ['read'] } } })).token,
    );
    const answer = await local.query("['view-view-b'] | project of", ALL_TIMES, viewers);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(rowsOf(answer.body.tables[0]), [{ of: 'b' }]);
    for (const name of ['b', 'view-b', 'a']) {
      refused(await local.query(`['${name}']`, ALL_TIMES, viewers), 403, 'query-forbidden');
    }
  });

  it('fails on a forbidden dataset without affecting the other queries of its batch', async () => {
    const items = ['a', 'b'].map((name) => ({
      queryId: name,
      aplRequest: { apl: `['${name}']`, ...ALL_TIMES },
    }));
    const { status, text } = await local.call('POST', '/v1/query/batch', items, onlyA);
    assert.equal(status, 200);
    assert.match(text, /"queryId":"a","kind":"apl","result"/);
    assert.match(text, /"queryId":"b","kind":"apl","error":\{"code":403/);
    assert.doesNotMatch(text, /b-secret/);
  });

  it('may read a dataset newer than the token only if the token covers all datasets', async () => {
    const every = bearer(
      (await token({ datasetCapabilities: { '*': { query: ['read'] } } })).token,
    );
    assert.equal((await local.query("['later']", {}, every)).status, 400);
    await local.dataset('later');
    assert.equal((await local.query("['later']", {}, every)).status, 200);
    refused(await local.query("['later']", {}, onlyA), 403, 'query-forbidden');
  });
});

describe('monitors', () => {
  it('are hidden, as if nonexistent, unless the token may query all their datasets', async () => {
    const monitor = (aplQuery: string) => ({ name: 'm', type: 'Threshold', aplQuery });
    const make = async (body: object) =>
      granted('createMonitor', await local.call('POST', '/v2/monitors', body)).id;
    const ofA = await make(monitor("['a'] | count"));
    const hiddenIds = [
      await make(monitor("['b'] | count")),
      await make(monitor("union ['a'], ['b'] | count")),
      await make(monitor('union * | count')),
      await make(monitor('search "x" | count')),
      await make(monitor("['a'] | join kind=inner (search 'x') on n")),
      await make(monitor("['gone'] | count")),
      await make({ name: 'm', type: 'Threshold', mplQuery: 'm' }),
    ];
    const { token: secret } = await token({
      datasetCapabilities: { a: { query: ['read'] } },
      orgCapabilities: { monitors: ['create', 'read', 'update', 'delete'] },
    });
    const call = (method: string, path: string, body?: object) =>
      local.call(method, path, body, bearer(secret));
    const listed = granted('listMonitors', await call('GET', '/v2/monitors'));
    assert.deepEqual(
      listed.map((each: { id: string }) => each.id),
      [ofA],
    );
    for (const id of [...hiddenIds, 'nothing']) {
      const message = /does not exist, or the token lacks access to one of its datasets/;
      refused(await call('GET', `/v2/monitors/${id}`), 404, 'resource-hidden', message);
      refused(await call('PUT', `/v2/monitors/${id}`, monitor("['a']")), 404, 'resource-hidden');
      refused(await call('DELETE', `/v2/monitors/${id}`), 404, 'resource-hidden');
    }
    refused(await call('POST', '/v2/monitors', monitor("['b']")), 403, 'dataset-forbidden', /"b"/);
    refused(await call('PUT', `/v2/monitors/${ofA}`, monitor("['b']")), 403, 'dataset-forbidden');
    refused(
      await call('POST', '/v2/monitors', monitor('union *')),
      403,
      'dataset-forbidden',
      /every dataset/,
    );
    // A token without access to any dataset sees no monitors.
    const nobody = bearer((await token({ orgCapabilities: { monitors: ['read'] } })).token);
    assert.deepEqual((await local.call('GET', '/v2/monitors', undefined, nobody)).body, []);
  });
});

describe('roles, groups and users', () => {
  it("include built-in roles that can't be changed or deleted", async () => {
    const roles = granted('listRoles', await local.call('GET', '/v2/rbac/roles'));
    assert.deepEqual(
      roles.map((role: { id: string }) => role.id),
      ['owner', 'admin', 'user', 'read-only', 'none'],
    );
    const [owner, admin] = roles;
    assert.deepEqual([owner.members, admin.orgCapabilities.billing], [['local-user'], []]);
    granted('getRole', await local.call('GET', '/v2/rbac/roles/user'));
    refused(await local.call('PUT', '/v2/rbac/roles/owner', { name: 'x' }), 409, 'built-in');
    refused(await local.call('DELETE', '/v2/rbac/roles/none'), 409, 'built-in');
    refused(await local.call('DELETE', '/v2/users/local-user'), 409, 'built-in');
  });

  it('are created, changed and deleted, with unique names and valid references', async () => {
    const call = (method: string, path: string, body?: object) => local.call(method, path, body);
    const person = { name: 'Jane', email: 'jane@example.com', role: 'Read-only' };
    const jane = granted('createUser', await call('POST', '/v2/users', person));
    assert.deepEqual(jane.role, { id: 'read-only', name: 'Read-only' });
    refused(await call('POST', '/v2/users', person), 409, 'name-taken');
    refused(await call('POST', '/v2/users', { ...person, email: 'x' }), 400, 'bad-request');
    refused(
      await call('POST', '/v2/users', { ...person, email: 'y@x.y', role: 'boss' }),
      400,
      'reference-missing',
    );
    const role = granted(
      'createRole',
      await call('POST', '/v2/rbac/roles', { name: 'readers', members: [jane.id] }),
    );
    refused(await call('POST', '/v2/rbac/roles', { name: 'readers' }), 409, 'name-taken');
    refused(await call('POST', '/v2/rbac/roles', { name: 'Owner' }), 409, 'name-taken');
    refused(
      await call('POST', '/v2/rbac/roles', { name: 'x', members: ['nobody'] }),
      400,
      'reference-missing',
      /user "nobody"/,
    );
    const renamed = await call('PUT', `/v2/rbac/roles/${role.id}`, { name: 'writers' });
    assert.deepEqual(granted('updateRole', renamed).members, []);
    const members = { members: [jane.id], roles: [role.id, 'user'], isManaged: true };
    const group = granted(
      'createGroup',
      await call('POST', '/v2/rbac/groups', { name: 'g', ...members }),
    );
    assert.deepEqual(group, { ...members, id: group.id, name: 'g', isManaged: false });
    refused(await call('POST', '/v2/rbac/groups', { name: 'g' }), 409, 'name-taken');
    refused(
      await call('PUT', `/v2/rbac/groups/${group.id}`, { name: 'g', roles: ['nothing'] }),
      400,
      'reference-missing',
    );
    const given = await call('PUT', `/v2/users/${jane.id}/role`, { role: role.id });
    assert.deepEqual(granted('updateUserRole', given).role, { id: role.id, name: 'writers' });
    refused(await call('DELETE', `/v2/rbac/roles/${role.id}`), 409, 'role-in-use', /Jane/);
    await local.reopen();
    assert.deepEqual(granted('getGroup', await call('GET', `/v2/rbac/groups/${group.id}`)), group);
    granted('updateUserRole', await call('PUT', `/v2/users/${jane.id}/role`, { role: 'none' }));
    assert.equal((await call('DELETE', `/v2/rbac/roles/${role.id}`)).status, 204);
    assert.equal((await call('DELETE', `/v2/users/${jane.id}`)).status, 204);
    const left = granted('getGroup', await call('GET', `/v2/rbac/groups/${group.id}`));
    assert.deepEqual([left.members, left.roles], [[], ['user']]);
    assert.equal((await call('DELETE', `/v2/rbac/groups/${group.id}`)).status, 204);
    assert.equal((await call('GET', `/v2/rbac/groups/${group.id}`)).status, 404);
  });

  it('are created once if several requests use one name concurrently', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => local.call('POST', '/v2/rbac/roles', { name: 'race' })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409]);
  });

  it('determine the permissions of a personal token', async () => {
    const mine = (path: string) => local.call('GET', path, undefined, asPerson);
    const query = (name: string) =>
      local.call('POST', '/v1/datasets/_apl?format=tabular', { apl: `['${name}']` }, asPerson);
    const other = { name: 'O', email: 'o@example.com', role: 'Owner' };
    const toNone = () => local.call('PUT', '/v2/users/local-user/role', { role: 'none' });
    refused(await toNone(), 409, 'last-owner');
    const { id } = granted('createUser', await local.call('POST', '/v2/users', other));
    granted('updateUserRole', await toNone());
    const second = { name: 'P', email: 'p@example.com', role: 'Owner' };
    const another = granted('createUser', await local.call('POST', '/v2/users', second));
    const deleted = await Promise.all(
      [id, another.id].map((each) => local.call('DELETE', `/v2/users/${each}`)),
    );
    assert.deepEqual(deleted.map(({ status }) => status).sort(), [204, 409]);
    const remaining = deleted[0]!.status === 409 ? id : another.id;
    refused(await local.call('DELETE', `/v2/users/${remaining}`), 409, 'last-owner');
    assert.equal((await mine('/v2/user')).body.role.id, 'none');
    refused(await mine('/v2/monitors'), 403, 'capability-missing');
    refused(await query('a'), 403, 'capability-missing');
    const made = await local.call('POST', '/v2/rbac/roles', {
      name: 'reads a',
      datasetCapabilities: { a: { query: ['read'] } },
      orgCapabilities: { monitors: ['read'] },
    });
    const group = { name: 'team', members: ['local-user'], roles: [made.body.id] };
    granted('createGroup', await local.call('POST', '/v2/rbac/groups', group));
    assert.equal((await mine('/v2/monitors')).status, 200);
    assert.equal((await query('a')).status, 200);
    refused(await query('b'), 403, 'query-forbidden');
    granted(
      'updateUserRole',
      await local.call('PUT', '/v2/users/local-user/role', { role: 'owner' }),
    );
    assert.equal((await query('b')).status, 200);
  });

  it('keep the new names of the current user and the organization after a restart', async () => {
    const renamed = await local.call('PUT', '/v2/user', { name: 'Ada' }, asPerson);
    assert.equal(granted('updateCurrentUser', renamed).name, 'Ada');
    const org = granted(
      'updateOrganization',
      await local.call('PUT', '/v2/orgs/local', { name: 'Mine', plan: 'enterprise' }),
    );
    assert.deepEqual([org.name, org.plan], ['Mine', 'personal']);
    assert.ok(Date.parse(org.planCreated) <= Date.now() && Date.parse(org.lastUsageSync) > 0);
    await local.reopen();
    assert.equal((await local.call('GET', '/v2/orgs/local')).body.name, 'Mine');
    assert.equal((await local.call('GET', '/v2/user', undefined, asPerson)).body.name, 'Ada');
    const other = await local.call('PUT', '/v2/orgs/other', { name: 'x' });
    assert.equal(other.status, 404);
    assert.equal(other.body.message, 'Not found: the organization "other" does not exist.');
  });
});
