// Parses parameter values as users type them, and the comment with the time range of a file.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rangeLine } from '../../client/src/deployments/fileLines.ts';
import { readParameter } from '../../client/src/query/parameterValues.ts';
import type { ParameterType } from '../../server/src/protocol.ts';

const at = Date.UTC(2026, 1, 4, 18, 30, 15);

describe('a parameter value', () => {
  for (const [type, text, value] of [
    ['string', '', ''],
    ['string', ' it\'s "x" ', ' it\'s "x" '],
    ['long', ' 500 ', 500],
    ['long', '-7', -7],
    ['long', '9007199254740993', 9007199254740993n],
    ['long', '9223372036854775807', 9223372036854775807n],
    ['long', '-9223372036854775808', -9223372036854775808n],
    ['real', '1e-7', 1e-7],
    ['real', '5', 5],
    ['real', '.5', 0.5],
    ['real', '-0.0', '-0.0'],
    ['bool', 'TRUE', true],
    ['bool', 'false', false],
    ['datetime', '2026-01-31', '2026-01-31T00:00:00Z'],
    ['datetime', '2026-01-31 08:00', '2026-01-31T08:00:00Z'],
    ['datetime', '2026-01-31T08:00:00.123456789Z', '2026-01-31T08:00:00.123456789Z'],
    ['datetime', 'now', '2026-02-04T18:30:15Z'],
    ['datetime', '2h ago', '2026-02-04T16:30:15Z'],
    ['timespan', '5m', '5m'],
    ['timespan', '1.5 h', '1.5h'],
    ['timespan', '01:30:00', '01:30:00'],
    ['dynamic', '{"a":[1,9007199254740993]}', { a: [1, 9007199254740993n] }],
    ['dynamic', 'null', null],
  ] as const)
    it(`of type ${type} is parsed from ${JSON.stringify(text)}`, () =>
      assert.deepEqual(readParameter(type, text, at), { ok: true, value }));

  for (const [type, text, message] of [
    ['long', '', /integer/],
    ['long', '1.5', /integer/],
    ['long', '9223372036854775808', /64 bits/],
    ['real', 'many', /number/],
    ['real', '1e400', /number/],
    ['real', 'Infinity', /number/],
    ['real', '0x10', /number/],
    ['bool', 'yes', /true or false/],
    ['datetime', '2026-02-30', /time/],
    ['datetime', 'yesterday to today', /time/],
    ['datetime', 'last week', /time/],
    ['timespan', '5 parsecs', /length of time/],
    ['timespan', '5', /length of time/],
    ['dynamic', '{a:1}', /JSON/],
  ] as readonly [ParameterType, string, RegExp][])
    it(`of type ${type} cannot be ${JSON.stringify(text)}`, () => {
      const typed = readParameter(type, text, at);
      assert.ok(!typed.ok);
      assert.match(typed.message, message);
    });
});

describe('the comment with a time range', () => {
  it('is the first line that starts with "// range:", anywhere in the file', () => {
    const text = 'print 1 // range: 1h\n\n  //range:  last 7 days \nlogs\n// range: 2d\n';
    const found = rangeLine(text);
    assert.equal(found?.text, 'last 7 days');
    assert.equal(text.slice(found?.start, found?.end), 'last 7 days');
  });

  it('must consist of the word "range", a colon and a range', () => {
    for (const text of [
      '// ranges: 7d',
      '// the range: 7d',
      '// range:',
      '// range 7d',
      'range: 7d',
    ])
      assert.equal(rangeLine(text), undefined, text);
    assert.equal(rangeLine('// range: 7d\r\nlogs')?.text, '7d');
  });
});
