// APL documents of resources: a virtual field is shown as a query, and its edited expression is read back.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  queryToCheck,
  shownApl,
  writtenApl,
} from '../../../client/src/resources/files/aplDocument.ts';
import { syntaxErrors } from '../../../language/src/index.ts';

const field = (expression: string, name = 'slow', dataset = 'logs') => ({
  dataset,
  name,
  expression,
});
const shown = (record: ReturnType<typeof field>) => shownApl('virtualFields', record, '') ?? '';

describe('the APL document of a resource', () => {
  it('shows a virtual field as a query that computes it, and returns the same expression when read back', () => {
    assert.equal(shown(field('duration > 1s')), "['logs']\n| extend ['slow'] = duration > 1s\n");
    const names = [
      'slow',
      "it's",
      'a"b',
      'back\\slash',
      'two\nlines',
      'a = b',
      "['x']",
      '🔥',
      'extend',
    ];
    for (const name of names) {
      for (const dataset of names) {
        for (const apl of ['a', ' a /\n  b // per cent', "x = ['y']", 'a | b', 'a\n']) {
          const record = field(apl, name, dataset);
          const text = shown(record);
          assert.deepEqual(writtenApl('virtualFields', text, record), { ok: true, apl });
          const crlf = writtenApl('virtualFields', text.replaceAll('\n', '\r\n'), record);
          assert.deepEqual(crlf, { ok: true, apl });
        }
      }
    }
  });

  it('returns the expression of a virtual field from a reformatted query', () => {
    const read = writtenApl('virtualFields', 'logs\n| extend slow = a / b\n', field('x'));
    assert.deepEqual(read, { ok: true, apl: 'a / b' });
  });

  it('is rejected if the expression is empty or the text around it has changed', () => {
    const problem = (text: string) => {
      const read = writtenApl('virtualFields', text, field('x'));
      assert.ok(!read.ok, text);
      return read.problem;
    };
    assert.equal(
      problem('duration > 1s'),
      "Only the expression can be changed here, in ['logs'] | extend ['slow'] = \u2026.",
    );
    for (const text of ['logs | extend fast = x', 'other | extend slow = x']) {
      assert.match(problem(text), /^The text must still begin with/);
    }
    assert.equal(problem('logs | extend slow =  '), 'The expression is empty.');
  });

  it('accepts only a single expression for a virtual field', () => {
    const isOne = (apl: string) => syntaxErrors(queryToCheck(apl)).length === 0;
    for (const apl of ['a', 'a + b // sum', 'iff(a, b, c)', "strcat('a', 'b')", '(a)']) {
      assert.ok(isOne(apl), apl);
    }
    for (const apl of ['a, b = c', 'a | where b', 'a\n\nb', 'a)', '(a', 'b = (', 'a; b']) {
      assert.ok(!isOne(apl), apl);
    }
  });

  it('shows and returns the query of a view unchanged', () => {
    assert.deepEqual(writtenApl('views', 'logs\r\n| count', {}), {
      ok: true,
      apl: 'logs\r\n| count',
    });
    assert.equal(shownApl('views', { aplQuery: 'logs | count' }, ''), 'logs | count');
  });
});
