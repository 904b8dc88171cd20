// Broken files: each is read as stated here or fails with a clear message and its line. No read
// hangs, and no event is skipped without being listed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { FileProblem } from '../../../ingest/src/contract.ts';
import { previewFile } from '../../../ingest/src/preview/previewFile.ts';
import type { ChosenSettings } from '../../../ingest/src/preview/settings.ts';
import { checkFile } from '../../../ingest/src/read/checkFile.ts';
import { batchReader } from '../../../ingest/src/read/reader.ts';
import { diskSource } from '../../../ingest/src/read/sources.ts';
import { needs } from '../../platform.ts';
import { batchesOf, eventsOf, settingsOf } from '../reading.ts';

const folder = mkdtempSync(join(tmpdir(), 'aplomb-broken-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const { signal } = new AbortController();

interface Read {
  /** The detected format. */
  readonly format: string;
  readonly events: unknown[];
  /** Lines and reasons of the events that can't be read. */
  readonly broken: readonly string[];
  /** The problem that stopped the read. */
  readonly problem?: string;
  readonly notices: readonly string[];
}

/** Previews a file and reads it into batches with the preview's settings. */
async function read(path: string, chosen: ChosenSettings = {}): Promise<Read | string> {
  try {
    const source = await diskSource(path);
    const preview = await previewFile(source, chosen, undefined, signal);
    const events: unknown[] = [];
    const broken: string[] = [];
    let problem: string | undefined;
    try {
      for await (const batch of batchReader(source, preview.settings).batches()) {
        events.push(...eventsOf([batch]));
        broken.push(...batch.broken.map(({ line, reason }) => `${line}: ${reason}`));
      }
    } catch (error) {
      problem = messageOf(error);
    }
    return {
      format: preview.settings.format,
      events,
      broken,
      ...(problem !== undefined && { problem }),
      notices: preview.notices.map(({ code }) => code).filter((code) => code !== 'no-time'),
    };
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  assert.ok(error instanceof FileProblem, String((error as Error).stack));
  return error.line === undefined ? error.message : `${error.line}: ${error.message}`;
}

const lines = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `${JSON.stringify({ n: index, text: String(Math.sin(index)) })}\n`,
  ).join('');

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const utf16be = (text: string): Buffer => utf16(text).swap16();

/** The content of each file and its expected events, broken lines, problem and notices. */
const contents: Readonly<
  Record<string, readonly [content: string | Buffer, expected: Partial<Read> | string]>
> = {
  'mixed line ends.ndjson': [
    '{"a":1}\r\n{"a":2}\n{"a":3}\r{"a":4}',
    { format: 'ndjson', events: [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }], broken: [] },
  ],
  'mixed line ends.csv': [
    'a,b\r1,2\r\n3,4\n5,6',
    {
      events: [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
        { a: 5, b: 6 },
      ],
      broken: [],
    },
  ],
  'only carriage returns.txt': ['one\rtwo\r', { events: [{ message: 'one' }, { message: 'two' }] }],
  'an unclosed quote.csv': [
    'a,b\n1,"x\n2,y\n3,z\n',
    {
      events: [
        { a: 2, b: 'y' },
        { a: 3, b: 'z' },
      ],
      broken: ['2: A quote is opened and never closed.'],
      notices: ['broken-events'],
    },
  ],
  'a stray quote closed by a later one.csv': [
    'a,b\n1,"x\n2,y\n3,"z"\n4,w\n',
    {
      events: [
        { a: 2, b: 'y' },
        { a: 3, b: 'z' },
        { a: 4, b: 'w' },
      ],
      broken: ['2: Text follows a closing quote. Double the quotes inside a value.'],
    },
  ],
  'text after a quote.csv': [
    'a,b\n1,"x"y\n2,z\n',
    {
      events: [{ a: 2, b: 'z' }],
      broken: ['2: Text follows a closing quote. Double the quotes inside a value.'],
    },
  ],
  'ragged rows.csv': [
    'a,b,c\n1,2,3\n1,2\n1,2,3,4\n4,5,6\n',
    {
      events: [
        { a: 1, b: 2, c: 3 },
        { a: 4, b: 5, c: 6 },
      ],
      broken: ['3: It has 2 values for 3 columns.', '4: It has 4 values for 3 columns.'],
      notices: ['ragged-rows'],
    },
  ],
  'a repeated header.csv': [
    'a,b\n1,2\na,b\n3,4\n',
    {
      events: [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ],
      broken: ['3: It repeats the header line.'],
      notices: ['doubled-header'],
    },
  ],
  'repeated and missing names.csv': [
    'a,a,b,\n1,2,3,4\n',
    {
      events: [{ a: 1, a_2: 2, b: 3, column4: 4 }],
      broken: [],
      notices: ['doubled-header', 'empty-names'],
    },
  ],
  'a header without rows.csv': [
    'a,b\n',
    { events: [], problem: 'The file has a header line and no rows.' },
  ],
  'empty lines.ndjson': [
    '\n\n{"a":1}\n  \n\t\n{"a":2}\n\n',
    { events: [{ a: 1 }, { a: 2 }], broken: [] },
  ],
  'empty lines.csv': ['\na,b\n\n1,2\n\n', { events: [{ a: 1, b: 2 }], broken: [] }],
  'trailing commas.ndjson': ['{"a":1},\n{"a":2} ,\n', { events: [{ a: 1 }, { a: 2 }], broken: [] }],
  'trailing comma of an array.json': [
    '[{"a":1},{"a":2},]',
    { events: [{ a: 1 }, { a: 2 }], broken: [] },
  ],
  'no commas between elements.json': [
    '[{"a":1}\n{"a":2}]',
    { events: [{ a: 1 }, { a: 2 }], broken: [] },
  ],
  'Latin-1.txt': [
    bytes('one\ncaf', [0xe9], '\ntwo\n'),
    {
      events: [{ message: 'one' }, { message: 'two' }],
      broken: ['2: It has bytes that are not text. Save the file as UTF-8.'],
    },
  ],
  'not UTF-8.ndjson': [
    bytes('{"a":1}\n{"a":"', [0xff, 0xfe], '"}\n{"a":3}\n'),
    {
      events: [{ a: 1 }, { a: 3 }],
      broken: ['2: It has bytes that are not text. Save the file as UTF-8.'],
    },
  ],
  'not UTF-8.csv': [
    bytes('a,b\n1,', [0xe9], '\n2,x\n'),
    {
      events: [{ a: 2, b: 'x' }],
      broken: ['2: It has bytes that are not text. Save the file as UTF-8.'],
    },
  ],
  'not UTF-8.json': [
    bytes('[{"a":"', [0xc3, 0x28], '"},\n{"a":2}]'),
    { events: [{ a: 2 }], broken: ['1: It has bytes that are not text. Save the file as UTF-8.'] },
  ],
  'a zero byte.ndjson': [
    bytes('{"a":1}\n{"a":"x', [0], 'y"}\n{"a":3}\n{"message":"a longer line"}\n'),
    {
      events: [{ a: 1 }, { a: 3 }, { message: 'a longer line' }],
      broken: ['2: It has bytes that are not text. Save the file as UTF-8.'],
    },
  ],
  'a zero byte.csv': [
    bytes('a,b\n1,x\n2,', [0], '\n3,a longer value\n'),
    {
      events: [
        { a: 1, b: 'x' },
        { a: 3, b: 'a longer value' },
      ],
      broken: ['3: It has bytes that are not text. Save the file as UTF-8.'],
    },
  ],
  'UTF-8 with a mark.csv': [
    bytes([0xef, 0xbb, 0xbf], 'a,b\n1,é\n'),
    { events: [{ a: 1, b: 'é' }] },
  ],
  'UTF-16 with a mark.csv': [
    bytes([0xff, 0xfe], [...utf16('a,b\n1,é😀\n')]),
    { events: [{ a: 1, b: 'é😀' }] },
  ],
  'UTF-16 of the other order.ndjson': [
    bytes([0xfe, 0xff], [...utf16be('{"a":"é"}\n{"a":2}')]),
    { events: [{ a: 'é' }, { a: 2 }] },
  ],
  'UTF-16 without a mark.ndjson': [
    utf16('{"a":1}\n{"a":2}\n'),
    { events: [{ a: 1 }, { a: 2 }], broken: [] },
  ],
  'half a pair in UTF-16.ndjson': [
    bytes([0xff, 0xfe], [...utf16('{"a":1}\n{"a":"\ud800x"}\n{"a":2}\n')], [0x41]),
    {
      events: [{ a: 1 }, { a: 2 }],
      broken: [
        '2: It has bytes that are not text. Save the file as UTF-8.',
        '4: It has bytes that are not text. Save the file as UTF-8.',
      ],
    },
  ],
  'numbers beyond 64 bits.ndjson': [
    '{"n":123456789012345678901,"m":9223372036854775807}\n{"n":0.12345678901234567890}\n',
    { broken: [], notices: ['precision'] },
  ],
  'an array that is not closed.json': [
    '[{"a":1},\n{"a":2}',
    {
      events: [{ a: 1 }, { a: 2 }],
      broken: ['2: The file ends before the array is closed. It may be incomplete.'],
    },
  ],
  'an array cut inside an element.json': [
    '[{"a":1},\n{"a":2},\n{"a":"b',
    {
      events: [{ a: 1 }, { a: 2 }],
      broken: ['3: The file ends inside this event. It may be incomplete.'],
    },
  ],
  'a line that is cut.ndjson': [
    '{"a":1}\n{"a":2',
    { events: [{ a: 1 }], broken: ['2: The line ends inside its JSON object.'] },
  ],
  'a line break in a string.json': [
    '[\n  {"a":"x\n y"},\n  {"a":2},\n  {"a":3}\n]',
    { events: [{ a: 2 }, { a: 3 }], broken: ['2: A string is not closed on its line.'] },
  ],
  'brackets that do not match.json': [
    '[\n {"a":[1,2},\n {"a":2},\n {"a":{"b":1},\n {"a":3}\n]',
    {
      events: [{ a: 2 }, { a: 3 }],
      broken: ['2: Its brackets do not match.', '4: A closing bracket is missing.'],
    },
  ],
  'elements that are not objects.json': [
    '[1,\n"x",\n[{"a":0}],\n{"a":1},\nnull]',
    {
      events: [{ a: 1 }],
      broken: ['1', '2', '3', '5'].map((line) => `${line}: It is not a JSON object.`),
    },
  ],
  'lines that are not objects.ndjson': [
    '{"a":1}\nnot json\n[1,2]\n"x"\n{"b":2}\n',
    {
      events: [{ a: 1 }, { b: 2 }],
      broken: ['2', '3', '4'].map((line) => `${line}: The line does not start with a JSON object.`),
    },
  ],
  'only text.json': ['hello world', { format: 'lines', events: [{ message: 'hello world' }] }],
  'objects after one another.json': [
    '{"a":1}{"a":2} {"a":\n3}',
    { format: 'json', events: [{ a: 1 }, { a: 2 }, { a: 3 }] },
  ],
  'empty.json': ['', 'empty.json is empty.'],
  'only a mark.csv': [bytes([0xef, 0xbb, 0xbf]), 'only a mark.csv is empty.'],
  'only spaces.txt': ['  \n\n\t ', 'only spaces.txt is empty.'],
  'an image.csv': [
    readFileSync('node_modules/vega-datasets/data/7zip.png'),
    'an image.csv is not text: it contains zero bytes. Choose a text file, or one compressed with gzip or zstd.',
  ],
  'several members.gz': [
    Buffer.concat([gzipSync('{"a":1}\n{"a"'), gzipSync(':2}\n')]),
    { events: [{ a: 1 }, { a: 2 }] },
  ],
  'several frames.zst': [
    Buffer.concat([zstdCompressSync('{"a":1}\n{"a"'), zstdCompressSync(':2}\n')]),
    { events: [{ a: 1 }, { a: 2 }] },
  ],
  'compressed twice.gz': [
    gzipSync(gzipSync(lines(100))),
    'compressed twice.gz is not text: it contains zero bytes. Choose a text file, or one compressed with gzip or zstd.',
  ],
  'cut in its header.gz': [
    gzipSync('{"a":1}\n').subarray(0, 6),
    'The compressed data ends early: the file is incomplete. Copy or compress it again.',
  ],
  'text after the data.gz': [
    Buffer.concat([gzipSync('{"a":1}\n'), Buffer.from('more')]),
    'The compressed data is damaged. Copy or compress the file again.',
  ],
};

describe('a broken file', () => {
  for (const [name, [content, expected]] of Object.entries(contents)) {
    it(name, async () => {
      const path = join(folder, name);
      writeFileSync(path, content);
      const found = await read(path);
      if (typeof expected === 'string' || typeof found === 'string')
        assert.deepEqual(found, expected);
      else assert.deepEqual({ ...found, ...expected }, found);
    });
  }

  for (const [ending, compress] of [
    ['gz', gzipSync],
    ['zst', zstdCompressSync],
  ] as const) {
    it(`truncated.${ending} is read up to the truncation`, async () => {
      const whole = compress(lines(200_000));
      const path = join(folder, `cut.${ending}`);
      writeFileSync(path, whole.subarray(0, whole.length / 2));
      const found = (await read(path)) as Read;
      assert.ok(
        found.events.length > 50_000 && found.events.length < 150_000,
        String(found.events.length),
      );
      const line = found.events.length + 1;
      assert.equal(
        found.problem,
        `${line}: The compressed data ends early: the file is incomplete. Copy or compress it again.`,
      );
      assert.deepEqual(found.broken, []);
    });
  }

  for (const [ending, compress] of [
    ['gz', gzipSync],
    ['zst', zstdCompressSync],
  ] as const)
    it(`truncated at any length.${ending} is reported as incomplete`, async () => {
      const whole = compress(lines(5_000));
      const path = join(folder, `cut-anywhere.${ending}`);
      for (let at = 1; at < 200; at++) {
        writeFileSync(path, whole.subarray(0, Math.ceil((at * whole.length) / 200)));
        const found = await read(path);
        const problem = typeof found === 'string' ? found : found.problem;
        assert.match(problem ?? '', /The compressed data ends early/, `${at} of 200`);
      }
    });

  it('damaged.zst is reported as damaged', async () => {
    const whole = Buffer.from(zstdCompressSync(lines(200_000)));
    whole.fill(0xff, whole.length / 2, whole.length / 2 + 8);
    const path = join(folder, 'damaged.zst');
    writeFileSync(path, whole);
    const found = (await read(path)) as Read;
    assert.match(
      found.problem ?? '',
      /^\d+: The compressed data is damaged\. Copy or compress the file again\.$/,
    );
  });

  it('stops the read at its first broken line with broken: stop, after the preceding events', async () => {
    const path = join(folder, 'stop.ndjson');
    writeFileSync(path, '{"a":1}\n{"a":2}\noops\n{"a":3}\n');
    const found = (await read(path, { broken: 'stop' })) as Read;
    assert.deepEqual(found.events, [{ a: 1 }, { a: 2 }]);
    assert.equal(
      found.problem,
      '3: Line 3 cannot be read as an event. The line does not start with a JSON object.',
    );
  });

  it('with NaN and Infinity is read, and a rebuilt batch contains null instead', async () => {
    const path = join(folder, 'nan.ndjson');
    writeFileSync(path, '{"a":NaN,"b":-Infinity,"c":"NaN"}\n{"a":Infinity}\n');
    const source = await diskSource(path);
    const reader = batchReader(source, settingsOf('ndjson'));
    for await (const batch of reader.batches()) {
      assert.equal(batch.events, 2);
      assert.deepEqual((await reader.events(batch.start, batch.end)).broken, []);
      const strict = await reader.batchWithout(batch.start, batch.end, new Set());
      assert.deepEqual(eventsOf([strict]), [{ a: null, b: null, c: 'NaN' }, { a: null }]);
    }
  });

  it('with an invalid or out-of-range time reports these lines', async () => {
    const path = join(folder, 'times.csv');
    writeFileSync(path, 'day,n\n2020-02-29,1\n2021-02-29,2\n1500-01-01,3\n,4\n');
    const time = {
      field: 'day',
      zone: 'UTC',
      format: { kind: 'layout', layout: '2006-01-02' },
    } as const;
    const found = (await read(path, { time })) as Read;
    assert.deepEqual(found.events, [
      { day: '2020-02-29', n: 1, _time: '2020-02-29T00:00:00.000000000Z' },
      { day: '', n: 4 },
    ]);
    assert.deepEqual(found.broken, [
      '3: The time in day, "2021-02-29", is not in the chosen format.',
      '4: The time in day, "1500-01-01", is not between 1677-09-21 and 2262-04-11, which is what can be stored.',
    ]);
  });

  it('nested 101 or a million levels deep is read with a notice', async () => {
    for (const depth of [101, 1_000_000]) {
      const path = join(folder, `deep ${depth}.json`);
      writeFileSync(path, `[{"a":${'['.repeat(depth)}1${']'.repeat(depth)}},{"b":1}]`);
      const source = await diskSource(path);
      const preview = await previewFile(source, {}, undefined, signal);
      assert.deepEqual(
        preview.notices.map(({ code }) => code),
        ['no-time', 'deep'],
      );
      assert.equal((await checkFile(source, preview.settings, signal)).events, 2);
    }
  });

  it('with a quoted value of 15 MB is read', async () => {
    const long = `${'x'.repeat(15_000_000)}\\n`;
    const logfmt = join(folder, 'long.logfmt');
    writeFileSync(logfmt, `a=1 text="${long}"\nb=2 c=3\n`);
    const found = eventsOf(await batchesOf(await diskSource(logfmt), settingsOf('logfmt')));
    assert.deepEqual(
      found.map((event) => Object.keys(event as object)),
      [
        ['a', 'text'],
        ['b', 'c'],
      ],
    );
    const nan = join(folder, 'long.ndjson');
    writeFileSync(nan, `{"a":NaN,"text":"${long}"}\n`);
    const check = await checkFile(await diskSource(nan), settingsOf('ndjson'), signal);
    assert.deepEqual([check.events, check.brokenCount], [1, 0]);
  });

  it('with a line of 200 MB is read in bounded memory, without that line', async () => {
    const path = join(folder, 'long.ndjson');
    const file = openSync(path, 'w');
    writeSync(file, '{"a":1}\n{"a":"');
    const filler = Buffer.alloc(1024 * 1024, 'x');
    for (let count = 0; count < 200; count += 1) writeSync(file, filler);
    writeSync(file, '"}\n{"a":3}\n');
    closeSync(file);
    for (const format of ['ndjson', 'json', 'lines', 'csv'] as const) {
      const script = `
        import { batchReader } from ${JSON.stringify(join(process.cwd(), 'ingest/src/read/reader.ts'))};
        import { diskSource } from ${JSON.stringify(join(process.cwd(), 'ingest/src/read/sources.ts'))};
        const csv = { delimiter: ',', header: false, names: ['a'], types: {} };
        const settings = { format: ${JSON.stringify(format)}, csv, compression: 'none', encoding: 'utf-8', labels: {}, broken: 'skip' };
        let events = 0;
        const broken = [];
        for await (const batch of batchReader(await diskSource(${JSON.stringify(path)}), settings).batches()) {
          events += batch.events;
          broken.push(...batch.broken);
        }
        console.log(JSON.stringify({
          events,
          broken: broken.map(({ line, reason, text }) => [line, reason, text.length]),
          memory: process.resourceUsage().maxRSS / 1024,
        }));`;
      const run = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
        encoding: 'utf8',
      });
      assert.equal(run.stderr, '');
      const found = JSON.parse(run.stdout) as { events: number; broken: unknown; memory: number };
      assert.deepEqual(
        [found.events, found.broken],
        [2, [[2, 'It exceeds the limit of 16 MB for an event.', 64 * 1024]]],
        format,
      );
      assert.ok(found.memory < 300, `${format}: ${found.memory} MB`);
    }
  });
});

describe("a path that can't be read", () => {
  it('is reported as a folder', async () => {
    mkdirSync(join(folder, 'folder.json'));
    assert.equal(
      await read(join(folder, 'folder.json')),
      'folder.json is a folder. Choose the files in it.',
    );
  });

  it('is reported as missing', async () => {
    assert.equal(
      await read(join(folder, 'none.json')),
      'none.json does not exist. It may have been moved or deleted.',
    );
  });

  it('is reported as a circular symbolic link', { skip: needs.links }, async () => {
    symlinkSync(join(folder, 'circle 2'), join(folder, 'circle 1'));
    symlinkSync(join(folder, 'circle 1'), join(folder, 'circle 2'));
    assert.equal(
      await read(join(folder, 'circle 1')),
      'circle 1 is a symbolic link that leads back to itself. Choose the file it should lead to.',
    );
  });

  it('is reported as a device', { skip: needs.devices }, async () => {
    assert.equal(
      await read('/dev/zero'),
      'zero is a device. Save what it provides to a file and ingest that.',
    );
  });

  it('is reported as a pipe', { skip: needs.pipes }, async () => {
    assert.equal(spawnSync('mkfifo', [join(folder, 'pipe')]).status, 0);
    assert.equal(
      await read(join(folder, 'pipe')),
      'pipe is a pipe. Save what it provides to a file and ingest that.',
    );
  });

  it('is reported as a socket', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(folder, 'socket'), resolve));
    try {
      assert.equal(
        await read(join(folder, 'socket')),
        'socket is a socket. Save what it provides to a file and ingest that.',
      );
    } finally {
      server.close();
    }
  });

  it('is reported as lacking permission', { skip: needs.modes }, async () => {
    const path = join(folder, 'secret.json');
    writeFileSync(path, '{"a":1}');
    chmodSync(path, 0o000);
    // Root may read every file, so the test switches to another user.
    const root = process.getuid?.() === 0;
    chmodSync(folder, 0o755);
    if (root) process.seteuid?.(65_534);
    try {
      assert.equal(
        await read(path),
        'secret.json cannot be read: permission denied. Change its permissions, or copy it.',
      );
    } finally {
      if (root) process.seteuid?.(0);
    }
  });
});

describe('a file that changes during a read', () => {
  const content = lines(200_000);

  /** Reads a file that is changed after its first batch. Returns the events and the problem. */
  async function readWhile(
    name: string,
    change: (path: string) => void,
  ): Promise<{ events: number; problem?: string }> {
    const path = join(folder, name);
    writeFileSync(path, content);
    const source = await diskSource(path);
    let events = 0;
    try {
      for await (const batch of batchReader(source, settingsOf('ndjson')).batches()) {
        if (events === 0) change(path);
        events += batch.events;
      }
      return { events };
    } catch (error) {
      return { events, problem: messageOf(error) };
    }
  }

  it('is read up to its initial end if it grows', async () => {
    assert.deepEqual(await readWhile('grows', (path) => appendFileSync(path, '{"late":true}\n')), {
      events: 200_000,
    });
  });

  it('is read up to the end of a last line that was incomplete', async () => {
    const path = join(folder, 'half.csv');
    writeFileSync(path, 'a,b\n1,2\n3,45');
    const source = await diskSource(path);
    appendFileSync(path, '6789\n10,11\n');
    const events = eventsOf(await batchesOf(source, settingsOf('csv')));
    assert.deepEqual(events, [
      { a: '1', b: '2' },
      { a: '3', b: '456789' },
    ]);
  });

  for (const [name, settings, encode] of [
    ['UTF-16', { encoding: 'utf-16le' }, (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['gzip', { compression: 'gzip' }, (text: string) => gzipSync(text)],
  ] as const) {
    it(`is reported if it was replaced by a shorter or a different file, in ${name}`, async () => {
      for (const [after, reason] of [
        ['{"a":1}\n', /became shorter while it was read/],
        [undefined, /was changed while it was read/],
      ] as const) {
        const path = join(folder, `replaced.${name}`);
        const before = encode('{"a":1}\n{"b":2}\n');
        writeFileSync(path, before);
        const source = await diskSource(path);
        writeFileSync(path, after === undefined ? before : encode(after));
        utimesSync(path, new Date(), new Date(Date.now() + 5_000));
        await assert.rejects(batchesOf(source, settingsOf('ndjson', settings)), reason);
      }
    });
  }

  it('is reported if it shrinks while it is decoded from UTF-16', async () => {
    const path = join(folder, 'shrinks.utf16');
    writeFileSync(path, Buffer.from(`\ufeff${content}`, 'utf16le'));
    const source = await diskSource(path);
    let events = 0;
    await assert.rejects(async () => {
      const reader = batchReader(source, settingsOf('ndjson', { encoding: 'utf-16le' }));
      for await (const batch of reader.batches()) {
        if (events === 0) truncateSync(path, 3_000_000);
        events += batch.events;
      }
    }, /became shorter while it was read/);
    assert.ok(events > 0);
  });

  it('is reported with the line if it shrinks', async () => {
    const { events, problem } = await readWhile('shrinks', (path) =>
      truncateSync(path, Math.floor(content.length / 2)),
    );
    assert.ok(events > 50_000 && events < 150_000, String(events));
    // The last remaining line is truncated.
    assert.match(
      problem ?? '',
      /^\d+: shrinks became shorter while it was read\. Ingest it again when nothing writes to it\.$/,
    );
    assert.equal(Number(problem?.split(':')[0]), events + 1);
  });

  it("is read completely if it is deleted meanwhile, but can't be opened afterwards", async () => {
    assert.deepEqual(await readWhile('vanishes', (path) => rmSync(path)), { events: 200_000 });
    const path = join(folder, 'vanished');
    writeFileSync(path, '{"a":1}\n');
    const reader = batchReader(await diskSource(path), settingsOf('ndjson'));
    rmSync(path);
    await assert.rejects(async () => {
      for await (const _ of reader.batches());
    }, /^FileProblem|vanished does not exist\. It may have been moved or deleted\.$/);
  });

  it('is reported if it is rewritten', async () => {
    const { problem } = await readWhile('rewritten', (path) => {
      writeFileSync(path, content.toUpperCase());
      utimesSync(path, new Date(), new Date(Date.now() + 5_000));
    });
    assert.match(
      problem ?? '',
      /^\d+: rewritten was changed while it was read\. Ingest it again when nothing writes to it\.$/,
    );
  });

  it("can't provide a batch's events again after it was truncated", async () => {
    const path = join(folder, 'later');
    writeFileSync(path, content);
    const reader = batchReader(await diskSource(path), settingsOf('ndjson'));
    const batches = [];
    for await (const batch of reader.batches()) batches.push(batch);
    truncateSync(path, 10);
    const last = batches.at(-1);
    assert.ok(last !== undefined);
    await assert.rejects(reader.events(last.start, last.end), /later became shorter/);
  });
});
