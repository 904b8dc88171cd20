/** Datasets whose rows are those of tables that exist already: how they are declared, changed, refused and deleted. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DATASET_FIELDS_MAX } from '../../../api/src/index.ts';
import { discover } from '../../../local/src/engines/open.ts';
import type { HttpRequest } from '../../../local/src/http.ts';
import { answerPlan } from '../../../local/src/routes/plan.ts';
import { Deployment } from '../../local/deployment.ts';
import { eventsOf, openOn, type Server, startServer } from './deployment.ts';

let server: Server;
let local: Deployment;

const DAYS = 30;
const ROWS_PER_DAY = 1_000;
const range = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-02-01T00:00:00Z' };

const run = (sql: string) => server.clickhouse.run(sql);

before(async () => {
  server = await startServer();
  await run('CREATE DATABASE shop');
  await run(`CREATE TABLE shop.orders (created DateTime64(3, 'Europe/Zurich'), id UInt32,
      city LowCardinality(String), amount Decimal(10, 2), card String, labels Map(String, String))
    ENGINE = MergeTree PARTITION BY toYYYYMMDD(created, 'UTC') ORDER BY (created, id)
    SETTINGS index_granularity = 100`);
  await run(`INSERT INTO shop.orders SELECT
      toDateTime64('2026-01-01 00:00:00', 3, 'UTC') + intDiv(number * 86400, ${ROWS_PER_DAY}), number,
      ['Bern', 'Basel'][number % 2 + 1], number / 4, 'secret', map('n', toString(number % 3))
    FROM numbers(${DAYS * ROWS_PER_DAY})`);
  local = await openOn(server, 'aplomb');
});
after(async () => {
  await local.close();
  await server.stop();
});

/** Runs a query, and returns ClickHouse's description of its steps. */
async function explain(apl: string, startTime: string, endTime: string): Promise<string> {
  const body = JSON.stringify({ apl, startTime, endTime, analyze: true });
  const request = new Request('http://127.0.0.1/plan', { method: 'POST', body });
  const answer = await answerPlan(request as HttpRequest, local.store, 0n);
  const { engine } = JSON.parse(await new Response(answer.body as BodyInit).text());
  return engine;
}

const orders = { database: 'shop', table: 'orders' };

function declare(name: string, source: object, to = local) {
  return to.call('POST', '/v2/datasets', { name, source });
}

async function declared(name: string, source: object = orders): Promise<void> {
  const { status, text } = await declare(name, source);
  assert.equal(status, 200, text);
}

describe('a dataset with a source', () => {
  it('has a field for each column that is not hidden, with its unit', async () => {
    await declared('orders', { ...orders, hidden: ['card'], units: { amount: 'CHF' } });
    assert.deepEqual(await local.fields('orders'), {
      amount: 'float',
      city: 'string',
      id: 'integer',
      labels: 'map',
    });
    const { body } = await local.call('GET', '/v2/datasets/orders/fields/amount');
    assert.equal(body.unit, 'CHF');
    const { body: listed } = await local.call('GET', '/v2/datasets');
    assert.equal(listed[0].canWrite, false);
    assert.deepEqual(listed[0].mapFields, ['labels']);
  });

  for (const format of ['tabular', 'legacy']) {
    it(`answers queries in the format ${format}`, async () => {
      const apl =
        "orders | where city == 'Bern' and id < 5 | project _time, id, amount, n = labels.n";
      const path = `/v1/query/_apl?format=${format}`;
      const { status, body, text } = await local.call('POST', path, { apl, ...range });
      assert.equal(status, 200, text);
      const ids =
        format === 'tabular'
          ? body.tables[0].columns[1]
          : body.matches.map(({ data }: { data: { id: number } }) => data.id);
      assert.deepEqual(ids, [4, 2, 0]);
    });
  }

  it('reads only the partitions and granules in the time range, and only the columns of the query', async () => {
    const apl = 'orders | summarize sum(amount)';
    const plan = await explain(apl, '2026-01-10T06:00:00Z', '2026-01-10T07:00:00Z');
    assert.match(plan, new RegExp(`Parts: 1/${DAYS}`));
    assert.match(plan, /Granules: [12]\/10/);
    assert.doesNotMatch(plan, /Output:[^"]*(?:labels|card|city)/);
  });

  it('pages by cursor without repeating or skipping an event', async () => {
    const seen: number[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 8; page += 1) {
      const apl = 'orders | where id < 250 | sort by _time asc | take 37 | project _time, id';
      const members = cursor === undefined ? range : { ...range, cursor, includeCursor: false };
      const path = '/v1/query/_apl?format=tabular-rows';
      const { body, status, text } = await local.call('POST', path, { apl, ...members });
      assert.equal(status, 200, text);
      const { rows = [] } = body.tables[0];
      seen.push(...rows.map(([, id]: [string, number]) => id));
      cursor = body.status.maxCursor ?? cursor;
    }
    assert.deepEqual(
      seen.toSorted((a, b) => a - b),
      Array.from({ length: 250 }, (_, id) => id),
    );
  });

  it('survives a restart, and keeps its fields and their details', async () => {
    const details = { name: 'city', type: 'string', description: 'Where it was ordered' };
    const { status, text } = await local.call('PUT', '/v2/datasets/orders/fields/city', details);
    assert.equal(status, 200, text);
    const before = await local.call('GET', '/v2/datasets/orders/fields');
    await local.reopen();
    assert.deepEqual((await local.call('GET', '/v2/datasets/orders/fields')).body, before.body);
    assert.equal((await local.rows('orders | summarize n = count()'))[0]?.n, DAYS * ROWS_PER_DAY);
  });

  it('refuses changes of its rows, and says where to make them', async () => {
    const requests: readonly [method: string, path: string, body?: object | string][] = [
      ['POST', '/v1/ingest/orders', [{ id: 1 }]],
      ['POST', '/v2/datasets/orders/trim', { maxDuration: '1h' }],
      ['POST', '/v2/datasets/orders/vacuum'],
      ['PUT', '/v2/datasets/orders', { retentionDays: 3, useRetentionPeriod: true }],
      ['PUT', '/v2/datasets/orders/mapfields', ['labels', 'city']],
      ['POST', '/v2/datasets/orders/mapfields', { name: 'city' }],
      ['DELETE', '/v2/datasets/orders/mapfields/labels'],
    ];
    for (const [method, path, body] of requests) {
      const answer = await local.call(method, path, body);
      assert.equal(answer.status, 403, `${method} ${path}: ${answer.text}`);
      assert.equal(answer.body.reason, 'dataset-read-only');
      assert.match(answer.body.message, /shop\.orders/);
    }
    assert.equal(await run('SELECT count() FROM shop.orders'), `${DAYS * ROWS_PER_DAY}\n`);
  });

  it('is deleted without its table', async () => {
    await declared('temporary');
    const { status } = await local.call('DELETE', '/v2/datasets/temporary');
    assert.equal(status, 204);
    assert.equal((await local.query('temporary | take 1', range)).status, 400);
    assert.equal(await run('SELECT count() FROM shop.orders'), `${DAYS * ROWS_PER_DAY}\n`);
    await declared('temporary');
    await local.call('DELETE', '/v2/datasets/temporary');
  });

  it('is noticed by another process', async () => {
    const other = await openOn(server, 'aplomb');
    await declared('shared');
    await other.store.datasets.refresh((message) => assert.fail(message));
    assert.equal((await other.rows('shared | summarize n = count()'))[0]?.n, DAYS * ROWS_PER_DAY);
    await local.call('DELETE', '/v2/datasets/shared');
    await other.store.datasets.refresh((message) => assert.fail(message));
    assert.equal((await other.query('shared | take 1', range)).status, 400);
    await other.close();
  });

  it('gets new columns and paths of its table as fields, and keeps earlier ones', async () => {
    await run(`CREATE TABLE shop.visits (at DateTime, data JSON) ENGINE = MergeTree ORDER BY at`);
    await run(`INSERT INTO shop.visits VALUES ('2026-01-02 00:00:00', '{"page":{"id":1}}')`);
    const eager = await openOn(server, 'aplomb', {}, { searchMs: 0 });
    assert.equal(
      (await declare('visits', { database: 'shop', table: 'visits' }, eager)).status,
      200,
    );
    assert.deepEqual(await eager.fields('visits'), { 'data.page.id': 'integer' });
    await run(`ALTER TABLE shop.visits ADD COLUMN user Nullable(String)`);
    await run(`INSERT INTO shop.visits VALUES
      ('2026-01-05 00:00:00', '{"page":{"id":"home"},"ok":true}', 'ada')`);
    await eager.store.datasets.refresh((message) => assert.fail(message));
    assert.deepEqual(await eager.fields('visits'), {
      'data.ok': 'boolean',
      'data.page.id': 'integer|string',
      user: 'string',
    });
    const rows = await eager.rows(
      "visits | sort by _time asc | project id = ['data.page.id'], user",
    );
    assert.deepEqual(rows, [
      { id: 1, user: null },
      { id: 'home', user: 'ada' },
    ]);
    await eager.call('DELETE', '/v2/datasets/visits');
    await eager.close();
  });

  it('keeps its fields when rows have more paths than there may be fields, and notes no more', async () => {
    await run('CREATE TABLE shop.wide (at DateTime, data JSON) ENGINE = MergeTree ORDER BY at');
    const insert = (prefix: string, count: number) => {
      const paths = Array.from({ length: count }, (_, i) => [`${prefix}${i}`, i]);
      const json = JSON.stringify(Object.fromEntries(paths));
      return run(`INSERT INTO shop.wide VALUES ('2026-01-02 00:00:00', '${json}')`);
    };
    await insert('z', 2);
    const eager = await openOn(server, 'aplomb', {}, { searchMs: 0 });
    await declare('wide', { database: 'shop', table: 'wide' }, eager);
    for (const prefix of ['c', 'b', 'a']) {
      await insert(prefix, 500);
      await eager.store.datasets.refresh((message) => assert.fail(message));
    }
    const fields = Object.keys(await eager.fields('wide'));
    assert.equal(fields.length, DATASET_FIELDS_MAX);
    for (const earlier of ['z0', 'z1', 'c0', 'c499', 'b0', 'b499'])
      assert.ok(fields.includes(`data.${earlier}`), earlier);
    const noted = await run(
      "SELECT comment FROM system.columns WHERE table = 'wide' AND name = '_row'",
    );
    assert.equal(noted.match(/[abcz]\d+/g)!.length, DATASET_FIELDS_MAX);
    await eager.call('DELETE', '/v2/datasets/wide');
    await eager.close();
    await run('DROP TABLE shop.wide SYNC');
  });
});

describe('a dataset with a source is used like any other', () => {
  before(async () => {
    await run('CREATE TABLE shop.feed (at DateTime64(9), n UInt32) ENGINE = MergeTree ORDER BY n');
    await declared('feed', { database: 'shop', table: 'feed' });
  });

  const insert = (...rows: readonly (readonly [time: string, n: number])[]) =>
    run(`INSERT INTO shop.feed VALUES ${rows.map(([time, n]) => `('2026-01-01 ${time}', ${n})`)}`);

  it('by a follow, which asks again for the time after the last cursor', async () => {
    const seen: number[] = [];
    let cursor: string | undefined;
    const poll = async () => {
      const apl = 'feed | sort by _time asc | project n | limit 2';
      const members = cursor === undefined ? { includeCursor: true } : { cursor };
      const { status, body, text } = await local.query(apl, { ...range, ...members });
      assert.equal(status, 200, text);
      seen.push(...body.tables[0].columns[0]);
      cursor = body.status.maxCursor ?? cursor;
    };
    await insert(['00:00:00', 1], ['00:00:01', 2], ['00:00:01', 3]);
    for (const _ of [1, 2, 3]) await poll();
    await insert(['00:00:01.000000001', 4], ['00:00:02', 5]);
    for (const _ of [1, 2]) await poll();
    assert.deepEqual(seen.toSorted(), [1, 2, 3, 4, 5]);
  });

  it('by a follow of arrivals, which recognizes rows by the same _cursor', async () => {
    const ask = async () => {
      const apl = "feed | where _sysTime >= datetime('2026-01-01T00:00:01Z') | project n";
      const members = { ...range, includeCursorField: true };
      const { body, text } = await local.query(apl, members);
      const [numbers, cursors] = body.tables[0].columns;
      assert.equal(numbers?.length, cursors?.length, text);
      return new Map<string, number>(cursors.map((one: string, i: number) => [one, numbers[i]]));
    };
    const before = await ask();
    await insert(['00:00:03', 6]);
    const after = await ask();
    assert.equal(after.size, before.size + 1);
    for (const [cursor, n] of before) assert.equal(after.get(cursor), n);
  });

  it('by a chart of a dashboard and a monitor', async () => {
    const apl = 'feed | summarize count(), max(n) by bin_auto(_time)';
    const path = '/v1/query/_apl?format=legacy';
    const { status, body, text } = await local.call('POST', path, { apl, ...range });
    assert.equal(status, 200, text);
    assert.equal(body.buckets.totals[0].aggregations[0].value, 6);
    const aplQuery = 'feed | summarize count() by bin(_time, 5m)';
    const monitor = { name: 'm', type: 'Threshold', aplQuery };
    const stored = await local.call('POST', '/v2/monitors', monitor);
    assert.equal(stored.status, 200, stored.text);
    assert.equal(stored.headers.get('x-aplomb-messages'), null);
    const wrong = { ...monitor, aplQuery: 'feed | where unknown > 1' };
    const { headers } = await local.call('POST', '/v2/monitors', wrong);
    assert.match(headers.get('x-aplomb-messages')!, /unknown-column/);
    assert.deepEqual(await local.rows(aplQuery.replace('count()', 'c = count()')), [
      { _time: '2026-01-01T00:00:00Z', c: 6 },
    ]);
  });
});

describe('a source is refused', () => {
  const cases: readonly [what: string, source: object, message: RegExp][] = [
    ['without its table', { database: 'shop', table: 'none' }, /"shop\.none".*does not exist/],
    ['of another database', { database: 'none', table: 'orders' }, /"none\.orders"/],
    ['without a time column', { database: 'shop', table: 'names' }, /no column of a date or time/],
    [
      'with several times and no choice',
      { database: 'shop', table: 'spans' },
      /several columns with times: start, stop\. Choose one/,
    ],
    ['with a number as its time', { ...orders, time: 'id' }, /no column "id" of a date or time/],
    ['with an unknown hidden column', { ...orders, hidden: ['crad'] }, /no column "crad"/],
    [
      'that has the rows of a dataset on a server of a cluster',
      { database: 'aplomb', table: 'part:stored' },
      /is a dataset of this deployment/,
    ],
    ['that is a dataset', { database: 'aplomb', table: 'orders' }, /"aplomb\.orders"/],
    [
      'with a hostile name',
      { database: 'shop', table: `x'"\`\\; DROP TABLE orders --` },
      /does not exist/,
    ],
  ];

  before(async () => {
    await run('CREATE TABLE shop.names (name String) ENGINE = MergeTree ORDER BY name');
    await run('CREATE TABLE aplomb."part:stored" (_time DateTime) ENGINE = MergeTree ORDER BY ()');
    await run(
      'CREATE TABLE shop.spans (start DateTime, stop Date) ENGINE = MergeTree ORDER BY start',
    );
  });

  for (const [what, source, message] of cases) {
    it(what, async () => {
      const { status, body, text } = await declare('refused', source);
      assert.equal(status, 400, text);
      assert.equal(body.reason, 'source-unusable');
      assert.match(body.message, message);
      assert.equal((await local.call('GET', '/v2/datasets/refused')).status, 404);
    });
  }

  it('on a deployment that keeps its own events', async () => {
    const duckdb = await Deployment.open();
    const { status, body } = await declare('orders', orders, duckdb);
    assert.equal(status, 501);
    assert.equal(body.reason, 'source-unsupported');
    await duckdb.close();
  });

  it('with the name of another dataset or table', async () => {
    await local.dataset('own');
    assert.equal((await declare('own', orders)).body.reason, 'dataset-exists');
    assert.equal((await declare('orders', orders)).body.reason, 'dataset-exists');
    await run('CREATE TABLE aplomb.foreign (t DateTime) ENGINE = MergeTree ORDER BY t');
    assert.equal((await declare('foreign', orders)).body.reason, 'table-exists');
  });
});

describe('a table that is dropped while the process runs', () => {
  it('is reported by queries and in the log, and works again once it is back', async () => {
    const definition = 'shop.dropped (t DateTime, a String) ENGINE = MergeTree ORDER BY t';
    await run(`CREATE TABLE ${definition}`);
    await declared('dropped', { database: 'shop', table: 'dropped' });
    await run('DROP TABLE shop.dropped SYNC');
    const { status, body } = await local.query('dropped | take 1', range);
    assert.equal(status, 400);
    assert.match(body.message, /shop\.dropped/);
    // The process may have noticed it already.
    for (const _ of [1, 2])
      await local.store.datasets.refresh((message) => local.reported.push(message));
    assert.equal(local.reported.filter((message) => /"shop\.dropped"/.test(message)).length, 1);
    await run(`CREATE TABLE ${definition}`);
    assert.equal((await local.query('dropped | take 1', range)).status, 200);
  });
});

describe('datasets.yaml', () => {
  const open = async (yaml: string, database: string) => {
    const folder = join(server.folder, `data-${database}`);
    const first = await openOn(server, database, { folder });
    await writeFile(join(folder, 'datasets.yaml'), yaml);
    return first;
  };

  it('declares datasets at the start, and is followed when it changes', async () => {
    const yaml = `
      # The shop
      datasets:
        - name: orders
          database: shop
          table: orders
          hidden: [card]
          units: { amount: CHF }
        - { name: visits, database: shop, table: visits, description: Pages }
        - { name: missing, database: shop, table: none }
        - { name: own, database: shop, table: orders }`;
    const other = await open(yaml, 'yaml');
    await other.dataset('own');
    await other.reopen();
    const names = async () =>
      (await other.call('GET', '/v2/datasets')).body.map(({ name }: { name: string }) => name);
    assert.deepEqual(await names(), ['orders', 'own', 'visits']);
    assert.equal(other.reported.length, 2);
    assert.match(other.reported[0]!, /"missing".*"shop\.none"/);
    assert.match(other.reported[1]!, /"own".*stores its own events/);
    assert.equal((await other.rows('orders | summarize n = count()'))[0]?.n, DAYS * ROWS_PER_DAY);
    const changed = `datasets: [{name: orders, database: shop, table: orders, description: New}]`;
    await writeFile(join(other.folder, 'datasets.yaml'), changed);
    await other.reopen();
    assert.deepEqual(await names(), ['orders', 'own']);
    assert.deepEqual(Object.keys(await other.fields('orders')).slice(0, 2), ['amount', 'card']);
    await other.close();
  });

  const invalid: readonly [what: string, yaml: string | Buffer, message: RegExp][] = [
    ['that is not YAML', 'datasets: [', /not YAML: .*\(1:12\)/],
    ['that is empty', '', /not YAML: .*empty/],
    ['without datasets', '- a', /one member, datasets/],
    ['with another member', 'datasets: []\nsources: []', /one member, datasets/],
    ['without a table', 'datasets: [{name: a, database: b}]', /dataset "a": table is required/],
    ['without a name', 'datasets: [{database: b, table: c}]', /dataset 1: name is required/],
    ['with a string for a dataset', 'datasets: [a]', /dataset 1 must be an object/],
    [
      'with a misspelled required member',
      'datasets: [{name: a, databse: b, table: c}]',
      /dataset "a" has the unknown member "databse", not one of .*database/,
    ],
    [
      'with a misspelled member',
      'datasets: [{name: a, database: b, table: c, hiden: [d]}]',
      /"hiden"/,
    ],
    ['with an invalid name', 'datasets: [{name: "a b", database: b, table: c}]', /letters, digits/],
    [
      'with two datasets of one name',
      'datasets: [{name: a, database: b, table: c}, {name: a, database: b, table: d}]',
      /several datasets have the name "a"/,
    ],
    ['with references', 'datasets: &a [{name: a, database: b, table: c}]\nx: *a', /alias/i],
    ['nested deeply', `datasets: ${'['.repeat(200_000)}`, /depth/i],
    ['larger than 1 MiB', Buffer.alloc(1_048_577, '#'), /1048577 bytes/],
  ];
  for (const [what, yaml, message] of invalid) {
    it(`${what} prevents the start`, async () => {
      const file = join(server.folder, 'invalid.yaml');
      await writeFile(file, yaml);
      const opening = openOn(server, 'invalid', {}, { datasetsFile: file });
      await assert.rejects(opening, (error: Error) => {
        assert.match(error.message, message);
        assert.match(error.message, /invalid\.yaml/);
        return true;
      });
    });
  }

  it('that is named but missing prevents the start', async () => {
    const opening = openOn(server, 'invalid', {}, { datasetsFile: '/none/datasets.yaml' });
    await assert.rejects(opening, /\/none\/datasets\.yaml cannot be read/);
  });
});

describe('a proposed datasets.yaml', () => {
  it('declares the tables that have times, whatever their names are', async () => {
    const hostile = `a'b"c\`d\\e:f\n# g`;
    const quoted = `\`${hostile.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
    await run(`CREATE DATABASE ${quoted}`);
    await run(
      `CREATE TABLE ${quoted}.${quoted} (${quoted} DateTime, x UInt8) ENGINE = MergeTree ORDER BY x`,
    );
    await run(`CREATE MATERIALIZED VIEW shop.totals ENGINE = MergeTree ORDER BY t
      AS SELECT t, count() AS n FROM shop.dropped GROUP BY t`);
    const options = { url: server.clickhouse.url, database: 'aplomb', password: '' };
    const proposal = await discover(options, () => assert.fail());
    assert.match(
      proposal,
      /# "shop"\."names" is left out: it has no column of a date or time type/,
    );
    assert.match(proposal, /# "shop"\."totals" is left out: its engine is MaterializedView/);
    assert.match(proposal, /Other columns with times: "stop"/);
    assert.doesNotMatch(proposal, /\.inner|system|"own"/);
    const file = join(server.folder, 'proposed.yaml');
    await writeFile(file, proposal);
    const other = await openOn(server, 'proposed', {}, { datasetsFile: file });
    assert.deepEqual(other.reported, []);
    const { body } = await other.call('GET', '/v2/datasets');
    const names = body.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, [
      ...['a-b-c-d-e-f-g', 'dropped', 'feed', 'foreign', 'orders', 'spans', 'visits'],
    ]);
    const fields = await other.fields('a-b-c-d-e-f-g');
    assert.deepEqual(fields, { x: 'integer' });
    await other.close();
  });

  it('is an empty list if no table can be declared', async () => {
    assert.match(
      await discover({ url: server.clickhouse.url, database: 'x' }, () => assert.fail()),
      /datasets:/,
    );
  });
});

it('a dataset with a source stores no events in the deployment’s database', async () => {
  const { clickhouse } = eventsOf(local);
  const rows = await clickhouse.rows<[string]>(
    `SELECT engine FROM system.tables WHERE database = 'aplomb' AND name = 'orders'`,
  );
  assert.deepEqual(rows, [['View']]);
});
