// A preview shows events as they will be stored, warns about changes and losses, and reads only the
// head of a file.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { FileSource, TargetSchema } from '../../../ingest/src/contract.ts';
import { previewFile } from '../../../ingest/src/preview/previewFile.ts';
import type { ChosenSettings } from '../../../ingest/src/preview/settings.ts';
import { memorySource } from '../../../ingest/src/read/sources.ts';

const { signal } = new AbortController();

const preview = (content: string, chosen: ChosenSettings = {}, target?: TargetSchema) =>
  previewFile(memorySource('file', content), chosen, target, signal);

/** Returns the columns of a preview: the cells by field name. */
async function table(content: string, chosen?: ChosenSettings, target?: TargetSchema) {
  const { fields, events } = await preview(content, chosen, target);
  return Object.fromEntries(
    fields.map(({ name }, index) => [name, events.map(({ cells }) => cells[index])]),
  );
}

describe('a preview', () => {
  it('shows nested objects with dotted names, arrays unflattened, and the time first', async () => {
    const content =
      '{"a":{"b":{"c":1},"d.e":"x"},"l":[1,{"m":2.50}],"ts":"2024-03-01T10:00:00Z"}\n{"a":{"b":null}}\n';
    assert.deepEqual(await table(content), {
      _time: ['"2024-03-01T10:00:00.000000000Z"', undefined],
      'a.b.c': ['1', undefined],
      'a.d.e': ['"x"', undefined],
      l: ['[1,{"m":2.50}]', undefined],
      ts: ['"2024-03-01T10:00:00Z"', undefined],
      'a.b': [undefined, 'null'],
    });
  });

  it('shows numbers as written', async () => {
    assert.deepEqual(await table('{"n":9223372036854775807,"f":0.10,"e":1e3}\n{"n":-0}\n'), {
      _time: [undefined, undefined],
      n: ['9223372036854775807', '-0'],
      f: ['0.10', undefined],
      e: ['1e3', undefined],
    });
  });

  it('shows the types of fields and the number of their values', async () => {
    const { fields } = await preview(
      '{"a":1,"b":null}\n{"a":1.0,"b":null}\n{"a":"x","c":[1]}\n{"c":true}\n',
    );
    assert.deepEqual(
      fields.map(({ name, types, eventCount }) => [name, types, eventCount]),
      [
        ['_time', ['unknown'], 0],
        ['a', ['integer', 'float', 'string'], 3],
        ['b', ['unknown'], 0],
        ['c', ['array', 'boolean'], 2],
      ],
    );
  });

  it('does not flatten a map field of the target', async () => {
    const target = { fields: [], mapFields: ['tags'] };
    assert.deepEqual(await table('{"tags":{"a":1,"b":{"c":2}}}\n', {}, target), {
      _time: [undefined],
      tags: ['{"a":1,"b":{"c":2}}'],
    });
  });

  it('shows the time in UTC, converted from the chosen zone', async () => {
    const time = {
      field: 'at',
      zone: 'America/New_York',
      format: { kind: 'layout', layout: '2006-01-02 15:04' },
    } as const;
    const { _time } = await table('at,n\n2024-07-01 08:00,1\n', { time });
    assert.deepEqual(_time, ['"2024-07-01T12:00:00.000000000Z"']);
  });

  it('converts an epoch time in milliseconds and leaves the other fields unchanged', async () => {
    assert.deepEqual(
      await table('{"big":12345678901234567890,"time":1709288430123,"_time":"old"}\n', {
        time: { field: 'time', zone: 'UTC', format: { kind: 'epoch', unit: 'ms' } },
      }),
      {
        _time: ['"2024-03-01T10:20:30.123000000Z"'],
        big: ['12345678901234567890'],
        time: ['1709288430123'],
      },
    );
  });

  it('contains the time range and the line of each event', async () => {
    const { time, events, complete } = await preview('date,n\n2024-03-02,1\n\n2024-03-01,2\n,3\n');
    assert.deepEqual(
      [time.first, time.last, time.withoutTime],
      ['2024-03-01T00:00:00.000000000Z', '2024-03-02T00:00:00.000000000Z', 1],
    );
    assert.deepEqual(
      events.map(({ line }) => line),
      [2, 4, 5],
    );
    assert.equal(complete, true);
  });

  it('shows the first 100 events', async () => {
    const { events, complete } = await preview('{"a":1}\n'.repeat(101));
    assert.deepEqual([events.length, complete], [100, false]);
  });

  it('stops on cancellation', async () => {
    const stop = new AbortController();
    stop.abort();
    await assert.rejects(previewFile(memorySource('f', '{"a":1}'), {}, undefined, stop.signal), {
      name: 'AbortError',
    });
  });
});

describe('a preview of a large file', () => {
  /** Creates an endless file and counts the bytes read from it. */
  function endless(
    line: string,
    size: number,
    pack = false,
  ): { source: FileSource; read: () => number } {
    let read = 0;
    const chunk = Buffer.from(line.repeat(Math.ceil(100_000 / line.length)));
    const stored = pack ? gzipSync(chunk) : chunk;
    const source: FileSource = {
      name: 'large',
      size,
      open: () => {
        function* chunks() {
          for (;;) {
            read += stored.length;
            yield stored;
          }
        }
        return Readable.from(chunks(), { objectMode: false });
      },
    };
    return { source, read: () => read };
  }

  it('reads a limited part of it', async () => {
    for (const [line, pack] of [
      ['{"a":1,"text":"some text"}\n', false],
      ['a line of text\n', false],
      ['{"a":1,"text":"some text"}\n', true],
    ] as const) {
      const { source, read } = endless(line, 2e9, pack);
      const { events } = await previewFile(source, {}, undefined, signal);
      assert.equal(events.length, 100);
      assert.ok(read() < 6e6, `${read()} bytes`);
    }
  });

  it('reads a limited part of it even if it has no events', async () => {
    for (const format of ['json', 'csv', 'ndjson', 'lines'] as const) {
      const { source, read } = endless(`"${'x'.repeat(99_999)}`, 2e9);
      const { events } = await previewFile(source, { format }, undefined, signal);
      assert.equal(events.length, 0);
      assert.ok(read() < 100e6, `${format}: ${read()} bytes`);
    }
  });
});

describe('notices', () => {
  const numbered = (count: number, member: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => member(index)).join(',');
  const target = (
    fields: TargetSchema['fields'],
    more: Partial<TargetSchema> = {},
  ): TargetSchema => ({ fields, mapFields: [], ...more });

  const cases: readonly (readonly [
    content: string,
    code: string,
    message: string,
    fields: readonly string[],
    target?: TargetSchema,
  ])[] = [
    [
      '{"_sysTime":1,"_rowID":2}\n',
      'reserved-field',
      'The service reserves _sysTime, _rowID. They are stored as _user__sysTime, _user__rowID.',
      ['_user__sysTime', '_user__rowID'],
    ],
    [
      `{${numbered(1_025, (n) => `"f${n}":1`)}}\n`,
      'field-limit',
      'The dataset would have 1,025 fields, and its limit is 1,024. Events with fields beyond it are refused. Make an object whose keys vary a map field.',
      Array.from({ length: 100 }, (_, n) => `f${n}`),
    ],
    [
      '{"b":1,"c":2}\n',
      'field-limit',
      'The dataset would have 3 fields, and its limit is 2. Events with fields beyond it are refused. Make an object whose keys vary a map field.',
      ['b', 'c'],
      target(
        [
          { name: 'a', type: 'string' },
          { name: '_time', type: 'datetime' },
        ],
        { maxFields: 2 },
      ),
    ],
    [
      '{"a":"x"}\n',
      'type-conflict',
      'a is stored as integer, and here it is string. The field will have both types.',
      ['a'],
      target([{ name: 'a', type: 'integer' }]),
    ],
    [
      `{"users":{${numbered(3, (n) => `"${1000 + n}":1`)}}}\n`,
      'map-field',
      'The keys of users look like data: there are 3 of them. Make it a map field, so that each key is not a field of its own.',
      ['users'],
    ],
    [
      Array.from(
        { length: 40 },
        (_, n) => `{"tags":{"key${String.fromCharCode(97 + (n % 26))}${n}":1}}\n`,
      ).join(''),
      'map-field',
      'The keys of tags look like data: there are 40 of them. Make it a map field, so that each key is not a field of its own.',
      ['tags'],
    ],
    [
      `{"text":"${'é'.repeat(600_000)}"}\n`,
      'long-string',
      'Values of text exceed 1 MB. The service stores a note in place of them.',
      ['text'],
    ],
    [
      `{"${'n'.repeat(201)}":1}\n`,
      'long-name',
      '1 field name is longer than 200 bytes. The service refuses such events.',
      ['n'.repeat(201)],
    ],
    [
      '{"n":18446744073709551616,"f":0.12345678901234567890,"ok":9007199254740993}\n',
      'precision',
      'Numbers in n, f have more digits than 64 bits hold. The service rounds them. Send them as strings to keep every digit.',
      ['n', 'f'],
    ],
    [
      '{"":1}\n',
      'empty-names',
      '1 event has a field with an empty name. The service refuses such events.',
      [''],
    ],
    [
      '{"a":1}\nx\n{"a":2}\n',
      'broken-events',
      '1 event cannot be read, the first on line 2: The line does not start with a JSON object. They will be left out and listed in the report.',
      [],
    ],
    [
      '{"a":1}\n{"a":2}\n',
      'no-time',
      'No time was found, so that events get the time of their arrival.',
      [],
    ],
    [
      '{"a":1,"year":1500}\n',
      'no-time',
      'No time was found, so that events get the time of their arrival. year has times before 1677 or after 2262, which cannot be stored.',
      [],
    ],
    [
      '{"ts":"2024-01-01T00:00:00Z"}\n{"a":2}\n',
      'no-time',
      '1 event of the first 2 has no time and will get the time of arrival.',
      ['ts'],
    ],
    [
      '{"_time":"2024-01-01T00:00:00Z"}\n{"_time":"yesterday"}\n{"_time":"today"}\n{"_time":"2024-01-02T00:00:00Z"}\n',
      'unread-time',
      '2 times in _time are not RFC 3339 or not between 1677-09-21 and 2262-04-11, the first on line 2: "yesterday". The deployment refuses events whose time it cannot read.',
      ['_time'],
    ],
    [
      '{"_time":"0001-01-01T00:00:00Z"}\n',
      'unread-time',
      'The time in _time on line 1, "0001-01-01T00:00:00Z", is not between 1677-09-21 and 2262-04-11. The deployment refuses events whose time it cannot read.',
      ['_time'],
    ],
    [
      '_time,n\nyesterday,1\n',
      'unread-time',
      'The time in _time on line 2, "yesterday", is not RFC 3339. The deployment refuses events whose time it cannot read.',
      ['_time'],
    ],
    [
      'day,n\n3/4/2024,1\n5/6/2024,2\n',
      'ambiguous-time',
      'No value of day shows whether it is 1/2/2006 or 2/1/2006. Check which comes first, the day or the month.',
      ['day'],
    ],
  ];
  for (const [content, code, message, fields, schema] of cases) {
    it(`${code}: ${content.slice(0, 40).trim()}`, async () => {
      const { notices } = await preview(content, {}, schema);
      const found = notices.find((notice) => notice.code === code);
      assert.deepEqual(found && [found.message, found.fields], [message, fields]);
    });
  }

  it('are absent if there is nothing to report', async () => {
    const schema = target([
      { name: 'n', type: 'float' },
      { name: 'day', type: 'string' },
      { name: 'm', type: 'integer|string' },
    ]);
    const content =
      '{"_time":"2024-01-01T00:00:00Z","n":1,"day":"x","m":"y","o":{"a":1,"b":2,"c":3}}\n'.repeat(
        50,
      );
    assert.deepEqual((await preview(content, {}, schema)).notices, []);
  });
});
