// Files sent to a real server: what arrives is what the file holds, in requests of bounded size, and what
// is not stored is told with its reason.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { INGEST_EVENTS_MAX } from '../../api/src/index.ts';
import { ingestFile } from '../../client/src/ingest/ingestFile.ts';
import { type IngestOutcome, outcomeInWords } from '../../client/src/ingest/outcome.ts';
import type { FileSource } from '../../client/src/ingest/readPieces.ts';
import { type Answer, json, LoopbackServer, type Received } from './loopback.ts';

function file(name: string, content: string | Uint8Array, chunk = 1000): FileSource {
  const bytes = Buffer.from(content as string);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunk) chunks.push(bytes.subarray(at, at + chunk));
  return { name, size: bytes.length, open: () => Readable.from(chunks, { objectMode: false }) };
}

/** Counts the events of a request as the service does. */
function eventsIn({ headers, body }: Received): number {
  const text = body.toString();
  if (headers['content-type'] === 'application/json') return (JSON.parse(text) as unknown[]).length;
  const lines = text.split('\n').filter((line) => line.trim() !== '').length;
  return headers['content-type'] === 'text/csv' ? lines - 1 : lines;
}

const stored = (ingested: number, more: object = {}) => ({
  ingested,
  failed: 0,
  failures: [],
  processedBytes: 1,
  blocksCreated: 0,
  walLength: 1,
  ...more,
});

/** The response to the query that counts the events of a dataset. */
const countAnswer = (events: number) => ({
  format: 'tabular',
  status: {
    elapsedTime: 1,
    blocksExamined: 1,
    rowsExamined: events,
    rowsMatched: events,
    numGroups: 0,
    isPartial: false,
  },
  datasetNames: ['my-data'],
  tables: [
    {
      name: '0',
      sources: [],
      order: [],
      groups: [],
      fields: [
        { name: 'events', type: 'integer' },
        { name: 'first', type: 'datetime' },
        { name: 'last', type: 'datetime' },
      ],
      columns: [
        [events],
        ...(events > 0 ? [['2015-01-01T00:00:00Z'], ['2015-01-02T00:00:00Z']] : [[null], [null]]),
      ],
    },
  ],
});

const storesAll: Answer = (response, request) => json(response, 200, stored(eventsIn(request)));

interface Run {
  readonly outcome: IngestOutcome;
  readonly received: readonly Received[];
  readonly progress: readonly { events: number; sent: number; total: number }[];
}

async function ingest(
  source: FileSource,
  answer: Answer = storesAll,
  more: { pack?: boolean; signal?: AbortSignal; events?: number } = {},
): Promise<Run> {
  await using server = await LoopbackServer.start(answer);
  const progress: { events: number; sent: number; total: number }[] = [];
  const outcome = await ingestFile({
    service: server.service(),
    dataset: 'my-data',
    file: source,
    pack: more.pack ?? false,
    signal: more.signal ?? new AbortController().signal,
    onProgress: (now) => progress.push(now),
    limits: { events: more.events ?? INGEST_EVENTS_MAX, bytes: 4e6, eventBytes: 16 * 1024 * 1024 },
  });
  return { outcome, received: server.received, progress };
}

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `{"n":${index}}\n`).join('');

describe('a file', () => {
  it('of 25,000 lines goes in three requests of at most 10,000 events', async () => {
    const { outcome, received, progress } = await ingest(file('a.ndjson', lines(25_000), 65_536));
    assert.equal(outcome.ingested, 25_000);
    assert.equal(outcome.problem, undefined);
    assert.deepEqual(received.map(eventsIn), [10_000, 10_000, 5_000]);
    assert.equal(Buffer.concat(received.map(({ body }) => body)).toString(), lines(25_000));
    assert.deepEqual(
      progress.map(({ events }) => events),
      [10_000, 20_000, 25_000],
    );
    assert.equal(progress.at(-1)?.sent, progress.at(-1)?.total);
    assert.equal(received[0]?.url, '/v1/ingest/my-data');
    assert.equal(outcomeInWords(outcome), 'Ingested 25,000 events from a.ndjson into my-data.');
  });

  const kinds: readonly (readonly [string, string, string, string])[] = [
    ['x.ndjson', '{"a":1}\n{"a":2}', 'application/x-ndjson', '{"a":1}\n{"a":2}'],
    ['x.json', '{"a":1}\n{"a":2}\n', 'application/x-ndjson', '{"a":1}\n{"a":2}\n'],
    ['x.json', '[{"a":1},{"a":2}]', 'application/json', '[{"a":1},{"a":2}]'],
    ['x.json', '{\n "a": 1\n}\n', 'application/json', '[{\n "a": 1\n}]'],
    ['x.log', '{"a":1}\n', 'application/x-ndjson', '{"a":1}\n'],
    ['x', '[{"a":1}]', 'application/json', '[{"a":1}]'],
    ['x.csv', 'a,b\r\n1,2\r\n', 'text/csv', 'a,b\r\n1,2\r\n'],
    ['x.csv', '\uFEFFa,b\n1,2\n', 'text/csv', 'a,b\n1,2\n'],
    ['x.txt', 'a,b\n1,2\n', 'text/csv', 'a,b\n1,2\n'],
  ];
  for (const [name, content, type, body] of kinds) {
    it(`${name} with ${JSON.stringify(content)} goes as ${type}`, async () => {
      const { received } = await ingest(file(name, content));
      assert.equal(received[0]?.headers['content-type'], type);
      assert.equal(String(received[0]?.body), body);
    });
  }

  it('with another separator says so', async () => {
    for (const [name, sign] of [
      ['x.csv', ';'],
      ['x.tsv', '\t'],
      ['x.csv', '|'],
    ] as const) {
      const { received } = await ingest(file(name, `a${sign}"b,,,"\n1${sign}2\n`));
      assert.equal(
        received[0]?.url,
        `/v1/ingest/my-data?csv-delimiter=${encodeURIComponent(sign)}`,
      );
    }
  });

  for (const [name, packed] of [
    ['gzip', gzipSync(lines(12_000))],
    ['zstd', zstdCompressSync(lines(12_000))],
  ] as const) {
    it(`packed with ${name} is unpacked on the way, whatever its name`, async () => {
      const { outcome, received } = await ingest(file('events.json.gz', packed));
      assert.equal(outcome.ingested, 12_000);
      assert.equal(Buffer.concat(received.map(({ body }) => body)).toString(), lines(12_000));
    });
  }

  it('is packed for the way to a hosted deployment', async () => {
    const { received } = await ingest(
      file('a.ndjson', lines(3)),
      (response) => json(response, 200, stored(3)),
      { pack: true },
    );
    assert.equal(received[0]?.headers['content-encoding'], 'gzip');
    assert.equal(gunzipSync(received[0]?.body ?? '').toString(), lines(3));
  });
});

describe('a file that cannot be sent', () => {
  const large = 17 * 1024 * 1024;
  const bad: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
    ['a.json', '', /The file is empty/],
    ['a.csv', ' \n\n ', /The file is empty/],
    ['a.csv', 'a,b\n', /header line and no rows/],
    ['a.json', '[]', /has no events/],
    ['a.json', `[{"a":1},{"a":2`, /ends before the array is closed.*line 1/],
    ['a.json', 'hello', /ends in \.json, but/],
    ['a.log', 'started\nstopped\n', /does not have a CSV separator/],
    ['a.ndjson', Buffer.from('\uFEFF{"a":1}', 'utf16le'), /UTF-16/],
    ['a.bin', Buffer.from([1, 2, 0, 3]), /is binary/],
    ['a.gz', gzipSync(lines(5_000)).subarray(0, 400), /damaged or incomplete/],
    ['a.ndjson', `{"a":"${'x'.repeat(large)}"}\n`, /line 1 exceeds the limit of 16 MB/],
  ];
  for (const [name, content, message] of bad) {
    it(`${name} of ${content.length} bytes: ${message.source}`, async () => {
      const { outcome, received } = await ingest(file(name, content, 65_536));
      assert.match(outcome.problem ?? '', message);
      assert.equal(outcome.ingested, 0);
      assert.match(outcomeInWords(outcome), /was not ingested\..*No events were stored\./);
      assert.equal(received.length, 0);
    });
  }

  it('because its array does not end sends nothing, however long it is', async () => {
    const text = `[${lines(30_000).trim().replaceAll('\n', ',\n')},`;
    const { outcome, received } = await ingest(file('a.json', text, 65_536));
    assert.match(outcome.problem ?? '', /ends before the array is closed/);
    assert.equal(received.length, 0);
  });

  it('because reading it fails says why', async () => {
    const broken: FileSource = {
      name: 'a.ndjson',
      size: 10,
      open: () =>
        Readable.from(
          (async function* () {
            yield Buffer.from('{"a":1}\n');
            throw new Error('EIO: the disk is gone');
          })(),
        ),
    };
    const { outcome } = await ingest(broken);
    assert.match(outcome.problem ?? '', /Cannot read the file: EIO/);
  });
});

describe('a service that refuses', () => {
  it('stops the file at that request and tells which line of the file it means', async () => {
    const { outcome, received } = await ingest(
      file('a.ndjson', lines(30)),
      (response, request, index) =>
        index === 1
          ? json(response, 400, { code: 400, message: 'Line 3 is not JSON.' })
          : storesAll(response, request, index),
      { events: 10 },
    );
    assert.equal(received.length, 2);
    assert.equal(outcome.ingested, 10);
    assert.equal(outcome.stoppedAtLine, 11);
    assert.equal(
      outcomeInWords(outcome),
      'a.ndjson was not ingested completely. Line 3 of the request, line 13 of the file is not JSON. The preceding 10 events were stored in my-data, and none from line 11 onward.',
    );
  });

  it('tells the line of a CSV file although every request begins with the header', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `${index},x`).join('\n');
    const { outcome } = await ingest(
      file('a.csv', `a,b\n${rows}\n`),
      (response, request, index) =>
        index === 1
          ? json(response, 400, { message: 'line 2 has 3 values' })
          : storesAll(response, request, index),
      { events: 10 },
    );
    assert.match(outcome.problem ?? '', /line 12 of the file/);
  });

  it("a whole file is told in one sentence, not in the service's words for its request and ours", async () => {
    const message =
      'line 3, column 6: unexpected end of JSON. No events of the request were stored.';
    const { outcome } = await ingest(file('a.ndjson', lines(10)), (response) =>
      json(response, 400, { message }),
    );
    assert.equal(
      outcomeInWords(outcome),
      'a.ndjson was not ingested. Line 3, column 6: unexpected end of JSON. No events were stored.',
    );
  });

  it('single events for one reason needs no count beside it', async () => {
    const failures = [{ timestamp: '2026-01-01T00:00:00Z', error: 'event 2: bad time' }];
    const { outcome } = await ingest(file('a.ndjson', lines(3)), (response) =>
      json(response, 200, stored(2, { failed: 1, failures })),
    );
    assert.equal(
      outcomeInWords(outcome),
      'Ingested 2 events from a.ndjson into my-data. 1 event was rejected: event 2: bad time.',
    );
  });

  it('single events has them counted by reason', async () => {
    const failures = [
      { timestamp: '2026-01-01T00:00:00Z', error: 'too many fields' },
      { timestamp: '2026-01-01T00:00:01Z', error: 'too many fields' },
      { timestamp: '2026-01-01T00:00:02Z', error: 'bad time' },
    ];
    const messages = [
      { priority: 'warn', code: 'schema_rules_drop:x', msg: 'field x was dropped' },
    ];
    const { outcome } = await ingest(file('a.ndjson', lines(10)), (response) =>
      json(response, 200, stored(7, { failed: 3, failures, messages })),
    );
    assert.deepEqual(outcome.failures, [
      { error: 'too many fields', count: 2, firstTimestamp: '2026-01-01T00:00:00Z' },
      { error: 'bad time', count: 1, firstTimestamp: '2026-01-01T00:00:02Z' },
    ]);
    assert.equal(
      outcomeInWords(outcome),
      'Ingested 7 events from a.ndjson into my-data. 3 events were rejected: too many fields (2); bad time (1). field x was dropped.',
    );
  });

  it('events of several requests names them by their place in the file, and counts a reason once', async () => {
    let asked = 0;
    const { outcome } = await ingest(
      file('a.ndjson', lines(6)),
      (response) => {
        asked += 1;
        const reasons = asked === 1 ? [] : ['event 1: bad', 'event 2: bad'];
        const failures = reasons.map((error) => ({ timestamp: '2026-01-01T00:00:00Z', error }));
        json(response, 200, stored(2 - reasons.length, { failed: reasons.length, failures }));
      },
      { events: 2 },
    );
    assert.equal(
      outcomeInWords(outcome),
      'Ingested 2 events from a.ndjson into my-data. 4 events were rejected: bad (first in event 3).',
    );
  });

  it('for a while is waited for where it says how long', async () => {
    const { outcome, received } = await ingest(
      file('a.ndjson', lines(2)),
      (response, request, index) => {
        if (index > 0) return storesAll(response, request, index);
        response.setHeader('retry-after', '0');
        return json(response, 429, { message: 'slow down' });
      },
    );
    assert.equal(outcome.ingested, 2);
    assert.equal(received.length, 2);
  });

  it('because the dataset is not there has it made, once, and is asked again', async () => {
    const { outcome, received } = await ingest(
      file('a.ndjson', lines(20)),
      (response, request, index) => {
        if (request.url === '/v2/datasets')
          return json(response, 200, { id: 'x', name: 'my-data' });
        if (index === 0) return json(response, 404, { message: 'no such dataset' });
        return storesAll(response, request, index);
      },
      { events: 10 },
    );
    assert.equal(outcome.ingested, 20);
    assert.deepEqual(
      received.map(({ url }) => url),
      ['/v1/ingest/my-data', '/v2/datasets', '/v1/ingest/my-data', '/v1/ingest/my-data'],
    );
    assert.deepEqual(JSON.parse(String(received[1]?.body)), { name: 'my-data' });
  });

  /** A service that creates a dataset, refuses its events, and then counts `found` of them. */
  const refusing =
    (found: number, missing = true): Answer =>
    (response, { url, method }) => {
      if (method === 'DELETE') return response.writeHead(204).end();
      if (url === '/v2/datasets') return json(response, 200, { id: 'x', name: 'my-data' });
      if (url.startsWith('/v1/query')) return json(response, 200, countAnswer(found));
      const first = missing;
      missing = false;
      return json(response, first ? 404 : 400, { message: 'no' });
    };
  const methods = ({ received }: Run) => received.map(({ method, url }) => `${method} ${url}`);
  const deletion = 'DELETE /v2/datasets/my-data';

  it('of the first events deletes the dataset that was created for them', async () => {
    const run = await ingest(file('a.ndjson', lines(2)), refusing(0));
    assert.equal(run.outcome.ingested, 0);
    assert.equal(methods(run).at(-1), deletion);
  });

  it('leaves a dataset that has events of others, or was there before', async () => {
    for (const answer of [refusing(7), refusing(0, false)]) {
      const run = await ingest(file('a.ndjson', lines(2)), answer);
      assert.equal(run.outcome.ingested, 0);
      assert.ok(!methods(run).includes(deletion));
    }
  });

  it('to make the dataset says why', async () => {
    const { outcome } = await ingest(file('a.ndjson', lines(2)), (response, { url }) =>
      url === '/v2/datasets'
        ? json(response, 403, { message: 'may not create datasets' })
        : json(response, 404, { message: 'no such dataset' }),
    );
    assert.equal(outcome.problem, 'may not create datasets.');
  });

  it('by breaking off leaves open what is stored, and is not asked again', async () => {
    const { outcome, received } = await ingest(file('a.ndjson', lines(2)), (response) =>
      response.destroy(),
    );
    assert.match(outcome.problem ?? '', /Lines 1 to 2 may or may not be stored\./);
    assert.equal(received.length, 1);
  });

  it('counts fewer events than were sent is told so', async () => {
    const { outcome } = await ingest(file('a.ndjson', lines(5)), (response) =>
      json(response, 200, stored(3)),
    );
    assert.match(outcome.notices.join(), /did not report on 2 of the events/);
  });
});

describe('cancelling', () => {
  it('stops between requests and during one, and says what is stored', async () => {
    const controller = new AbortController();
    const { outcome } = await ingest(
      file('a.ndjson', lines(30)),
      (response, request, index) => {
        return index === 1
          ? setTimeout(() => controller.abort(), 20)
          : storesAll(response, request, index);
      },
      { signal: controller.signal, events: 10 },
    );
    assert.equal(outcome.cancelled, true);
    assert.equal(outcome.ingested, 10);
    assert.equal(
      outcomeInWords(outcome),
      'Ingestion of a.ndjson was cancelled. The preceding 10 events were stored in my-data. It is not known whether lines 11 to 20 were stored.',
    );
  });
});
