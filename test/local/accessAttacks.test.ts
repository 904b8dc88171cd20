// Attempts to exceed a limited token's permissions. Every attempt must fail.
import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { QUERY_CONCURRENCY } from '../../local/src/limits.ts';
import { ALL_TIMES, type Answer, Deployment, rowsOf, TOKEN } from './deployment.ts';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
  for (const name of ['open', 'secret-plans']) {
    await local.dataset(name);
    await local.stored(name, [{ n: 1, [`${name}_field`]: `${name}-word` }]);
  }
});
after(() => local.close());

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

interface Made {
  readonly id: string;
  readonly token: string;
}

async function token(members: object, options = {}): Promise<Made> {
  const made = await local.call('POST', '/v2/tokens', { name: 't', ...members }, options);
  assert.equal(made.status, 200, made.text);
  return made.body;
}

async function attacker(members: object = {}) {
  const { token: secret } = await token({
    datasetCapabilities: { open: { query: ['read'] } },
    ...members,
  });
  return (method: string, path: string, body?: object | string, headers = {}) =>
    local.call(method, path, body, {
      headers: { authorization: `Bearer ${secret}`, ...headers },
    });
}

const SECRETS = /secret-plans_field|secret-plans-word/;

/** Returns whether the response body or header contains the pattern. */
function says(answer: Answer, pattern: RegExp): boolean {
  return pattern.test(answer.text) || pattern.test(answer.headers.get('x-aplomb-messages') ?? '');
}

describe('notices about problems', () => {
  // These names are close to the dataset's and field's names, which suggestions would disclose.
  const apl = "['secret-plan'] | where n == 1";
  const known = "['secret-plans'] | where ['secret-plans_fiel'] == 1";

  it("don't name datasets or fields in a dashboard's queries that the token may not query", async () => {
    const call = await attacker({ orgCapabilities: { dashboards: ['create', 'update'] } });
    for (const text of [apl, known, `${known} | where x == '${'x'.repeat(6_000)}'`]) {
      const charts = [{ id: 'a', type: 'TimeSeries', query: { apl: text } }];
      const made = await call('POST', '/v2/dashboards', { dashboard: { name: 'd', charts } });
      assert.equal(made.status, 201, made.text);
      const notices = made.headers.get('x-aplomb-messages') ?? '';
      assert.doesNotMatch(notices, SECRETS);
      assert.doesNotMatch(notices.replaceAll(/\['secret-plans'\]/g, ''), /secret-plans(?!_fiel\b)/);
    }
  });

  it("don't name datasets or fields in a saved query that the token may not query", async () => {
    const call = await attacker({
      datasetCapabilities: { open: { starredQueries: ['create', 'update'] } },
    });
    for (const text of [apl, known]) {
      const body = { name: 'q', kind: 'apl', dataset: 'open', query: { apl: text } };
      const made = await call('POST', '/v2/apl-starred-queries', body);
      assert.equal(made.status, 403, made.text);
      assert.equal(says(made, SECRETS), false, made.text);
    }
  });
});

describe('queries', () => {
  it("can't reach a forbidden dataset through variables, computed names or parameters", async () => {
    const call = await attacker();
    for (const [apl, variables] of [
      ['declare query_parameters (t:string = "open"); table(t)', { t: 'secret-plans' }],
      ['table(t)', { t: 'secret-plans' }],
      ["table(strcat('secret', '-plans'))", {}],
      ["let t = strcat('secret', '-plans'); table(t)", {}],
      ["['open'] | union (table(t))", { t: 'secret-plans' }],
      ["['open'] | where n in ((table(t) | project n))", { t: 'secret-plans' }],
      ["let f = () { ['secret-plans'] }; f()", {}],
      ["['open'] | extend x = toscalar(['secret-plans'] | count)", {}],
      ["['open'] | join kind=leftouter (table('secret-plans')) on n", {}],
      ["union isfuzzy=true ['open'], ['secret-plans']", {}],
      ["union withsource=s ['open'], ['secret-plan*']", {}],
      ["search in (['secret-plan*']) '*'", {}],
      ["['SECRET-PLANS']", {}],
      ["['secret-plans ']", {}],
      ["['events.1']", {}],
      ["externaldata (a:string) ['file:///etc/passwd']", {}],
    ] as const) {
      for (const path of ['/v1/query/_apl', '/v1/datasets/_apl', '/edge/us-east-1/v1/query/_apl']) {
        const body = { apl, variables, ...ALL_TIMES };
        const answer = await call('POST', `${path}?format=tabular`, body);
        assert.equal(says(answer, SECRETS), false, `${apl}: ${answer.text}`);
        if (answer.status === 200)
          assert.deepEqual(answer.body.datasetNames.includes('secret-plans'), false);
      }
    }
  });

  it("can't continue from another dataset's cursor", async () => {
    const owned = await local.query("['secret-plans']", { ...ALL_TIMES, includeCursor: true });
    const cursor = owned.body.status.minCursor;
    const call = await attacker();
    const body = { ...ALL_TIMES, cursor, includeCursor: true };
    const own = await call('POST', '/v1/query/_apl?format=tabular', { apl: "['open']", ...body });
    assert.equal(says(own, SECRETS), false);
    const other = await call('POST', '/v1/query/_apl?format=tabular', {
      apl: "['secret-plans']",
      ...body,
    });
    assert.equal(other.status, 403);
  });

  it('get no suggestion of a forbidden dataset for a misspelled name', async () => {
    const call = await attacker();
    const answer = await call('POST', '/v1/query/_apl?format=tabular', { apl: "['secret-plan']" });
    assert.equal(answer.status, 403, answer.text);
    assert.doesNotMatch(answer.text, /secret-plans/);
  });
});

describe('virtual fields', () => {
  it("can't read another dataset in their expression", async () => {
    const call = await attacker({
      datasetCapabilities: { open: { query: ['read'], virtualFields: ['create', 'update'] } },
    });
    for (const expression of [
      "n in ((['secret-plans'] | project n))",
      "toscalar(['secret-plans'] | count)",
      "n, m = 1 | union ['secret-plans']",
      "1\n| join (['secret-plans']) on n",
      "1; ['secret-plans']",
    ]) {
      const body = { dataset: 'open', name: 'v', expression };
      const made = await call('POST', '/v2/vfields', body);
      assert.equal(made.status, 400, made.text);
      assert.equal(says(made, SECRETS), false, made.text);
    }
  });

  it("can't be moved to a dataset that the token isn't allowed to change", async () => {
    const call = await attacker({
      datasetCapabilities: { open: { query: ['read'], virtualFields: ['create', 'update'] } },
    });
    const field = { dataset: 'open', name: 'moved', expression: 'n + 1' };
    const { body } = await call('POST', '/v2/vfields', field);
    const moved = await call('PUT', `/v2/vfields/${body.id}`, {
      ...field,
      dataset: 'secret-plans',
    });
    assert.equal(moved.status, 403, moved.text);
  });
});

describe('monitors', () => {
  it('are visible only to tokens for all datasets if they have a metrics query, even if the token may run their APL query', async () => {
    const call = await attacker({
      orgCapabilities: { monitors: ['create', 'read', 'update', 'delete'] },
    });
    for (const aplQuery of ['', ' ', 'print 1', "['open'] | count"]) {
      const monitor = { name: 'm', type: 'Threshold', mplQuery: 'secret-plans:cpu', aplQuery };
      const made = await local.call('POST', '/v2/monitors', monitor);
      assert.equal(made.status, 200, made.text);
      assert.doesNotMatch((await call('GET', '/v2/monitors')).text, /secret-plans/, aplQuery);
      for (const [method, body] of [
        ['GET', undefined],
        ['PUT', monitor],
        ['DELETE', undefined],
      ] as const) {
        const answer = await call(method, `/v2/monitors/${made.body.id}`, body);
        assert.equal(answer.status, 404, `${method} ${aplQuery}: ${answer.text}`);
      }
      const own = await call('POST', '/v2/monitors', monitor);
      assert.equal(own.status, 403, own.text);
      await local.call('DELETE', `/v2/monitors/${made.body.id}`);
    }
  });
});

describe('listing monitors', () => {
  it('parses each query only once, even with more monitors than the cache size', async () => {
    const many = await Deployment.open();
    try {
      await many.dataset('open');
      const stages = '| summarize count() by bin(_time, 1h), host | where count_ > 5'.repeat(5);
      for (let n = 0; n < 2_100; n += 1) {
        const aplQuery = `['open'] | where n == ${n} ${stages}`;
        const monitor = { id: `m${n}`, name: 'm', type: 'Threshold', aplQuery };
        await many.store.resources.change('monitor', monitor.id, () => monitor);
      }
      const made = await many.call('POST', '/v2/tokens', {
        name: 't',
        orgCapabilities: { monitors: ['read'] },
        datasetCapabilities: { open: { query: ['read'] } },
      });
      const times: number[] = [];
      for (let n = 0; n < 3; n += 1) {
        const began = performance.now();
        const { body } = await many.call('GET', '/v2/monitors', undefined, bearer(made.body.token));
        times.push(performance.now() - began);
        assert.equal(body.length, 2_100);
      }
      assert.ok(Math.min(...times.slice(1)) < times[0]! / 4, times.join(' '));
    } finally {
      await many.close();
    }
  });
});

describe('query history', () => {
  const kept = async (apl: string, options = {}) => {
    const answer = await local.call(
      'POST',
      '/v1/query/_apl?format=tabular&saveAsKind=apl',
      { apl, ...ALL_TIMES },
      options,
    );
    assert.equal(answer.status, 200, answer.text);
    return `/v1/datasets/_history/${answer.headers.get('x-axiom-history-query-id')}`;
  };

  it("can be read by the query's author and by tokens that may query all of the query's datasets", async () => {
    const reader = await token({ datasetCapabilities: { open: { query: ['read'] } } });
    const other = await token({ datasetCapabilities: { open: { query: ['read'] } } });
    const writer = await token({ datasetCapabilities: { open: { ingest: ['create'] } } });
    const of = async (path: string, secret: string) =>
      (await local.call('GET', path, undefined, bearer(secret))).status;
    const ofOpen = await kept("['open'] | count");
    const ofSecret = await kept("['secret-plans'] | count");
    const ofBoth = await kept("['open'] | union ['secret-plans']");
    assert.deepEqual(
      await Promise.all([ofOpen, ofSecret, ofBoth].map((path) => of(path, reader.token))),
      [200, 404, 404],
    );
    assert.deepEqual(
      await Promise.all([ofOpen, ofSecret, ofBoth].map((path) => of(path, TOKEN))),
      [200, 200, 200],
    );
    for (const path of [ofOpen, await kept('print 1')])
      assert.equal(await of(path, writer.token), 404);
    // A pattern may read any dataset, so only the author can read such a query.
    const own = await kept('union * | count', bearer(reader.token));
    assert.deepEqual([await of(own, reader.token), await of(own, other.token)], [200, 404]);
    await local.reopen();
    assert.deepEqual([await of(own, reader.token), await of(own, other.token)], [200, 404]);
  });

  it('returns the same response for a hidden and a missing query', async () => {
    const call = await attacker();
    const hidden = await call('GET', await kept("['secret-plans'] | count"));
    const missing = await call('GET', '/v1/datasets/_history/nothing');
    const plain = ({ body, status }: Answer) => [status, body.reason];
    assert.deepEqual(plain(hidden), plain(missing));
  });
});

describe('tokens', () => {
  it('are not revived by regeneration if they have expired', async () => {
    const strong = await token({
      name: 'strong',
      expiresAt: '2020-01-01T00:00:00Z',
      datasetCapabilities: { 'secret-plans': { query: ['read'] } },
    });
    const call = await attacker({ orgCapabilities: { apiTokens: ['create', 'read', 'update'] } });
    const answer = await call('POST', `/v2/tokens/${strong.id}/regenerate`, {
      existingTokenExpiresAt: '2090-01-01T00:00:00Z',
      newToken: { name: 'weak' },
    });
    assert.ok([200, 403].includes(answer.status), answer.text);
    const query = await local.query("['secret-plans']", ALL_TIMES, bearer(strong.token));
    assert.deepEqual([query.status, query.body.reason], [401, 'expired-token']);
  });

  it('keep their expiry if regeneration requests a later expiry', async () => {
    const old = await token({ expiresAt: '2080-01-01T00:00:00Z' });
    const end = async () => (await local.call('GET', `/v2/tokens/${old.id}`)).body.expiresAt;
    const regenerate = (existingTokenExpiresAt: string) =>
      local.call('POST', `/v2/tokens/${old.id}/regenerate`, { existingTokenExpiresAt });
    assert.equal((await regenerate('2090-01-01T00:00:00Z')).status, 200);
    assert.equal(await end(), '2080-01-01T00:00:00Z');
    assert.equal((await regenerate('2079-12-31T23:00:00-05:00')).status, 200);
    assert.equal(await end(), '2080-01-01T00:00:00Z');
    assert.equal((await regenerate('2070-01-01T00:00:00Z')).status, 200);
    assert.equal(await end(), '2070-01-01T00:00:00Z');
  });

  it("can't escalate their permissions through roles, groups or users", async () => {
    const call = await attacker({
      orgCapabilities: { rbac: ['create', 'read'], users: ['create', 'read', 'update'] },
    });
    const strong = await local.call('POST', '/v2/rbac/roles', {
      name: 'strong',
      datasetCapabilities: { '*': { query: ['read'] } },
    });
    const group = await local.call('POST', '/v2/rbac/groups', {
      name: 'g',
      roles: [strong.body.id],
    });
    const user = await call('POST', '/v2/users', { name: 'x', email: 'x@y.z', role: 'none' });
    assert.equal(user.status, 200, user.text);
    const members = [user.body.id];
    // An update that omits capabilities or roles removes them and grants nothing.
    const role = await call('PUT', `/v2/rbac/roles/${strong.body.id}`, { name: 'mine', members });
    assert.deepEqual([role.status, role.body.datasetCapabilities], [200, undefined], role.text);
    const grown = await call('PUT', `/v2/rbac/groups/${group.body.id}`, { name: 'mine', members });
    assert.deepEqual([grown.status, grown.body.roles ?? []], [200, []], grown.text);
    for (const role of ['owner', 'Owner', 'admin', 'User', 'read-only']) {
      const given = await call('PUT', `/v2/users/${user.body.id}/role`, { role });
      assert.equal(given.status, 403, `${role}: ${given.text}`);
    }
  });
});

describe('views', () => {
  it("can't be created or changed to read a forbidden dataset, directly or indirectly", async () => {
    const call = await attacker({
      orgCapabilities: { views: ['create', 'read', 'update', 'delete'] },
      viewCapabilities: { shared: { query: ['read'] } },
    });
    const shared = { name: 'shared', aplQuery: "['secret-plans'] | project n" };
    assert.equal((await local.call('POST', '/v2/views', shared)).status, 200);
    for (const aplQuery of [
      "['secret-plans']",
      "['open'] | union ['secret-plans']",
      'union *',
      "search 'x'",
      "let x = 'secret-plans'; table(x)",
      'table(t)',
      "['mine']",
      "['open'] | where n in ((['secret-plans'] | project n))",
    ]) {
      for (const [method, path, name] of [
        ['POST', '/v2/views', 'mine'],
        ['PUT', '/v2/views/shared', 'shared'],
        ['PUT', '/v2/views/shared', 'mine'],
      ] as const) {
        const answer = await call(method, path, { name, aplQuery });
        assert.equal(answer.status, 403, `${method} ${aplQuery}: ${answer.text}`);
      }
    }
    assert.deepEqual((await local.call('GET', '/v2/views/mine')).status, 404);
    // A shared view shows only its own result.
    const { body } = await call('POST', '/v1/query/_apl?format=tabular', {
      apl: "['shared']",
      ...ALL_TIMES,
    });
    assert.deepEqual(rowsOf(body.tables[0]), [{ n: 1 }]);
  });
});

describe('URLs and headers', () => {
  it("can't reach a forbidden dataset through encoding, dot segments or a prefix", async () => {
    const call = await attacker({ datasetCapabilities: { open: { ingest: ['create'] } } });
    const before = await local.rows("['secret-plans'] | count");
    for (const path of [
      '/v1/ingest/open/../secret-plans',
      '/v1/ingest/open%2f..%2fsecret-plans',
      '/v1/ingest/open/%2e%2e/secret-plans',
      '/v1/ingest/%2e%2e/ingest/secret-plans',
      '/v1/ingest/secret%2Dplans',
      '/v1/ingest/secret%252Dplans',
      '/v1/ingest/secret-plans/',
      '/v1/ingest//secret-plans',
      '/v1/ingest/secret-plans%00',
      '/v1/ingest/open;secret-plans',
      '/v1/ingest/open?dataset_name=secret-plans',
      '/V1/INGEST/secret-plans',
      '/edge/us-east-1/v1/ingest/secret-plans',
      '/edge/us-east-1/../../v1/ingest/secret-plans',
    ]) {
      const answer = await call('POST', path, '[{"n":9}]');
      const isOwn = path.includes('?');
      assert.equal(answer.status < 300, isOwn, `${path}: ${answer.status} ${answer.text}`);
    }
    assert.deepEqual(await local.rows("['secret-plans'] | count"), before);
  });

  it("can't override the request's method, host, token or user", async () => {
    const call = await attacker();
    const strong = { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' };
    assert.equal((await call('GET', '/v2/datasets/open', undefined, strong)).status, 200);
    assert.equal((await local.call('GET', '/v2/datasets/open')).status, 200);
    for (const headers of [
      { 'x-authorization': `Bearer ${TOKEN}` },
      { 'x-forwarded-user': 'local-user' },
      { cookie: `token=${TOKEN}` },
      { 'x-original-url': '/v2/tokens' },
      { 'x-axiom-token': TOKEN },
    ]) {
      const answer = await call('GET', '/v2/tokens', undefined, headers);
      assert.equal(answer.status, 403, JSON.stringify(headers));
    }
    assert.equal(
      (await call('GET', `/v2/tokens?token=${TOKEN}&access_token=${TOKEN}`)).status,
      403,
    );
  });
});

describe('license limits', () => {
  async function withLicense(license: object, use: (local: Deployment) => Promise<void>) {
    const folder = await mkdtemp(join(tmpdir(), 'aplomb-license-'));
    await writeFile(join(folder, 'license.json'), JSON.stringify(license));
    const limited = await Deployment.open({ folder });
    try {
      await use(limited);
    } finally {
      await limited.close();
    }
  }

  it("the limit on the query window can't be bypassed by time filters in the query", async () => {
    await withLicense({ maxQueryWindowSeconds: 3_600 }, async (limited) => {
      await limited.dataset('logs');
      const old = new Date(Date.now() - 3 * 3_600_000).toISOString();
      await limited.stored('logs', [{ _time: old, n: 1 }]);
      for (const apl of [
        "['logs'] | where _time > ago(1d)",
        "['logs'] | where _time between (ago(1d) .. now())",
        "['logs'] | union (['logs'] | where _time > ago(1d))",
        'search "*"',
      ]) {
        for (const range of [
          {},
          { startTime: 'now-1d' },
          { startTime: 'now-1w', endTime: 'now' },
        ]) {
          const answer = await limited.query(apl, range);
          assert.equal(answer.status, 200, answer.text);
          assert.deepEqual(rowsOf(answer.body.tables[0]), [], `${apl} ${JSON.stringify(range)}`);
        }
      }
    });
  });

  it('the limit on monthly queries returns 430 on every endpoint and persists across restarts', async () => {
    // A hundredth of a millisecond, which the first query uses up.
    await withLicense({ monthlyQueryGbHours: 0.01 / 3_600_000 }, async (limited) => {
      await limited.dataset('logs');
      const ways = [
        ['/v1/query/_apl?format=tabular', { apl: "['logs'] | count" }],
        ['/v1/datasets/_apl?format=tabular', { apl: "['logs'] | count" }],
        ['/v1/query/batch', [{ queryId: 'q', aplRequest: { apl: "['logs'] | count" } }]],
      ] as const;
      const all = () => Promise.all(ways.map(([path, body]) => limited.call('POST', path, body)));
      // The query that crosses the limit still succeeds.
      assert.equal((await limited.call('POST', ...ways[2])).status, 200);
      for (let round = 0; round < 2; round++) {
        for (const { status, body, headers } of await all()) {
          assert.deepEqual([status, body.reason], [430, 'query-limit']);
          assert.match(body.message, /monthlyQueryGbHours in license\.json/);
          assert.equal(headers.get('x-querylimit-remaining'), '0');
        }
        await limited.reopen();
      }
      // Other requests still succeed.
      assert.equal((await limited.ingest('logs', [{ a: 1 }])).status, 200);
    });
  });

  it('the limit on monthly queries applies to queued queries', async () => {
    await withLicense({ monthlyQueryGbHours: 0.01 / 3_600_000 }, async (limited) => {
      await limited.dataset('logs');
      await limited.stored('logs', [{ n: 1 }]);
      const answers = await Promise.all(
        Array.from({ length: 8 * QUERY_CONCURRENCY }, () => limited.query("['logs'] | count")),
      );
      const statuses = answers.map(({ status }) => status);
      const answered = statuses.filter((status) => status === 200).length;
      assert.deepEqual(new Set(statuses), new Set([200, 430]));
      assert.ok(answered <= 2 * QUERY_CONCURRENCY, `${answered} were answered`);
    });
  });

  it('the limit on monthly ingest applies to concurrent requests', async () => {
    const event = '{"a":1}\n';
    await withLicense({ monthlyIngestGb: (2.5 * event.length) / 1e9 }, async (limited) => {
      await limited.dataset('logs');
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => limited.ingest('logs', event)),
      );
      const statuses = answers.map(({ status }) => status);
      const stored = statuses.filter((status) => status === 200).length;
      assert.deepEqual([stored, new Set(statuses)], [3, new Set([200, 430])]);
      assert.deepEqual(await limited.rows("['logs'] | count"), [{ count: 3 }]);
    });
  });

  it("the limit on monitors doesn't delay dataset creation while a monitor with a long query is checked", async () => {
    await withLicense({ maxMonitors: 5 }, async (limited) => {
      await limited.dataset('logs');
      const done: string[] = [];
      const aplQuery = `['logs'] | where ${'n == 1 and '.repeat(5_000)} n == 2`;
      const monitor = limited
        .call('POST', '/v2/monitors', { name: 'm', type: 'Threshold', aplQuery })
        .then(() => done.push('monitor'));
      await limited.dataset('meanwhile').then(() => done.push('dataset'));
      await monitor;
      assert.deepEqual(done, ['dataset', 'monitor']);
    });
  });

  it('the limit on the number of datasets is enforced exactly, even if some requests fail', async () => {
    await withLicense({ maxDatasets: 3 }, async (limited) => {
      const names = ['a', 'a', 'a', 'b', 'b', 'c', 'c', 'd'];
      const answers = await Promise.all(
        names.map((name) => limited.call('POST', '/v2/datasets', { name })),
      );
      const statuses = answers.map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 200).length, 3, statuses.join(' '));
      assert.equal(statuses.at(-1), 403, statuses.join(' '));
    });
  });

  it('the limit on fields applies to concurrent requests', async () => {
    await withLicense({ maxFields: 3 }, async (limited) => {
      await limited.dataset('logs');
      await Promise.all(
        Array.from({ length: 20 }, (_, n) => limited.ingest('logs', [{ [`f${n}`]: 1 }])),
      );
      assert.equal(Object.keys(await limited.fields('logs')).length, 3);
    });
  });
});
