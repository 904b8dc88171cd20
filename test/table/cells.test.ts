/** Values as text, in their order, and as documents. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cellDocument } from '../../client/src/results/cellDocument.ts';
import { duration } from '../../client/src/results/screen.ts';
import { cellText, compareCells, jsonText, shownText } from '../../table/src/cells.ts';
import type { Cell } from '../../table/src/result.ts';
import { visibleLines, visibleText } from '../../table/src/visibleText.ts';
import { seeded } from '../language/random.ts';

describe('a value as text', () => {
  it('keeps every digit and distinguishes null from empty strings', () => {
    assert.equal(shownText(9_223_372_036_854_775_807n, 'integer'), '9223372036854775807');
    assert.equal(
      shownText('2026-11-21T09:14:02.118394221Z', 'datetime'),
      '2026-11-21 09:14:02.118394221',
    );
    assert.equal(shownText(null, 'string'), null);
    assert.equal(shownText('', 'string'), '');
    assert.equal(shownText(false, 'boolean'), 'false');
  });

  it('is one line of limited length on the screen, and complete on the clipboard', () => {
    const long = `first\nsecond\t${'x'.repeat(10_000)}\u0007`;
    const shown = shownText(long, 'string') ?? '';
    assert.match(shown, /^first⏎second⇥x+…$/);
    assert.ok(shown.length < 2_100);
    assert.equal(cellText(long), long);
  });

  it('shows invisible characters, except in emoji and joined scripts', () => {
    const shown = (text: string) => shownText(text, 'string');
    assert.equal(shown('abc\u202Egnp.exe\u202C'), 'abc[U+202E]gnp.exe[U+202C]');
    assert.equal(shown('\u2066x\u2069\u200F\u061C'), '[U+2066]x[U+2069][U+200F][U+061C]');
    assert.equal(
      shown('pay\u200Bpal \uFEFF\u00AD\u200D'),
      'pay[U+200B]pal [U+FEFF][U+00AD][U+200D]',
    );
    assert.equal(shown('\u0000\u0007\u001B[31m\u007F\u0085'), '␀␇␛[31m␡[U+0085]');
    assert.equal(shown('\uD800 \u2028 \u{E0041}'), '[U+D800] [U+2028] [U+E0041]');
    for (const text of ['👩‍🚀 ❤️ 👍🏽', 'می‌خواهم', 'ਪੰਜਾਬੀ क्‍ष', 'שלום', 'naïve café', 'Ωmega'])
      assert.equal(shown(text), text);
    assert.equal(cellText('abc\u202E'), 'abc\u202E');
  });

  it('is unchanged when its invisible characters are made visible a second time', () => {
    const parts = [
      ...'aक\u0627[\n\t\u0007\u200C\u200D\u202E\u3164\u115F\u034F\u180B\uFE0F😀👩🏽\u{E0100}\u{E0041}',
    ];
    const { below } = seeded(31);
    for (let round = 0; round < 20_000; round++) {
      const text = Array.from({ length: 6 }, () => parts[below(parts.length)]).join('');
      for (const visible of [visibleText, visibleLines]) {
        const shown = visible(text);
        assert.equal(visible(shown), shown, JSON.stringify(text));
      }
    }
  });

  it('is not truncated in the middle of a surrogate pair', () => {
    assert.equal(shownText(`${'x'.repeat(1_999)}😀`, 'string'), `${'x'.repeat(1_999)}…`);
  });

  it('is JSON with exact integers for a dynamic value', () => {
    assert.equal(jsonText({ a: [1n, null, 'x"y'], b: 2.5 }), '{"a":[1,null,"x\\"y"],"b":2.5}');
  });
});

describe('the order of values', () => {
  it('is reversed if two values are swapped', () => {
    const values: Cell[] = [null, 1, 2n, 'a', '', true, false, [1], { a: 1 }, -0.5, 'B'];
    for (const a of values)
      for (const b of values)
        assert.equal(Math.sign(compareCells(a, b)), -Math.sign(compareCells(b, a)) + 0);
  });
});

describe('a value as a document', () => {
  it('is indented JSON with all digits for a dynamic value', () => {
    const document = cellDocument('tags', 2, {
      a: [1n, 9_007_199_254_740_993n],
      b: {},
      c: [],
      d: 'x{"',
    });
    assert.deepEqual(document, {
      name: 'tags, row 3.json',
      language: 'json',
      text: '{\n  "a": [\n    1,\n    9007199254740993\n  ],\n  "b": {},\n  "c": [],\n  "d": "x{\\""\n}',
    });
  });

  it('is indented JSON with unchanged literals for a string that contains JSON', () => {
    const { language, text } = cellDocument('body', 0, ' {"n":1.0, "n":1e400,"s":"a\\"b:,"} ');
    assert.equal(language, 'json');
    assert.equal(text, '{\n  "n": 1.0,\n  "n": 1e400,\n  "s": "a\\"b:,"\n}');
  });

  it('is the unchanged text for any other string', () => {
    for (const text of ['line one\nline two', '{not json}', '42', '"quoted"', '', 'a\u202Eb']) {
      const document = cellDocument('message', 11, text);
      assert.deepEqual(document, { name: 'message, row 12.txt', language: 'plaintext', text });
    }
  });

  it('has a readable name, whatever the name of the column', () => {
    assert.equal(cellDocument('a/b\u202E?', 0, 'x').name, 'a∕b[U+202E]?, row 1.txt');
    assert.equal(cellDocument('', 0, 'x').name, 'value, row 1.txt');
  });
});

describe('a duration', () => {
  it('is shown in milliseconds or seconds', () => {
    assert.deepEqual([0.42, 12.3, 3_210].map(duration), ['0.4 ms', '12 ms', '3.2 s']);
  });
});
