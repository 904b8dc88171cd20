/** Text stored by lines: after any edits, it behaves like one string. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LineTable, SourceText } from '../../language/src/index.ts';
import { type Random, seeded } from './random.ts';

const long = process.env.APLOMB_LONG === '1';

/** Returns up to `most` short fragments, mostly line endings. */
function some(random: Random, most: number): string {
  const things = ['\r', '\n', '\r\n', 'a', 'bc', '💥', ''];
  return Array.from({ length: random.below(most + 1) }, () => random.pick(things)).join('');
}

/** Asserts that a SourceText and a string agree on `looks` random offsets and lines. */
function assertSame(source: SourceText, text: string, random: Random, looks: number): void {
  assert.equal(source.toString(), text);
  assert.equal(source.length, text.length);
  const lines = new LineTable(text);
  assert.equal(source.lineCount, lines.positionAt(text.length).line + 1);
  for (let i = 0; i < looks; i++) {
    const at = random.below(text.length + 3) - 1;
    const position = lines.positionAt(at);
    assert.deepEqual(source.positionAt(at), position);
    const near = { line: position.line - 1 + random.below(3), character: random.below(6) - 1 };
    assert.equal(source.offsetAt(near), lines.offsetAt(near), JSON.stringify(near));
    assert.deepEqual(source.charCodeAt(at), text.charCodeAt(at));
    const start = Math.max(0, at);
    assert.equal(source.slice(start, at + 9), text.slice(start, at + 9));
  }
}

describe('a SourceText', () => {
  it('equals a plain string after each of many random edits', () => {
    const random = seeded(41);
    for (let round = 0; round < (long ? 2_000 : 100); round++) {
      let text = some(random, 20).repeat(random.pick([1, 1, 300, 3_000]));
      let source = new SourceText(text);
      for (let edit = 0; edit < 30; edit++) {
        const start = random.below(text.length + 1);
        const end = Math.min(text.length, start + random.below(random.pick([1, 4, 4, 5_000])));
        const by = some(random, 5).repeat(random.pick([1, 1, 1, 2_000]));
        source = source.replaced(start, end, by);
        text = text.slice(0, start) + by + text.slice(end);
        assertSame(source, text, random, 20);
      }
    }
  });

  it('reports the exact span changed since the previous version', () => {
    const random = seeded(42);
    for (let round = 0; round < (long ? 20_000 : 1_000); round++) {
      const text = some(random, 12).repeat(random.pick([1, 1, 400]));
      const start = random.below(text.length + 1);
      const end = Math.min(text.length, start + random.below(4));
      const before = new SourceText(text);
      const after = before.replaced(start, end, some(random, 3));
      const change = after.changeSince(before) ?? { start: 0, end: 0, length: 0 };
      const now = after.toString();
      const by = now.slice(change.start, change.start + change.length);
      assert.equal(text.slice(0, change.start) + by + text.slice(change.end), now);
      assert.ok(change.start >= 0 && change.end - change.start <= end - start + 12);
      assert.deepEqual(new SourceText(now).changeSince(before), after.changeSince(before));
    }
  });

  it('reports no change if an edit leaves the text identical', () => {
    const text = 'one\ntwo\n'.repeat(2_000);
    const before = new SourceText(text);
    assert.equal(
      before.replaced(9_000, 9_008, text.slice(9_000, 9_008)).changeSince(before),
      undefined,
    );
    assert.equal(before.changeSince(before), undefined);
  });

  it('is immutable', () => {
    const before = new SourceText('a\nb');
    const after = before.replaced(1, 2, ' ');
    assert.deepEqual([before.toString(), after.toString()], ['a\nb', 'a b']);
  });
});

describe('a position beyond the end of a line', () => {
  it('is clamped to the end of the line, for every line ending', () => {
    const text = 'ab\r\ncd\nef\rgh';
    for (const lines of [new LineTable(text), new SourceText(text)])
      assert.deepEqual(
        [0, 1, 2, 3, 4].map((line) => lines.offsetAt({ line, character: 99 })),
        [2, 6, 9, 12, 12],
      );
  });
});
