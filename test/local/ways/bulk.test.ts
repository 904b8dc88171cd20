// Elasticsearch bulk requests: the client from the npm registry, and the result of each line.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client, errors } from '@elastic/elasticsearch';
import { Deployment, PERSONAL_TOKEN, TOKEN } from '../deployment.ts';
import { Processes, type Running } from '../processes.ts';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
});
after(() => local.close());

const NDJSON = 'application/x-ndjson';
let count = 0;

async function send(lines: readonly (string | object)[], dataset?: string) {
  const name = dataset ?? (await local.dataset(`bulk-${++count}`));
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  const path = `/v1/ingest/${name}/elastic/_bulk`;
  const answer = await local.call('POST', path, `${text.join('\n')}\n`, { type: NDJSON });
  return { name, ...answer };
}

const statuses = (items: readonly Record<string, { status: number }>[]) =>
  items.map((item) => Object.entries(item).map(([action, { status }]) => `${action} ${status}`)[0]);

async function rowsOf(name: string, columns = '*'): Promise<Record<string, unknown>[]> {
  const rows = await local.rows(`['${name}'] | project-away _sysTime | sort by _time asc`);
  return columns === '*' ? rows : rows.map((row) => ({ [columns]: row[columns] }));
}

describe('a bulk request', () => {
  it('stores documents with @timestamp as the event time', async () => {
    const { name, body, headers } = await send([
      { index: { _index: 'i', _id: '1' } },
      { '@timestamp': '2026-01-01T00:00:00.123456789Z', message: 'a', nested: { x: [1] } },
      { create: {} },
      { '@timestamp': 1_767_225_601_000, message: 'b' },
    ]);
    assert.equal(headers.get('x-elastic-product'), 'Elasticsearch');
    assert.equal(body.errors, false);
    assert.deepEqual(statuses(body.items), ['index 201', 'create 201']);
    const [{ index }, { create }] = body.items;
    assert.deepEqual([index._index, index._id, index.result], ['i', '1', 'created']);
    assert.equal(create._index, name);
    assert.match(create._id, /^[\w-]{20}$/);
    const rows = await rowsOf(name);
    assert.deepEqual(
      rows.map(({ _time, message }) => [_time, message]),
      [
        ['2026-01-01T00:00:00.123456789Z', 'a'],
        ['2026-01-01T00:00:01Z', 'b'],
      ],
    );
    assert.deepEqual(rows[0]!['nested.x'], [1]);
  });

  it('returns a status for each action and stores the valid documents', async () => {
    const { name, body } = await send([
      { index: {} },
      { '@timestamp': '2026-01-01T00:00:00Z', n: 1 },
      { update: { _id: '7' } },
      { doc: { n: 2 } },
      { delete: { _id: '8' } },
      { index: {} },
      '{"n": 3',
      { create: {} },
      { '@timestamp': 'not a time', n: 4 },
      { index: {} },
      '[5]',
      { index: {} },
      { '@timestamp': '2026-01-01T00:00:06Z', n: 6 },
    ]);
    assert.equal(body.errors, true);
    assert.deepEqual(statuses(body.items), [
      ...['index 201', 'update 400', 'delete 400', 'index 400', 'create 400', 'index 400'],
      'index 201',
    ]);
    const reasons = body.items.map((item: Record<string, { error?: { reason: string } }>) =>
      Object.values(item)[0]!.error?.reason.slice(0, 24),
    );
    assert.deepEqual(reasons, [
      ...[
        undefined,
        'The events of a dataset ',
        'The events of a dataset ',
        'it is not valid JSON: Ex',
      ],
      ...['its time cannot be read:', 'it is not a JSON object', undefined],
    ]);
    assert.deepEqual(await rowsOf(name, 'n'), [{ n: 1 }, { n: 6 }]);
  });

  it('stores nothing if it has only deletions', async () => {
    const { name, status, body } = await send([{ delete: { _id: '1' } }]);
    assert.deepEqual([status, statuses(body.items)], [200, ['delete 400']]);
    assert.deepEqual(await local.fields(name), {});
  });

  it('is rejected completely if its lines are not pairs of an action and a document', async () => {
    for (const [lines, problem] of [
      [[''], /has no events/],
      [['{"n":1}', '{"n":2}'], /Line 1 of the bulk request: it must be an object with index/],
      [['{"index":{}}', '{}', '{"index":'], /Line 3 of the bulk request: it is not valid JSON/],
      [['{"index":{}}', '{}', '{"create":{}}'], /Line 3 .* a document has to follow/],
      [['{"index":{},"create":{}}', '{}'], /alone/],
      [['{"index":[]}', '{}'], /index must be an object/],
      [['{"__proto__":{}}', '{}'], /alone/],
      [[`{"index":{"_id":"${'x'.repeat(20_000)}"}}`, '{}'], /too long/],
      [['[', '['.repeat(99_999)], /not valid JSON/],
    ] as const) {
      const { name, status, body } = await send(lines);
      assert.equal(status, 400);
      assert.match(body.message, problem);
      const cause = { type: body.reason, reason: body.message };
      assert.deepEqual(body.error, { ...cause, root_cause: [cause] });
      assert.equal(body.status, 400);
      assert.deepEqual(await local.fields(name), {});
    }
  });

  it('is rejected if it has more than 10,000 actions', async () => {
    const lines = Array.from({ length: 10_001 }, () => '{"index":{}}\n{"n":1}');
    assert.equal((await send(lines)).body.reason, 'events-too-many');
    assert.equal((await send(lines.slice(1))).body.items.length, 10_000);
  });

  it('accepts a custom time field and the older endpoint', async () => {
    const name = await local.dataset('other-field');
    const path = `/v1/datasets/${name}/elastic/_bulk?timestamp-field=at`;
    const text = '{"index":{}}\n{"at":"2026-01-01T00:00:00Z","n":1}\n';
    for (const token of [TOKEN, PERSONAL_TOKEN]) {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await local.call('POST', path, text, { type: NDJSON, headers });
      assert.deepEqual(statuses(answer.body.items), ['index 201']);
    }
    assert.deepEqual(await rowsOf(name, '_time'), [
      { _time: '2026-01-01T00:00:00Z' },
      { _time: '2026-01-01T00:00:00Z' },
    ]);
  });
});

describe('the Elasticsearch client', () => {
  let processes: Processes;
  let running: Running;
  before(async () => {
    processes = await Processes.create();
    running = await processes.start('data');
    const headers = {
      authorization: `Bearer ${running.token}`,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ name: 'logs' });
    const made = await fetch(`${running.url}/v2/datasets`, { method: 'POST', headers, body });
    assert.equal(made.status, 200);
  });
  after(() => processes.dispose());

  const clientWith = (auth: object) =>
    new Client({ node: `${running.url}/v1/ingest/logs/elastic`, auth } as never);

  it('reads the version and sends documents with a bearer token or an API key', async () => {
    const { token } = running;
    for (const auth of [{ bearer: token }, { apiKey: { id: 'axiom', api_key: token } }]) {
      const client = clientWith(auth);
      assert.match((await client.info()).version.number, /^8\./);
      const answer = await client.bulk({
        operations: [{ index: { _index: 'logs' } }, { '@timestamp': new Date(), message: 'hello' }],
      });
      assert.deepEqual([answer.errors, answer.items[0]!.index!.status], [false, 201]);
      await client.close();
    }
  });

  it('sends many documents with its bulk helper, which reports documents that were not stored', async () => {
    const client = clientWith({ bearer: running.token });
    const dropped: number[] = [];
    const datasource = Array.from({ length: 500 }, (_, n) => ({
      '@timestamp': n === 77 ? 'never' : '2026-01-01T00:00:00Z',
      n,
    }));
    const { total, successful, failed } = await client.helpers.bulk<{ n: number }>({
      datasource: datasource as never,
      flushBytes: 4_000,
      onDocument: () => ({ create: {} }),
      onDrop: ({ document }) => void dropped.push(document.n),
    });
    assert.deepEqual([total, successful, failed, dropped], [500, 499, 1, [77]]);
    await client.close();
  });

  it('reports the reason for a rejection', async () => {
    const client = clientWith({ bearer: 'xaat-wrong' });
    await assert.rejects(client.bulk({ operations: [{ index: {} }, { n: 1 }] }), (error) => {
      assert.ok(error instanceof errors.ResponseError);
      assert.equal(error.statusCode, 401);
      assert.match(error.message, /token is not valid for this deployment/);
      return true;
    });
    await client.close();
  });
});
