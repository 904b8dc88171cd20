// OTLP over HTTP: the result of each value, requests from the exporters' encoders, and broken,
// truncated or hostile bodies.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import {
  JsonLogsSerializer,
  JsonTraceSerializer,
  ProtobufLogsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer';
import * as conventions from '@opentelemetry/semantic-conventions';
import * as incubating from '@opentelemetry/semantic-conventions/incubating';
import { isConventional } from '../../../local/src/otlp/conventions.ts';
import { statusMessage } from '../answerForms.ts';
import { Deployment } from '../deployment.ts';
import { random } from '../random.ts';
import {
  type Fields,
  keyValue,
  protobuf,
  randomAttributes,
  randomValue,
  spanRequest,
  stored,
} from './otlpMessages.ts';

const changes = process.env['APLOMB_LONG'] === '1' ? 3_000 : 300;

const JSON_TYPE = 'application/json';
const PROTOBUF = 'application/x-protobuf';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
});
after(() => local.close());

function send(
  dataset: string,
  body: object | string | Uint8Array,
  type = JSON_TYPE,
  path = '/v1/traces',
  headers: Record<string, string> = {},
) {
  return local.call('POST', path, body, {
    type,
    headers: { 'x-axiom-dataset': dataset, ...headers },
  });
}

const NANOS = 1_767_225_600_123_456_789n;
const TIME = '2026-01-01T00:00:00.123456789Z';

/** Returns a JSON request with one span. */
const withSpan = (span: object, resource: object = {}) => ({
  resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }],
});

const withRecord = (record: object) => ({
  resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }],
});

/** Stores a span and returns its row as raw text, which keeps all digits. */
async function rowOf(span: object, resource?: object): Promise<string> {
  const name = await local.dataset(`d${++count}`);
  const { status, text } = await send(name, withSpan(span, resource));
  assert.deepEqual([status, text], [200, '{}']);
  return (await local.query(`['${name}']`, ALL)).text;
}
const ALL = { startTime: '1678-01-01T00:00:00Z', endTime: '2262-01-01T00:00:00Z' };
let count = 0;

const attribute = (key: string, value: object) => ({ key, value });

/** Returns the only row of a dataset, without its system time and nulls. */
async function onlyRow(dataset: string): Promise<Record<string, unknown>> {
  const rows = await local.rows(`['${dataset}']`);
  assert.equal(rows.length, 1);
  const { _sysTime, ...row } = rows[0]!;
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

describe('an OTLP value', () => {
  // In both encodings, and as stored.
  const values: readonly (readonly [what: string, json: object, wire: Fields, text: string])[] = [
    ['text', { stringValue: 'a"b' }, [[1, 'a"b']], '"a\\"b"'],
    ['empty text', { stringValue: '' }, [[1, '']], '""'],
    ['true', { boolValue: true }, [[2, true]], 'true'],
    ['false', { boolValue: false }, [[2, false]], 'false'],
    ['zero', { intValue: '0' }, [[3, 0]], '0'],
    [
      'the maximum integer',
      { intValue: '9223372036854775807' },
      [[3, { varint: 2n ** 63n - 1n }]],
      '9223372036854775807',
    ],
    [
      'the minimum integer',
      { intValue: '-9223372036854775808' },
      [[3, { varint: -(2n ** 63n) }]],
      '-9223372036854775808',
    ],
    ['an integer as a number', { intValue: 42 }, [[3, 42]], '42'],
    ['a floating-point number', { doubleValue: 0.1 }, [[4, { double: 0.1 }]], '0.1'],
    ['a whole floating-point number', { doubleValue: 2 }, [[4, { double: 2 }]], '2.0'],
    ['NaN', { doubleValue: 'NaN' }, [[4, { double: Number.NaN }]], 'null'],
    ['infinity', { doubleValue: '-Infinity' }, [[4, { double: -Infinity }]], 'null'],
    ['bytes', { bytesValue: '/+8=' }, [[7, Uint8Array.of(255, 239)]], '"/+8="'],
    ['an empty list', { arrayValue: {} }, [[5, new Uint8Array()]], '[]'],
    [
      'an array with an empty value',
      { arrayValue: { values: [{}, { intValue: '1' }] } },
      [
        [
          5,
          protobuf([
            [1, new Uint8Array()],
            [1, protobuf([[3, 1]])],
          ]),
        ],
      ],
      '[null,1]',
    ],
    [
      'an object',
      { kvlistValue: { values: [attribute('k', { boolValue: true })] } },
      [[6, protobuf([[1, keyValue('k', [[2, true]])]])]],
      '{"k":true}',
    ],
    ['nothing', {}, [], 'null'],
  ];

  it('is stored if it is a JSON number beyond 64 bits', async () => {
    const name = await local.dataset('huge-number');
    const attributes = [attribute('a', { intValue: 1e300 }), attribute('b', { intValue: 2 ** 62 })];
    assert.equal((await send(name, withSpan({ attributes }))).status, 200);
    const { text } = await local.query(`['${name}'] | project ['attributes.custom']`, ALL);
    const [, a, b] = /"a":([\d.e+]+),"b":(\d+)/.exec(text) ?? [];
    assert.deepEqual([Number(a), b], [1e300, JSON.stringify(2 ** 62)], text);
  });

  for (const [what, json, wire, text] of values) {
    it(`is stored alike from JSON and Protobuf: ${what}`, async () => {
      const name = await local.dataset(`value-${++count}`);
      const span = { name: 'json', attributes: [attribute('v', json)] };
      const asJson = await send(name, withSpan(span));
      const body = spanRequest([
        [5, 'protobuf'],
        [9, keyValue('v', wire)],
      ]);
      const asProtobuf = await send(name, body, PROTOBUF);
      assert.deepEqual([asJson.status, asProtobuf.status], [200, 200], asJson.text);
      const apl = `['${name}'] | project v = ['attributes.custom']`;
      const { text: answer } = await local.query(apl, ALL);
      const cell = `{"v":${text}}`;
      assert.ok(answer.includes(`"columns":[[${cell},${cell}]]`), answer);
    });
  }
});

describe('a span', () => {
  it('keeps nanosecond times and 64-bit integers exactly', async () => {
    const text = await rowOf({
      name: 'a',
      startTimeUnixNano: String(NANOS),
      endTimeUnixNano: String(NANOS + 9_007_199_254_740_993n),
      events: [{ name: 'e', timeUnixNano: String(NANOS + 1n) }],
      attributes: [attribute('http.response.body.size', { intValue: '9007199254740993' })],
    });
    for (const part of [TIME, '9007199254740993', String(NANOS + 1n)]) {
      assert.ok(text.includes(part), `${part}: ${text}`);
    }
  });

  it('is stored with the field names of the hosted service', async () => {
    const name = await local.dataset('whole-span');
    const resource = {
      attributes: [
        attribute('service.name', { stringValue: 'shop' }),
        attribute('telemetry.sdk.language', { stringValue: 'go' }),
        attribute('k8s.pod.name', { stringValue: 'p' }),
        attribute('k8s.pod.label.tier', { stringValue: 'web' }),
        attribute('team', { stringValue: 't' }),
      ],
    };
    const scope = { name: 'lib', version: '2', attributes: [attribute('s', { intValue: '1' })] };
    const span = {
      traceId: '5B8EFFF798038103D269B633813FC60C',
      spanId: 'EEE19B7EC3C1B174',
      parentSpanId: 'EEE19B7EC3C1B173',
      traceState: 'a=b',
      name: 'GET /',
      kind: 3,
      startTimeUnixNano: String(NANOS),
      endTimeUnixNano: String(NANOS + 5n),
      attributes: [
        attribute('http.method', { stringValue: 'GET' }),
        attribute('gen_ai.capability.name', { stringValue: 'c' }),
        attribute('app.cart', { intValue: '3' }),
      ],
      events: [
        { name: 'e', timeUnixNano: '1000', attributes: [attribute('x', { intValue: '1' })] },
      ],
      links: [{ traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }],
      status: { code: 1 },
      futureField: { anything: [1] },
    };
    const request = { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [span] }] }] };
    assert.equal((await send(name, request)).status, 200);
    assert.deepEqual(await onlyRow(name), {
      _time: TIME,
      'attributes.custom': { 'app.cart': 3 },
      'attributes.gen_ai.capability.name': 'c',
      'attributes.http.method': 'GET',
      duration: 5,
      error: false,
      events: [{ name: 'e', timestamp: 1000, attributes: { x: 1 } }],
      kind: 'client',
      links: [{ trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331' }],
      name: 'GET /',
      parent_span_id: 'eee19b7ec3c1b173',
      'resource.custom': { team: 't' },
      'resource.k8s.pod.label.tier': 'web',
      'resource.k8s.pod.name': 'p',
      'scope.attributes': { s: 1 },
      'scope.name': 'lib',
      'scope.version': '2',
      'service.name': 'shop',
      span_id: 'eee19b7ec3c1b174',
      'status.code': 'OK',
      'telemetry.sdk.language': 'go',
      trace_id: '5b8efff798038103d269b633813fc60c',
      trace_state: 'a=b',
    });
  });

  it('gets the time of the request if it is empty', async () => {
    const name = await local.dataset('empty-span');
    assert.equal((await send(name, withSpan({}))).status, 200);
    const { _time, ...row } = await onlyRow(name);
    assert.ok(Math.abs(Date.parse(String(_time)) - Date.now()) < 60_000);
    assert.deepEqual(row, { error: false, kind: 'unspecified', name: '' });
  });

  it('is stored despite an empty attribute name, with the last value of a repeated name', async () => {
    const name = await local.dataset('custom');
    const attributes = [
      attribute('app.synthetic_request', { boolValue: true }),
      attribute('', { intValue: '1' }),
      attribute('app.synthetic_request', { boolValue: false }),
    ];
    assert.equal((await send(name, withSpan({ attributes }))).status, 200);
    const apl = `['${name}'] | where ['attributes.custom']['app.synthetic_request'] == false | count`;
    assert.deepEqual(await local.rows(apl), [{ count: 1 }]);
  });

  it('is reported with the reason if it cannot be stored, and the other spans are stored', async () => {
    const name = await local.dataset('partly');
    const spans = [
      { name: 'a' },
      { name: 'b', startTimeUnixNano: '18446744073709551615' },
      { name: 'c' },
    ];
    const request = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
    const { status, body } = await send(name, request);
    assert.equal(status, 200);
    assert.equal(body.partialSuccess.rejectedSpans, '1');
    assert.match(body.partialSuccess.errorMessage, /^event 2: its time cannot be read/);
    const rows = await local.rows(`['${name}'] | project name | sort by name asc`);
    assert.deepEqual(rows, [{ name: 'a' }, { name: 'c' }]);
  });
});

describe('a log record', () => {
  it('is stored with the same field names as a span', async () => {
    const name = await local.dataset('record');
    const record = {
      observedTimeUnixNano: String(NANOS),
      severityNumber: 9,
      severityText: 'INFO',
      body: { stringValue: 'hello' },
      attributes: [attribute('log.file.name', { stringValue: 'f' })],
      flags: 1,
      traceId: '0af7651916cd43dd8448eb211c80319c',
      eventName: 'started',
    };
    const answer = await send(name, withRecord(record), JSON_TYPE, '/v1/logs');
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(await onlyRow(name), {
      _time: TIME,
      'attributes.log.file.name': 'f',
      body: 'hello',
      event_name: 'started',
      flags: 1,
      observed_time: TIME,
      severity_number: 9,
      severity_text: 'INFO',
      trace_id: '0af7651916cd43dd8448eb211c80319c',
    });
  });
});

describe("output of the exporters' encoders", () => {
  const below = random(20);
  const times = (n: number): [number, number] => [1_767_225_600 + n, n * 1_001];

  it('is stored unchanged, for 300 random spans and 300 log records', async () => {
    const spans = Array.from({ length: 300 }, (_, n) => ({
      name: `span ${n}`,
      kind: below(5),
      spanContext: () => ({ traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), traceFlags: 1 }),
      startTime: times(n),
      endTime: times(n + below(3)),
      status: { code: below(3) },
      attributes: { n, ...randomAttributes(below) },
      links: [],
      events: [{ name: 'e', time: times(n), attributes: randomAttributes(below) }],
      resource: { attributes: {} },
      instrumentationScope: { name: 'lib' },
      ...{ droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
    }));
    const records = spans.map(({ startTime, attributes, resource, instrumentationScope }) => ({
      ...{ hrTime: startTime, hrTimeObserved: startTime, attributes, resource },
      ...{ instrumentationScope, droppedAttributesCount: 0 },
      body: randomValue(below, 4),
    }));
    for (const [what, path, type, bytes] of [
      ['spans', '/v1/traces', JSON_TYPE, JsonTraceSerializer.serializeRequest(spans as never)],
      ['spans', '/v1/traces', PROTOBUF, ProtobufTraceSerializer.serializeRequest(spans as never)],
      ['records', '/v1/logs', JSON_TYPE, JsonLogsSerializer.serializeRequest(records as never)],
      ['records', '/v1/logs', PROTOBUF, ProtobufLogsSerializer.serializeRequest(records as never)],
    ] as const) {
      const name = await local.dataset(`${what}-${type.replace(/\W/g, '-')}`);
      const answer = await send(name, bytes!, type, path);
      assert.deepEqual([answer.status, answer.body?.partialSuccess], [200, undefined], answer.text);
      const rows = await local.rows(`['${name}'] | sort by ['attributes.custom'].n asc`);
      assert.equal(rows.length, 300);
      for (const [n, row] of rows.entries()) {
        const { attributes, events, status, kind } = spans[n]!;
        assert.deepEqual(row['attributes.custom'], stored(attributes), `${what} ${n} ${type}`);
        assert.equal(row['_time'], iso(times(n)));
        if (what === 'records') {
          const body = stored(records[n]!.body);
          // An object is flattened into separate fields.
          if (typeof body !== 'object') assert.deepEqual(row['body'], body, `${n} ${type}`);
          continue;
        }
        const own = stored(events[0]!.attributes) as object;
        const [event] = row['events'] as { attributes?: object }[];
        assert.deepEqual(event!.attributes ?? {}, own);
        const kinds = ['internal', 'server', 'client', 'producer', 'consumer'];
        assert.deepEqual([row['kind'], row['error']], [kinds[kind], status.code === 2]);
      }
    }
  });

  const iso = ([seconds, nanos]: [number, number]) => {
    const whole = new Date(seconds * 1_000).toISOString().slice(0, 19);
    const fraction = nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`;
    return `${whole}${fraction}Z`;
  };
});

describe('a request', () => {
  it('is accepted if it is compressed or empty, or contains unknown fields', async () => {
    const name = await local.dataset('forms');
    const json = JSON.stringify(withSpan({ name: 'x' }));
    const wire = spanRequest(
      [
        [5, 'x'],
        [999, 'unknown'],
        [16, 7n],
      ],
      [77, { double: 1.5 }],
    );
    for (const [encoding, pack] of [
      ['gzip', gzipSync],
      ['zstd', zstdCompressSync],
      ['', (bytes: string | Uint8Array) => Buffer.from(bytes)],
    ] as const) {
      for (const [type, body] of [
        [JSON_TYPE, json],
        [PROTOBUF, wire],
      ] as const) {
        const headers = { 'content-encoding': encoding };
        const answer = await send(name, pack(body), type, '/v1/traces', headers);
        assert.equal(answer.status, 200, answer.text);
      }
    }
    for (const body of ['{}', '{"resourceSpans":[]}', '{"resourceSpans":[{"scopeSpans":null}]}']) {
      assert.equal((await send(name, body)).text, '{}');
    }
    const empty = await send(name, new Uint8Array(), PROTOBUF);
    assert.deepEqual([empty.status, empty.bytes.length], [200, 0]);
    assert.deepEqual(await local.rows(`['${name}'] | count`), [{ count: 6 }]);
  });

  it('counts as ingest with its uncompressed bytes', async () => {
    const name = await local.dataset('counted');
    const body = JSON.stringify(withSpan({ name: 'x' }));
    const left = async () =>
      Number((await send(name, '{}')).headers.get('x-ingestlimit-remaining'));
    const before = await left();
    const headers = { 'content-encoding': 'gzip' };
    await send(name, gzipSync(body), JSON_TYPE, '/v1/traces', headers);
    assert.equal(before - (await left()), body.length + 2);
  });

  it('is rejected with a message if it contains metrics', async () => {
    const { status, body } = await local.call('POST', '/v1/metrics', '{}');
    assert.deepEqual([status, body.reason], [501, 'metrics-unsupported']);
    const wire = await local.call('POST', '/v1/metrics', new Uint8Array(3), { type: PROTOBUF });
    assert.match(statusMessage(wire.bytes), /does not support metrics/);
  });
});

describe('a hostile request', () => {
  const nested = (levels: number) => {
    let value = protobuf([[1, 'deep']]);
    for (let i = 0; i < levels; i += 1) value = protobuf([[5, protobuf([[1, value]])]]);
    return spanRequest([[9, protobuf([[2, value]])]]);
  };
  const group = (levels: number) => Buffer.alloc(levels, 0x0b);
  const many = Buffer.alloc(4_200_000, Buffer.from([0x0a, 0x00]));

  const bodies: readonly (readonly [
    what: string,
    type: string,
    body: string | Uint8Array,
    RegExp,
  ])[] = [
    ['cut in a length', PROTOBUF, Uint8Array.of(0x0a), /protobuf/],
    ['longer than it is', PROTOBUF, Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f), /protobuf/],
    [
      'a field longer than its message',
      PROTOBUF,
      Uint8Array.of(0x0a, 2, 0x12, 9, 1, 1),
      /protobuf/,
    ],
    ['a varint without end', PROTOBUF, Buffer.alloc(64, 0xff), /protobuf/],
    ['field number 0', PROTOBUF, Uint8Array.of(0x02, 0x00), /protobuf/],
    ['a wire type that is none', PROTOBUF, Uint8Array.of(0x0f), /protobuf/],
    ['groups in groups', PROTOBUF, group(100_000), /protobuf/],
    ['the end of a group', PROTOBUF, Uint8Array.of(0x0c), /protobuf/],
    ['lists in lists', PROTOBUF, nested(5_000), /nested levels/],
    ['a million messages', PROTOBUF, many, /more than 2000000 values/],
    ['JSON that is cut', JSON_TYPE, '{"resourceSpans":[', /not valid JSON/],
    ['JSON of another kind', JSON_TYPE, '[]', /must be an object/],
    ['no list', JSON_TYPE, '{"resourceSpans":{}}', /must be an array/],
    ['lists in lists in JSON', JSON_TYPE, `${'['.repeat(99_999)}`, /nested levels/],
    [
      'a million messages in JSON',
      JSON_TYPE,
      `[${'{},'.repeat(2_100_000)}{}]`,
      /more than 2000000/,
    ],
    ...[
      [{ name: 5 }, /name of Span must be a string/],
      [{ traceId: 'xyz' }, /hexadecimal/],
      [{ traceId: 'abc' }, /hexadecimal/],
      [{ startTimeUnixNano: '18446744073709551616' }, /64 bits/],
      [{ startTimeUnixNano: -1 }, /64 bits/],
      [{ startTimeUnixNano: '1e3' }, /64 bits/],
      [{ kind: 'SPAN_KIND_SERVER' }, /32 bits/],
      [{ kind: 1.5 }, /32 bits/],
      [{ attributes: [5] }, /must be an object/],
      [{ attributes: [{ key: 'k', value: { intValue: '99999999999999999999' } }] }, /64 bits/],
      [{ attributes: [{ key: 'k', value: { bytesValue: '???' } }] }, /Base64/],
      [{ attributes: [{ key: 'k', value: { boolValue: 'yes' } }] }, /true or false/],
      [{ attributes: [{ key: 'k', value: { doubleValue: 'x' } }] }, /a number/],
    ].map(([span, problem]) => {
      const body = JSON.stringify(withSpan(span as object));
      return [JSON.stringify(span), JSON_TYPE, body, problem as RegExp] as const;
    }),
  ];

  for (const [what, type, body, problem] of bodies) {
    it(`is rejected and stores nothing: ${what}`, async () => {
      const name = await local.dataset(`hostile-${++count}`);
      const answer = await send(name, body, type);
      const message = type === PROTOBUF ? statusMessage(answer.bytes) : answer.body.message;
      assert.equal(answer.status, 400, message);
      assert.match(message, problem);
      assert.deepEqual(await local.fields(name), {});
    });
  }

  it('is rejected if attributes shared by its spans would exhaust memory', async () => {
    const name = await local.dataset('shared');
    const resource = { attributes: [attribute('x', { stringValue: 'x'.repeat(1_000_000) })] };
    const spans = Array.from({ length: 1_000 }, () => ({ name: 's' }));
    const answer = await send(name, { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] });
    assert.deepEqual([answer.status, answer.body.reason], [413, 'body-too-large']);
  });

  it(`is either stored or rejected if its bytes are randomly corrupted (${changes} attempts)`, async () => {
    const name = await local.dataset('changed');
    const below = random(31);
    const good = spanRequest([
      [1, Buffer.alloc(16, 7)],
      [5, 'name'],
      [6, 2],
      [7, NANOS],
      [8, NANOS + 7n],
      [9, keyValue('a', [[1, 'text']])],
      [9, keyValue('http.route', [[5, protobuf([[1, protobuf([[3, 5]])]])]])],
      [15, protobuf([[3, 2]])],
    ]);
    let storedCount = 0;
    for (let i = 0; i < changes; i += 1) {
      const bytes = Buffer.from(
        good.subarray(0, below(4) === 0 ? below(good.length) : good.length),
      );
      for (let change = below(4); change > 0 && bytes.length > 0; change -= 1) {
        bytes[below(bytes.length)] = below(256);
      }
      const answer = await send(name, bytes, PROTOBUF);
      assert.ok([200, 400].includes(answer.status), `${answer.status} ${bytes.toString('hex')}`);
      if (answer.status === 400) assert.match(statusMessage(answer.bytes), /\w/);
      else storedCount += 1;
    }
    const [row] = await local.rows(`['${name}'] | count`);
    const kept = Number(row!['count']);
    assert.ok(kept <= storedCount && kept > changes / 10, `${kept} of ${storedCount}`);
  });
});

describe('the semantic conventions', () => {
  it('include every dotted name published by OpenTelemetry', () => {
    const names = [conventions, incubating].flatMap((module) =>
      Object.entries(module).flatMap(([constant, name]) => {
        if (!/^(ATTR|SEMATTRS|SEMRESATTRS)_/.test(constant)) return [];
        // A name with a variable part is a function of that part.
        return [typeof name === 'function' ? (name as (part: string) => string)('any') : name];
      }),
    );
    assert.ok(names.length > 900);
    // A single word may be a custom name.
    const dotted = names.filter((name) => String(name).includes('.')) as string[];
    assert.deepEqual(
      dotted.filter((name) => !isConventional(name)),
      [],
    );
    for (const name of ['app.x', 'http', 'http.request.header.', 'user', '', 'service.names']) {
      assert.equal(isConventional(name), false, name);
    }
  });
});
