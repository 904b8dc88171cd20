// JSON without lost digits: integers of any size survive a round trip, and nothing else changes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseJson, stringifyJson } from '../../api/src/lossless.ts';

/** Returns a seeded generator of numbers from 0 to 1, so that failures can be reproduced. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

describe('parseJson', () => {
  const kept: readonly (readonly [string, unknown])[] = [
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
    ['18446744073709551615', 18446744073709551615n],
    ['[9007199254740993]', [9007199254740993n]],
    ['{"a":9007199254740993}', { a: 9007199254740993n }],
    ['{"a": 9007199254740993 }', { a: 9007199254740993n }],
    ['{"a":\n9007199254740993\n}', { a: 9007199254740993n }],
    ['[1,9007199254740993,2]', [1, 9007199254740993n, 2]],
    ['[9007199254740993,9007199254740993]', [9007199254740993n, 9007199254740993n]],
    ['0.12345678901234567890', 0.12345678901234568],
    ['[1234567890123456.5]', [1234567890123456.5]],
    ['[12345678901234567e3]', [12345678901234567e3]],
    ['"9007199254740993"', '9007199254740993'],
    ['[": 9007199254740993,"]', [': 9007199254740993,']],
    [
      '["\\", 9007199254740993, \\"", 9007199254740993]',
      ['", 9007199254740993, "', 9007199254740993n],
    ],
    ['["\\\\", 9007199254740993]', ['\\', 9007199254740993n]],
    ['[" 9007199254740993 ",9007199254740993]', [' 9007199254740993 ', 9007199254740993n]],
    ['{"9007199254740993":9007199254740993}', { '9007199254740993': 9007199254740993n }],
    ['null', null],
  ];
  for (const [text, value] of kept) {
    it(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(parseJson(text), value));
  }

  it('reads a property named __proto__ as an ordinary property', () => {
    const value = parseJson('{"__proto__":9007199254740993}') as object;
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.equal(Object.getOwnPropertyDescriptor(value, '__proto__')?.value, 9007199254740993n);
  });

  for (const text of ['', ' ', '{', '[1,]', '9007199254740993x', '[9007199254740993', 'nul']) {
    it(`rejects ${JSON.stringify(text)}`, () => assert.throws(() => parseJson(text), SyntaxError));
  }

  it('round-trips random values with large integers and hostile strings', () => {
    const next = random(7);
    const strings = [
      '',
      '"',
      '\\',
      '\\"',
      ': 12345678901234567890',
      '12345678901234567890',
      '\u2028é',
    ];
    const value = (depth: number): unknown => {
      const kind = Math.floor(next() * (depth > 3 ? 4 : 6));
      switch (kind) {
        case 0:
          return (
            BigInt(Math.floor(next() * 1e9)) * 10n ** BigInt(Math.floor(next() * 12)) + 2n ** 53n
          );
        case 1:
          return strings[Math.floor(next() * strings.length)];
        case 2:
          return Math.floor(next() * 1e6) / 64;
        case 3:
          return next() < 0.5 ? null : true;
        case 4:
          return Array.from({ length: Math.floor(next() * 5) }, () => value(depth + 1));
        default:
          return Object.fromEntries(
            Array.from({ length: Math.floor(next() * 5) }, (_, index) => [
              `${strings[Math.floor(next() * strings.length)]}${index}`,
              value(depth + 1),
            ]),
          );
      }
    };
    for (let round = 0; round < 2_000; round += 1) {
      const before = value(0);
      assert.deepEqual(parseJson(stringifyJson(before, round % 3)), before);
    }
  });

  it('reads a string with 200,000 escaped quotes', () => {
    const quotes = `["${'\\"'.repeat(200_000)}", 9007199254740993]`;
    assert.equal((parseJson(quotes) as unknown[])[1], 9007199254740993n);
  });
});

describe('stringifyJson', () => {
  it('writes large integers unchanged and indents as requested', () => {
    const text = '{\n  "version": 9007199254740993,\n  "name": "a"\n}';
    assert.equal(stringifyJson(parseJson(text), 2), text);
  });
});
