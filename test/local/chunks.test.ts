// Bodies in the pieces in which they came are read, and written to files, as if they were whole.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Chunks } from '../../local/src/chunks.ts';
import { scanJson } from '../../local/src/store/ingest/scan.ts';
import { Spool } from '../../local/src/store/spool.ts';
import { type Random, random } from './random.ts';

/** The bytes cut at places of the generator's choice, empty pieces among them. */
function cut(bytes: Buffer, below: Random, longest: number): Chunks {
  const list: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = Math.min(bytes.length, start + below(longest + 1));
    list.push(bytes.subarray(start, end));
    start = end;
  }
  return new Chunks(list);
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

describe('pieces of a body', () => {
  it('are scanned like the whole, wherever the cuts are', () => {
    const below = random(7);
    for (const body of bodies) {
      const bytes = Buffer.from(body);
      for (const closely of [false, true]) {
        const whole = scanJson(new Chunks([bytes]), 'newline_delimited', closely);
        for (const longest of [1, 2, 7, 100, 1_500]) {
          const chunks = cut(bytes, below, longest);
          assert.deepEqual(scanJson(chunks, 'newline_delimited', closely), whole, body);
          assert.deepEqual(chunks.whole(), bytes);
        }
      }
    }
    assert.deepEqual(scanJson(new Chunks([Buffer.from(bodies[6]!)]), 'newline_delimited'), {
      events: 3,
      longest: deep(700).length,
      deep: true,
    });
  });

  it('come out of the spool as they went in, thousands of them too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'aplomb-spool-'));
    try {
      const spool = await Spool.open(folder);
      const bytes = Buffer.from(Array.from({ length: 20_000 }, (_, n) => `line ${n}`).join('\n'));
      const chunks = cut(bytes, random(8), 9);
      assert.ok(chunks.list.length > 4_096);
      await spool.lend([chunks, Buffer.from('other'), new Chunks([])], async (paths) => {
        const read = await Promise.all(paths.map((path) => readFile(path)));
        assert.deepEqual(read, [bytes, Buffer.from('other'), Buffer.alloc(0)]);
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
