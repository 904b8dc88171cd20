// Errors in JSON, compared with JSON.parse, which rejects the same strings.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonError } from '../../formats/src/jsonError.ts';
import { random } from '../local/random.ts';

describe('the first error in JSON', () => {
  const cases: readonly (readonly [text: string, error: object | undefined])[] = [
    ['', { kind: 'unexpected', offset: 0, expected: 'value' }],
    ['{"a":1', { kind: 'unexpected', offset: 6, expected: 'comma or }' }],
    ['{"a":}', { kind: 'unexpected', offset: 5, expected: 'value' }],
    ['{"a" 1}', { kind: 'unexpected', offset: 5, expected: 'colon' }],
    ['{a:1}', { kind: 'unexpected', offset: 1, expected: 'name or }' }],
    ['[1,]', { kind: 'unexpected', offset: 3, expected: 'value' }],
    ['{"a":1,}', { kind: 'unexpected', offset: 7, expected: 'name' }],
    ['[1 2]', { kind: 'unexpected', offset: 3, expected: 'comma or ]' }],
    ['{"a":1} {', { kind: 'unexpected', offset: 8, expected: 'end' }],
    ['["\\x"]', { kind: 'escape', offset: 2, string: 1 }],
    ['["a\nb"]', { kind: 'control character', offset: 3, string: 1 }],
    ['["a', { kind: 'open string', offset: 1 }],
    ['[01]', { kind: 'unexpected', offset: 2, expected: 'comma or ]' }],
    ['[1}', { kind: 'unexpected', offset: 2, expected: 'comma or ]' }],
    ['[', { kind: 'unexpected', offset: 1, expected: 'value or ]' }],
    ['[😀]', { kind: 'unexpected', offset: 1, expected: 'value or ]' }],
    ['NaN', { kind: 'unexpected', offset: 0, expected: 'value' }],
    ['{"a":1,"\\u0061":2}', undefined],
    ['[1e999]', undefined],
  ];
  for (const [text, error] of cases) {
    it(`of ${JSON.stringify(text)} is ${JSON.stringify(error) ?? 'none'}`, () => {
      assert.deepEqual(jsonError(text), error);
    });
  }

  it('depends on the options for repeated names, numbers and depth', () => {
    assert.equal(jsonError('{"a":NaN} [-Infinity]', { many: true, notNumbers: true }), undefined);
    assert.deepEqual(jsonError('{"a":{"b":1},"\\u0061":2}', { uniqueNames: true }), {
      kind: 'repeated name',
      offset: 13,
      name: 'a',
    });
    assert.equal(jsonError('[{"a":1},{"a":2}]', { uniqueNames: true }), undefined);
    assert.deepEqual(jsonError(`[${'9'.repeat(400)},1e999]`, { finite: true }), {
      kind: 'huge number',
      offset: 402,
      number: '1e999',
    });
    assert.equal(jsonError('[[[]]]', { maxDepth: 2 }), undefined);
    assert.deepEqual(jsonError('[[[1]]]', { maxDepth: 2 }), { kind: 'too deep', offset: 3 });
  });

  it('agrees with JSON.parse on 20,000 mutated strings', () => {
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
      assert.equal(jsonError(text) === undefined, valid, text);
    }
  });

  it('is found after a million brackets, and is undefined for a valid 60 MB string', () => {
    assert.equal(jsonError('['.repeat(1_000_000))?.offset, 1_000_000);
    assert.equal(jsonError(`["${'x'.repeat(60_000_000)}"]`), undefined);
  });
});
