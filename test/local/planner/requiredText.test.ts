// The text that each match of a regular expression contains.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requiredText } from '../../../local/src/planner/requiredText.ts';
import { random } from '../random.ts';

describe('the required text of a regular expression', () => {
  for (const [pattern, expected] of [
    ['session [0-9a-f]+ was given up', ' was given up'],
    ['^error: ', 'error: '],
    ['timeouts?', 'timeout'],
    ['a timeout*', 'a timeou'],
    ['retr(y|ies) of upstream', ' of upstream'],
    ['a\\.b\\.c\\.d', 'a.b.c.d'],
    ['abcd+efghij', 'efghij'],
    ['abcde{2}f', 'abcd'],
    ['{"id"', '{"id"'],
    ['[(]never closed', 'never closed'],
    ['Zürich 🎉🎉?', 'Zürich 🎉'],
    ['[[:alpha:]]+ here', ' here'],
    ['error|warning', undefined],
    ['(error|warning)', undefined],
    ['(?i)error', undefined],
    ['\\Qa+b\\E and more', undefined],
    ['(\\Q)abcd\\\\E)', undefined],
    ['\\x41bcdefg', undefined],
    ['\\pLetter', undefined],
    ['.*', undefined],
    ['abc', undefined],
    ['', undefined],
    ['abcdef(', 'abcdef'],
  ] as const) {
    it(`is ${expected} in ${pattern}`, () => assert.equal(requiredText(pattern), expected));
  }

  it('is in each text that the expression matches (random patterns)', () => {
    const below = random(7);
    const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
    const pieces = ['a', 'b', 'ab', 'aab', '.', '[ab]', '[^a]', '(a|b)', '(ab?)', '\\.', '(a(b)*)'];
    const quantifiers = ['', '', '', '', '*', '+', '?', '{0,1}', '{2}', '+?', '*?', '??'];
    let required = 0;
    let matched = 0;
    for (let round = 0; round < 40_000; round += 1) {
      const pattern = Array.from(
        { length: 1 + below(6) },
        () => pick(pieces) + pick(quantifiers),
      ).join('');
      const found = requiredText(pattern);
      if (found === undefined) continue;
      required += 1;
      const expression = new RegExp(pattern, 'u');
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const text = Array.from({ length: 40 }, () => pick(['a', 'a', 'b', 'b', '.', 'c'])).join(
          '',
        );
        const [match] = expression.exec(text) ?? [];
        if (match === undefined) continue;
        matched += 1;
        assert.ok(match.includes(found), `${pattern} matches ${match} without ${found}`);
      }
    }
    assert.ok(required > 1_000 && matched > 300, `${required} ${matched}`);
  });
});
