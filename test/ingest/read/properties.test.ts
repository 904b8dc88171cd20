// Properties of any file: batches don't depend on the pieces in which bytes arrive, a read can
// resume at any batch, an event that is read again equals the one that was sent, and only a
// FileProblem is thrown.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { type BatchLimits, FileProblem } from '../../../ingest/src/contract.ts';
import { previewFile } from '../../../ingest/src/preview/previewFile.ts';
import { checkFile } from '../../../ingest/src/read/checkFile.ts';
import { batchReader } from '../../../ingest/src/read/reader.ts';
import { memorySource } from '../../../ingest/src/read/sources.ts';
import type { ColumnType, EventFormat, ReadSettings } from '../../../ingest/src/settings.ts';
import {
  batchesOf,
  comparable,
  eventsOf,
  linesOf,
  type Next,
  piecesSource,
  random,
  settingsOf,
} from '../reading.ts';

const ROUNDS = process.env['APLOMB_LONG'] === '1' ? 2_000 : 200;

const limits: BatchLimits = { events: 7, bytes: 300, eventBytes: 600 };

const awkward = [
  '',
  'a',
  'é',
  '日本',
  '😀',
  '\\',
  '"',
  "'",
  '\n',
  '\r\n',
  ',',
  ';',
  ']',
  '}',
  '[',
  '{',
  '\u2028',
  '\t',
  ' ',
  '\u0000',
  '0',
  '-1',
  '1.5',
];

function awkwardText(next: Next): string {
  return Array.from({ length: next(8) }, () => awkward[next(awkward.length)]).join('');
}

const pick = <T>(next: Next, values: readonly T[]): T => values[next(values.length)] as T;

function randomEvent(next: Next): Record<string, unknown> {
  return {
    ...(next(3) > 0 && { ts: 1_700_000_000 + next(1e6) }),
    ...(next(6) === 0 && { _time: '2020-01-01T00:00:00Z' }),
    a: awkwardText(next),
    n: next(1000) - 500,
    ...(next(4) === 0 && { o: { x: awkwardText(next), ts: next(5), l: [1, { y: null }] } }),
  };
}

/** Returns text that is not an event of the format, or an empty string. */
function randomDamage(next: Next): string {
  return next(12) === 0
    ? pick(next, [
        '{"a":',
        '"',
        '[1]',
        'x',
        '{"a":"\n"}',
        '}',
        ']',
        '{"a":[1}',
        '\\',
        '{"b":1},',
        'a,b',
        'NaN',
        `{"long":"${'x'.repeat(700)}"}`,
        `"${'y'.repeat(900)}`,
      ])
    : '';
}

function randomFile(next: Next, format: EventFormat): string {
  const ending = () => pick(next, ['\n', '\n', '\n', '\r\n', '\r']);
  const count = next(40);
  switch (format) {
    case 'ndjson': {
      const lines = Array.from(
        { length: count },
        () => randomDamage(next) || (next(10) === 0 ? ' ' : JSON.stringify(randomEvent(next))),
      );
      return lines.map((line) => line + ending()).join('');
    }
    case 'json': {
      const pretty = pick(next, [0, 0, 2]);
      const separator = pick(next, [',', ',\n', ' , \r\n  ']);
      const elements = Array.from(
        { length: count },
        () => randomDamage(next) || JSON.stringify(randomEvent(next), null, pretty),
      );
      if (next(3) === 0) return elements.join(pick(next, ['', '\n', ' ']));
      return `[${pick(next, ['', '\n'])}${elements.join(separator)}${pick(next, ['', '\n'])}${next(8) === 0 ? '' : ']'}`;
    }
    case 'csv': {
      const cell = () => {
        const text = pick(next, [
          awkwardText(next),
          String(next(100)),
          '',
          'true',
          '007',
          'NA',
          '1e5',
          '-0.50',
        ]);
        return /["\r\n,]/.test(text) || next(5) === 0 ? `"${text.replaceAll('"', '""')}"` : text;
      };
      const records = Array.from(
        { length: count },
        () => randomDamage(next) || [String(1_700_000_000 + next(1e6)), cell(), cell()].join(','),
      );
      return ['ts,a,n', ...records].map((record) => record + ending()).join('');
    }
    case 'logfmt':
      return Array.from(
        { length: count },
        () =>
          randomDamage(next) ||
          `ts=${1_700_000_000 + next(1e6)} level=info msg=${JSON.stringify(awkwardText(next))} n=${next(9)}${ending()}`,
      ).join('');
    case 'lines':
      return Array.from({ length: count }, () => awkwardText(next) + ending()).join('');
  }
}

const FORMATS: readonly EventFormat[] = ['ndjson', 'json', 'csv', 'logfmt', 'lines'];

function randomSettings(next: Next, format: EventFormat): ReadSettings {
  return settingsOf(format, {
    csv: {
      types: {
        a: pick(next, ['string', 'number'] as const),
        n: pick(next, ['integer', 'boolean', 'string'] as const),
      },
    },
    ...(next(2) === 0 && {
      time: {
        field: pick(next, ['ts', 'o.ts']),
        zone: 'UTC',
        format: { kind: 'epoch', unit: 's' },
      },
    }),
  });
}

/** Returns a file's batches, or the message of the FileProblem that ended the read. */
async function outcome(run: () => Promise<unknown[]>): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    assert.ok(error instanceof FileProblem, String((error as Error).stack));
    return error.message;
  }
}

for (const format of FORMATS) {
  describe(`any ${format} file`, () => {
    it('produces the same batches regardless of the pieces in which its bytes arrive', async () => {
      for (let seed = 1; seed <= ROUNDS; seed += 1) {
        const next = random(seed);
        const text = randomFile(next, format);
        const settings = randomSettings(next, format);
        const whole = await outcome(async () =>
          comparable(await batchesOf(memorySource('f', text), settings, limits)),
        );
        const window = 16 + next(500);
        const pieces = piecesSource('f', text, () => 1 + next(60));
        const cut = await outcome(async () =>
          comparable(await batchesOf(pieces, settings, limits, window)),
        );
        assert.deepEqual(cut, whole, `seed ${seed}, window ${window}`);
      }
    });

    it('can be resumed at the end of any batch', async () => {
      for (let seed = 1; seed <= ROUNDS / 4; seed += 1) {
        const next = random(seed);
        const text = randomFile(next, format);
        const settings = randomSettings(next, format);
        const packing = pick(next, ['none', 'gzip', 'zstd'] as const);
        const stored =
          packing === 'gzip' ? gzipSync(text) : packing === 'zstd' ? zstdCompressSync(text) : text;
        const source = memorySource('f', stored);
        const packed = { ...settings, compression: packing };
        const all = await outcome(() => batchesOf(source, packed, limits));
        if (typeof all === 'string') continue;
        const batches = all as Awaited<ReturnType<typeof batchesOf>>;
        for (const [index, { end }] of batches.entries()) {
          const from = structuredClone(end);
          const rest = await batchesOf(source, packed, limits, 16 + next(500), from);
          assert.deepEqual(
            comparable(rest),
            comparable(batches.slice(index + 1)),
            `seed ${seed}, batch ${index}`,
          );
        }
      }
    });

    it("returns a batch's events again, and rebuilds the batch without some of them", async () => {
      for (let seed = 1; seed <= ROUNDS / 4; seed += 1) {
        const next = random(seed);
        const text = randomFile(next, format);
        const settings = randomSettings(next, format);
        const reader = batchReader(memorySource('f', text), settings, limits);
        const batches = await outcome(async () => {
          const list = [];
          for await (const batch of reader.batches()) list.push(batch);
          return list;
        });
        if (typeof batches === 'string') continue;
        for (const batch of batches as Awaited<ReturnType<typeof batchesOf>>) {
          const { events, broken } = await reader.events(batch.start, batch.end);
          const indexes = [...events, ...broken].map(({ index }) => index).sort((a, b) => a - b);
          assert.deepEqual(
            indexes,
            Array.from({ length: batch.events }, (_, index) => index),
            `seed ${seed}`,
          );
          for (const { line, lastLine } of events) {
            assert.ok(
              line >= batch.firstLine && lastLine <= batch.lastLine && line <= lastLine,
              `seed ${seed}`,
            );
          }
          const without = new Set(indexes.filter(() => next(3) === 0));
          for (const { index } of broken) without.add(index);
          const rebuilt = await reader.batchWithout(batch.start, batch.end, without);
          assert.equal(rebuilt.events, batch.events - without.size, `seed ${seed}`);
          const kept = linesOf(batch)
            .filter((_, index) => !without.has(index))
            .map((line) => JSON.parse(line));
          assert.deepEqual(eventsOf([rebuilt]), kept, `seed ${seed}`);
        }
      }
    });
  });
}

describe('JSON', () => {
  it('array elements are read unchanged', async () => {
    for (let seed = 1; seed <= ROUNDS; seed += 1) {
      const next = random(seed);
      const events = Array.from({ length: 1 + next(30) }, () => randomEvent(next));
      const text = JSON.stringify(events, null, pick(next, [0, 1, 4, '\t']));
      const batches = await batchesOf(memorySource('f.json', text), settingsOf('json'), limits, 64);
      assert.deepEqual(eventsOf(batches), events, `seed ${seed}`);
    }
  });
});

describe('CSV', () => {
  /** Parses CSV one character at a time, as an independent reference. */
  function slowRecords(text: string): { value: string; quoted: boolean }[][] {
    const records: { value: string; quoted: boolean }[][] = [];
    let record: { value: string; quoted: boolean }[] = [];
    let value = '';
    let quoted = false;
    let inside = false;
    const endValue = () => {
      record.push({ value, quoted });
      value = '';
      quoted = false;
    };
    for (let at = 0; at < text.length; at += 1) {
      const character = text[at] as string;
      if (inside) {
        if (character !== '"') value += character;
        else if (text[at + 1] === '"') {
          value += '"';
          at += 1;
        } else inside = false;
      } else if (character === '"' && value === '' && !quoted) {
        inside = true;
        quoted = true;
      } else if (character === ',') endValue();
      else if (character === '\n') {
        endValue();
        records.push(record);
        record = [];
      } else value += character;
    }
    return records;
  }

  function slowValue(
    { value, quoted }: { value: string; quoted: boolean },
    type: ColumnType,
  ): string {
    const text = JSON.stringify(value);
    if (type === 'string') return text;
    if (!quoted && ['', 'null', 'NULL', '\\N', 'NA', 'N/A', 'NaN', 'nan'].includes(value))
      return 'null';
    if (type === 'boolean') return /^(true|false)$/i.test(value) ? value.toLowerCase() : text;
    if (type === 'integer') {
      if (!/^(0|-?[1-9]\d*)$/.test(value)) return text;
      return BigInt.asIntN(64, BigInt(value)) === BigInt(value) ? value : text;
    }
    if (!/^-?(\d+(\.\d*)?|\.\d+)$|^-?\d+(\.\d+)?[eE][+-]?\d+$/.test(value) || /^-?0\d/.test(value))
      return text;
    return value.replace(/^(-?)\./, '$10.').replace(/\.$/, '.0');
  }

  it('values of typed columns match a slow reference parser', async () => {
    const values = [
      '',
      '0',
      '-0',
      '00',
      '007',
      '1',
      '-1',
      '+1',
      '9223372036854775807',
      '9223372036854775808',
      '-9223372036854775808',
      '-9223372036854775809',
      '123456789012345678901',
      '.5',
      '-.5',
      '5.',
      '-',
      '.',
      '1.50',
      '1e5',
      '1e+05',
      '1.2E-3',
      '1e',
      'e5',
      '.5e3',
      '5.e3',
      '0x10',
      '1,5',
      '1 000',
      'true',
      'TRUE',
      'False',
      'yes',
      'null',
      'NULL',
      '\\N',
      'NA',
      'N/A',
      'NaN',
      'nan',
      'Infinity',
      ' 1',
      '1 ',
      '"',
      'a"b',
      'a\nb',
      'é',
      '日本',
      '\t',
      '\\',
      '\u0001',
      '{',
      '+49 30 123',
      '00501',
      '2024-01-01',
    ];
    const types: ColumnType[] = ['string', 'integer', 'number', 'boolean'];
    for (let seed = 1; seed <= ROUNDS; seed += 1) {
      const next = random(seed);
      const rows = Array.from({ length: 1 + next(20) }, () =>
        types
          .map(() => {
            const text = pick(next, values);
            return /["\r\n,]/.test(text) || next(4) === 0
              ? `"${text.replaceAll('"', '""')}"`
              : text;
          })
          .join(','),
      );
      const text = `s,i,n,b\n${rows.join('\n')}\n`;
      const settings = settingsOf('csv', {
        csv: { types: { i: 'integer', n: 'number', b: 'boolean' } },
      });
      const batches = await batchesOf(
        memorySource('f.csv', text),
        settings,
        undefined,
        64 + next(100),
      );
      const expected = slowRecords(text)
        .slice(1)
        .map(
          (record) =>
            `{${['s', 'i', 'n', 'b'].map((name, index) => `"${name}":${slowValue(record[index] as { value: string; quoted: boolean }, types[index] as ColumnType)}`).join(',')}}`,
        );
      assert.deepEqual(batches.flatMap(linesOf), expected, `seed ${seed}`);
    }
  });
});

describe('random bytes', () => {
  const signs = [
    '{',
    '}',
    '[',
    ']',
    '"',
    ',',
    ':',
    '\\',
    '\n',
    '\r',
    ' ',
    '\t',
    'a',
    '1',
    '=',
    ';',
    '|',
    '-',
    '.',
    'e',
    'NaN',
    'null',
    '{"a":1}\n',
    'a=1 b=2\n',
    'x,y\n',
    '\u00e9',
  ];

  function randomBytes(next: Next): Buffer {
    const length = next(400);
    const kind = next(3);
    if (kind === 0) return Buffer.from(Array.from({ length }, () => next(256)));
    const text = Buffer.from(Array.from({ length }, () => pick(next, signs)).join(''));
    if (kind === 1 && text.length > 0) text[next(text.length)] = next(256);
    return next(6) === 0 ? Buffer.from(text.toString(), 'utf16le') : text;
  }

  it('cause no error other than a FileProblem, in any format', async () => {
    const signal = new AbortController().signal;
    for (let seed = 1; seed <= ROUNDS * 2; seed += 1) {
      const next = random(seed);
      const plain = randomBytes(next);
      const bytes = pick(next, [
        plain,
        plain,
        plain,
        gzipSync(plain),
        zstdCompressSync(plain),
        gzipSync(plain).subarray(0, next(40) + 1),
      ]);
      const source = memorySource(pick(next, ['f', 'f.json', 'f.csv', 'f.log']), bytes);
      const format = pick(next, FORMATS);
      const chosen = next(2) === 0 ? {} : { format };
      try {
        const preview = await previewFile(source, chosen, undefined, signal);
        const check = await checkFile(source, preview.settings, signal);
        const batches = await batchesOf(source, preview.settings, limits, 16 + next(100));
        const sent = batches.reduce((sum, { events }) => sum + events, 0);
        const left = batches.reduce((sum, { broken }) => sum + broken.length, 0);
        // The fast path leaves some broken events to the service, and the check finds them. The
        // totals must agree.
        assert.ok(
          check.events <= sent && check.events + check.brokenCount === sent + left,
          `seed ${seed}: ${check.events} + ${check.brokenCount}, ${sent} + ${left}`,
        );
      } catch (error) {
        assert.ok(error instanceof FileProblem, `seed ${seed}: ${(error as Error).stack}`);
        assert.match(error.message, /[.]$/);
      }
    }
  });
});
