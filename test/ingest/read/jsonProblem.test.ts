// Problems of invalid JSON are reported with their position.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonProblem } from '../../../ingest/src/read/jsonProblem.ts';
import { random } from '../reading.ts';

describe('the problem of invalid JSON', () => {
  const cases: Readonly<Record<string, string>> = {
    '{"a":}': 'Expected a value at character 6.',
    '{"a":1,}': 'Expected a name in quotes at character 8.',
    '{"a" 1}': 'Expected a colon at character 6.',
    '{a:1}': 'Expected a name in quotes or } at character 2.',
    '{"a":1 "b":2}': 'Expected a comma or a closing bracket at character 8.',
    '{"a":[1,]}': 'Expected a value at character 9.',
    '{"a":[1}': 'Expected a comma or a closing bracket at character 8.',
    '{"a":01}': 'Expected a comma or a closing bracket at character 7.',
    '{"a":+1}': 'Expected a value at character 6.',
    '{"a":1}}': 'Expected the end of the event at character 8.',
    '{"a":1': 'It ends inside its JSON.',
    '{"a":"b': 'The string from character 6 on is not closed.',
    '{"a":"\t"}': 'A string has a control character at character 7. Write it as an escape.',
    '{"a":"\\x"}': 'A string has an unknown escape at character 7.',
    "{'a':1}": 'Expected a name in quotes or } at character 2.',
  };
  for (const [text, expected] of Object.entries(cases)) {
    it(text, () => assert.equal(jsonProblem(text), expected));
  }

  it('has a position or says that the text ends early, and is found quickly', () => {
    const signs = ['{', '}', '[', ']', '"', ':', ',', '1', 'null', '\\', ' ', 'a', '-', '.'];
    for (let seed = 1; seed <= 5_000; seed += 1) {
      const next = random(seed);
      const text = Array.from({ length: next(30) }, () => signs[next(signs.length)]).join('');
      try {
        JSON.parse(text);
      } catch {
        assert.match(jsonProblem(text), /character \d+|ends inside/);
      }
    }
    assert.equal(jsonProblem('['.repeat(1_000_000)), 'It ends inside its JSON.');
  });
});
