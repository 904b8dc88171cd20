// A dataset is a table of ClickHouse: its settings, fields, retention, trims and deletion, and what several processes
// that use the same database see of each other.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Settings } from '../../../local/src/engines/clickhouse/driver.ts';
import { quoteName, quoteText } from '../../../local/src/engines/clickhouse/quotes.ts';
import { Tables } from '../../../local/src/engines/clickhouse/tables.ts';
import type { Deployment } from '../../local/deployment.ts';
import { eventsOf, openOn, type Server, startServer, storedEvents } from './deployment.ts';

let server: Server;
let local: Deployment;
before(async () => {
  server = await startServer();
  local = await openOn(server, 'aplomb');
});
after(async () => {
  await local?.close();
  await server?.stop();
});

const sql = (text: string) => eventsOf(local).clickhouse.rows<string[]>(text);
const run = (text: string, settings: Settings = {}) =>
  eventsOf(local).clickhouse.run(text, settings);

async function create(name: string, settings: object = {}): Promise<void> {
  const { status, text } = await local.call('POST', '/v2/datasets', { name, ...settings });
  assert.equal(status, 200, text);
}

async function ingest(deployment: Deployment, name: string, ...events: object[]): Promise<void> {
  const body = events.map((event) => JSON.stringify(event)).join('\n');
  const type = 'application/x-ndjson';
  const answer = await deployment.call('POST', `/v1/datasets/${name}/ingest`, body, { type });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.ingested, events.length);
}

async function countOf(name: string): Promise<number> {
  const [row] = await sql(`SELECT count() FROM aplomb.\`${name}\``);
  return Number(row![0]);
}

describe('datasets as tables', () => {
  it('stores nothing of them in the data folder, and finds them again from another one', async () => {
    await create('found', { description: 'it\'s `x` \\ \n "y"' });
    await ingest(local, 'found', { _time: '2024-01-01T00:00:00Z', a: 1, 'b.c': 'x', d: [1] });
    await ingest(local, 'found', { _time: '2024-01-02T00:00:00Z', a: 'y' });
    const details = { description: 'Time "of" day', unit: 'ms', hidden: true };
    const path = '/v2/datasets/found/fields/a';
    assert.equal((await local.call('PUT', path, details)).status, 200);
    await local.call('PUT', '/v2/datasets/found/mapfields', ['m']);
    const other = await openOn(server, 'aplomb');
    try {
      const [mine, its] = [local, other].map((each) => each.store.datasets.get('found')!);
      assert.deepEqual(its!.document, mine!.document);
      assert.deepEqual(its!.layout, mine!.layout);
      assert.equal(its!.layout.fields.find(({ name }) => name === 'a')!.unit, 'ms');
      assert.deepEqual(await storedEvents(other, 'found'), await storedEvents(local, 'found'));
      const tables = await other.store.engine.use((session) =>
        session.rows(
          "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'events' OR table_name IN ('datasets', 'fields')",
        ),
      );
      assert.deepEqual(tables, []);
    } finally {
      await other.close();
    }
  });

  it('leaves a table alone that is not a dataset', async () => {
    await run('CREATE TABLE aplomb.own (x Int64) ENGINE = MergeTree ORDER BY x');
    const answer = await local.call('POST', '/v2/datasets', { name: 'own' });
    assert.equal(answer.status, 409);
    assert.equal(answer.body.reason, 'table-exists');
    assert.equal((await local.call('DELETE', '/v2/datasets/own')).status, 404);
    assert.equal(await countOf('own'), 0);
  });

  it('reports a table with damaged settings once, and leaves it alone', async () => {
    await run(
      "CREATE TABLE aplomb.damaged (x Int64) ENGINE = MergeTree ORDER BY x COMMENT 'aplomb dataset {'",
    );
    // The process may have noticed it already.
    for (let i = 0; i < 2; i += 1)
      await local.store.datasets.refresh((message) => local.reported.push(message));
    const isReport = (message: string) => /The table damaged of ClickHouse is left/.test(message);
    assert.equal(local.reported.filter(isReport).length, 1);
    assert.equal((await local.call('DELETE', '/v2/datasets/damaged')).status, 404);
    assert.equal(await countOf('damaged'), 0);
  });

  it('drops the table of a deleted dataset, and a new one has no events', async () => {
    await create('dropped');
    await ingest(local, 'dropped', { a: 1 });
    assert.equal((await local.call('DELETE', '/v2/datasets/dropped')).status, 204);
    assert.deepEqual(await sql("SELECT name FROM system.tables WHERE name = 'dropped'"), []);
    await create('dropped');
    await ingest(local, 'dropped', { b: 'x' });
    assert.equal((await storedEvents(local, 'dropped')).length, 1);
  });

  it('enforces the retention period as a TTL', async () => {
    await create('kept', { retentionDays: 30, useRetentionPeriod: true });
    const ttlOf = async () => {
      const [row] = await sql("SELECT create_table_query FROM system.tables WHERE name = 'kept'");
      return /TTL (.*?) SETTINGS/.exec(row![0]!)?.[1];
    };
    assert.equal(await ttlOf(), 'toDate32(_time) + toIntervalDay(31)');
    const old = { _time: new Date(Date.now() - 40 * 86_400_000).toISOString() };
    const recent = { _time: new Date().toISOString() };
    const ends = [{ _time: '1677-09-22T00:00:00Z' }, { _time: '2262-04-11T23:00:00Z' }];
    await ingest(local, 'kept', old, recent, ...ends);
    await run('OPTIMIZE TABLE aplomb.kept FINAL');
    const [[years] = []] = await sql(
      "SELECT arrayStringConcat(arraySort(groupArray(toString(toYear(_time)))), ' ') FROM aplomb.kept",
    );
    assert.equal(years, `${new Date().getFullYear()} 2262`);
    const change = { retentionDays: 30, useRetentionPeriod: false };
    assert.equal((await local.call('PUT', '/v2/datasets/kept', change)).status, 200);
    assert.equal(await ttlOf(), undefined);
    assert.equal(
      (await local.call('PUT', '/v2/datasets/kept', { ...change, useRetentionPeriod: true }))
        .status,
      200,
    );
    assert.equal(await ttlOf(), 'toDate32(_time) + toIntervalDay(31)');
  });

  it('sets a retention period without waiting for the parts', { timeout: 20_000 }, async () => {
    await create('long');
    await ingest(local, 'long', { a: 1 });
    // As if the parts were large.
    await run('SYSTEM STOP MERGES aplomb.long');
    const change = { retentionDays: 30, useRetentionPeriod: true };
    assert.equal((await local.call('PUT', '/v2/datasets/long', change)).status, 200);
    assert.equal((await eventsOf(local).reload('long'))!.document.retentionDays, 30);
    await ingest(local, 'long', { b: 'x' });
    await run('SYSTEM START MERGES aplomb.long');
  });

  it('trims to the nanosecond, in whole days and in part of a day', async () => {
    await create('trimmed');
    const times = [
      ...[
        '1677-09-22T00:00:00Z',
        '1969-12-31T23:59:59.999999999Z',
        '1970-01-01T00:00:00Z',
        '2023-01-01T00:00:00Z',
      ],
      ...[
        '2024-05-05T11:59:59.999999999Z',
        '2024-05-05T12:00:00Z',
        '2024-05-05T12:00:00.000000001Z',
        '2024-05-06T00:00:00Z',
        '2262-04-11T00:00:00Z',
      ],
    ];
    await ingest(local, 'trimmed', ...times.map((_time) => ({ _time })));
    const before = BigInt(Date.parse('2024-05-05T12:00:00Z')) * 1_000_000n;
    const numbering = local.store.datasets.get('trimmed')!.layout.numbering;
    assert.equal(await local.store.datasets.trim('trimmed', before), 5);
    assert.equal(await countOf('trimmed'), 4);
    assert.equal(await local.store.datasets.trim('trimmed', before), 0);
    assert.equal(await local.store.datasets.trim('trimmed', before + 1n), 1);
    assert.equal(await countOf('trimmed'), 3);
    assert.equal(local.store.datasets.get('trimmed')!.layout.numbering, numbering);
    await ingest(local, 'trimmed', { _time: times[3] });
    assert.equal(await countOf('trimmed'), 4);
  });

  it('vacuums fields and types without values', async () => {
    await create('vacuumed');
    await ingest(
      local,
      'vacuumed',
      { _time: '2023-01-01T00:00:00Z', a: 1, b: 1 },
      { a: 'x', c: true },
    );
    await local.store.datasets.trim('vacuumed', BigInt(Date.parse('2024-01-01')) * 1_000_000n);
    assert.equal((await local.call('POST', '/v2/datasets/vacuumed/vacuum')).status, 200);
    const { fields } = local.store.datasets.get('vacuumed')!.layout;
    assert.deepEqual(
      fields.map(({ name, variants }) => [name, ...variants.map(({ type }) => type)]),
      [
        ['_sysTime', 'datetime'],
        ['_time', 'datetime'],
        ['a', 'string'],
        ['c', 'boolean'],
      ],
    );
    await ingest(local, 'vacuumed', { a: 2, b: 2 });
    assert.equal((await storedEvents(local, 'vacuumed')).length, 2);
  });

  it('describes a dataset', async () => {
    await create('described');
    const time = (second: number) =>
      new Date(Date.parse('2024-01-01') + second * 1_000).toISOString();
    const events = Array.from({ length: 500 }, (_, i) => ({
      _time: time(i),
      text: 'x'.repeat(100),
      i,
    }));
    await ingest(local, 'described', ...events);
    const { body } = await local.call('GET', '/v1/datasets/described/info');
    assert.equal(body.numEvents, 500);
    assert.equal(body.minTime, '2024-01-01T00:00:00Z');
    assert.equal(body.maxTime, '2024-01-01T00:08:19Z');
    assert.ok(body.compressedBytes > 1_000);
    const bytes = Buffer.byteLength(JSON.stringify(events));
    assert.ok(Math.abs(body.inputBytes - bytes) < 0.35 * bytes, `${body.inputBytes}, not ${bytes}`);
    await create('empty');
    assert.equal((await local.call('GET', '/v1/datasets/empty/info')).body.numEvents, 0);
  });
});

describe('several processes on a database', () => {
  it('see datasets, settings and fields of each other, and number rows differently', async () => {
    const other = await openOn(server, 'aplomb');
    try {
      await create('shared');
      await other.store.datasets.refresh(() => undefined);
      await ingest(other, 'shared', { a: 1, b: true });
      // This process doesn't know the fields yet.
      await ingest(local, 'shared', { a: 2, b: 'x', c: 0.5 });
      await local.store.datasets.refresh(() => undefined);
      await other.store.datasets.refresh(() => undefined);
      const [mine, its] = [local, other].map((each) => each.store.datasets.get('shared')!);
      assert.deepEqual(its!.layout, mine!.layout);
      assert.deepEqual(
        mine!.layout.fields.map(
          ({ name, variants }) => `${name} ${variants.map(({ type }) => type)}`,
        ),
        ['_sysTime datetime', '_time datetime', 'a integer', 'b boolean,string', 'c float'],
      );
      for (let i = 0; i < 5; i += 1) {
        await Promise.all([
          ingest(local, 'shared', { a: i }, { a: i }),
          ingest(other, 'shared', { a: i }, { a: i }),
        ]);
      }
      const [row] = await sql('SELECT count(), uniqExact(_row) FROM aplomb.shared');
      assert.deepEqual(row, ['22', '22']);
      await other.call('DELETE', '/v2/datasets/shared');
      await local.store.datasets.refresh(() => undefined);
      assert.equal(local.store.datasets.get('shared'), undefined);
    } finally {
      await other.close();
    }
  });

  it('keep what another process has just changed', async () => {
    const other = await openOn(server, 'aplomb');
    const put = (deployment: Deployment, path: string, body: object) =>
      deployment.call('PUT', `/v2/datasets/both${path}`, body);
    try {
      await create('both');
      await ingest(local, 'both', { a: 1 });
      await other.store.datasets.refresh(() => undefined);
      await put(other, '', { description: 'theirs', retentionDays: 9, useRetentionPeriod: true });
      await ingest(other, 'both', { b: 2 });
      // This process doesn't know the changes yet.
      assert.equal((await put(local, '/fields/b', { unit: 'ms' })).status, 200);
      const { body } = await put(local, '/mapfields', ['m']);
      assert.deepEqual(body, ['m']);
      for (const each of [local, other]) {
        await each.store.datasets.refresh(() => undefined);
        const { document } = each.store.datasets.get('both')!;
        assert.equal(document.description, 'theirs');
        assert.equal(document.retentionDays, 9);
        assert.deepEqual(document.mapFields, ['m']);
      }
      const engine = async () =>
        (await sql("SELECT engine_full FROM system.tables WHERE name = 'both'"))[0]![0]!;
      assert.match(await engine(), /TTL .*(?:toIntervalDay\(10\)|INTERVAL 10 DAY)/);
      await put(other, '', { description: 'theirs', useRetentionPeriod: false });
      await put(local, '', { description: 'mine' });
      assert.equal(
        /TTL/.test(await engine()),
        local.store.datasets.get('both')!.document.useRetentionPeriod,
      );
    } finally {
      await other.close();
    }
  });

  it('change no dataset that another process has deleted and created again', async () => {
    const other = await openOn(server, 'aplomb');
    try {
      await create('again', { description: 'first' });
      await other.store.datasets.refresh(() => undefined);
      await other.call('DELETE', '/v2/datasets/again');
      await other.dataset('again');
      await ingest(other, 'again', { n: 1 });
      const path = '/v2/datasets/again/mapfields';
      assert.equal((await local.call('PUT', path, ['m'])).status, 200);
      await other.store.datasets.refresh(() => undefined);
      assert.equal(other.store.datasets.get('again')!.document.description, '');
      await other.call('DELETE', '/v2/datasets/again');
      assert.equal((await local.call('PUT', path, ['m'])).status, 404);
    } finally {
      await other.close();
    }
  });

  it('answer 503 for a table that another process has dropped, and forget it', async () => {
    const other = await openOn(server, 'aplomb');
    try {
      await create('gone');
      await ingest(local, 'gone', { a: 1 });
      await other.store.datasets.refresh(() => undefined);
      await other.call('DELETE', '/v2/datasets/gone');
      const answer = await local.call('POST', '/v1/datasets/gone/ingest', [{ a: 1 }]);
      assert.equal(answer.status, 503);
      assert.equal(answer.body.reason, 'clickhouse-unavailable');
      await local.store.datasets.refresh(() => undefined);
      assert.equal((await local.call('POST', '/v1/datasets/gone/ingest', [{ a: 1 }])).status, 404);
    } finally {
      await other.close();
    }
  });
});

describe('a cluster', () => {
  const documentOf = (name: string) => ({ ...local.store.datasets.get('kept')!.document, name });

  it('gets statements with the syntax of ClickHouse', async () => {
    const tables = new Tables({ url: '', database: 'my db', cluster: 'all `servers`' });
    const document = documentOf('a.b');
    const statements = [
      tables.createDatabaseSql(),
      ...tables.createSql(document),
      ...tables.addColumnsSql('a.b', ['x:integer', "y'`\\:string"]),
      ...tables.saveDetailsSql('a.b', ['x:integer'], { unit: 'ms' }),
      ...tables.saveSql({ ...document, useRetentionPeriod: false }, document),
      ...tables.trimSql('a.b', ['20240101'], 5n),
      ...tables.dropColumnsSql('a.b', ['x:integer']),
      ...tables.dropSql('a.b'),
    ];
    assert.equal(statements.length, 15);
    for (const statement of statements) {
      assert.match(statement, /ON CLUSTER "all `servers`"/);
      await sql(`SELECT formatQuery(${quoteText(statement)})`);
    }
  });

  it('runs them, but for replication, on a Distributed table over a server', async () => {
    // The server of these tests has a cluster with one shard, but no Keeper for replication and ON CLUSTER.
    const cluster = 'main';
    const tables = new Tables({ url: '', database: 'aplomb', cluster });
    const runAll = async (statements: readonly string[]) => {
      for (const statement of statements) {
        await run(
          statement
            .replaceAll(` ON CLUSTER ${quoteName(cluster)}`, '')
            .replace('ReplicatedMergeTree', 'MergeTree')
            .replace(' replicated_deduplication_window', ' non_replicated_deduplication_window'),
          { max_partition_size_to_drop: 0 },
        );
      }
    };
    const document = documentOf('spread');
    await runAll(tables.createSql(document));
    await runAll(tables.addColumnsSql('spread', ['a:integer', 'b:string']));
    await runAll(tables.addColumnsSql('spread', ['a:integer']));
    await runAll(tables.saveDetailsSql('spread', ['a:integer'], { unit: 'ms' }));
    const changed = { ...document, description: 'new', useRetentionPeriod: false };
    await runAll(tables.saveSql(changed, document));
    const { name, ...read } = { name: 'spread', ...(await eventsOf(local).reload('spread'))! };
    assert.equal(read.document.description, 'new');
    assert.equal(read.layout.fields.find((field) => field.name === 'a')!.unit, 'ms');
    const values =
      "('2024-01-01', '2024-01-01', 1, 5, 'x'), ('2024-01-02', '2024-01-02', 1025, 6, 'y')";
    for (let i = 0; i < 2; i += 1) {
      await run(
        `INSERT INTO aplomb.${name} SETTINGS insert_deduplication_token = 'once', distributed_foreground_insert = 1 VALUES ${values}`,
      );
    }
    assert.equal(await countOf('spread'), 2);
    await runAll(
      tables.trimSql('spread', ['20240101'], BigInt(Date.parse('2024-01-02')) * 1_000_000n),
    );
    assert.equal(await countOf('spread'), 1);
    await runAll(tables.dropColumnsSql('spread', ['b:string']));
    await runAll(tables.dropSql('spread'));
    assert.deepEqual(await sql("SELECT name FROM system.tables WHERE name LIKE 'spread%'"), []);
  });
});
