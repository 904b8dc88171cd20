// Requests of the service's public clients beyond the specification: older paths, structured queries, trimming,
// notifiers. Sources: the public clients and their tests against the service.
import assert from 'node:assert/strict';
import { deflateRawSync, deflateSync } from 'node:zlib';
import { type EndpointKey, NOTIFIER_KINDS } from '../../../api/src/index.ts';
import { type Check, granted, refused } from '../check.ts';
import { END, EVENTS, START } from '../world.ts';

const check = (
  endpoint: EndpointKey,
  name: string,
  run: Check['run'],
  personal = false,
): Check => ({ endpoint, name, run, personal });

const range = { startTime: START, endTime: END };

/** Bodies of two events each, as clients send them. */
const bodies = {
  'without a content type': { type: '', body: '[{"a":1},{"a":2}]' },
  'from JSON lines with the content type text/plain': {
    type: 'text/plain;charset=UTF-8',
    body: '{"a":1}\n{"a":2}',
  },
  'from CSV with the content type text/plain': { type: 'text/plain', body: 'a,b\n1,x\n2,y\n' },
  'with the content type application/octet-stream': {
    type: 'application/octet-stream',
    body: '[{"a":1},{"a":2}]',
  },
  'with the content type application/ndjson': {
    type: 'application/ndjson',
    body: '{"a":1}\n{"a":2}\n',
  },
  'compressed with deflate': {
    type: 'application/json',
    body: deflateSync('[{"a":1},{"a":2}]'),
    encoding: 'deflate',
  },
  'compressed with deflate without a zlib header': {
    type: 'application/json',
    body: deflateRawSync('[{"a":1},{"a":2}]'),
    encoding: 'deflate',
  },
  'with an empty content encoding': {
    type: 'application/json',
    body: '[{"a":1},{"a":2}]',
    encoding: '',
  },
  'with the content encoding identity': {
    type: 'application/json',
    body: '[{"a":1},{"a":2}]',
    encoding: 'identity',
  },
  'with the content encoding 1': {
    type: 'application/json',
    body: '[{"a":1},{"a":2}]',
    encoding: '1',
  },
} as const;

const ingests = (['ingest', 'ingestV1'] as const).flatMap((endpoint) =>
  Object.entries(bodies).map(([what, { type, body, ...more }]) =>
    check(endpoint, `stores events ${what}`, async ({ requests, scratch }) => {
      const { ingested, failed } = await granted(requests, endpoint, {
        params: { dataset_name: scratch },
        body,
        headers: {
          'content-type': type,
          ...('encoding' in more ? { 'content-encoding': more.encoding } : {}),
        },
      });
      assert.deepEqual([ingested, failed], [2, 0]);
    }),
  ),
);

const structured = (['queryStructured', 'queryStructuredV1'] as const).flatMap((endpoint) => [
  check(endpoint, 'returns the events of a range, newest first', async ({ requests, dataset }) => {
    const params = { dataset_id: dataset };
    const { matches, buckets, status } = await granted(requests, endpoint, {
      params,
      body: { ...range, resolution: 'auto' },
    });
    assert.deepEqual([status.rowsExamined, status.rowsMatched], [EVENTS, EVENTS]);
    assert.deepEqual(
      matches.map(({ data }: { data: { n: number } }) => data.n),
      Array.from({ length: EVENTS }, (_, i) => EVENTS - 1 - i),
    );
    assert.deepEqual(buckets, { series: [], totals: [] });
  }),
  check(endpoint, 'returns groups in total and over time', async ({ requests, dataset }) => {
    const { buckets, matches } = await granted(requests, endpoint, {
      params: { dataset_id: dataset },
      body: {
        ...range,
        resolution: '30m',
        aggregations: [
          { op: 'count', field: '*' },
          { op: 'sum', field: 'n', alias: 'all' },
        ],
        groupBy: ['host'],
        filter: { op: '<', field: 'n', value: 4 },
        order: [{ field: 'host', desc: true }],
      },
    });
    const told = (groups: { group: object; aggregations: { op: string; value: number }[] }[]) =>
      groups.map(({ group, aggregations }) => [group, aggregations]);
    assert.deepEqual(told(buckets.totals), [
      [
        { host: 'h2' },
        [
          { op: 'COUNT', value: 1 },
          { op: 'all', value: 2 },
        ],
      ],
      [
        { host: 'h1' },
        [
          { op: 'COUNT', value: 1 },
          { op: 'all', value: 1 },
        ],
      ],
      [
        { host: 'h0' },
        [
          { op: 'COUNT', value: 2 },
          { op: 'all', value: 3 },
        ],
      ],
    ]);
    assert.equal(buckets.series.length, 1);
    assert.deepEqual([buckets.series[0].startTime, matches], [START, []]);
  }),
  check(
    endpoint,
    'rejects invalid filters, aggregations, limits, resolutions and expressions',
    async ({ requests, dataset }) => {
      const params = { dataset_id: dataset };
      for (const unfit of [
        { filter: { op: 'near', field: 'n', value: 1 } },
        { filter: { op: '==', field: 'nothing', value: 1 } },
        { aggregations: [{ op: 'median', field: 'n' }] },
        { limit: 50_001 },
        { resolution: 'fine' },
        { virtualFields: [{ alias: 'v', expr: 'n) | limit (1' }] },
      ]) {
        await refused(requests, endpoint, { params, body: { ...range, ...unfit } });
      }
    },
  ),
]);

const made = async ({ requests }: Parameters<Check['run']>[0]): Promise<string> => {
  const name = requests.name();
  await granted(requests, 'createDataset', { body: { name } });
  return name;
};

const trims = (['trimDataset', 'trimDatasetV1'] as const).map((endpoint) =>
  check(endpoint, 'deletes only events older than maxDuration', async (world) => {
    const { requests } = world;
    const name = await made(world);
    const params = { dataset_id: name };
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const body = [5, 4, 3, 1].map((hours) => ({ _time: hoursAgo(hours), hours }));
    await granted(requests, 'ingest', { params: { dataset_name: name }, body });
    await refused(requests, endpoint, { params, body: { maxDuration: 'a while' } });
    await granted(requests, endpoint, { params, body: { maxDuration: '2h30m' } });
    const { numEvents, minTime, maxTime } = await granted(requests, 'getDatasetInfo', { params });
    assert.equal(numEvents, 1);
    assert.deepEqual([Date.parse(minTime), minTime], [Date.parse(body[3]!._time), maxTime]);
    await granted(requests, 'deleteDataset', { params });
  }),
);

export const clientChecks: readonly Check[] = [
  ...ingests,
  ...structured,
  ...trims,
  check(
    'ingestV1',
    'accepts a personal token',
    async ({ requests, scratch }) => {
      const token = requests.target.personalToken!;
      const { ingested } = await granted(requests, 'ingestV1', {
        params: { dataset_name: scratch },
        body: [{ a: 1 }],
        token,
      });
      assert.equal(ingested, 1);
    },
    true,
  ),
  check('vacuumDataset', 'removes unused fields, and only once a day', async (world) => {
    const { requests } = world;
    const name = await made(world);
    const params = { dataset_id: name };
    const old = new Date(Date.now() - 7_200_000).toISOString();
    const body = [
      { _time: old, before: 1, both: 1 },
      { both: 2, after: 1 },
    ];
    await granted(requests, 'ingest', { params: { dataset_name: name }, body });
    await granted(requests, 'trimDataset', { params, body: { maxDuration: '1h' } });
    await granted(requests, 'vacuumDataset', { params });
    const listed = await granted(requests, 'listFields', { params });
    assert.deepEqual(
      listed.map((field: { name: string }) => field.name),
      ['_sysTime', '_time', 'after', 'both'],
    );
    await refused(requests, 'vacuumDataset', { params }, [429]);
    // A field that is ingested again exists again.
    await granted(requests, 'ingest', { params: { dataset_name: name }, body });
    assert.equal((await granted(requests, 'listFields', { params })).length, 5);
    await granted(requests, 'deleteDataset', { params });
  }),
  check(
    'getCurrentUserV1',
    'returns the role as a string and the permissions as a list',
    async ({ requests }) => {
      const { role, permissions } = await granted(requests, 'getCurrentUserV1');
      assert.deepEqual([typeof role, Array.isArray(permissions)], ['string', true]);
    },
  ),
  check('createOrganization', 'creates an organization that is listed', async ({ requests }) => {
    const body = { name: requests.name() };
    const { id, name } = await granted(requests, 'createOrganization', { body });
    assert.equal(name, body.name);
    const listed = await granted(requests, 'listOrganizations');
    assert.ok(listed.some((each: { id: string }) => each.id === id));
    const kept = await granted(requests, 'getOrganization', { params: { id } });
    for (const time of [kept.metaCreated, kept.metaModified, kept.planCreated]) {
      assert.ok(!Number.isNaN(Date.parse(time)), time);
    }
  }),
  check(
    'createNotifier',
    'accepts every kind of notifier and rejects an unknown kind',
    async ({ requests }) => {
      const settings: Readonly<Record<string, object>> = {
        email: { emails: ['a@example.com'] },
        slack: { slackUrl: 'https://example.com' },
        discord: { discordChannel: 'c', discordToken: 't' },
        discordWebhook: { discordWebhookUrl: 'https://example.com' },
        pagerduty: { routingKey: 'k', token: 't' },
        opsgenie: { apiKey: 'k', isEU: true },
        microsoftTeams: { microsoftTeamsUrl: 'https://example.com' },
        webhook: { url: 'https://example.com' },
        customWebhook: { url: 'https://example.com', body: '{}', headers: { a: 'b' } },
      };
      for (const kind of NOTIFIER_KINDS) {
        const properties = { [kind]: settings[kind] };
        const body = { name: requests.name(), properties };
        const { id } = await granted(requests, 'createNotifier', { body });
        const kept = await granted(requests, 'getNotifier', { params: { id } });
        assert.deepEqual(kept.properties, properties);
        await granted(requests, 'deleteNotifier', { params: { id } });
      }
      await refused(requests, 'createNotifier', {
        body: { name: 'x', properties: { pigeon: {} } },
      });
    },
  ),
  check('createMonitor', 'stores a metrics query without an APL query', async ({ requests }) => {
    const body = { name: requests.name(), type: 'Threshold', mplQuery: 'a metrics query' };
    const { id, mplQuery } = await granted(requests, 'createMonitor', { body });
    assert.equal(mplQuery, body.mplQuery);
    await granted(requests, 'deleteMonitor', { params: { id } });
  }),
  check(
    'createMonitor',
    'accepts member names in any case, like Go',
    async ({ requests, dataset }) => {
      const { id, ...kept } = await granted(requests, 'createMonitor', {
        body: {
          name: requests.name(),
          type: 'Threshold',
          aplQuery: `['${dataset}'] | count`,
          IntervalMinutes: 5,
          RangeMinutes: 10,
          NotifierIDs: [],
          disabledUntil: '0001-01-01T00:00:00Z',
        },
      });
      assert.deepEqual([kept.intervalMinutes, kept.rangeMinutes, kept.notifierIds], [5, 10, []]);
      await granted(requests, 'deleteMonitor', { params: { id } });
    },
  ),
  check('createMapField', 'rejects a duplicate or invalid map field', async (world) => {
    const { requests } = world;
    const params = { dataset_id: await made(world) };
    await granted(requests, 'createMapField', { params, body: { name: 'foo' } });
    await refused(requests, 'createMapField', { params, body: { name: 'foo' } }, [400, 409]);
    await refused(requests, 'createMapField', { params, body: { name: '__invalid__' } });
    await refused(requests, 'replaceMapFields', { params, body: ['a', 'a'] }, [400, 409]);
    const gone = { ...params, map_field_name: 'bar' };
    await refused(requests, 'deleteMapField', { params: gone }, [404]);
    await granted(requests, 'deleteDataset', { params });
  }),
  check(
    'getDataset',
    'responds with a "not found" message for an unknown dataset',
    async ({ requests }) => {
      const { message } = await refused(requests, 'getDataset', {}, [404]);
      assert.match(message, /not found/i);
    },
  ),
];
