// The JavaScript clients from the npm registry against the local deployment, unmodified: those that
// take only a URL, and the current one also with an edge URL. Their results must be correct.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import * as current from '@axiomhq/js';
import * as first from 'axiom-js-1.0';
import * as middle from 'axiom-js-1.3';
import { type Served, serve } from './served.ts';

let served: Served;
before(async () => {
  served = await serve();
});
after(() => served.close());

/** Errors that a client ignores by default and passes to `onError`. */
const swallowed: Error[] = [];
const onError = (error: Error) => void swallowed.push(error);

// The three versions have different declarations but the same members used here.
type Package = typeof current;

const versions: readonly (readonly [
  name: string,
  client: Package,
  options: (served: Served) => object,
])[] = [
  ['1.0 with a URL', first as unknown as Package, ({ url }) => ({ url })],
  ['1.3 with a URL', middle as unknown as Package, ({ url }) => ({ url })],
  ['2.0 with a URL', current, ({ url }) => ({ url })],
  ['2.0 with a URL and an edge', current, ({ url }) => ({ url, edgeUrl: url })],
];

const START = '2026-01-01T00:00:00.000Z';
const END = '2026-01-02T00:00:00.000Z';
const range = { startTime: START, endTime: END };

for (const [index, [name, client, options]] of versions.entries()) {
  describe(`@axiomhq/js ${name}`, () => {
    const dataset = `js-${index}`;
    const open = (token = served.token) =>
      new client.AxiomWithoutBatching({ token, onError, ...options(served) });

    it('creates, lists, reads and updates a dataset', async () => {
      const { datasets } = open();
      const made = await datasets.create({ name: dataset, description: 'made' });
      assert.deepEqual([made.id, made.name, made.description], [dataset, dataset, 'made']);
      const changed = await datasets.update(dataset, { description: 'changed' });
      assert.equal(changed.description, 'changed');
      assert.deepEqual(await datasets.get(dataset), changed);
      const listed = await datasets.list();
      assert.ok(listed.some((each) => each.name === dataset));
    });

    it('stores events in every format', async () => {
      const axiom = open();
      const { JSON: json, NDJSON, CSV } = client.ContentType;
      const { Identity, GZIP } = client.ContentEncoding;
      const list = '[{"form":"json"},{"form":"json"}]';
      const statuses = [
        await axiom.ingestRaw(dataset, list),
        await axiom.ingestRaw(dataset, list, json, Identity),
        await axiom.ingestRaw(dataset, '{"form":"lines"}\n{"form":"lines"}', NDJSON, Identity),
        await axiom.ingestRaw(dataset, 'form\ncsv\ncsv', CSV, Identity),
        await axiom.ingestRaw(dataset, 'form;x\ncsv;1\ncsv;2', CSV, Identity, {
          csvDelimiter: ';',
        }),
        await axiom.ingestRaw(dataset, gzipSync(list), json, GZIP),
        await axiom.ingest(dataset, [{ form: 'events' }, { form: 'events' }]),
      ];
      for (const { ingested, failed, failures } of statuses) {
        assert.deepEqual([ingested, failed, failures], [2, 0, []]);
      }
      assert.equal((await axiom.ingest(dataset, { form: 'event' })).ingested, 1);
      const timed = await axiom.ingest(
        dataset,
        [
          { form: 'timed', at: '2026/01/01 10:00', n: 1 },
          { form: 'timed', at: '2026/01/01 11:00', n: 2 },
          { form: 'timed', at: '2026/01/01 11:30', n: 3 },
        ],
        { timestampField: 'at', timestampFormat: '2006/01/02 15:04' },
      );
      assert.equal(timed.ingested, 3);
      assert.deepEqual(swallowed, []);
      const forms: Record<string, number> = {};
      for (const { form } of await served.events(dataset)) {
        forms[String(form)] = (forms[String(form)] ?? 0) + 1;
      }
      assert.deepEqual(forms, {
        timed: 3,
        json: 6,
        lines: 2,
        csv: 4,
        events: 2,
        event: 1,
      });
    });

    it('stores events in batches', async () => {
      const axiom = new client.Axiom({ token: served.token, onError, ...options(served) });
      for (let n = 0; n < 1_500; n += 1) axiom.ingest(dataset, { form: 'batch', n });
      await axiom.flush();
      const stored = await served.events(dataset);
      assert.deepEqual(swallowed, []);
      const apl = `['${dataset}'] | where form == 'batch' | summarize count(), sum(n)`;
      const { buckets } = await open().query(apl, { format: 'legacy' });
      assert.deepEqual(
        buckets.totals![0]!.aggregations!.map(({ value }) => value),
        [1_500, (1_499 * 1_500) / 2],
      );
      assert.ok(stored.length > 0);
    });

    it('runs a query with a legacy result', async () => {
      const apl = `['${dataset}'] | sort by _time asc`;
      const result = await open().query(apl, { ...range, format: 'legacy' });
      assert.deepEqual(
        result.matches!.map(({ _time, data }) => [_time, (data as { n: number }).n]),
        [
          ['2026-01-01T10:00:00Z', 1],
          ['2026-01-01T11:00:00Z', 2],
          ['2026-01-01T11:30:00Z', 3],
        ],
      );
      assert.deepEqual(
        [result.status.rowsExamined, result.status.rowsMatched, result.datasetNames],
        [3, 3, [dataset]],
      );
    });

    it('runs a structured query', async () => {
      const { AggregationOp, FilterOp } = client;
      const events = await open().queryLegacy(
        dataset,
        { ...range, resolution: 'auto', filter: { op: FilterOp.Gte, field: 'n', value: 2 } },
        { noCache: true },
      );
      assert.deepEqual(
        events.matches!.map(({ data }) => (data as { n: number }).n),
        [3, 2],
      );
      const { buckets } = await open().queryLegacy(dataset, {
        ...range,
        resolution: '1h',
        aggregations: [{ op: AggregationOp.Sum, field: 'n' }],
      });
      assert.deepEqual(
        buckets.series!.map(({ startTime, groups }) => [
          startTime,
          groups![0]!.aggregations![0]!.value,
        ]),
        [
          ['2026-01-01T10:00:00Z', 1],
          ['2026-01-01T11:00:00Z', 5],
        ],
      );
      const [total] = buckets.totals!;
      assert.deepEqual(total!.aggregations, [{ op: 'SUM', value: 6 }]);
    });

    it('receives errors with messages', async () => {
      const { datasets } = open();
      await assert.rejects(datasets.get('nothing'), /[Nn]ot found: the dataset "nothing"/);
      await assert.rejects(open().query(`['${dataset}'] | where`), /expect|missing|needs/i);
      await assert.rejects(open(`xaat-${'0'.repeat(43)}`).datasets.list(), /[Ff]orbidden/);
    });

    it('trims and deletes the dataset', async () => {
      const { datasets } = open();
      const trimmed = await datasets.trim(dataset, '1h0m0s');
      assert.ok(trimmed);
      const left = await open().query(`['${dataset}'] | sort by _time asc | limit 1`, {
        startTime: START,
        format: 'legacy',
      });
      assert.ok(Date.parse(left.matches![0]!._time) > Date.now() - 3_600_000);
      const { status } = await datasets.delete(dataset);
      assert.equal(status, 204);
    });
  });
}

describe('@axiomhq/js', () => {
  const dataset = 'js-more';
  const open = (token = served.token) =>
    new current.AxiomWithoutBatching({ token, url: served.url, onError });
  before(async () => {
    await served.dataset(dataset);
    await open().ingest(dataset, [{ _time: START, n: 1, labels: { a: 'x' } }, { n: 2 }]);
  });

  it('1.0 reads the user with the older endpoint, and 2.0 with the current endpoint', async () => {
    const { url, personalToken: token } = served;
    const older = await new first.Axiom({ token, url }).users.current();
    const present = await open(token).users.current();
    assert.deepEqual([older.id, older.name], [present.id, present.name]);
    assert.deepEqual(await open().users.list(), [present]);
    assert.deepEqual(await open().users.get(present.id), present);
  });

  it('1.3 and 2.0 run queries with tabular results and iterate over the events', async () => {
    for (const client of [middle, current]) {
      const axiom = new client.AxiomWithoutBatching({ token: served.token, url: served.url });
      const { tables } = (await axiom.query(`['${dataset}'] | project n | sort by n asc`, {
        format: 'tabular',
      })) as current.TabularQueryResult;
      assert.deepEqual([...tables[0]!.events()], [{ n: 1 }, { n: 2 }]);
    }
  });

  it('creates, updates, lists and deletes annotations, in each version', async () => {
    for (const client of [first, middle, current]) {
      const annotations = new client.annotations.Service({
        token: served.token,
        url: served.url,
      });
      const made = await annotations.create({
        type: 'deployment',
        datasets: [dataset],
        title: 'made',
        time: START,
      });
      assert.deepEqual(await annotations.get(made.id), made);
      const changed = await annotations.update(made.id, { title: 'changed' });
      assert.deepEqual(changed, { ...made, title: 'changed' });
      assert.deepEqual(await annotations.list({ datasets: [dataset] }), [changed]);
      assert.deepEqual(await annotations.list({ datasets: ['other', 'another'] }), []);
      assert.deepEqual(await annotations.list({ start: END }), []);
      const { status } = await annotations.delete(made.id);
      assert.equal(status, 204);
      await assert.rejects(annotations.get(made.id), /[Nn]ot found/);
    }
  });

  it('2.0 creates, updates, lists and deletes monitors', async () => {
    const { monitors } = open();
    const settings = {
      name: 'many events',
      type: 'Threshold',
      description: 'made',
      aplQuery: `['${dataset}'] | summarize count() by bin_auto(_time)`,
      operator: 'Above',
      threshold: 100,
      alertOnNoData: false,
      notifyByGroup: false,
      notifierIDs: [],
      intervalMinutes: 5,
      rangeMinutes: 10,
    } as const;
    const made = await monitors.create({ ...settings, notifierIDs: [] });
    const { notifierIDs: _, ...kept } = settings;
    for (const [member, value] of Object.entries({ ...kept, notifierIds: [] })) {
      assert.deepEqual(made[member], value, member);
    }
    assert.deepEqual(await monitors.get(made.id), made);
    const changed = await monitors.update(made.id, { ...kept, threshold: 150 });
    assert.equal(changed.threshold, 150);
    assert.deepEqual(await monitors.list(), [changed]);
    const metrics = await monitors.create({
      name: 'metrics',
      type: 'Threshold',
      mplQuery: 'a metrics query',
    });
    assert.equal((await monitors.get(metrics.id)).mplQuery, 'a metrics query');
    for (const { id } of [made, metrics]) {
      assert.equal((await monitors.delete(id)).status, 204);
      await assert.rejects(monitors.get(id), /[Nn]ot found/);
    }
  });

  it('2.0 reads fields, map fields, dashboards and saved queries', async () => {
    const { datasets, dashboards, savedQueries } = open();
    assert.deepEqual(
      (await datasets.fields(dataset)).map(({ name, type }) => `${name}: ${type}`),
      ['_sysTime: datetime', '_time: datetime', 'labels.a: string', 'n: integer'],
    );
    await served.call('POST', `/v2/datasets/${dataset}/mapfields`, { name: 'labels' });
    assert.deepEqual(await datasets.mapFields(dataset), ['labels']);
    const dashboard = { name: 'd', charts: [], layout: [] };
    await served.call('POST', '/v2/dashboards', { uid: 'd', dashboard });
    const [listed] = await dashboards.list({ limit: 10, offset: 0 });
    assert.deepEqual(await dashboards.get('d'), listed);
    assert.equal(listed!.dashboard['name'], 'd');
    const query = { apl: `['${dataset}'] | count` };
    const body = { name: 'q', kind: 'apl', query, metadata: {}, who: 'team', dataset };
    await served.call('POST', '/v2/apl-starred-queries', body);
    const [saved] = await savedQueries.list({ who: 'all', limit: 5 });
    assert.deepEqual([saved!.name, saved!.query.apl], ['q', query.apl]);
    assert.deepEqual(await savedQueries.get(saved!.id), saved);
  });

  it('2.0 rejects calls for which the token lacks capabilities, with status 403', async () => {
    const answer = await served.call('POST', '/v2/tokens', {
      name: 'ingest only',
      datasetCapabilities: { [dataset]: { ingest: ['create'] } },
      orgCapabilities: {},
    });
    const { token } = (await answer.json()) as { token: string };
    const { ingested } = await open(token).ingest(dataset, { n: 3 });
    assert.equal(ingested, 1);
    await assert.rejects(open(token).query(`['${dataset}']`), /403: .*query:read/);
    await assert.rejects(open(token).datasets.get(dataset), /403: .*query:read/);
    assert.deepEqual(await open(token).datasets.list(), []);
  });
});
