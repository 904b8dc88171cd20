// The finder of errors in JSON against JSON.parse, which knows only whether there is one.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findJsonError } from '../../local/src/store/ingest/jsonErrors.ts';
import { random } from './random.ts';

describe('where JSON is broken', () => {
  const cases: readonly (readonly [text: string, offset: number, problem: RegExp])[] = [
    ['', 0, /unexpected end of JSON/],
    ['{"a":1', 6, /unexpected end of JSON/],
    ['{"a":}', 5, /"}" is unexpected/],
    ['{"a" 1}', 5, /"1" is unexpected/],
    ['{a:1}', 1, /"a" is unexpected/],
    ['[1,]', 3, /"]" is unexpected/],
    ['{"a":1,}', 7, /"}" is unexpected/],
    ['[1 2]', 3, /"2" is unexpected/],
    ['{"a":1} {', 8, /"{" is unexpected/],
    ['["\\x"]', 2, /not a valid escape sequence/],
    ['["a\nb"]', 3, /control character/],
    ['["a', 3, /unexpected end of JSON/],
    ['[01]', 2, /"1" is unexpected/],
    ['[1}', 2, /"}" is unexpected/],
    ['[😀]', 1, /"😀" is unexpected/],
  ];
  for (const [text, offset, problem] of cases) {
    it(`${JSON.stringify(text)} at ${offset}`, () => {
      const error = findJsonError(text);
      assert.equal(error?.offset, offset);
      assert.match(error?.problem ?? '', problem);
    });
  }

  it('agrees with JSON.parse on 20,000 mutated texts', () => {
    const next = random(7);
    const seed = '{"a":[1,-2.5e3,"x\\n\\u00e9",{"b":null,"c":[]}],"d":true,"e":{},"f":"😀"}';
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '1',
      '-',
      '.',
      'e',
      't',
      ' ',
      '\n',
      'null',
    ];
    for (let i = 0; i < 20_000; i += 1) {
      let text = seed;
      for (let edits = next(3) + 1; edits > 0; edits -= 1) {
        const at = next(text.length + 1);
        text =
          text.slice(0, at) +
          (next(2) ? pieces[next(pieces.length)] : '') +
          text.slice(at + next(2));
      }
      let valid = true;
      try {
        JSON.parse(text);
      } catch {
        valid = false;
      }
      assert.equal(findJsonError(text) === undefined, valid, text);
    }
  });

  it('takes a million brackets and a text of 60 MB', () => {
    assert.equal(findJsonError('['.repeat(1_000_000))?.offset, 1_000_000);
    assert.equal(findJsonError(`["${'x'.repeat(60_000_000)}"]`), undefined);
  });
});
