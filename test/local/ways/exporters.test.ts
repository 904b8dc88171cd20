// The OpenTelemetry exporters from the npm registry, sending to the local deployment as shipped.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DiagLogger, DiagLogLevel, diag, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { OTLPLogExporter as JsonLogs } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtobufLogs } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufTraces } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { BatchSpanProcessor, type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace';
import { ALL_TIMES } from '../deployment.ts';
import { Processes, type Running } from '../processes.ts';

let processes: Processes;
let running: Running;
/** Messages from exporters, which are not shown otherwise. */
let reported: string[] = [];

before(async () => {
  processes = await Processes.create();
  running = await processes.start('data');
  const note = (...parts: unknown[]) => {
    const texts = parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part)));
    reported.push(texts.join(' '));
  };
  const nothing = () => undefined;
  const logger: DiagLogger = {
    ...{ error: note, warn: note, info: nothing, debug: nothing, verbose: nothing },
  };
  diag.setLogger(logger, DiagLogLevel.WARN);
});
after(() => processes.dispose());

async function api(method: string, path: string, body?: object) {
  const response = await fetch(`${running.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${running.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${text}`);
  return JSON.parse(text);
}

/** Creates a dataset. Returns the exporter options for it. */
async function target(signal: 'traces' | 'logs', dataset: string, token = running.token) {
  reported = [];
  await api('POST', '/v2/datasets', { name: dataset });
  return {
    url: `${running.url}/v1/${signal}`,
    headers: { authorization: `Bearer ${token}`, 'x-axiom-dataset': dataset },
  };
}

/** Returns the rows of a query by column name. */
async function query(apl: string): Promise<Record<string, unknown>[]> {
  const { tables } = await api('POST', '/v1/query/_apl?format=tabular', { apl, ...ALL_TIMES });
  const { fields, columns } = tables[0] as { fields: { name: string }[]; columns: unknown[][] };
  return (columns[0] ?? []).map((_, row) =>
    Object.fromEntries(fields.map(({ name }, column) => [name, columns[column]![row]])),
  );
}

const resource = resourceFromAttributes({
  'service.name': 'shop',
  'service.version': '1.2.3',
  'host.name': 'h1',
  team: 'checkout',
});

describe('traces', () => {
  for (const [encoding, Exporter, compression] of [
    ['json', JsonTraces, 'none'],
    ['json-gzip', JsonTraces, 'gzip'],
    ['protobuf', ProtobufTraces, 'none'],
    ['protobuf-gzip', ProtobufTraces, 'gzip'],
  ] as const) {
    it(`are stored in the dataset: ${encoding}`, async () => {
      const options = await target('traces', `spans-${encoding}`);
      const exporter = new Exporter({ ...options, compression } as never);
      const processor = new BatchSpanProcessor({ exporter });
      const provider = new TracerProvider({ resource, spanProcessors: [processor] } as never);
      const tracer = provider.getTracer('lib', '0.1.0');
      const start = new Date('2026-01-01T00:00:00.125Z');
      for (let i = 0; i < 50; i += 1) {
        const span = tracer.startSpan(`work ${i}`, {
          kind: SpanKind.SERVER,
          startTime: start,
          attributes: { 'http.request.method': 'GET', 'http.response.status_code': 200 + i, i },
        });
        span.addEvent('sent', { bytes: 5 }, start);
        if (i === 0) span.setStatus({ code: SpanStatusCode.ERROR, message: 'failed' });
        span.end(new Date(start.getTime() + 250));
      }
      await provider.forceFlush();
      await provider.shutdown();
      assert.deepEqual(reported, []);
      const rows = await query(`['spans-${encoding}'] | sort by ['attributes.custom'].i asc`);
      assert.equal(rows.length, 50);
      const { _sysTime, trace_id, span_id, ...row } = rows[0]!;
      assert.match(String(trace_id), /^[\da-f]{32}$/);
      assert.match(String(span_id), /^[\da-f]{16}$/);
      assert.deepEqual(row, {
        _time: '2026-01-01T00:00:00.125Z',
        'attributes.custom': { i: 0 },
        'attributes.http.request.method': 'GET',
        'attributes.http.response.status_code': 200,
        duration: 250_000_000,
        error: true,
        events: [
          {
            name: 'sent',
            timestamp: Date.parse(start.toISOString()) * 1e6,
            attributes: { bytes: 5 },
          },
        ],
        kind: 'server',
        links: null,
        name: 'work 0',
        parent_span_id: null,
        'resource.custom': { team: 'checkout' },
        'resource.host.name': 'h1',
        'scope.name': 'lib',
        'scope.version': '0.1.0',
        'service.name': 'shop',
        'service.version': '1.2.3',
        'status.code': 'ERROR',
        'status.message': 'failed',
      });
      assert.deepEqual(rows[49]!['attributes.custom'], { i: 49 });
      // No span has a parent, but queries can use the field anyway.
      const roots = await query(`['spans-${encoding}'] | where isnull(parent_span_id) | count`);
      assert.deepEqual(Object.values(roots[0]!), [50]);
    });
  }
});

describe('log records', () => {
  for (const [encoding, Exporter] of [
    ['json', JsonLogs],
    ['protobuf', ProtobufLogs],
  ] as const) {
    it(`are stored in the dataset: ${encoding}`, async () => {
      const exporter = new Exporter(await target('logs', `records-${encoding}`));
      const processors = [new BatchLogRecordProcessor({ exporter } as never)];
      const provider = new LoggerProvider({ resource, processors } as never);
      const logger = provider.getLogger('lib');
      const timestamp = new Date('2026-01-01T00:00:00.5Z');
      const attributes = { 'exception.type': 'Error', mine: ['a', 'b'] };
      logger.emit({ timestamp, severityNumber: 17, severityText: 'ERROR', body: 'oh', attributes });
      await provider.forceFlush();
      await provider.shutdown();
      assert.deepEqual(reported, []);
      const [{ _sysTime, observed_time, ...row } = {}] = await query(`['records-${encoding}']`);
      assert.match(String(observed_time), /^20\d\d-.*Z$/);
      assert.deepEqual(row, {
        _time: '2026-01-01T00:00:00.5Z',
        'attributes.custom': { mine: ['a', 'b'] },
        'attributes.exception.type': 'Error',
        body: 'oh',
        'resource.custom': { team: 'checkout' },
        'resource.host.name': 'h1',
        'scope.name': 'lib',
        'service.name': 'shop',
        'service.version': '1.2.3',
        severity_number: 17,
        severity_text: 'ERROR',
        span_id: null,
        trace_id: null,
      });
    });
  }
});

describe('an exporter', () => {
  for (const [encoding, Exporter] of [
    ['json', JsonTraces],
    ['protobuf', ProtobufTraces],
  ] as const) {
    it(`receives the reason for a rejected request: ${encoding}`, async () => {
      const options = await target('traces', `refused-${encoding}`, 'xaat-wrong');
      const span = new TracerProvider().getTracer('lib').startSpan('x');
      span.end();
      const exporter = new Exporter(options);
      const { error } = await new Promise<{ error?: Error & { data?: string } }>((resolve) =>
        exporter.export([span as unknown as ReadableSpan], resolve),
      );
      await exporter.shutdown();
      assert.match(String(error?.data), /The token is not valid for this deployment/);
    });

    it(`receives a report of spans that were not stored: ${encoding}`, async () => {
      const options = await target('traces', `partial-${encoding}`);
      const processor = new BatchSpanProcessor({ exporter: new Exporter(options) });
      const provider = new TracerProvider({ spanProcessors: [processor] } as never);
      const tracer = provider.getTracer('lib');
      tracer.startSpan('stored', { startTime: new Date('2026-01-01T00:00:00Z') }).end();
      // A time outside the storable range.
      tracer.startSpan('late', { startTime: new Date('2400-01-01T00:00:00Z') }).end();
      await provider.forceFlush();
      await provider.shutdown();
      const rows = await query(`['partial-${encoding}'] | project name`);
      assert.deepEqual(rows, [{ name: 'stored' }]);
      assert.match(reported.join('\n'), /time cannot be read/);
    });
  }
});
