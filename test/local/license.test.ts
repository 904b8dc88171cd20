// The license: its members, and the effect of each limit once reached.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { License } from '../../api/src/index.ts';
import { openStore } from '../../local/src/store/store.ts';
import { ALL_TIMES, Deployment, rowsOf } from './deployment.ts';

async function withLicense(license: object, use: (local: Deployment) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'aplomb-license-'));
  await writeFile(join(folder, 'license.json'), JSON.stringify(license));
  const local = await Deployment.open({ folder });
  try {
    await use(local);
  } finally {
    await local.close();
  }
}

const create = (local: Deployment, path: string, body: object) => local.call('POST', path, body);
const monitor = { name: 'm', type: 'Threshold', aplQuery: 'x' };
const user = (n: number) => ({ name: 'x', email: `x${n}@x.y`, role: 'none' });

describe('the license', () => {
  it('contains every property of the specification, and license.json overrides properties', async () => {
    await withLicense({ maxDatasets: 7, tier: 'enterprise' }, async (local) => {
      const { license } = (await local.call('GET', '/v2/orgs/local')).body;
      assert.deepEqual(
        Object.keys(License.properties).filter((member) => license[member] === undefined),
        [],
      );
      assert.deepEqual(
        [license.maxDatasets, license.tier, license.maxFields],
        [7, 'enterprise', 1_024],
      );
    });
  });

  it('is rejected with the file name and the reason if license.json is invalid', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'aplomb-license-'));
    for (const [text, problem] of [
      ['{', /license\.json is not JSON/],
      ['[]', /license\.json is not a license: it must be a JSON object\.$/],
      ['{"maxDataset":1}', /a license has no member "maxDataset"\.$/],
      ['{"maxDatasets":"many"}', /maxDatasets must be a whole number, got "many"\.$/],
      ['{"maxUsers":-1}', /maxUsers must not be negative\.$/],
    ] as const) {
      await writeFile(join(folder, 'license.json'), text);
      await assert.rejects(openStore({ folder }), problem);
    }
    await rm(folder, { recursive: true });
  });

  it('limits the number of resources, even with concurrent requests', async () => {
    const limits = { maxDatasets: 2, maxMonitors: 2, maxUsers: 3 };
    await withLicense(limits, async (local) => {
      for (const [path, body, member] of [
        ['/v2/datasets', (n: number) => ({ name: `d${n}` }), 'maxDatasets'],
        ['/v2/monitors', () => monitor, 'maxMonitors'],
        ['/v2/users', user, 'maxUsers'],
      ] as const) {
        const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => create(local, path, body(n))));
        const statuses = answers.map(({ status }) => status).sort();
        // One user exists from the start.
        assert.deepEqual(statuses, [200, 200, 403, 403, 403], path);
        const { body: error } = answers.find(({ status }) => status === 403)!;
        assert.equal(error.reason, 'license-limit');
        assert.match(error.message, new RegExp(`allows \\d .*raise ${member} in license\\.json`));
      }
      // A deletion makes room.
      assert.equal((await local.call('DELETE', '/v2/datasets/d1')).status, 204);
      assert.equal((await create(local, '/v2/datasets', { name: 'd9' })).status, 200);
    });
  });

  it('limits the number of fields per dataset, so only events with more fields fail', async () => {
    await withLicense({ maxFields: 2 }, async (local) => {
      await local.dataset('logs');
      const first = await local.ingest('logs', [{ a: 1, b: 1 }, { c: 1 }]);
      assert.deepEqual([first.body.ingested, first.body.failed], [1, 1], first.text);
      assert.match(first.body.failures[0].error, /has 2 already/);
      assert.equal((await local.ingest('logs', [{ a: 2 }])).body.ingested, 1);
    });
  });

  it('limits the time range of a query, with a warning', async () => {
    await withLicense({ maxQueryWindowSeconds: 3_600 }, async (local) => {
      await local.dataset('logs');
      const hours = (n: number) => new Date(Date.now() - n * 3_600_000).toISOString();
      await local.stored('logs', [
        { _time: hours(0.5), n: 1 },
        { _time: hours(2), n: 2 },
      ]);
      const warned = (body: { status: { messages?: { code: string }[] } }) =>
        (body.status.messages ?? []).some(({ code }) => code === 'license_limit_for_query_warning');
      for (const range of [{}, { startTime: 'now-3h' }, ALL_TIMES]) {
        const { body } = await local.query("['logs'] | project n", range);
        assert.ok(warned(body), JSON.stringify(body));
        const end = range === ALL_TIMES ? [] : [{ n: 1 }];
        assert.deepEqual(rowsOf(body.tables[0]), end);
      }
      const short = await local.query("['logs'] | project n", { startTime: 'now-45m' });
      assert.equal(warned(short.body), false);
    });
  });

  it('limits requests per minute with status 429 and reports the remaining requests', async () => {
    await withLicense({ apiRateLimitPerSecond: 1 }, async (local) => {
      const answers = [];
      // A minute may end in between.
      for (let n = 0; n < 130; n++) answers.push(await local.call('GET', '/v2/monitors'));
      const [first] = answers;
      assert.equal(first!.headers.get('x-ratelimit-scope'), 'organization');
      assert.equal(first!.headers.get('x-ratelimit-limit'), '60');
      assert.equal(first!.headers.get('x-ratelimit-remaining'), '59');
      const reset = Number(first!.headers.get('x-ratelimit-reset'));
      assert.ok(reset % 60 === 0 && reset > Date.now() / 1_000 - 60, `${reset}`);
      const over = answers.filter(({ status }) => status === 429);
      assert.ok(over.length >= 10 && over.length <= 70, `${over.length}`);
      assert.equal(over[0]!.body.reason, 'rate-limit');
      assert.equal(over[0]!.headers.get('x-ratelimit-remaining'), '0');
      assert.match(over[0]!.headers.get('retry-after')!, /^[1-9]\d?$/);
    });
  });

  it('limits monthly ingest with status 430 and persists the used amount', async () => {
    const event = '{"a":1}\n';
    await withLicense({ monthlyIngestGb: (2.5 * event.length) / 1e9 }, async (local) => {
      await local.dataset('logs');
      const left = ({ headers }: { headers: { get(name: string): string | null } }) =>
        Number(headers.get('x-ingestlimit-remaining'));
      const first = await local.ingest('logs', event);
      assert.equal(first.headers.get('x-ingestlimit-limit'), '20');
      assert.equal(left(first), 12);
      const reset = new Date(Number(first.headers.get('x-ingestlimit-reset')) * 1_000);
      assert.deepEqual([reset.getUTCDate(), reset.getUTCHours()], [1, 0]);
      await local.ingest('logs', event);
      await local.reopen();
      // The request that crosses the limit is accepted completely.
      const third = await local.ingest('logs', event);
      assert.deepEqual([third.status, left(third)], [200, 0]);
      const fourth = await local.ingest('logs', event);
      assert.deepEqual([fourth.status, fourth.body.reason, left(fourth)], [430, 'ingest-limit', 0]);
      assert.deepEqual(await local.rows("['logs'] | count"), [{ count: 3 }]);
    });
  });
});
