// Every body is stored in ClickHouse as in DuckDB: the same response, the same fields and the same values.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Answer, Deployment } from '../../local/deployment.ts';
import { Deployment as Local } from '../../local/deployment.ts';
import { random } from '../../local/random.ts';
import { openOn, type Server, startServer, storedEvents } from './deployment.ts';

let server: Server;
let onClickHouse: Deployment;
let onDuckDB: Deployment;
before(async () => {
  server = await startServer();
  onClickHouse = await openOn(server, 'aplomb');
  onDuckDB = await Local.open();
});
after(async () => {
  await onClickHouse?.close();
  await onDuckDB?.close();
  await server?.stop();
});

interface Body {
  readonly body: string | Uint8Array | object;
  readonly type?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

let datasets = 0;

/** Sends bodies to a new dataset of both deployments, and compares what they answer and store. */
async function compare(bodies: readonly Body[], mapFields: readonly string[] = []) {
  const name = `d${datasets++}`;
  const found = [];
  for (const local of [onDuckDB, onClickHouse]) {
    assert.equal((await local.call('POST', '/v2/datasets', { name })).status, 200);
    if (mapFields.length > 0) {
      const path = `/v2/datasets/${name}/mapfields`;
      assert.equal((await local.call('PUT', path, mapFields)).status, 200);
    }
    const answers: Answer[] = [];
    for (const { body, path = `/v1/datasets/${name}/ingest`, ...rest } of bodies) {
      const options = { type: 'application/x-ndjson', ...rest };
      answers.push(await local.call('POST', path.replace('NAME', name), body, options));
    }
    found.push({
      answers: answers.map(({ status, body }) => ({ status, body: withoutTimes(body) })),
      fields: local.store.datasets
        .get(name)!
        .layout.fields.map(({ name: field, variants }) => [
          field,
          variants.map(({ type }) => type),
        ]),
      events: (await storedEvents(local, name)).map(withoutArrival),
    });
  }
  const [expected, actual] = found;
  assert.deepEqual(actual, expected);
  return { name, ...actual! };
}

/** Leaves out times, which depend on the arrival of a request, and random IDs. */
function withoutTimes(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body, (key, value) =>
      ['timestamp', 'took', '_id'].includes(key) ? undefined : value,
    ),
  );
}

const RECENT_NANOS = BigInt(Date.now() - 3_600_000) * 1_000_000n;

function withoutArrival(event: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { '_sysTime datetime': _, '_time datetime': time, ...others } = event;
  return BigInt(time!) > RECENT_NANOS ? others : { ...others, time: time! };
}

const lines = (...events: readonly string[]) => events.join('\n');

describe('values in ClickHouse', () => {
  it('keeps integers beyond 2^53, nanoseconds, dotted names, nulls, missing members and mixed types', async () => {
    const body = lines(
      '{"_time":"2024-01-01T00:00:00.123456789Z","big":9007199254740993,"a.b":1,"a":{"c":null}}',
      '{"_time":"1700-05-06T07:08:09.000000001Z","big":-9223372036854775808,"a":{"b":2}}',
      '{"_time":"2262-04-11T23:00:00Z","big":18446744073709551615,"mixed":1}',
      '{"_time":1700000000,"mixed":"text","list":[1,"x",null,{"y":[]}]}',
      '{"_time":"2024-01-01T00:00:00Z","mixed":true,"float":-0.0,"small":5e-324,"large":1.7976931348623157e308}',
      '{"mixed":1.5,"empty":"","object":{}}',
    );
    const { events } = await compare([{ body }, { body }]);
    assert.equal(events.length, 12);
    assert.equal(events[0]!['big integer'], '9007199254740993');
    assert.equal(events[1]!['time'], '-8509510310999999999');
  });

  it('keeps strings with quotes, backslashes, line breaks, NUL and text that looks like null', async () => {
    const texts = [
      '\\N',
      'NULL',
      '',
      '"',
      "'",
      '\\',
      '\n',
      '\r\n',
      '\0',
      '\u{1f642}',
      ' x ',
      'a,b',
      '\n\n',
    ];
    const body = lines(...texts.map((text) => JSON.stringify({ text, list: [text] })));
    const { events } = await compare([{ body }]);
    assert.deepEqual(
      events.map((event) => event['text string']),
      texts,
    );
  });

  it('distinguishes names that differ only in case, and stores names with any characters', async () => {
    const names = [
      'id',
      'ID',
      'Id',
      'é',
      'É',
      'a:string',
      'a',
      'a.null',
      '`',
      '"',
      "'",
      '\\',
      '\n',
      '%',
      '🙂',
    ];
    const event = Object.fromEntries(names.map((name, index) => [name, index]));
    const text = Object.fromEntries(names.map((name) => [name, `${name}\n\\N`]));
    const body = lines(JSON.stringify(event), JSON.stringify({ ...text, '\0': 'NUL' }));
    const { events } = await compare([{ body }, { body }]);
    assert.equal(Object.keys(events[1]!).length, names.length + 1);
  });

  it('stores the members of a map field as one value', async () => {
    const body = lines('{"tags":{"a":1,"b":{"c":"x"}}}', '{"tags":{}}', '{"tags":"none"}');
    await compare([{ body }, { body }], ['tags']);
  });

  it('stores events with a thousand fields of long names', async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `${'x'.repeat(180)}.${index}`);
    const body = JSON.stringify(Object.fromEntries(names.map((name, index) => [name, index])));
    const { events } = await compare([{ body }, { body }]);
    assert.equal(Object.keys(events[1]!).length, names.length);
  });

  it('adds fields and types with later requests', async () => {
    const first = lines('{"a":1}', '{"a":2}');
    const second = lines('{"a":"x","b":true}', '{"c":{"d":[1]}}');
    await compare([{ body: first }, { body: second }, { body: first }, { body: second }]);
  });
});

describe('bodies in ClickHouse', () => {
  it('reports broken events and stores the others', async () => {
    const body = lines(
      '{"a":1}',
      '5',
      '{"a":2}',
      '[]',
      '{"_time":"no time","a":3}',
      'null',
      '{"a":4}',
    );
    await compare([{ body }, { body }]);
  });

  it('stores nothing of a malformed body', async () => {
    const body = lines('{"a":1}', '{"a":');
    const { events } = await compare([{ body }]);
    assert.equal(events.length, 0);
  });

  it('takes arrays, sequences of objects, labels and times in other fields', async () => {
    const json = 'application/json';
    await compare([
      { body: '[{"a":1},{"a":2.5}]', type: json },
      { body: '{\n"a":1\n}{"b":2}', type: json },
      { body: '[{"a":1}]', type: json, headers: { 'x-axiom-event-labels': '{"env":"test"}' } },
      { body: '{"at":"2024-01-02","a":1}', path: '/v1/datasets/NAME/ingest?timestamp-field=at' },
    ]);
  });

  it('takes CSV', async () => {
    const type = 'text/csv';
    await compare([
      { body: 'a,b,_time\n1,x,2024-01-01T00:00:00.5Z\n2.5,"y, ""z""",\n,,2024-01-02', type },
      {
        body: '1;x\n2;y',
        type,
        path: '/v1/datasets/NAME/ingest?csv-delimiter=;',
        headers: { 'x-axiom-csv-fields': 'p,q' },
      },
    ]);
  });

  it('takes bulk requests', async () => {
    const body = lines(
      '{"index":{}}',
      '{"a":1,"@timestamp":"2024-01-01"}',
      '{"create":{}}',
      '{"a":"x"}',
      '',
    );
    await compare([{ body, path: '/v1/datasets/NAME/elastic/_bulk' }]);
  });

  it('takes spans and logs in OTLP', async () => {
    const attributes = [
      { key: 'http.method', value: { stringValue: 'GET' } },
      { key: 'n', value: { intValue: '9007199254740993' } },
      {
        key: 'list',
        value: { arrayValue: { values: [{ doubleValue: 0.5 }, { boolValue: true }] } },
      },
    ];
    const span = {
      ...{ traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', name: 'GET /' },
      ...{
        startTimeUnixNano: '1700000000123456789',
        endTimeUnixNano: '1700000001123456789',
        kind: 2,
      },
      ...{ attributes, events: [{ name: 'e', timeUnixNano: '1700000000223456789', attributes }] },
    };
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 's' } }] };
    const headers = (name: string) => ({ 'x-axiom-dataset': name });
    const spans = { resourceSpans: [{ resource, scopeSpans: [{ spans: [span, span] }] }] };
    const record = { timeUnixNano: '1700000000123456789', body: { stringValue: 'hi' }, attributes };
    const logs = { resourceLogs: [{ resource, scopeLogs: [{ logRecords: [record] }] }] };
    const name = `d${datasets}`;
    const type = 'application/json';
    const { events } = await compare([
      { body: JSON.stringify(spans), type, path: '/v1/traces', headers: headers(name) },
      { body: JSON.stringify(logs), type, path: '/v1/logs', headers: headers(name) },
    ]);
    assert.equal(events.length, 3);
  });

  it('stores random events as DuckDB does', async () => {
    const next = random(20_260_707);
    const pick = <T>(list: readonly T[]): T => list[next(list.length)]!;
    const values = [
      ...[
        '1',
        '-1',
        '0',
        '-0.0',
        '1.5',
        '1e300',
        '9007199254740993',
        '9223372036854775808',
        'null',
        'true',
      ],
      ...[
        '""',
        '"x"',
        '"1"',
        '"null"',
        '"\\u0000"',
        '"2024-01-01"',
        '[]',
        '[1,[2]]',
        '{}',
        '{"x":1}',
      ],
      ...['{"x":{"y":"z"}}', '"\\\\N"', '1e-320', '123456789012345678901234567890'],
    ];
    for (let round = 0; round < 15; round += 1) {
      const bodies = Array.from({ length: 3 }, () => ({
        body: Array.from({ length: 1 + next(20) }, () => {
          const names = ['a', 'b', 'A', 'o.x', 'c', 'o'].filter(() => next(2) === 0);
          return `{${names.map((name) => `"${name}":${pick(values)}`).join(',')}}`;
        }).join('\n'),
      }));
      await compare(bodies);
    }
  });
});
