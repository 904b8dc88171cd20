// The requests of the Go, Python and Rust clients and the Terraform provider in their own tests
// against the service: with the members that they send, including null and empty ones, and the
// responses that they expect.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { type Answer, Deployment, PERSONAL_TOKEN } from '../deployment.ts';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
});
after(() => local.close());

/** The headers of a client, including its token, and its dataset. */
interface Client {
  readonly headers: Readonly<Record<string, string>>;
  readonly dataset: string;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function granted(client: Client, method: string, path: string, body?: object) {
  const answer = await local.call(method, path, body, { headers: client.headers });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

async function refused(client: Client, method: string, path: string, body?: object) {
  const answer = await local.call(method, path, body, { headers: client.headers });
  assert.ok(answer.status >= 400 && answer.status < 500, `${method} ${path}: ${answer.text}`);
  return answer;
}

const send = (
  { headers, dataset }: Client,
  body: string | Uint8Array,
  type: string,
  more: Readonly<Record<string, string>> = {},
  query = '',
): Promise<Answer> =>
  local.call('POST', `/v1/datasets/${dataset}/ingest${query}`, body, {
    type,
    headers: { ...headers, ...more },
  });

const lines = (events: readonly object[]) =>
  events.map((event) => JSON.stringify(event)).join('\n');

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
const around = () => ({ startTime: ago(60), endTime: ago(-60) });

const ZERO_TIME = '0001-01-01T00:00:00Z';

const request = (ip: string, second: number) => ({
  time: `17/May/2015:08:05:${second} +0000`,
  remote_ip: ip,
  remote_user: '-',
  request: 'GET /downloads/product_1 HTTP/1.1',
  response: 304,
  bytes: 0,
  referrer: '-',
  agent: 'Debian APT-HTTP/1.3 (0.8.16)',
});

const FIELDS = Object.keys(request('', 0));
const pair = [request('93.180.71.1', 30), request('93.180.71.2', 31)];
const csvRow = (event: object) => Object.values(event).join(',');

describe('the Go client', () => {
  const go: Client = { headers: bearer(PERSONAL_TOKEN), dataset: 'go-datasets' };

  // The client sends its zero values: 0, false, empty strings, null lists, and the zero time.
  const emptyFilter = { op: '', field: '', value: null, caseSensitive: false, children: null };
  const zeroQuery = {
    ...{ aggregations: null, groupBy: null, filter: emptyFilter, order: null, limit: 0 },
    ...{ virtualFields: null, project: null, cursor: '', includeCursor: false },
    ...{ continuationToken: '', resolution: 'auto' },
  };

  it('reads the user and creates, updates and lists datasets', async () => {
    const user = await granted(go, 'GET', '/v2/user');
    assert.ok(user.id && user.name && user.email && user.role.id);
    const settings = { useRetentionPeriod: false, retentionDays: 0 };
    await granted(go, 'POST', '/v2/datasets', { name: go.dataset, description: 'a', ...settings });
    const path = `/v2/datasets/${go.dataset}`;
    const changed = await granted(go, 'PUT', path, { description: 'b', ...settings });
    assert.equal(changed.description, 'b');
    assert.deepEqual(await granted(go, 'GET', path), changed);
    const listed: object[] = await granted(go, 'GET', '/v2/datasets');
    assert.ok(listed.some((each) => JSON.stringify(each) === JSON.stringify(changed)));
  });

  it('receives the number of uncompressed bytes it sent, including labels', async () => {
    const list = JSON.stringify(pair, undefined, '\t');
    const csv = pair.map(csvRow).join('\n');
    const labels = '{"region":"eu-west-1"}';
    const names = { 'x-axiom-csv-fields': FIELDS.join(',') };
    const withHeader = `${FIELDS.join(',')}\n${csv}`;
    for (const [body, type, more, bytes] of [
      [list, 'application/json', { 'x-axiom-event-labels': labels }, list.length + 22],
      [gzipSync(list), 'application/json', { 'content-encoding': 'gzip' }, list.length],
      [zstdCompressSync(list), 'application/json', { 'content-encoding': 'zstd' }, list.length],
      [
        zstdCompressSync(`${lines(pair)}\n`),
        'application/x-ndjson',
        { 'content-encoding': 'zstd' },
        lines(pair).length + 1,
      ],
      [
        zstdCompressSync(`${lines(pair)}\n`),
        'application/x-ndjson',
        { 'content-encoding': 'zstd' },
        lines(pair).length + 1,
      ],
      [withHeader, 'text/csv', { 'x-axiom-csv-fields': '' }, withHeader.length],
      [csv, 'text/csv', names, csv.length],
    ] as const) {
      const { body: status } = await send(go, body, type, more);
      assert.deepEqual(
        [status.ingested, status.failed, status.failures, status.processedBytes],
        [2, 0, [], bytes],
      );
    }
  });

  it('runs APL queries whose unset times are sent as the zero time', async () => {
    const unset = { cursor: '', includeCursor: false, variables: null };
    const path = '/v1/datasets/_apl?format=tabular';
    for (const range of [around(), { startTime: ZERO_TIME, endTime: ZERO_TIME }]) {
      const apl = `['${go.dataset}']`;
      const { tables, status } = await granted(go, 'POST', path, { ...range, ...unset, apl });
      assert.deepEqual([status.rowsExamined, status.rowsMatched], [14, 14]);
      assert.ok(status.elapsedTime > 0);
      assert.deepEqual(tables[0].sources, [{ name: go.dataset }]);
      // The fields of the events, the label, and two times.
      assert.deepEqual([tables[0].fields.length, tables[0].columns.length], [11, 11]);
    }
    const apl = `['${go.dataset}'] | summarize topk(remote_ip, 1)`;
    const { tables } = await granted(go, 'POST', path, { ...around(), ...unset, apl });
    assert.deepEqual(tables[0].fields[0].agg, { name: 'topk', fields: ['remote_ip'], args: [1] });
    assert.deepEqual(tables[0].columns, [[[{ key: '93.180.71.1', count: 7, error: 0 }]]]);
  });

  it('runs structured queries', async () => {
    const path = `/v1/datasets/${go.dataset}/query`;
    const plain = await granted(go, 'POST', path, { ...zeroQuery, ...around() });
    assert.deepEqual(
      [plain.status.rowsExamined, plain.status.rowsMatched, plain.matches.length],
      [14, 14, 14],
    );
    const child = { ...emptyFilter, op: 'contains', field: 'request', value: 'GET' };
    const { status, buckets } = await granted(go, 'POST', path, {
      ...{ ...zeroQuery, ...around() },
      aggregations: [{ alias: 'event_count', op: 'count', field: '*', argument: null }],
      groupBy: ['success', 'remote_ip'],
      filter: { ...emptyFilter, op: 'exists', field: 'response', children: [child] },
      order: [
        { field: 'success', desc: true },
        { field: 'remote_ip', desc: false },
      ],
      virtualFields: [{ alias: 'success', expr: 'toint(response) < 400' }],
      project: [{ field: 'remote_ip', alias: 'ip' }],
    });
    assert.deepEqual([status.rowsExamined, status.rowsMatched], [14, 14]);
    assert.deepEqual(
      buckets.totals.map(({ group, aggregations }: Group) => [group, aggregations]),
      ['93.180.71.1', '93.180.71.2'].map((remote_ip) => [
        { success: true, remote_ip },
        [{ op: 'event_count', value: 7 }],
      ]),
    );
  });

  it('trims a dataset', async () => {
    const path = `/v2/datasets/${go.dataset}/trim`;
    assert.equal(await granted(go, 'POST', path, { maxDuration: '1s' }), undefined);
  });

  it('gets events newest first if the order has no direction', async () => {
    const client = { ...go, dataset: 'go-cursor' };
    await granted(go, 'POST', '/v2/datasets', { name: client.dataset, description: '' });
    const events = ['bar', 'baz', 'buz'].map((foo, i) => ({ _time: ago(3 - i), foo }));
    await send(client, lines(events), 'application/x-ndjson');
    const apl = `['${client.dataset}'] | sort by _time`;
    const path = '/v1/datasets/_apl?format=tabular';
    const { tables } = await granted(go, 'POST', path, { apl, ...around() });
    assert.equal(tables[0].columns.length, 3);
    assert.deepEqual(tables[0].columns[2], ['buz', 'baz', 'bar']);
  });

  it('creates, replaces and deletes map fields, and receives errors for invalid names', async () => {
    const dataset = '/v2/datasets/go-maps';
    await granted(go, 'POST', '/v2/datasets', { name: 'go-maps', description: '' });
    const path = `${dataset}/mapfields`;
    assert.deepEqual(await granted(go, 'POST', path, { name: 'foo' }), { name: 'foo' });
    assert.deepEqual((await granted(go, 'GET', dataset)).mapFields, ['foo']);
    await refused(go, 'POST', path, { name: 'foo' });
    await refused(go, 'POST', path, { name: '__invalid__' });
    assert.deepEqual(await granted(go, 'PUT', path, []), []);
    assert.deepEqual((await granted(go, 'GET', dataset)).mapFields, []);
    assert.deepEqual(await granted(go, 'PUT', path, ['bar', 'baz', 'buz']), ['bar', 'baz', 'buz']);
    await refused(go, 'PUT', path, ['dupe', 'dupe']);
    await refused(go, 'PUT', path, ['__invalid__']);
    assert.equal(await granted(go, 'DELETE', `${path}/bar`), undefined);
    await refused(go, 'DELETE', `${path}/bar`);
    assert.deepEqual(await granted(go, 'GET', path), ['baz', 'buz']);
    await granted(go, 'PUT', path, []);
    assert.deepEqual(await granted(go, 'GET', path), []);
  });

  it('reads a map field as one column and an object without a map field as one column per key', async () => {
    const client = { ...go, dataset: 'go-objects' };
    await granted(go, 'POST', '/v2/datasets', { name: client.dataset, description: '' });
    const labels = { 'x-axiom-event-labels': '{"region":"eu-west-1"}' };
    const path = `/v2/datasets/${client.dataset}/mapfields`;
    const columns = async (foo: object) => {
      await send(client, JSON.stringify([{ foo }]), 'application/json', labels);
      const apl = `['${client.dataset}']`;
      const query = '/v1/datasets/_apl?format=tabular';
      const { tables } = await granted(go, 'POST', query, { apl, ...around() });
      // Not counting the label and two times.
      return tables[0].columns.length - 3;
    };
    assert.equal(await columns({ bar: 'a', bar2: 'b' }), 2);
    await granted(go, 'POST', path, { name: 'foo' });
    assert.equal(await columns({ buz: 'a', buz2: 'b' }), 3);
    await granted(go, 'DELETE', `${path}/foo`);
    assert.equal(await columns({ qux: 'a', qux2: 'b' }), 5);
  });

  it('creates and regenerates tokens', async () => {
    const created = await granted(go, 'POST', '/v2/tokens', {
      name: 'Test token',
      description: '',
      expiresAt: ago(-86_400),
      datasetCapabilities: { '*': { ingest: ['create'] } },
      viewCapabilities: null,
      orgCapabilities: { users: ['create', 'read', 'update', 'delete'] },
    });
    const { token, ...record } = created;
    assert.match(token, /^xaat-/);
    assert.deepEqual(await granted(go, 'GET', `/v2/tokens/${record.id}`), record);
    const has = async (wanted: object) => {
      const listed: object[] = await granted(go, 'GET', '/v2/tokens');
      return listed.some((each) => JSON.stringify(each) === JSON.stringify(wanted));
    };
    assert.ok(await has(record));
    const { token: renewed, ...next } = await granted(
      go,
      'POST',
      `/v2/tokens/${record.id}/regenerate`,
      { existingTokenExpiresAt: ago(1), newTokenExpiresAt: ago(-86_400) },
    );
    assert.notEqual(renewed, token);
    assert.ok(await has(next));
    assert.ok(!(await has(record)));
    await granted(go, 'DELETE', `/v2/tokens/${next.id}`);
    assert.equal((await refused(go, 'GET', `/v2/tokens/${next.id}`)).status, 404);
  });

  it('reads organizations, including their dates and license limits', async () => {
    const organizations = await granted(go, 'GET', '/v2/orgs');
    const [organization] = organizations;
    const got = await granted(go, 'GET', `/v2/orgs/${organization.id}`);
    const times = [got.planCreated, got.lastUsageSync, got.metaCreated, got.metaModified];
    const { license } = got;
    for (const time of [...times, license.issuedAt, license.validFrom, license.expiresAt]) {
      assert.ok(!Number.isNaN(Date.parse(time)), `${time}`);
    }
    for (const member of ['monthlyIngestGb', 'maxUsers', 'maxDatasets', 'maxQueryWindowSeconds']) {
      assert.ok(Number.isInteger(license[member]), member);
    }
  });

  it('creates, updates and deletes users and virtual fields', async () => {
    const john = { name: 'John Doe', email: 'john.doe@example.com', role: 'read-only' };
    const user = await granted(go, 'POST', '/v2/users', john);
    const changed = await granted(go, 'PUT', `/v2/users/${user.id}/role`, { role: 'user' });
    assert.deepEqual(await granted(go, 'GET', `/v2/users/${user.id}`), changed);
    await granted(go, 'DELETE', `/v2/users/${user.id}`);
    const field = { dataset: 'test-dataset', name: 'Test Field', expression: 'a + b' };
    const sent = { ...field, description: '', type: 'number', unit: '' };
    const made = await granted(go, 'POST', '/v2/vfields', sent);
    const path = `/v2/vfields/${made.id}`;
    const updated = await granted(go, 'PUT', path, { ...sent, expression: 'a - b' });
    assert.deepEqual(await granted(go, 'GET', path), updated);
    assert.deepEqual(await granted(go, 'GET', '/v2/vfields?dataset=test-dataset'), [updated]);
    await granted(go, 'DELETE', path);
    assert.equal((await refused(go, 'GET', path)).status, 404);
  });

  it('creates annotations, with the zero time for unset times', async () => {
    for (const name of ['go-a', 'go-b']) {
      await granted(go, 'POST', '/v2/datasets', { name, description: '' });
    }
    const made = await granted(go, 'POST', '/v2/annotations', {
      ...{ title: 'Test Annotation', datasets: ['go-a'], type: 'deployment' },
      ...{ description: '', url: '', time: ZERO_TIME, endTime: ZERO_TIME },
    });
    assert.ok(Math.abs(Date.parse(made.time) - Date.now()) < 60_000, made.time);
    const listed = async (query: string) => {
      const annotations: { id: string }[] = await granted(go, 'GET', `/v2/annotations${query}`);
      return annotations.map(({ id }) => id);
    };
    assert.deepEqual(await listed(''), [made.id]);
    assert.deepEqual(await listed('?datasets=go-a'), [made.id]);
    await granted(go, 'PUT', `/v2/annotations/${made.id}`, { datasets: ['go-b'] });
    assert.deepEqual(await listed('?datasets=go-a'), []);
    await granted(go, 'DELETE', `/v2/annotations/${made.id}`);
  });

  it('creates a dashboard with every chart type and a monitor', async () => {
    const apl = `['${go.dataset}'] | summarize count()`;
    // Three of the client's member names are capitalized.
    const monitor = await granted(go, 'POST', '/v2/monitors', {
      ...{ name: 'test-dashboard-monitor', description: 'Monitor', type: 'Threshold' },
      ...{ aplQuery: apl, operator: 'Above', threshold: 0, IntervalMinutes: 1, RangeMinutes: 1 },
      ...{ NotifierIDs: null, disabledUntil: ZERO_TIME, createdAt: ZERO_TIME, createdBy: '' },
      ...{ alertOnNoData: false, notifyByGroup: false, resolvable: false },
    });
    assert.deepEqual([monitor.intervalMinutes, monitor.rangeMinutes], [1, 1]);
    assert.ok(Date.parse(monitor.createdAt) > 0);
    const types =
      'TimeSeries Heatmap LogStream Pie Scatter Table TopK Statistic SectionHeader'.split(' ');
    const charts = [
      ...types.map((type) => ({ id: type, type, name: type, query: { apl }, datasetId: 'x' })),
      { id: 'note', type: 'Note', text: 'Integration note' },
      { id: 'list', type: 'MonitorList', name: 'l', selectedMonitors: [monitor.id], columns: {} },
      { id: 'filter', type: 'SmartFilter', name: 'f', filters: [{ type: 'search', id: 's' }] },
      { id: 'spacer', type: 'Spacer', name: 'Spacer' },
      { id: 'placeholder', type: 'Placeholder' },
    ];
    const layout = charts.map(({ id: i }, at) => ({
      ...{ i, x: (at % 3) * 4, y: Math.floor(at / 3) * 4, w: 4, h: 4 },
    }));
    const { id: owner } = await granted(go, 'GET', '/v2/user');
    const body = (name: string) => ({
      uid: 'all-charts',
      dashboard: {
        ...{ name, owner, description: 'd', charts, layout, refreshTime: 60, schemaVersion: 2 },
        ...{ timeWindowStart: 'qr-now-1h', timeWindowEnd: 'qr-now' },
      },
      overwrite: true,
      message: 'integration',
    });
    const created = await granted(go, 'POST', '/v2/dashboards', body('a'));
    assert.equal(created.dashboard.uid, 'all-charts');
    const path = '/v2/dashboards/uid/all-charts';
    const { uid: _, ...update } = body('b');
    assert.equal((await granted(go, 'PUT', path, update)).dashboard.uid, 'all-charts');
    const got = await granted(go, 'GET', path);
    assert.deepEqual([got.dashboard.name, got.dashboard.charts], ['b', charts]);
    const listed: { uid: string }[] = await granted(go, 'GET', '/v2/dashboards');
    assert.ok(listed.some(({ uid }) => uid === 'all-charts'));
    await granted(go, 'DELETE', path);
    assert.equal((await refused(go, 'GET', path)).status, 404);
    await granted(go, 'DELETE', `/v2/monitors/${monitor.id}`);
    assert.equal((await refused(go, 'GET', `/v2/monitors/${monitor.id}`)).status, 404);
  });

  it('follows a dataset with repeated streaming queries, as its command-line tool does', async () => {
    const client = { ...go, dataset: 'go-stream' };
    await granted(go, 'POST', '/v2/datasets', { name: client.dataset, description: '' });
    const path = `/v1/datasets/${client.dataset}/query?streaming-duration=2s`;
    const seen: number[] = [];
    let startTime = new Date(Date.now() - 1_000).toISOString();
    for (let round = 0; round < 3; round += 1) {
      await send(client, lines([{ n: 2 * round }]), 'application/x-ndjson');
      await send(client, lines([{ n: 2 * round + 1 }]), 'application/x-ndjson');
      const range = { startTime, endTime: ago(-0.001) };
      const { matches } = await granted(go, 'POST', path, { ...zeroQuery, ...range });
      if (matches.length === 0) continue;
      // The last one is the newest. The next request starts a nanosecond later.
      const { _time } = matches.at(-1);
      startTime = `${_time.slice(0, 19)}.${(_time.slice(20, -1) || '').padEnd(9, '0').slice(0, 8)}1Z`;
      seen.push(...matches.map(({ data }: { data: { n: number } }) => data.n));
    }
    assert.deepEqual(seen, [0, 1, 2, 3, 4, 5]);
  });
});

interface Group {
  readonly group: object;
  readonly aggregations: readonly object[];
}

describe('the Python client', () => {
  const python: Client = {
    headers: { ...bearer(PERSONAL_TOKEN), 'x-axiom-org-id': 'local', 'user-agent': 'axiom-py/0' },
    // A name of ten letters, because a message contains a column number.
    dataset: 'abcdefghij',
  };

  it('creates, reads, lists and updates datasets with the older endpoints', async () => {
    const { dataset: name } = python;
    await granted(python, 'POST', '/v1/datasets', { name, description: 'made' });
    const path = `/v1/datasets/${name}`;
    const got = await granted(python, 'GET', path);
    for (const member of ['id', 'name', 'description', 'who', 'created']) {
      assert.equal(typeof got[member], 'string', member);
    }
    assert.ok((await granted(python, 'GET', '/v1/datasets')).length > 0);
    const changed = await granted(python, 'PUT', path, { description: 'changed' });
    assert.equal(changed.description, 'changed');
  });

  it('stores compressed events and events with a custom timestamp format', async () => {
    const minuteAgo = new Date(Date.now() - 60_000);
    const [, day, month, year, clock] = /, (\d+) (\w+) (\d+) (\S+)/.exec(minuteAgo.toUTCString())!;
    const _time = `${day}/${month}/${year}:${clock} +0000`;
    const events = pair.map(({ time: _, ...event }) => ({ _time, ...event }));
    const options = new URLSearchParams({
      'timestamp-field': '_time',
      'timestamp-format': '2/Jan/2006:15:04:05 +0000',
      'csv-delimiter': ';',
    });
    const packed = gzipSync(JSON.stringify(events));
    const gzip = { 'content-encoding': 'gzip' };
    const first = await send(python, packed, 'application/json', gzip, `?${options}`);
    assert.equal(first.body.ingested, 2);
    const hourAgo = ago(3_600);
    const others = gzipSync(
      lines([
        { foo: 'bar', _time: hourAgo },
        { bar: 'baz', _time: hourAgo },
      ]),
    );
    const second = await send(python, others, 'application/x-ndjson', gzip);
    assert.equal(second.body.ingested, 2);
    const plain = await send(python, '[{"late":1}]', 'application/json', {
      'content-encoding': '1',
    });
    assert.equal(plain.body.ingested, 1);
  });

  const range = () => ({ startTime: ago(120), endTime: ago(30) });

  it('runs structured queries with True and False as parameter values', async () => {
    const path = `/v1/datasets/${python.dataset}/query`;
    const query = {
      ...{ resolution: 'auto', aggregations: [], groupBy: [], filter: null, order: [], limit: 10 },
      ...{ virtualFields: [], project: [], cursor: null, includeCursor: false },
      continuationToken: null,
    };
    const options = '?streaming-duration=60s&saveAsKind=analytics&nocache=True';
    const answer = await local.call(
      'POST',
      path + options,
      { ...query, ...range() },
      { headers: python.headers },
    );
    assert.equal(answer.body.matches.length, 2);
    assert.ok(answer.headers.get('x-axiom-history-query-id'));
    assert.deepEqual(answer.body.buckets, { series: [], totals: [] });
    const { status, buckets } = await granted(python, 'POST', `${path}?nocache=False`, {
      ...{ ...query, ...range() },
      aggregations: [{ op: 'count', field: '*', alias: 'event_count', argument: '' }],
      groupBy: ['success', 'remote_ip'],
      filter: { op: '==', field: 'response', value: 304, caseSensitive: false, children: [] },
      order: [
        { field: 'success', desc: true },
        { field: 'remote_ip', desc: false },
      ],
      virtualFields: [{ alias: 'success', expr: 'response < 400' }],
      project: [{ field: 'remote_ip', alias: 'ip' }],
    });
    assert.equal(status.rowsMatched, 2);
    assert.equal(buckets.totals[0].aggregations[0].op, 'event_count');
  });

  it('runs APL queries in both formats and gets a warning for an always-true filter', async () => {
    const apl = `['${python.dataset}']`;
    const ask = (format: string, more = '') =>
      granted(python, 'POST', `/v1/datasets/_apl?format=${format}`, {
        apl: apl + more,
        ...range(),
      });
    const legacy = await ask('legacy');
    assert.equal(legacy.matches.length, 2);
    assert.deepEqual(legacy.buckets, { series: [], totals: [] });
    assert.equal((await ask('tabular')).tables[0].columns[0].length, 2);
    const { status } = await ask('legacy', ' | where true');
    assert.equal(status.messages.length, 1);
    const [{ msg, code }] = status.messages;
    assert.equal(msg, 'where clause always evaluates to TRUE, which will include all data');
    assert.equal(code, 'apl_whereclausealwaysevaluatestoTRUEwhichwillincludealldata_1');
  });

  it('creates tokens with null for absent properties', async () => {
    const names =
      'annotations auditLog billing dashboards datasets endpoints flows integrations monitors notifiers rbac sharedAccessKeys users views';
    const capabilities = Object.fromEntries(names.split(' ').map((name) => [name, null]));
    const { id, token } = await granted(python, 'POST', '/v2/tokens', {
      ...{ name: 'PytestToken', description: null, expiresAt: null, datasetCapabilities: null },
      orgCapabilities: { ...capabilities, apiTokens: ['read'] },
    });
    assert.ok(token);
    assert.ok((await granted(python, 'GET', '/v2/tokens')).length > 0);
    assert.equal((await granted(python, 'GET', `/v2/tokens/${id}`)).name, 'PytestToken');
    const renewed = await granted(python, 'POST', `/v2/tokens/${id}/regenerate`, {
      existingTokenExpiresAt: ago(-86_400).replace('Z', '123Z'),
      newTokenExpiresAt: ago(-2 * 86_400).replace('Z', '123Z'),
    });
    await granted(python, 'DELETE', `/v2/tokens/${id}`);
    await granted(python, 'DELETE', `/v2/tokens/${renewed.id}`);
  });

  it('creates annotations with null for absent properties', async () => {
    const unset = { time: null, endTime: null, title: null, description: null, url: null };
    const body = { datasets: [python.dataset], type: 'test', ...unset };
    const { id } = await granted(python, 'POST', '/v2/annotations', body);
    const [listed] = await granted(python, 'GET', `/v2/annotations?datasets=${python.dataset}`);
    assert.equal(listed.id, id);
    const change = { ...unset, datasets: null, type: null, title: 'changed' };
    const changed = await granted(python, 'PUT', `/v2/annotations/${id}`, change);
    assert.deepEqual([changed.title, changed.type], ['changed', 'test']);
    await granted(python, 'DELETE', `/v2/annotations/${id}`);
  });

  it('trims and deletes a dataset, and then gets 404 for it', async () => {
    const path = `/v1/datasets/${python.dataset}`;
    await granted(python, 'POST', `${path}/trim`, { maxDuration: '1s' });
    assert.equal(await granted(python, 'DELETE', path), undefined);
    assert.equal((await refused(python, 'GET', path)).status, 404);
  });
});

describe('the Rust client', () => {
  const rust: Client = { headers: bearer(PERSONAL_TOKEN), dataset: 'rust-datasets' };

  it('receives event counts for each batch of a stream, and reads the dataset information', async () => {
    const path = `/v1/datasets/${rust.dataset}`;
    assert.equal((await refused(rust, 'DELETE', path)).status, 404);
    await granted(rust, 'POST', '/v1/datasets', { name: rust.dataset, description: 'bar' });
    const list = JSON.stringify(pair);
    const first = await send(rust, list, 'application/json', { 'content-encoding': '' });
    assert.deepEqual([first.body.ingested, first.body.processedBytes], [2, list.length]);
    const stream = Array.from({ length: 4_325 }, (_, i) => pair[i % 2]!);
    for (let at = 0; at < stream.length; at += 1_000) {
      const piece = gzipSync(lines(stream.slice(at, at + 1_000)));
      const { body } = await send(rust, piece, 'application/x-ndjson', {
        'content-encoding': 'gzip',
      });
      assert.equal(body.ingested, Math.min(1_000, stream.length - at));
    }
    const info = await granted(rust, 'GET', `${path}/info`);
    assert.deepEqual([info.name, info.numEvents, info.numFields], [rust.dataset, 4_327, 10]);
    assert.ok(info.inputBytes > 4_327 * 100, `${info.inputBytes}`);
    for (const time of [info.created, info.minTime, info.maxTime]) {
      assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000, time);
    }
    const { fields } = await granted(rust, 'GET', `${path}/info`);
    assert.equal(fields.length, 10);
  });

  it('runs queries with default values for all options', async () => {
    const path = `/v1/datasets/${rust.dataset}/query`;
    // The client's defaults: null, empty lists, and an empty resolution.
    const query = {
      ...{ startTime: ago(60), endTime: ago(-1), resolution: '', aggregations: [], groupBy: [] },
      ...{ filter: null, order: [], limit: 0, virtualFields: [], project: [], cursor: '' },
      ...{ includeCursor: false, continuationToken: '' },
    };
    const answer = await local.call('POST', `${path}?saveAsKind=analytics`, query, {
      headers: rust.headers,
    });
    const { status, matches } = answer.body;
    assert.ok(answer.headers.get('x-axiom-history-query-id'));
    assert.deepEqual([status.rowsExamined, status.rowsMatched], [4_327, 4_327]);
    assert.equal(matches.length, 1_000);
    const { buckets } = await granted(rust, 'POST', path, {
      ...query,
      aggregations: [{ alias: 'event_count', op: 'count', field: '*' }],
      groupBy: ['success', 'remote_ip'],
      filter: { op: '==', field: 'response', value: 304, caseInsensitive: false, children: [] },
      order: [
        { field: 'success', desc: true },
        { field: 'remote_ip', desc: false },
      ],
      virtualFields: [{ alias: 'success', expr: 'response < 400' }],
      project: [{ field: 'remote_ip', alias: 'ip' }],
    });
    const counts = buckets.totals.map(({ aggregations: [count] }: Counted) => count!.value);
    assert.deepEqual(counts, [2_164, 2_163]);
    const apl = { apl: `['${rust.dataset}']`, startTime: null, endTime: null, cursor: null };
    const flags = { includeCursor: false, includeCursorField: false };
    const kept = await local.call(
      'POST',
      '/v1/datasets/_apl?saveAsKind=apl&format=tabular',
      { ...apl, ...flags },
      { headers: rust.headers },
    );
    assert.ok(kept.headers.get('x-axiom-history-query-id'));
    assert.equal(kept.body.status.rowsMatched, 4_327);
    assert.equal(kept.body.tables[0].columns[0].length, 1_000);
    for (const time of [kept.body.status.minBlockTime, kept.body.status.maxBlockTime]) {
      assert.ok(!Number.isNaN(Date.parse(time)), time);
    }
  });

  it('continues a query from a cursor in the middle of a page', async () => {
    const client = { ...rust, dataset: 'rust-cursor' };
    await granted(rust, 'POST', '/v1/datasets', { name: client.dataset, description: 'bar' });
    const events = Array.from({ length: 1_000 }, (_, i) => ({ _time: ago(-i), n: i }));
    await send(client, gzipSync(lines(events)), 'application/x-ndjson', {
      'content-encoding': 'gzip',
    });
    const apl = `['${client.dataset}'] | sort by _time desc`;
    const endTime = ago(-1_200);
    const path = '/v1/datasets/_apl?saveAsKind=apl&format=legacy';
    const ask = (more: object) => granted(rust, 'POST', path, { apl, endTime, ...more });
    const { matches } = await ask({ startTime: ago(60) });
    assert.equal(matches.length, 1_000);
    const { _rowId: cursor } = matches[500];
    const rest = await ask({ startTime: ago(60), cursor, includeCursor: true });
    assert.equal(rest.matches.length, 500);
    const tabular = await granted(rust, 'POST', path.replace('legacy', 'tabular'), {
      ...{ apl, endTime, startTime: ago(60), includeCursorField: true },
    });
    const names = tabular.tables[0].fields.map(({ name }: { name: string }) => name);
    const column = tabular.tables[0].columns[names.indexOf('_cursor')];
    assert.equal(column[500], cursor);
  });

  it('trims a dataset and gets the number of deleted events', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const path = `/v1/datasets/${rust.dataset}`;
    const trimmed = await granted(rust, 'POST', `${path}/trim`, { maxDuration: '1s' });
    assert.deepEqual(trimmed, { numDeleted: 4_327 });
    assert.equal((await granted(rust, 'GET', `${path}/info`)).numEvents, 0);
    await granted(rust, 'DELETE', path);
  });
});

interface Counted {
  readonly aggregations: readonly { readonly value: number }[];
}

describe('the Terraform provider', () => {
  const terraform: Client = { headers: {}, dataset: 'terraform-provider-dataset' };

  it('creates, reads and deletes a dataset, a notifier, a monitor and a token', async () => {
    const { dataset: name } = terraform;
    const unset = { createdAt: ZERO_TIME, createdBy: '', updatedAt: ZERO_TIME };
    const dataset = await granted(terraform, 'POST', '/v2/datasets', {
      ...{ name, description: 'A test dataset', useRetentionPeriod: false, retentionDays: 0 },
    });
    const slack = { slackUrl: 'https://hooks.example.com/services/A/B/C' };
    const settings = { id: '', name: 'slack_test', disabledUntil: ZERO_TIME, ...unset };
    const sent = { ...settings, properties: { slack } };
    const notifier = await granted(terraform, 'POST', '/v2/notifiers', sent);
    assert.deepEqual([notifier.name, notifier.properties], ['slack_test', { slack }]);
    const monitor = await granted(terraform, 'POST', '/v2/monitors', {
      ...{ name: 'test monitor', type: 'Threshold', description: 'd', ...unset },
      aplQuery: `\t\t\t['${name}']\n\t\t\t| summarize count() by bin_auto(_time)\n\t\t\t`,
      ...{ IntervalMinutes: 5, RangeMinutes: 5, operator: 'Above', threshold: 1 },
      ...{ NotifierIDs: [notifier.id], alertOnNoData: false, disabledUntil: ZERO_TIME },
      ...{ notifyByGroup: true, resolvable: true },
    });
    assert.deepEqual(
      [monitor.notifierIds, monitor.resolvable, monitor.notifyByGroup],
      [[notifier.id], true, true],
    );
    // The token expired long ago but is stored anyway.
    const token = await granted(terraform, 'POST', '/v2/tokens', {
      ...{ name: 'test_token', description: 'test_token', expiresAt: '2024-06-29T13:02:54Z' },
      datasetCapabilities: { 'new-dataset': { ingest: ['create'], query: ['read'] } },
      orgCapabilities: { apiTokens: ['read'] },
    });
    const kept = await granted(terraform, 'GET', `/v2/tokens/${token.id}`);
    assert.deepEqual(
      [kept.expiresAt, kept.datasetCapabilities['new-dataset'].ingest, kept.orgCapabilities],
      ['2024-06-29T13:02:54Z', ['create'], { apiTokens: ['read'] }],
    );
    for (const path of [
      `/v2/tokens/${token.id}`,
      `/v2/monitors/${monitor.id}`,
      `/v2/notifiers/${notifier.id}`,
      `/v2/datasets/${dataset.id}`,
    ]) {
      await granted(terraform, 'GET', path);
      await granted(terraform, 'DELETE', path);
      const { status, body } = await refused(terraform, 'GET', path);
      assert.equal(status, 404);
      assert.match(body.message, /not found/i);
    }
  });

  it('creates a webhook notifier with capitalized properties', async () => {
    const properties = {
      customWebhook: { URL: 'https://a.example', Headers: { a: 'b' }, Body: '{}' },
    };
    const { id } = await granted(terraform, 'POST', '/v2/notifiers', { name: 'w', properties });
    const kept = await granted(terraform, 'GET', `/v2/notifiers/${id}`);
    assert.deepEqual(kept.properties.customWebhook, {
      ...{ url: 'https://a.example', headers: { a: 'b' }, body: '{}' },
    });
    const email = { email: { emails: ['test@example.com'] } };
    const path = `/v2/notifiers/${id}`;
    const changed = await granted(terraform, 'PUT', path, { name: 'm', properties: email });
    assert.deepEqual(changed.properties, email);
    assert.equal(changed.createdAt, kept.createdAt);
    await granted(terraform, 'DELETE', path);
  });
});
