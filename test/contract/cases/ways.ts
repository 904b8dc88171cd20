// Events in the formats of other services: OpenTelemetry data and Elasticsearch bulk requests.
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import type { EndpointKey } from '../../../api/src/index.ts';
import { type Check, granted, refused, succeeded } from '../check.ts';
import type { Answer } from '../target.ts';

const check = (endpoint: EndpointKey, name: string, run: Check['run']): Check => ({
  endpoint,
  name,
  run,
});

const spans = {
  resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'a', kind: 2 }, { name: 'b' }] }] }],
};
const logs = {
  resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: 'hello' } }] }] }],
};

const otlp = [
  ['ingestTraces', spans],
  ['ingestLogs', logs],
] as const;

const PROTOBUF = 'application/x-protobuf';

/** Returns the content type of a response, without parameters. */
const typeOf = ({ headers }: Answer) => headers.get('content-type')?.split(';')[0];

const otlpChecks = otlp.flatMap(([key, body]): Check[] => [
  check(key, 'accepts a JSON request', async ({ requests, scratch }) => {
    const headers = { 'x-axiom-dataset': scratch };
    assert.equal((await granted(requests, key, { headers, body })).partialSuccess, undefined);
  }),
  check(key, 'accepts a gzip-compressed request', async ({ requests, scratch }) => {
    const headers = { 'x-axiom-dataset': scratch, 'content-encoding': 'gzip' };
    await granted(requests, key, { headers, body: gzipSync(JSON.stringify(body)) });
  }),
  check(key, 'responds to a protobuf request with protobuf', async ({ requests, scratch }) => {
    const headers = { 'x-axiom-dataset': scratch, 'content-type': PROTOBUF };
    const answer = await requests.call(key, { headers, body: new Uint8Array() });
    assert.deepEqual([answer.status, typeOf(answer)], [200, PROTOBUF]);
  }),
  check(
    key,
    'rejects a malformed protobuf request with a protobuf response',
    async ({ requests, scratch }) => {
      const headers = { 'x-axiom-dataset': scratch, 'content-type': PROTOBUF };
      const answer = await requests.call(key, { headers, body: new Uint8Array([0x0a, 0x7f]) });
      assert.deepEqual([answer.status, typeOf(answer)], [400, PROTOBUF]);
    },
  ),
  check(key, 'rejects a body that is not a JSON object', async ({ requests, scratch }) => {
    const headers = { 'x-axiom-dataset': scratch };
    for (const text of ['', '{', '[]', '5']) await refused(requests, key, { headers, body: text });
  }),
  check(key, 'rejects a request without a dataset or with an unknown one', async ({ requests }) => {
    await refused(requests, key, { body });
    await refused(requests, key, { headers: { 'x-axiom-dataset': 'not-there' }, body }, [404]);
  }),
]);

const bulk =
  '{"index":{"_index":"i","_id":"1"}}\n{"n":1}\n{"delete":{"_id":"2"}}\n{"create":{}}\n{}\n';

const bulkChecks = (['bulkIngest', 'bulkIngestGeneral'] as const).flatMap((key): Check[] => [
  check(key, 'stores documents and rejects deletions in the same request', async (world) => {
    const params = { dataset_name: world.scratch };
    const headers = { 'content-type': 'application/x-ndjson' };
    const { errors, items } = await granted(world.requests, key, { params, headers, body: bulk });
    assert.equal(errors, true);
    const statuses = items.map((item: Record<string, { status: number }>) =>
      Object.entries(item).map(([action, { status }]) => [action, status]),
    );
    assert.deepEqual(statuses, [[['index', 201]], [['delete', 400]], [['create', 201]]]);
    assert.equal(items[0].index._id, '1');
  }),
  check(key, 'rejects a request with malformed action lines', async ({ requests, scratch }) => {
    const params = { dataset_name: scratch };
    for (const body of ['', '{}', '{"n":1}\n{"n":2}', '{"index":{}}', '{"index":5}\n{}']) {
      const { error } = await refused(requests, key, { params, body });
      assert.equal(typeof error.reason, 'string');
    }
  }),
]);

const serverChecks = (['getBulkServer', 'getBulkServerGeneral'] as const).map((key) =>
  check(
    key,
    'returns a version and the Elasticsearch product header',
    async ({ requests, dataset }) => {
      const answer = await succeeded(requests, key, { params: { dataset_name: dataset } });
      assert.match(answer.body.version.number, /^\d+\.\d+\.\d+$/);
      assert.equal(answer.headers.get('x-elastic-product'), 'Elasticsearch');
    },
  ),
);

// The hosted service accepts metrics only in protobuf, and the local deployment accepts none.
const metricsCheck = check('ingestMetrics', 'rejects metrics in JSON', async ({ requests }) => {
  await refused(requests, 'ingestMetrics', { body: {} }, [400, 415, 501]);
});

export const wayChecks: readonly Check[] = [
  ...otlpChecks,
  ...bulkChecks,
  ...serverChecks,
  metricsCheck,
];
