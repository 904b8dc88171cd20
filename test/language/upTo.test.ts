/** The query cut off after a stage, which is run to see that stage's rows. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { queryUpTo } from '../../language/src/editing.ts';
import { analyzeQuery, parseQuery } from '../../language/src/index.ts';
import { queries } from './queries.data.ts';
import { mutate, seeded } from './random.ts';

/** Returns the query to run for the cursor at `$0`, without empty lines and outer whitespace. */
function cut(marked: string): string | undefined {
  const offset = marked.indexOf('$0');
  const text = marked.replace('$0', '');
  const found = queryUpTo(parseQuery(text), offset);
  if (found === undefined) return undefined;
  assert.equal(found.text.length, found.end - found.start);
  return found.text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

describe('the query up to a stage', () => {
  const text = 'logs\n| where ok\n| extend x = 1\n| count';

  it('ends after the stage at the cursor', () => {
    assert.equal(cut(text.replace('where', 'wh$0ere')), 'logs\n| where ok');
    assert.equal(cut(text.replace('| extend', '$0| extend')), 'logs\n| where ok\n| extend x = 1');
    assert.equal(cut(`${text}$0`), text);
  });

  it('contains only the source if the cursor is in the source', () => {
    assert.equal(cut(`l$0${text.slice(1)}`), 'logs');
  });

  it('includes preceding options and lets and omits everything after the stage', () => {
    assert.equal(
      cut('set stricttypes;\nlet a = 1;\nlogs\n| where st$0atus > a // more\n| count'),
      'set stricttypes;\nlet a = 1;\nlogs\n| where status > a',
    );
  });

  it('contains only the subquery and preceding lets if the cursor is in a join, a union or a list', () => {
    assert.equal(
      cut('let a = 1;\nusers\n| join (\n  logs\n  | where st$0atus > a\n  | count\n) on id'),
      'let a = 1;\nlogs\n| where status > a',
    );
    assert.equal(cut('union a, (b | where x$0 | count)'), 'b | where x');
    assert.equal(cut('logs | where id in (users | where o$0k | project id)'), 'users | where ok');
  });

  it("contains only the let's pipeline and preceding lets if the cursor is in a let", () => {
    assert.equal(
      cut('let a = 1;\nlet b = logs\n  | where status > a$0\n  | count;\nb'),
      'let a = 1;\nlogs\n| where status > a',
    );
  });

  it("is undefined if the cursor is in a let whose value isn't a table", () => {
    assert.equal(cut('let a = $01;\nlogs | count'), undefined);
  });

  it('preserves the offsets of the original query', () => {
    const text = 'let a = 1; // one\nusers | join (logs // all\n| where n > a | count) on id';
    const at = text.indexOf('where');
    const found = queryUpTo(parseQuery(text), at) ?? assert.fail();
    assert.equal(found.text.slice(at, at + 11), 'where n > a');
    assert.match(found.text, /\/\/ one\n/);
    assert.equal(text.slice(found.last.start, found.last.end), '| where n > a');
    assert.deepEqual(analyzeQuery(found.text).problems, []);
  });

  it('has no errors if the entire query has none, and is found in random text without an exception', () => {
    for (const query of queries) {
      const before = analyzeQuery(query).problems;
      for (const { start } of parseQuery(query).tokens) {
        const found = queryUpTo(parseQuery(query), start);
        if (found === undefined || before.length > 0) continue;
        const problems = analyzeQuery(found.text).problems.filter(
          ({ severity }) => severity === 'error',
        );
        assert.deepEqual(problems, [], `${query}\n→\n${found.text}`);
      }
    }
    const random = seeded(7);
    for (let i = 0; i < 2_000; i++) {
      const text = mutate(random, random.pick(queries));
      const found = queryUpTo(parseQuery(text), random.below(text.length + 1));
      assert.equal(found?.text.length, found?.end);
    }
  });
});
