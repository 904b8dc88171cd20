// A body may arrive in any pieces: it is scanned and written to spool files as if it were complete.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Pieces } from '../../local/src/body.ts';
import { EventBody } from '../../local/src/eventBody.ts';
import { LineScan, scanJson } from '../../local/src/store/ingest/scan.ts';
import { Spool } from '../../local/src/store/spool.ts';
import { type Random, random } from './random.ts';

/** Returns copies of the bytes in random pieces, some of them empty. */
function* cut(bytes: Buffer, below: Random, longest: number): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const end = Math.min(bytes.length, start + below(longest + 1));
    yield Buffer.from(bytes.subarray(start, end));
    start = end;
  }
}

async function* coming(pieces: Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield* pieces;
}

const deep = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
const bodies = [
  '',
  '\n',
  '{"a":1}',
  '{"a":1}\n{"a":2}\n',
  '\r\n{"a":1}\r\n\r\n  \n{"a":"\\n"}\r\n',
  `{"a":"${'x'.repeat(3_000)}"}\n{}\n${deep(40)}`,
  `{"a":1}\n${deep(700)}\n{"a":2}`,
  `${'[{'.repeat(90)}${' '.repeat(2_000)}\n{"text":"${'[{é'.repeat(600)}"}\n`,
];

describe('chunks of a body', () => {
  it('are scanned like the complete body, even if they split lines or tokens', () => {
    const below = random(7);
    for (const body of bodies) {
      const bytes = Buffer.from(body);
      for (const closely of [false, true]) {
        const whole = scanJson(bytes, 'newline_delimited', closely);
        for (const longest of [1, 2, 7, 100, 1_500]) {
          const lines = new LineScan(closely);
          for (const piece of cut(bytes, below, longest)) lines.add(piece);
          assert.deepEqual(lines.end(), whole, body);
        }
      }
    }
    assert.deepEqual(scanJson(Buffer.from(bodies[6]!), 'newline_delimited'), {
      events: 3,
      longestBytes: deep(700).length,
      isDeep: true,
    });
  });
});

describe('long lines', () => {
  it('are scanned like the complete body without being buffered', () => {
    const below = random(9);
    const list = (size: number) => `{"a":[${'{"b":"[\\\\\\"{"},'.repeat(size / 14)}1]}`;
    for (const body of [
      list(400_000),
      `{"a":1}\n${list(300_000)}\n${list(700_000)}\n\n{"a":2}`,
      `${list(300_000).replace('1]', `${'['.repeat(200)}1${']'.repeat(201)}`)}\n{}`,
      `${'['.repeat(300)}${' '.repeat(400_000)}\n{}`,
      `${' '.repeat(400_000)}\n{}\n${'\t'.repeat(300_000)}`,
      `${'\r\n'.repeat(200_000)}{}${'\n'.repeat(300_000)}`,
    ]) {
      const bytes = Buffer.from(body);
      const whole = scanJson(bytes, 'newline_delimited');
      for (const longest of [3_000, 65_536, 1_000_000]) {
        const lines = new LineScan();
        for (const piece of cut(bytes, below, longest)) lines.add(piece);
        assert.deepEqual(lines.end(), whole);
      }
    }
  });
});

describe('blank lines', () => {
  it('are scanned with a few searches, not one per line', (t) => {
    for (const blank of ['\n', '\r\n', ' \n']) {
      const piece = Buffer.from(`{"a":1}\n${blank.repeat(50_000)}{"a":2}\n`);
      const search = t.mock.method(Buffer.prototype, 'indexOf');
      const lines = new LineScan();
      lines.add(piece);
      assert.equal(lines.end().events, 2);
      assert.ok(search.mock.callCount() < 10, `${search.mock.callCount()} searches`);
      search.mock.restore();
    }
  });
});

describe('small chunks', () => {
  it('are joined in order, and large chunks are kept unchanged', () => {
    const below = random(10);
    for (const longest of [1, 10, 4_095, 4_096, 20_000, 100_000]) {
      const bytes = Buffer.alloc(300_000);
      for (let at = 0; at < bytes.length; at += 1) bytes[at] = below(256);
      const pieces = [...cut(bytes, below, longest)];
      const large = new Set(pieces.filter(({ length }) => length >= 4_096));
      const held = new Pieces();
      for (const piece of pieces) held.add(piece);
      assert.equal(held.bytes, bytes.length);
      const joined = held.take();
      assert.deepEqual([held.bytes, held.take()], [0, []]);
      assert.ok(Buffer.concat(joined).equals(bytes));
      assert.ok(joined.length <= 2 * large.size + 6, `${joined.length} of ${pieces.length}`);
      assert.ok([...large].every((piece) => joined.includes(piece)));
    }
  });
});

describe('a body of events', () => {
  let folder: string;
  let spool: Spool;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'aplomb-spool-'));
    spool = await Spool.open(join(folder, 'spool'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Returns `count` lines with numbers from 0, each the size of a small event. */
  const lines = (count: number, name: string) =>
    Buffer.from(
      Array.from({ length: count }, (_, n) => `{"${name}":${n},"s":"${'-'.repeat(200)}"}\n`).join(
        '',
      ),
    );

  it('is read back unchanged, with or without a line scan, even from thousands of chunks', async () => {
    const below = random(8);
    for (const [bytes, longest] of [
      [lines(1_000, 'few'), 9],
      [lines(10_000, 'many'), 65_536],
      [lines(10, 'little'), 1],
    ] as const) {
      for (const byLines of [true, false]) {
        const body = await EventBody.read(coming(cut(bytes, below, longest)), spool, byLines);
        assert.equal(body.length, bytes.length);
        assert.deepEqual(body.scan, byLines ? scanJson(bytes, 'newline_delimited') : undefined);
        const shown = await body.bytes();
        assert.ok(readFileSync(await body.path()).equals(bytes));
        assert.ok(shown.equals(bytes));
        assert.ok((await body.bytes()).equals(bytes));
        await body.release();
      }
    }
  });

  it('loses only its byte order mark, even if chunks split the mark', async () => {
    const mark = [0xef, 0xbb, 0xbf];
    for (const [given, left] of [
      [
        [...mark, 0x7b, 0x7d],
        [0x7b, 0x7d],
      ],
      [mark, []],
      [[...mark, ...mark], mark],
      [
        [0xef, 0xbb],
        [0xef, 0xbb],
      ],
      [
        [0xef, 0xbb, 0x7b],
        [0xef, 0xbb, 0x7b],
      ],
      [[], []],
    ] as const) {
      for (const longest of [1, 2, 3, 10]) {
        const pieces = cut(Buffer.from(given), random(longest), longest);
        const body = await EventBody.read(coming(pieces), spool, true);
        assert.equal(body.length, given.length);
        assert.deepEqual([...(await body.bytes())], [...left]);
        await body.release();
      }
    }
  });

  it('is rejected before the upload ends if it has too many lines', async () => {
    let sent = 0;
    async function* endless() {
      for (;;) {
        sent += 1;
        yield Buffer.from('{}\n'.repeat(1_000));
      }
    }
    await assert.rejects(EventBody.read(endless(), spool, true), /exceeds 10000 events/);
    assert.ok(sent < 50);
  });

  it('contains no data from an earlier use of its file', async () => {
    const before = await EventBody.read(coming([lines(10_000, 'before')]), spool, true);
    const path = await before.path();
    await before.release();
    const bytes = lines(3_000, 'after');
    const body = await EventBody.read(coming([Buffer.from(bytes)]), spool, true);
    assert.ok((await body.bytes()).equals(bytes));
    assert.equal(await body.path(), path);
    assert.ok(readFileSync(path).equals(bytes));
    await body.release();
  });

  it('can have its content replaced, with or without a line scan', async () => {
    for (const byLines of [true, false]) {
      const body = await EventBody.read(coming([lines(5_000, 'a')]), spool, byLines);
      const other = lines(3, 'mended');
      await body.replace(other);
      assert.ok((await body.bytes()).equals(other));
      assert.ok(readFileSync(await body.path()).equals(other));
      await body.release();
    }
  });

  it('releases its file if it is aborted', async () => {
    const files = readdirSync(spool.folder).length;
    async function* broken() {
      yield lines(5_000, 'broken');
      throw new Error('broken off');
    }
    for (let round = 0; round < files + 3; round += 1) {
      await assert.rejects(EventBody.read(broken(), spool, true), /broken off/);
    }
    assert.equal(readdirSync(spool.folder).length, files);
  });
});

describe('the spool', () => {
  it("uses a new file if an old file can't be overwritten, and deletes all files when cleared", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'aplomb-spool-'));
    try {
      const spool = await Spool.open(join(folder, 'spool'));
      const first = await spool.withFiles([Buffer.from('1')], async ([path]) => path!);
      await rm(first);
      const text = await spool.withFiles([Buffer.from('2')], async ([path]) =>
        readFileSync(path!, 'utf8'),
      );
      assert.equal(text, '2');
      assert.equal(readdirSync(spool.folder).length, 1);
      await spool.clear();
      assert.deepEqual(readdirSync(spool.folder), []);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('reuses only files that are not in use, and overwrites them completely', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'aplomb-spool-'));
    try {
      const spool = await Spool.open(join(folder, 'spool'));
      const long = Buffer.alloc(1_000_000, 'long');
      const first = await spool.withFiles([long, Buffer.from('other')], async (paths) => paths);
      await spool.withFiles([Buffer.from('short'), Buffer.alloc(0)], async (paths) => {
        assert.deepEqual(new Set(paths), new Set(first));
        const inner = await spool.withFiles([long], async ([path]) => path!);
        assert.ok(!paths.includes(inner));
        assert.deepEqual(
          paths.map((path) => readFileSync(path, 'utf8')),
          ['short', ''],
        );
      });
      const huge = await spool.withFiles([Buffer.alloc(17 * 1_048_576)], async ([path]) => path!);
      assert.equal(existsSync(huge), false);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('deletes its files after it has been idle for a while', async (test) => {
    const folder = await mkdtemp(join(tmpdir(), 'aplomb-spool-'));
    try {
      test.mock.timers.enable({ apis: ['setTimeout'] });
      const spool = await Spool.open(join(folder, 'spool'));
      await spool.withFiles([Buffer.from('1')], async () => {
        await spool.withFiles([Buffer.from('2')], async () => undefined);
        test.mock.timers.tick(60_000);
        assert.equal(readdirSync(spool.folder).length, 2);
      });
      test.mock.timers.tick(60_000);
      test.mock.timers.reset();
      while (readdirSync(spool.folder).length > 0)
        await new Promise((resolve) => setTimeout(resolve, 5));
      const again = await spool.withFiles([Buffer.from('3')], async ([path]) =>
        readFileSync(path!, 'utf8'),
      );
      assert.equal(again, '3');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
