// Tests the request options of batches, their limits, and the counts of a check.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BatchLimits, CheckProgress } from '../../../ingest/src/contract.ts';
import { checkFile } from '../../../ingest/src/read/checkFile.ts';
import { batchReader } from '../../../ingest/src/read/reader.ts';
import { memorySource } from '../../../ingest/src/read/sources.ts';
import { batchesOf, eventsOf, linesOf, settingsOf } from '../reading.ts';

const rfc3339 = { kind: 'rfc3339' } as const;

describe('the request for a batch', () => {
  const content = '{"at":"2024-03-01T00:00:00Z","_time":"2020-01-01T00:00:00Z"}\n';

  it('names the time field if the service parses its times', async () => {
    const time = { field: 'at', zone: 'UTC', format: rfc3339 };
    const [batch] = await batchesOf(memorySource('f', content), settingsOf('ndjson', { time }));
    assert.deepEqual(batch?.query, { 'timestamp-field': 'at' });
    assert.equal(Buffer.from(batch?.body as Uint8Array).toString(), content);
  });

  it('names neither _time nor a field whose times are converted', async () => {
    const own = { field: '_time', zone: 'UTC', format: rfc3339 };
    const [plain] = await batchesOf(
      memorySource('f', content),
      settingsOf('ndjson', { time: own }),
    );
    assert.deepEqual(plain?.query, {});

    const layout = { kind: 'layout', layout: '2006-01-02T15:04:05Z07:00' } as const;
    const time = { field: 'at', zone: 'UTC', format: layout };
    const [batch] = await batchesOf(memorySource('f', content), settingsOf('ndjson', { time }));
    assert.deepEqual(batch?.query, {});
    assert.deepEqual(linesOf(batch as NonNullable<typeof batch>), [
      '{"_time":"2024-03-01T00:00:00.000000000Z","at":"2024-03-01T00:00:00Z"}',
    ]);
    assert.deepEqual(
      [batch?.firstTime, batch?.lastTime],
      ['2024-03-01T00:00:00.000000000Z', '2024-03-01T00:00:00.000000000Z'],
    );
  });

  it('contains the labels in a pure ASCII header', async () => {
    const [batch] = await batchesOf(
      memorySource('f', content),
      settingsOf('ndjson', { labels: { región: 'Évora "1"' } }),
    );
    const header = batch?.headers['X-Axiom-Event-Labels'] ?? '';
    assert.match(header, /^[ -~]+$/);
    assert.deepEqual(JSON.parse(header), { región: 'Évora "1"' });
  });
});

describe('the time of an event', () => {
  const epoch = { kind: 'epoch', unit: 's' } as const;
  const convert = async (content: string, field: string) =>
    (
      await batchesOf(
        memorySource('f', content),
        settingsOf('ndjson', { time: { field, zone: 'UTC', format: epoch } }),
      )
    ).flatMap(linesOf);

  it('is found by a dotted name in nested objects and in dotted keys', async () => {
    const time = '"_time":"1970-01-01T00:00:05.000000000Z"';
    const events = [
      '{"a":{"b":{"c":5}}}',
      '{"a":{"b.c":5}}',
      '{"a.b":{"c":5}}',
      '{"a.b.c":5}',
      '{"a":{"x":{"c":1},"b":{"x":"}","c":"5"}}}',
    ];
    assert.deepEqual(
      await convert(events.map((event) => `${event}\n`).join(''), 'a.b.c'),
      events.map((event) => `{${time},${event.slice(1)}`),
    );
    const other = [
      '{"a":{"b":5}}',
      '{"c":5}',
      '{"a":[{"b":{"c":5}}]}',
      '{"x":{"a":{"b":{"c":5}}}}',
      '{}',
    ];
    assert.deepEqual(await convert(other.map((event) => `${event}\n`).join(''), 'a.b.c'), other);
  });

  it("replaces the event's own _time, wherever that is", async () => {
    const time = '"_time":"1970-01-01T00:00:05.000000000Z"';
    const cases = {
      '{"_time":1,"t":5}': `{${time},"t":5}`,
      '{"t":5,"_time":1}': `{${time},"t":5}`,
      '{"t":5 , "_time" : "x" , "z":1}': `{${time},"t":5 , "z":1}`,
      '{"o":{"_time":1},"t":5}': `{${time},"o":{"_time":1},"t":5}`,
      '{"_time":1,"t":null}': '{"_time":1,"t":null}',
    };
    assert.deepEqual(
      await convert(
        Object.keys(cases)
          .map((event) => `${event}\n`)
          .join(''),
        't',
      ),
      Object.values(cases),
    );
    assert.deepEqual(await convert('{"_time":5}\n{"_time":5,"a":1}\n', '_time'), [
      `{${time}}`,
      `{${time},"a":1}`,
    ]);
  });

  it('is read only from strings and numbers', async () => {
    const [batch] = await batchesOf(
      memorySource('f', '{"t":{"a":1}}\n{"t":true}\n{"t":5\n{"t":"\\u0035"}\n'),
      settingsOf('ndjson', { time: { field: 't', zone: 'UTC', format: epoch } }),
    );
    assert.deepEqual(
      batch?.broken.map(({ line, reason }) => [line, reason]),
      [
        [1, 'The time in t, "{\\"a\\":1}", is not in the chosen format.'],
        [2, 'The time in t, "true", is not in the chosen format.'],
        [3, 'The line ends inside its JSON object.'],
      ],
    );
    assert.equal(batch?.events, 1);
  });
});

describe('batches', () => {
  it('stay within their limits, except for a single event above the limit', async () => {
    const limits: BatchLimits = { events: 3, bytes: 30, eventBytes: 1_000 };
    const line = (length: number) => `{"a":"${'x'.repeat(length - 9)}"}\n`;
    const content = [10, 10, 10, 20, 20, 50, 10, 10, 10, 10].map(line).join('');
    const batches = await batchesOf(memorySource('f', content), settingsOf('ndjson'), limits);
    assert.deepEqual(
      batches.map(({ bytes, firstLine, lastLine }) => [bytes, firstLine, lastLine]),
      [
        [30, 1, 3],
        [20, 4, 4],
        [20, 5, 5],
        [50, 6, 6],
        [30, 7, 9],
        [10, 10, 10],
      ],
    );
    assert.equal(Buffer.concat(batches.map(({ body }) => body)).toString(), content);
  });

  it('end after 1,000 broken events, to limit memory', async () => {
    const batches = await batchesOf(memorySource('f', 'x\n'.repeat(2_500)), settingsOf('ndjson'));
    assert.deepEqual(
      batches.map(({ events, broken }) => [events, broken.length]),
      [
        [0, 1_000],
        [0, 1_000],
        [0, 500],
      ],
    );
  });

  it('reuse the memory of recycled batches', async () => {
    const line = `{"a":"${'x'.repeat(200)}"}\n`;
    const reader = batchReader(memorySource('f', line.repeat(80_000)), settingsOf('ndjson'));
    const buffers = new Set<ArrayBuffer>();
    let events = 0;
    for await (const batch of reader.batches()) {
      events += eventsOf([batch]).length;
      buffers.add(batch.body.buffer);
      reader.recycle?.(batch.body);
    }
    assert.equal(events, 80_000);
    assert.ok(buffers.size < 4, String(buffers.size));
  });
});

describe('a check of a file', () => {
  const { signal } = new AbortController();

  it('counts events, fields by type, times and broken events', async () => {
    const content =
      '{"at":"2024-03-02T00:00:00Z","n":1,"o":{"a":1.0,"_rowID":1},"_rowID":2}\nx\n{"at":"2024-03-01T00:00:00Z","n":"x","l":[1]}\n{"n":null,"s":12345678901234567890}\n{"n":}\n';
    const progress: CheckProgress[] = [];
    const check = await checkFile(
      memorySource('f', content),
      settingsOf('ndjson', { time: { field: 'at', zone: 'UTC', format: rfc3339 } }),
      signal,
      (step) => progress.push(step),
    );
    assert.deepEqual(check, {
      events: 3,
      brokenCount: 2,
      broken: [
        { line: 2, lastLine: 2, reason: 'The line does not start with a JSON object.', text: 'x' },
        {
          line: 5,
          lastLine: 5,
          reason: 'Expected a value at character 6.',
          text: '{"n":}',
        },
      ],
      fields: [
        { name: 'at', types: ['string'], eventCount: 2 },
        { name: 'n', types: ['integer', 'string'], eventCount: 2 },
        { name: 'o.a', types: ['float'], eventCount: 1 },
        { name: 'o._rowID', types: ['integer'], eventCount: 1 },
        { name: '_user__rowID', types: ['integer'], eventCount: 1 },
        { name: 'l', types: ['array'], eventCount: 1 },
        { name: 's', types: ['float'], eventCount: 1 },
      ],
      firstTime: '2024-03-01T00:00:00.000000000Z',
      lastTime: '2024-03-02T00:00:00.000000000Z',
      withoutTime: 1,
      mistyped: {},
    });
    assert.deepEqual(progress.at(-1), {
      bytes: content.length,
      totalBytes: content.length,
      events: 3,
      broken: 2,
    });
  });

  it("counts CSV values that do not match their column's type", async () => {
    const content = 'a,b\n1,true\n007,yes\n,no\n';
    const settings = settingsOf('csv', { csv: { types: { a: 'integer', b: 'boolean' } } });
    const check = await checkFile(memorySource('f', content), settings, signal);
    assert.deepEqual(check.mistyped, { a: 1, b: 2 });
  });

  it('stops at the first broken event with broken: stop', async () => {
    const settings = settingsOf('ndjson', { broken: 'stop' });
    const check = await checkFile(memorySource('f', '{"a":1}\nx\n{"a":2}\ny\n'), settings, signal);
    assert.deepEqual([check.events, check.brokenCount, check.broken[0]?.line], [1, 1, 2]);
  });

  it('stops on cancellation', async () => {
    const stop = new AbortController();
    const source = memorySource('f', '{"a":1}\n'.repeat(1_000_000));
    await assert.rejects(
      checkFile(source, settingsOf('ndjson'), stop.signal, () => stop.abort()),
      { name: 'AbortError' },
    );
  });
});
