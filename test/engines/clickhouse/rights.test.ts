/** A deployment needs each of the documented rights on ClickHouse, and no other one. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openOn, type Server, startServer } from './deployment.ts';
import { blocks, documentedGrants, startLimitedServer } from './rights.ts';

const EVER = { startTime: '2000-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' };
const HOUR_MS = 3_600_000;

/** Uses everything that a deployment does on ClickHouse. Returns the first refusal. */
async function firstRefusal(server: Server): Promise<string | undefined> {
  const local = await openOn(server, 'aplomb');
  const started = Date.now();
  const events = [0, 30, 60, 90].map((hours) => ({
    _time: new Date(started - hours * HOUR_MS).toISOString(),
    hours,
  }));
  const retention = { description: '', retentionDays: 30 };
  const apl = 'd | join kind=inner (d | summarize n = count() by hours) on hours | top 2 by n';
  const requests = [
    ['POST', '/v2/datasets', { name: 'd' }],
    ['POST', '/v1/ingest/d', events],
    ['POST', '/v1/query/_apl?format=tabular', { apl, ...EVER }],
    ['PUT', '/v2/datasets/d', { ...retention, useRetentionPeriod: true }],
    ['PUT', '/v2/datasets/d', { ...retention, useRetentionPeriod: false }],
    ['PUT', '/v2/datasets/d/fields/hours', { unit: 'h' }],
    ['GET', '/v1/datasets/d/info'],
    ['POST', '/v2/datasets/d/trim', { maxDuration: '40h' }],
    ['POST', '/v2/datasets/d/trim', { maxDuration: '0s' }],
    ['POST', '/v2/datasets/d/vacuum'],
    ['DELETE', '/v2/datasets/d'],
    ['POST', '/v2/datasets', { name: 'v', source: { database: 'otel', table: 'plain' } }],
    ['POST', '/v1/query/_apl?format=tabular', { apl: 'v | where n == 1', ...EVER }],
    ['GET', '/v1/datasets/v/info'],
    ['DELETE', '/v2/datasets/v'],
  ] as const;
  try {
    for (const [method, path, body] of requests) {
      const { status, text } = await local.call(method, path, body);
      // A missing right is not an outage, which clients wait for.
      assert.notEqual(status, 503, text);
      if (status >= 300) return `${method} ${path}: ${text}`;
    }
    return undefined;
  } finally {
    await local.close();
  }
}

async function refusalWith(grants: readonly string[]): Promise<string | undefined> {
  const server = await startLimitedServer(grants);
  try {
    return await firstRefusal(server);
  } finally {
    await server.stop();
  }
}

/** Returns the documented rights as separate statements. */
function separateGrants(): readonly string[] {
  return documentedGrants().flatMap((grant) => {
    const [, list = '', place] = /^GRANT (.*) (ON .*)$/s.exec(grant) ?? [];
    return list.split(',').map((right) => `GRANT ${right.trim()} ${place}`);
  });
}

/** chdb doesn't require rights for system tables and engines. */
const isEnforced = (grant: string) => / ON (?:aplomb|otel)\./.test(grant);

describe('the documented rights on ClickHouse', () => {
  it('are enough', async () => {
    assert.equal(await refusalWith(documentedGrants()), undefined);
  });

  for (const grant of separateGrants().filter(isEnforced)) {
    const [, right, place] = /^GRANT (.*) ON (\w+)/.exec(grant)!;
    it(`are not enough without ${right} ON ${place}`, async () => {
      const refusal = await refusalWith(separateGrants().filter((other) => other !== grant));
      assert.match(
        refusal ?? 'everything works',
        place === 'otel'
          ? /is hidden from the user of ClickHouse/
          : new RegExp(`grant ${right}\\b.* ON ${place}`),
      );
    });
  }
});

describe('the statements for users of ClickHouse', () => {
  let server: Server;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  it('have the syntax of ClickHouse', async () => {
    const statements = blocks().flat();
    assert.ok(statements.length > 8);
    for (const statement of statements) {
      const body = `SELECT formatQuery('${statement.replaceAll("'", "\\'")}')`;
      const response = await fetch(server.clickhouse.url, { method: 'POST', body });
      assert.equal(response.status, 200, `${statement}: ${await response.text()}`);
    }
  });
});
