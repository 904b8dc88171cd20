/** The extension in a real VS Code, with a deployment on ClickHouse. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { ensureBuilt } from '../../scripts/host/build.ts';
import { distDirectory } from '../../scripts/host/paths.ts';
import { assertPassed, runSuites, timeoutOf } from '../host/inVscode.ts';
import { type OtherDeployment, startOther } from '../host/otherDeployment.ts';
import { ClickHouseServer } from './server/server.ts';

/** A table of the OpenTelemetry Collector's exporter with 600 spans of the last hour. */
const exporterTable = [
  'CREATE DATABASE otel',
  `CREATE TABLE otel.otel_traces (
     Timestamp DateTime64(9), TraceId String, SpanId String, ParentSpanId String, TraceState String,
     SpanName LowCardinality(String), SpanKind LowCardinality(String), ServiceName LowCardinality(String),
     ResourceAttributes Map(LowCardinality(String), String), ScopeName String, ScopeVersion String,
     SpanAttributes Map(LowCardinality(String), String), Duration UInt64,
     StatusCode LowCardinality(String), StatusMessage String,
     Events Nested (Timestamp DateTime64(9), Name LowCardinality(String), Attributes Map(LowCardinality(String), String)),
     Links Nested (TraceId String, SpanId String, TraceState String, Attributes Map(LowCardinality(String), String))
   ) ENGINE = MergeTree PARTITION BY toDate(Timestamp) ORDER BY (ServiceName, SpanName, toDateTime(Timestamp))`,
  `INSERT INTO otel.otel_traces (Timestamp, TraceId, SpanId, SpanName, SpanKind, ServiceName, SpanAttributes, Duration, StatusCode)
   SELECT now64(9) - toIntervalSecond(6 * number), lower(hex(MD5(toString(intDiv(number, 3))))), hex(number),
     ['GET /cart', 'POST /checkout', 'SELECT'][number % 3 + 1], ['Server', 'Server', 'Client'][number % 3 + 1],
     ['shop', 'shop', 'db'][number % 3 + 1],
     map('http.response.status_code', if(number % 60 = 0, '500', '200'), 'custom.region', 'eu'),
     1000000 * (number % 50 + 1), if(number % 60 = 0, 'Error', 'Unset')
   FROM numbers(600)`,
];

let folder: string;
let clickhouse: ClickHouseServer;
let deployment: OtherDeployment;

before(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), 'aplomb-clickhouse-'));
  clickhouse = await ClickHouseServer.start(folder);
  for (const sql of exporterTable) await clickhouse.run(sql);
  const file = join(folder, 'datasets.yaml');
  await writeFile(file, 'datasets: [{ name: spans, database: otel, table: otel_traces }]\n');
  const options = [
    '--engine',
    'clickhouse',
    '--clickhouse-url',
    clickhouse.url,
    '--datasets',
    file,
  ];
  deployment = await startOther(distDirectory, undefined, options);
});

after(async () => {
  await deployment?.stop();
  await clickhouse?.stop();
  await rm(folder, { recursive: true, force: true });
});

it(
  'the suite of a deployment on ClickHouse passes in a real VS Code',
  timeoutOf(['clickhouse']),
  async (context) => {
    const { url, token } = deployment;
    const environment = {
      APLOMB_OTHER: JSON.stringify({ url, token, clickhouse: clickhouse.url }),
    };
    const run = await runSuites(['clickhouse'], { prepare: async () => environment });
    assertPassed(run, 'clickhouse', context);
  },
);
