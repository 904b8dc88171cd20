// Options of ingest requests: CSV, compression, labels and times.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { INGEST_BODY_BYTES_MAX } from '../../local/src/limits.ts';
import { Deployment } from './deployment.ts';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
});
after(() => local.close());

const csv = { type: 'text/csv' };

describe('CSV', () => {
  it('stores values as strings, empty values as null and quoted empty values as empty strings', async () => {
    await local.dataset('csv');
    await local.stored('csv', 'a,b.c,d\n1,"x, ""y""\nz",\n2,, ""\n3,"",x\r\n', csv);
    assert.deepEqual(await local.fields('csv'), { a: 'string', 'b.c': 'string', d: 'string' });
    assert.deepEqual(await local.rows("['csv'] | project a, ['b.c'], d | order by a asc"), [
      { a: '1', 'b.c': 'x, "y"\nz', d: null },
      { a: '2', 'b.c': null, d: '' },
      { a: '3', 'b.c': '', d: 'x' },
    ]);
  });

  it('takes column names from a request header and the delimiter from a parameter', async () => {
    await local.dataset('named');
    const answer = await local.call(
      'POST',
      '/v1/ingest/named?csv-delimiter=%3B',
      '1;2\n3;"4;5"\n',
      { ...csv, headers: { 'x-axiom-csv-fields': 'p, q' } },
    );
    assert.equal(answer.body.ingested, 2, answer.text);
    assert.deepEqual(await local.rows("['named'] | project p, q | order by p asc"), [
      { p: '1', q: '2' },
      { p: '3', q: '4;5' },
    ]);
  });

  it("uses its first line as the header row if the request's column names are empty", async () => {
    await local.dataset('unnamed');
    await local.stored('unnamed', 'a\n1\n', { ...csv, headers: { 'x-axiom-csv-fields': '' } });
    assert.deepEqual(await local.fields('unnamed'), { a: 'string' });
  });

  it('reads event times from the _time column', async () => {
    await local.dataset('times');
    const answer = await local.ingest('times', '_time,a\n1700000000,x\nnever,y\n', csv);
    assert.deepEqual([answer.body.ingested, answer.body.failed], [1, 1]);
    assert.match(answer.body.failures[0].error, /event 2: its time cannot be read: never/);
    const [row] = await local.rows("['times']");
    assert.equal(row!['_time'], '2023-11-14T22:13:20Z');
  });

  const refused: readonly (readonly [what: string, body: string, message: RegExp])[] = [
    ['a line with too few values', 'a,b\n1,2\n3\n4,5\n', /^line 3: it has 1 value, .* 2 columns/],
    ['a line with too many values', 'a,b\n1,2\n3,4,5\n', /^line 3: it has 3 values/],
    ['a ragged line after one with a newline in quotes', 'a,b\n1,"x\ny"\n3\n', /^line 4/],
    ['an unclosed quote', 'a,b\n1,"2\n3,4\n', /^line 2: a quote is opened/],
    ['text after a closing quote', 'a,b\n1,"2"x\n', /^line 2: something follows/],
    ['a repeated name', 'a,a\n1,2\n', /two columns/],
    ['an unclosed quote in the names', '"a,b\n1,2\n', /quote in the first line is not closed/],
  ];
  for (const [what, body, message] of refused) {
    it(`stores no event of the request: ${what}`, async () => {
      const name = await local.dataset(`csv-${refused.findIndex(([each]) => each === what)}`);
      const answer = await local.ingest(name, body, csv);
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.body.message, message);
      assert.deepEqual(await local.rows(`['${name}'] | count`), [{ count: 0 }]);
    });
  }

  it('contains no events if it has only a header row', async () => {
    const name = await local.dataset('names-alone');
    const { status, body } = await local.ingest(name, 'a,b\n', csv);
    assert.deepEqual([status, body.ingested, body.failed], [200, 0, 0]);
  });

  it('is rejected with the line number if it is not UTF-8', async () => {
    await local.dataset('latin');
    const answer = await local.ingest('latin', Buffer.from('a,b\n1,2\n3,\xff\n', 'latin1'), csv);
    assert.equal(answer.status, 400);
    assert.match(answer.body.message, /^line 3: it is not UTF-8/);
  });
});

describe('a compressed body', () => {
  const body = '{"a":1}\n{"a":2}\n';
  for (const [encoding, bytes] of [
    ['gzip', gzipSync(body)],
    ['zstd', zstdCompressSync(body)],
    ['', Buffer.from(body)],
    ['1', Buffer.from(body)],
    ['identity', Buffer.from(body)],
  ] as const) {
    it(`is read and counted uncompressed: Content-Encoding "${encoding}"`, async () => {
      const name = await local.dataset(`packed-${encoding || 'empty'}`);
      const answer = await local.ingest(name, bytes, { headers: { 'content-encoding': encoding } });
      assert.deepEqual(
        [answer.status, answer.body.ingested, answer.body.processedBytes],
        [200, 2, body.length],
      );
    });
  }

  for (const [encoding, pack] of [
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ] as const) {
    it(`is read completely if it has several concatenated ${encoding} frames`, async () => {
      const name = await local.dataset(`frames-${encoding}`);
      const random = Array.from({ length: 6_000 }, (_, n) => `{"n":${n},"r":${Math.random()}}\n`);
      const frames = [0, 1, 2, 3, 4, 5].map((i) =>
        pack(random.slice(i * 1_000, (i + 1) * 1_000).join('')),
      );
      const headers = { 'content-encoding': encoding };
      const { body: answer } = await local.ingest(name, Buffer.concat(frames), { headers });
      assert.equal(answer.ingested, 6_000);
    });
  }

  it('is rejected if data follows the end of a deflate stream', async () => {
    await local.dataset('deflated');
    const headers = { 'content-encoding': 'deflate' };
    for (const packed of [deflateSync(body), deflateRawSync(body)]) {
      assert.equal((await local.ingest('deflated', packed, { headers })).body.ingested, 2);
      for (const more of [Buffer.from('more'), Buffer.alloc(200_000, 0x78)]) {
        const answer = await local.ingest('deflated', Buffer.concat([packed, more]), { headers });
        assert.deepEqual([answer.status, answer.body.reason], [400, 'bad-packing']);
      }
    }
  });

  for (const [encoding, pack] of [
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
    ['deflate', deflateSync],
  ] as const)
    it(`is rejected and stores nothing if it is truncated at any length: ${encoding}`, async () => {
      const name = await local.dataset(`early-${encoding}`);
      const lines = Array.from({ length: 600 }, (_, n) => `{"n":${n},"r":${(n * 7919) % 1_009}}\n`);
      const whole = pack(lines.join(''));
      const headers = { 'content-encoding': encoding };
      for (let at = 1; at < 40; at++) {
        const cut = whole.subarray(0, Math.ceil((at * whole.length) / 40));
        const { status, body: answer } = await local.ingest(name, cut, { headers });
        assert.deepEqual([status, answer.reason], [400, 'bad-packing'], `${cut.length} bytes`);
      }
      assert.equal((await local.ingest(name, whole, { headers })).body.ingested, 600);
      const { body: answer } = await local.query(`['${name}'] | count`);
      assert.deepEqual(answer.tables[0].columns[0], [600]);
    });

  it('is rejected if it does not match its Content-Encoding', async () => {
    await local.dataset('unpacked');
    for (const encoding of ['gzip', 'zstd']) {
      const headers = { 'content-encoding': encoding };
      assert.equal((await local.ingest('unpacked', body, { headers })).status, 400);
    }
    const brotli = await local.ingest('unpacked', body, { headers: { 'content-encoding': 'br' } });
    assert.equal(brotli.status, 415);
  });

  it('is rejected if it exceeds the size limit, even if its compressed form does not', async () => {
    await local.dataset('bombs');
    const big = Buffer.alloc(INGEST_BODY_BYTES_MAX + 1, 0x20);
    for (const [bytes, encoding] of [
      [big, ''],
      [gzipSync(big), 'gzip'],
    ] as const) {
      const answer = await local.ingest('bombs', bytes, {
        headers: { 'content-encoding': encoding },
      });
      assert.equal(answer.status, 413, answer.text);
      assert.match(answer.body.message, /exceeds 134217728 bytes/);
    }
  });

  it('is rejected if its content type is unsupported', async () => {
    await local.dataset('content');
    for (const type of ['text/html', 'application/xml', 'multipart/form-data']) {
      assert.equal((await local.ingest('content', '{"a":1}', { type })).status, 415);
    }
  });
});

describe('labels', () => {
  it('are added to every event without a field of the same name, and their bytes are counted', async () => {
    await local.dataset('labels');
    const labels = '{"region":"eu-west-1"}';
    for (let i = 0; i < 2; i += 1) {
      const answer = await local.ingest('labels', '{"a":1}\n{"a":2,"region":"own"}', {
        headers: { 'x-axiom-event-labels': labels },
      });
      assert.equal(answer.body.ingested, 2, answer.text);
      assert.equal(answer.body.processedBytes, 30 + labels.length);
    }
    assert.deepEqual(await local.rows("['labels'] | distinct a, region | order by a asc"), [
      { a: 1, region: 'eu-west-1' },
      { a: 2, region: 'own' },
    ]);
  });

  it('are rejected if they are not an object', async () => {
    await local.dataset('unlabelled');
    for (const labels of ['[1]', '"x"', '{', 'null']) {
      const headers = { 'x-axiom-event-labels': labels };
      assert.equal((await local.ingest('unlabelled', '{"a":1}', { headers })).status, 400);
    }
  });
});

describe('times', () => {
  const readings: readonly (readonly [written: unknown, read: string])[] = [
    ['2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123456789Z'],
    ['2026-01-01T01:30:00+01:30', '2026-01-01T00:00:00Z'],
    ['2026-01-01 00:00:00', '2026-01-01T00:00:00Z'],
    ['2026-01-01', '2026-01-01T00:00:00Z'],
    ['2026-01-01T00:00Z', '2026-01-01T00:00:00Z'],
    ['20260101T000000Z', '2026-01-01T00:00:00Z'],
    ['01/Jan/2026:02:00:00 +0200', '2026-01-01T00:00:00Z'],
    ['Thu, 01 Jan 2026 00:00:00 GMT', '2026-01-01T00:00:00Z'],
    ['Jan 1, 2026', '2026-01-01T00:00:00Z'],
    [1767225600, '2026-01-01T00:00:00Z'],
    [1767225600.5, '2026-01-01T00:00:00.5Z'],
    [1767225600123, '2026-01-01T00:00:00.123Z'],
    [1767225600123456, '2026-01-01T00:00:00.123456Z'],
    ['1767225600123456789', '2026-01-01T00:00:00.123456789Z'],
    [-86400, '1969-12-31T00:00:00Z'],
  ];
  it('are read in common formats', async () => {
    await local.dataset('written');
    const events = readings.map(([_time], index) => ({ _time, index }));
    for (let i = 0; i < 2; i += 1) await local.stored('written', events);
    const rows = await local.rows("['written'] | distinct index, _time | order by index asc");
    assert.deepEqual(
      rows.map((row) => row['_time']),
      readings.map(([, read]) => read),
    );
  });

  it('fail only their event if they are invalid, with the reason', async () => {
    const bad = ['nope', '', '2026-02-30', 'infinity', 'epoch', '1500-01-01', true, [1], { a: 1 }];
    await local.dataset('unread');
    for (let i = 0; i < 2; i += 1) {
      const answer = await local.ingest('unread', [
        ...bad.map((_time) => ({ _time })),
        { _time: null, a: 1 },
      ]);
      assert.equal(answer.body.ingested + answer.body.failed, bad.length + 1);
      assert.equal(answer.body.failed, bad.length, answer.text);
      assert.match(answer.body.failures[0].error, /its time cannot be read: nope/);
    }
  });

  it('are rejected outside the storable range, as numbers and as strings', async () => {
    await local.dataset('bounds');
    const beyond = [
      -9_223_372_036_854,
      -9_223_372_036,
      '-9223372036854775808',
      '1677-09-21T12:00:00Z',
      '2262-04-12T00:00:00Z',
    ];
    const stored = ['1677-09-22T00:00:00Z', '2262-04-11T23:47:16Z'];
    // The second request uses the time format that the first one detected.
    for (let i = 0; i < 2; i += 1) {
      const events = [...beyond, ...stored].map((_time, n) => ({ _time, n }));
      const { body, text } = await local.ingest('bounds', events);
      assert.deepEqual([body.ingested, body.failed], [stored.length, beyond.length], text);
      assert.match(body.failures[0].error, /between 1677-09-22 and 2262-04-11/);
    }
    const all = { startTime: '1677-09-22T00:00:00Z', endTime: '2262-04-11T23:47:16.5Z' };
    const rows = await local.rows("['bounds'] | sort by _time asc", all);
    assert.deepEqual(
      rows.map((row) => row['_time']),
      [stored[0], stored[0], stored[1], stored[1]],
    );
  });

  it('default to the time of receipt', async () => {
    await local.dataset('timeless');
    const before = new Date().toISOString();
    for (let i = 0; i < 2; i += 1) await local.stored('timeless', [{ a: 1 }]);
    for (const row of await local.rows("['timeless']")) {
      assert.equal(row['_time'], row['_sysTime']);
      assert.ok((row['_time'] as string) >= before.slice(0, 19));
    }
  });

  it('are read from the field and in the timestamp format given by the request', async () => {
    await local.dataset('layouts');
    const query = new URLSearchParams({
      'timestamp-field': 'meta.at',
      'timestamp-format': '02/Jan/2006:15:04:05.000 -0700',
    });
    const body = '{"meta":{"at":"05/Jan/2026:10:11:12.250 +0100"},"_time":"2020-01-01T00:00:00Z"}';
    for (let i = 0; i < 2; i += 1) {
      const answer = await local.call('POST', `/v1/ingest/layouts?${query}`, body, {
        type: 'application/x-ndjson',
      });
      assert.equal(answer.body.ingested, 1, answer.text);
    }
    assert.deepEqual(await local.rows("['layouts'] | distinct _time, ['meta.at']"), [
      { _time: '2026-01-05T09:11:12.25Z', 'meta.at': '05/Jan/2026:10:11:12.250 +0100' },
    ]);
  });

  it('are rejected if the timestamp format contains no date', async () => {
    await local.dataset('undated');
    const answer = await local.call('POST', '/v1/ingest/undated?timestamp-format=zzz', '{"a":1}', {
      type: 'application/x-ndjson',
    });
    assert.equal(answer.status, 400);
    assert.match(answer.body.message, /timestamp-format "zzz"/);
  });
});
