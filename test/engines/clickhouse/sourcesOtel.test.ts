/**
 * The same log records and spans in the tables of the OpenTelemetry Collector's ClickHouse exporter, and sent by OTLP to
 * a deployment on DuckDB: queries of the service's documentation have the same answers. The tables are those that
 * `exporter/clickhouseexporter` of https://github.com/open-telemetry/opentelemetry-collector-contrib creates.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { HttpRequest } from '../../../local/src/http.ts';
import { answerPlan } from '../../../local/src/routes/plan.ts';
import { Deployment } from '../../local/deployment.ts';
import { openOn, type Server, startServer } from './deployment.ts';

const LOGS = 10_000;
const TRACES = 1_000;
const SPANS_PER_TRACE = 3;
const BATCH = 1_000;
const START = BigInt(Date.UTC(2026, 0, 1)) * 1_000_000n;
const range = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-02T00:00:00Z' };

type Attribute = string | number | boolean;
type Attributes = Readonly<Record<string, Attribute>>;

interface Resource {
  readonly service: string;
  readonly attributes: Attributes;
}

const services = ['frontend', 'checkout', 'cart', 'product-catalog'];
const resources: readonly Resource[] = services.map((service, i) => ({
  service,
  attributes: {
    'host.name': `host-${i}`,
    'service.name': service,
    'service.version': `1.${i}.0`,
    team: 'shop "A"',
  },
}));
const scope = { name: 'lib', version: '2.0', attributes: { level: 'beta' } };

const hex = (n: number, length: number) => n.toString(16).padStart(length, '0');

interface Span {
  readonly resource: Resource;
  readonly time: bigint;
  readonly duration: bigint;
  readonly trace: string;
  readonly id: string;
  readonly parent: string;
  readonly name: string;
  readonly kind: number;
  readonly status: number;
  readonly message: string;
  readonly attributes: Attributes;
  readonly events: readonly {
    readonly time: bigint;
    readonly name: string;
    readonly attributes: Attributes;
  }[];
  readonly links: readonly { readonly trace: string; readonly id: string }[];
}

const spans: readonly Span[] = Array.from({ length: TRACES * SPANS_PER_TRACE }, (_, n): Span => {
  const [trace, nth] = [Math.floor(n / SPANS_PER_TRACE), n % SPANS_PER_TRACE];
  const time = START + BigInt(trace) * 80_000_000_000n + BigInt(nth) * 1_000_001n;
  const id = (i: number) => hex(trace * SPANS_PER_TRACE + i + 1, 16);
  return {
    resource: resources[n % resources.length]!,
    time,
    duration: BigInt((n * 7_919_993) % 1_700_000_000),
    trace: hex(trace + 1, 32),
    id: id(nth),
    parent: nth === 0 ? '' : id(nth - 1),
    name: ['GET /', 'checkout', 'query'][nth]!,
    kind: [2, 3, 1][nth]!,
    status: n % 10 === 0 ? 2 : n % 3 === 0 ? 1 : 0,
    message: n % 10 === 0 ? `failed ${n}` : '',
    attributes: {
      'app.tier': ['gold', ''][n % 2]!,
      ...(nth === 0 && {
        'http.request.method': 'GET',
        'http.response.status_code': n % 10 === 0 ? 500 : 200,
      }),
      ...(nth === 0 && { 'http.route': `/items/${n % 5}` }),
      ...(n % 100 === 7 && { 'exception.escaped': true }),
      'url.path': `/ü/${n}`,
    },
    events:
      n % 4 === 0
        ? [
            { time: time + 5n, name: 'exception', attributes: { 'exception.type': `E${n}` } },
            { time, name: 'end', attributes: {} },
          ]
        : [],
    links: n % 50 === 0 ? [{ trace: hex(trace + 7, 32), id: hex(n + 9, 16) }] : [],
  };
});

interface LogRecord {
  readonly resource: Resource;
  readonly time: bigint;
  readonly severity: number;
  readonly text: string;
  readonly body: string;
  readonly trace: string;
  readonly id: string;
  readonly attributes: Attributes;
}

const severities = [
  ['INFO', 9],
  ['WARN', 13],
  ['ERROR', 17],
] as const;

const logs: readonly LogRecord[] = Array.from({ length: LOGS }, (_, n): LogRecord => {
  const [text, severity] = severities[n % 7 === 0 ? 2 : n % 2]!;
  return {
    resource: resources[n % resources.length]!,
    time: START + BigInt(n) * 8_000_000_001n,
    severity,
    text,
    body: `order ${n} of "customer" ${n % 100}\n`,
    trace: n % 5 === 0 ? hex((n % TRACES) + 1, 32) : '',
    id: n % 5 === 0 ? hex(n + 1, 16) : '',
    attributes: {
      'code.function.name': `f${n % 3}`,
      customer: `c${n % 100}`,
      'server.port': 8_000 + (n % 3),
    },
  };
});

const otlpValue = (value: Attribute) =>
  typeof value === 'string'
    ? { stringValue: value }
    : typeof value === 'boolean'
      ? { boolValue: value }
      : { intValue: String(value) };
const otlpAttributes = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: otlpValue(value) }));

/** Sends records with OTLP, grouped by resource. */
async function send<R extends { readonly resource: Resource }>(
  to: Deployment,
  kind: 'Spans' | 'Logs',
  items: readonly R[],
  encode: (item: R) => object,
): Promise<void> {
  const names = kind === 'Spans' ? ['spans', 'traces'] : ['logRecords', 'logs'];
  for (let start = 0; start < items.length; start += BATCH) {
    const batch = items.slice(start, start + BATCH);
    const body = {
      [`resource${kind}`]: resources.map((resource) => ({
        resource: { attributes: otlpAttributes(resource.attributes) },
        [`scope${kind}`]: [
          {
            scope: { ...scope, attributes: otlpAttributes(scope.attributes) },
            [names[0]!]: batch.filter((item) => item.resource === resource).map(encode),
          },
        ],
      })),
    };
    const headers = { 'x-axiom-dataset': names[1]! };
    const { status, text } = await to.call('POST', `/v1/${names[1]}`, body, { headers });
    assert.equal(status, 200, text);
  }
}

const otlpSpan = (span: Span) => ({
  traceId: span.trace,
  spanId: span.id,
  parentSpanId: span.parent,
  traceState: 'a=1',
  name: span.name,
  kind: span.kind,
  startTimeUnixNano: String(span.time),
  endTimeUnixNano: String(span.time + span.duration),
  attributes: otlpAttributes(span.attributes),
  status: { code: span.status, message: span.message },
  events: span.events.map(({ time, name, attributes }) => ({
    timeUnixNano: String(time),
    name,
    attributes: otlpAttributes(attributes),
  })),
  links: span.links.map(({ trace, id }) => ({
    traceId: trace,
    spanId: id,
    attributes: otlpAttributes({ reason: 'retry' }),
  })),
});

const otlpLog = (log: LogRecord) => ({
  timeUnixNano: String(log.time),
  severityNumber: log.severity,
  severityText: log.text,
  body: { stringValue: log.body },
  traceId: log.trace,
  spanId: log.id,
  flags: 1,
  attributes: otlpAttributes(log.attributes),
});

const variants = ['Map', 'JSON'] as const;
type Variant = (typeof variants)[number];

const typeOf = (variant: Variant) =>
  variant === 'Map' ? 'Map(LowCardinality(String), String)' : 'JSON';

/** The exporter stores all attributes as text in a map. */
const stored = (variant: Variant, attributes: Attributes) =>
  variant === 'JSON'
    ? attributes
    : Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, String(value)]));

const logsSql = (variant: Variant) => `CREATE TABLE otel.logs_${variant} (
  Timestamp DateTime64(9) CODEC(Delta(8), ZSTD(1)), TraceId String, SpanId String, TraceFlags UInt32,
  SeverityText LowCardinality(String), SeverityNumber Int32, ServiceName LowCardinality(String), Body String,
  ResourceSchemaUrl String, ResourceAttributes ${typeOf(variant)}, ScopeSchemaUrl String, ScopeName String,
  ScopeVersion String, ScopeAttributes ${typeOf(variant)}, LogAttributes ${typeOf(variant)},
  INDEX idx_trace_id TraceId TYPE bloom_filter(0.001) GRANULARITY 1)
  ENGINE = MergeTree PARTITION BY toDate(Timestamp)
  ORDER BY (ServiceName, SeverityText, toUnixTimestamp(Timestamp), TraceId)`;

const tracesSql = (variant: Variant) => `CREATE TABLE otel.traces_${variant} (
  Timestamp DateTime64(9) CODEC(Delta(8), ZSTD(1)), TraceId String, SpanId String, ParentSpanId String,
  TraceState String, SpanName LowCardinality(String), SpanKind LowCardinality(String),
  ServiceName LowCardinality(String), ResourceAttributes ${typeOf(variant)}, ScopeName String, ScopeVersion String,
  ${variant === 'JSON' ? 'ScopeAttributes JSON,' : `ScopeAttributes ${typeOf(variant)},`}
  SpanAttributes ${typeOf(variant)}, Duration UInt64, StatusCode LowCardinality(String), StatusMessage String,
  Events Nested(Timestamp DateTime64(9), Name LowCardinality(String), Attributes ${typeOf(variant)}),
  Links Nested(TraceId String, SpanId String, TraceState String, Attributes ${typeOf(variant)}),
  INDEX idx_trace_id TraceId TYPE bloom_filter(0.001) GRANULARITY 1)
  ENGINE = MergeTree PARTITION BY toDate(Timestamp) ORDER BY (ServiceName, SpanName, toDateTime(Timestamp))`;

const timeText = (nanos: bigint) => {
  const seconds = new Date(Number(nanos / 1_000_000n)).toISOString().slice(0, 19).replace('T', ' ');
  return `${seconds}.${String(nanos % 1_000_000_000n).padStart(9, '0')}`;
};

const kindNames = ['Unspecified', 'Internal', 'Server', 'Client'];
const statusNames = ['Unset', 'Ok', 'Error'];

const common = (variant: Variant, { attributes, service }: Resource) => ({
  ServiceName: service,
  ResourceAttributes: stored(variant, attributes),
  ScopeName: scope.name,
  ScopeVersion: scope.version,
  ScopeAttributes: stored(variant, scope.attributes),
});

const logRow = (variant: Variant) => (log: LogRecord) => ({
  ...common(variant, log.resource),
  Timestamp: timeText(log.time),
  TraceId: log.trace,
  SpanId: log.id,
  TraceFlags: 1,
  SeverityText: log.text,
  SeverityNumber: log.severity,
  Body: log.body,
  LogAttributes: stored(variant, log.attributes),
});

const spanRow = (variant: Variant) => (span: Span) => ({
  ...common(variant, span.resource),
  Timestamp: timeText(span.time),
  TraceId: span.trace,
  SpanId: span.id,
  ParentSpanId: span.parent,
  TraceState: 'a=1',
  SpanName: span.name,
  SpanKind: kindNames[span.kind],
  SpanAttributes: stored(variant, span.attributes),
  Duration: String(span.duration),
  StatusCode: statusNames[span.status],
  StatusMessage: span.message,
  'Events.Timestamp': span.events.map(({ time }) => timeText(time)),
  'Events.Name': span.events.map(({ name }) => name),
  'Events.Attributes': span.events.map(({ attributes }) => stored(variant, attributes)),
  'Links.TraceId': span.links.map(({ trace }) => trace),
  'Links.SpanId': span.links.map(({ id }) => id),
  'Links.TraceState': span.links.map(() => ''),
  'Links.Attributes': span.links.map(() => stored(variant, { reason: 'retry' })),
});

let server: Server;
let duckdb: Deployment;
let clickhouse: Deployment;

const run = (sql: string) => server.clickhouse.run(sql);

async function insert(table: string, rows: readonly object[]): Promise<void> {
  const lines = rows.map((row) => JSON.stringify(row)).join('\n');
  await run(`INSERT INTO otel.${table} FORMAT JSONEachRow\n${lines}`);
}

before(async () => {
  server = await startServer();
  await run('CREATE DATABASE otel');
  duckdb = await Deployment.open();
  for (const name of ['traces', 'logs']) await duckdb.dataset(name);
  await send(duckdb, 'Spans', spans, otlpSpan);
  await send(duckdb, 'Logs', logs, otlpLog);
  clickhouse = await openOn(server, 'aplomb');
  for (const variant of variants) {
    await run(logsSql(variant));
    await run(tracesSql(variant));
    await insert(`logs_${variant}`, logs.map(logRow(variant)));
    await insert(`traces_${variant}`, spans.map(spanRow(variant)));
    for (const kind of ['logs', 'traces']) {
      const source = { database: 'otel', table: `${kind}_${variant}` };
      const body = { name: `${kind}-${variant}`, source };
      const { status, text } = await clickhouse.call('POST', '/v2/datasets', body);
      assert.equal(status, 200, text);
    }
  }
});
after(async () => {
  await duckdb.close();
  await clickhouse.close();
  await server.stop();
});

async function answer(local: Deployment, apl: string, format: string): Promise<unknown> {
  const path = `/v1/query/_apl?format=${format}`;
  const { status, text } = await local.call('POST', path, { apl, ...range });
  assert.equal(status, 200, text);
  // An empty answer would show nothing.
  assert.match(text, format === 'legacy' ? /"(?:matches|totals)":\[\{/ : /"columns":\[\[[^\]]/);
  const hidden = new Set([
    ...['elapsedTime', 'minCursor', 'maxCursor', '_rowId', 'id', 'cacheStatus', 'datasetNames'],
    ...['blocksExamined', 'blocksMatched', 'blocksSkipped', 'fieldsMetaMap', 'sources', '_sysTime'],
    ...['datasetName'],
  ]);
  return JSON.parse(text, (name, value) => (hidden.has(name) ? undefined : value));
}

/** The names of the service's data sets of traces and logs in queries, and the pages that have these queries. */
const TRACES_NAME = "['otel-demo-traces']";

/** Queries of https://axiom.co/docs/apl, by page. */
const queries: readonly (readonly [page: string, apl: string])[] = [
  [
    'aggregation-function/dcountif',
    `${TRACES_NAME}\n| summarize dcountif(trace_id, ['service.name'] == 'frontend')`,
  ],
  [
    'aggregation-function/percentiles-array',
    `${TRACES_NAME}\n| summarize percentiles_array(duration, 50, 90, 99) by ['service.name']`,
  ],
  ['aggregation-function/min', `${TRACES_NAME}\n| summarize min(duration) by ['service.name']`],
  [
    'aggregation-function/topkif',
    `${TRACES_NAME}\n| summarize topkif(['service.name'], 5, kind == 'server')`,
  ],
  [
    'scalar-functions/array-functions/array-rotate-left',
    `${TRACES_NAME}\n| extend rotated_sequence = array_rotate_left(events, 1)\n| project-away _sysTime`,
  ],
  [
    'scalar-functions/conversion-functions/totimespan',
    `${TRACES_NAME}\n| extend span_duration = totimespan(['duration'])\n| extend is_slow_span = span_duration > totimespan('100ms')\n| where is_slow_span == true\n| project _time, ['trace_id'], ['service.name'], ['duration'], span_duration, is_slow_span`,
  ],
  [
    'scalar-functions/rounding-functions/bin',
    `${TRACES_NAME}\n| summarize span_count = count(), p95_duration = percentile(duration, 95) by bin(_time, 1m), ['service.name']\n| order by span_count desc, _time asc, ['service.name'] asc`,
  ],
  [
    'scalar-functions/string-functions/strcat-delim',
    `${TRACES_NAME}\n| extend trace_summary = strcat_delim(' | ', ['service.name'], kind, tostring(duration), trace_id)\n| project _time, trace_summary\n| limit 10`,
  ],
  [
    'scalar-operators/in-operators/in-tilde-operator',
    `${TRACES_NAME}\n| where kind in~ ('server', 'client')\n| project _time, trace_id, ['service.name'], kind, duration`,
  ],
  [
    'tabular-operators/where-operator',
    `${TRACES_NAME}\n| where duration > 500ms\n| project-away _sysTime`,
  ],
];

/** Queries about all fields that the documentation lists, including attributes. */
const more: readonly string[] = [
  'traces | project-away _sysTime | take 100',
  'logs | project-away _sysTime | take 100',
  "traces | summarize count(), avg(duration) by ['attributes.http.route'], ['attributes.http.response.status_code'] | order by ['attributes.http.route'] asc, ['attributes.http.response.status_code'] asc",
  "traces | where error and ['attributes.http.response.status_code'] >= 500 | project _time, ['status.message'], ['status.code'] | order by _time asc | take 20",
  'traces | where isnull(parent_span_id) | summarize n = count() by name, kind',
  'traces | where isnotnull(links) | project _time, links, events | order by _time asc',
  "traces | where ['attributes.custom']['app.tier'] == 'gold' | summarize n = count() by tostring(['resource.custom'].team)",
  "traces | where trace_id == '0000000000000000000000000000000a' | project span_id, ['attributes.exception.escaped'], ['attributes.url.path']",
  'logs | summarize n = count() by severity_text, severity_number, bin(_time, 1h) | order by _time asc, severity_text asc',
  "logs | where body has '42' and ['attributes.server.port'] == 8001 | project _time, body, trace_id, ['attributes.custom'].customer",
  "logs | where isempty(trace_id) | summarize n = count() by ['service.name'], ['service.version'], ['resource.host.name'] | order by ['service.name'] asc",
];

for (const variant of variants) {
  describe(`tables of the collector with attributes as ${variant}`, () => {
    it('are recognized, and have the fields of OTLP ingest', async () => {
      for (const kind of ['traces', 'logs']) {
        const name = `${kind}-${variant}`;
        const expected = await duckdb.fields(kind);
        assert.deepEqual(await clickhouse.fields(name), expected);
        const { body } = await clickhouse.call('GET', `/v2/datasets/${name}`);
        assert.equal(body.kind, `otel:${kind}:v1`);
      }
    });

    it('use the indexes of the time, the service and the trace', async () => {
      const explain = async (condition: string) => {
        const apl = `['traces-${variant}'] | where ${condition} | project name, duration`;
        const body = JSON.stringify({ apl, ...range, analyze: true });
        const request = new Request('http://127.0.0.1/plan', { method: 'POST', body });
        const reply = await answerPlan(request as HttpRequest, clickhouse.store, 0n);
        return JSON.parse(await new Response(reply.body as BodyInit).text()).engine as string;
      };
      const byTrace = await explain("trace_id == '0000000000000000000000000000000a'");
      assert.match(byTrace, /Min-Max\n--\s+Keys:\n--\s+Timestamp/);
      assert.match(byTrace, /Name: idx_trace_id/);
      const byService = await explain("['service.name'] == 'cart'");
      assert.match(byService, /PrimaryKey\n--\s+Keys:\n--\s+ServiceName/);
    });

    for (const format of ['tabular', 'legacy']) {
      for (const [page, apl] of queries) {
        it(`${format}, ${page}`, async () => {
          const ask = (name: string) => apl.replace(TRACES_NAME, `['${name}']`);
          assert.deepEqual(
            await answer(clickhouse, ask(`traces-${variant}`), format),
            await answer(duckdb, ask('traces'), format),
          );
        });
      }
      for (const apl of more) {
        it(`${format}: ${apl}`, async () => {
          const own = apl.replace(/^\w+/, (name) => `['${name}-${variant}']`);
          assert.deepEqual(
            await answer(clickhouse, own, format),
            await answer(duckdb, apl, format),
          );
        });
      }
    }
  });
}
