/** The ranges of Expand Selection, step by step. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { selectionSpans } from '../../../language/src/symbols/selection.ts';
import { parseQuery } from '../../../language/src/syntax/parser.ts';
import { readMarked } from './marked.ts';

/** Returns the selected strings from the cursor outward. */
function grown(marked: string): string[] {
  const { text, offset } = readMarked(marked);
  return selectionSpans(parseQuery(text), offset).map(({ start, end }) => text.slice(start, end));
}

describe('expanding a selection', () => {
  it('selects the word, arguments, call, comparison, condition, stage and query in turn', () => {
    assert.deepEqual(grown("logs | where strcat('a b', me$0thod) == 'x' and ok | count"), [
      'method',
      "'a b', method",
      "('a b', method)",
      "strcat('a b', method)",
      "strcat('a b', method) == 'x'",
      "strcat('a b', method) == 'x' and ok",
      "where strcat('a b', method) == 'x' and ok",
      "| where strcat('a b', method) == 'x' and ok",
      "logs | where strcat('a b', method) == 'x' and ok | count",
    ]);
  });

  it('selects the content of quotes before the quotes', () => {
    assert.deepEqual(grown('logs | where method == "one t$0wo"').slice(0, 3), [
      'one two',
      '"one two"',
      'method == "one two"',
    ]);
    assert.deepEqual(grown("logs | where method == @'c:$0\\a'").slice(0, 2), ['c:\\a', "@'c:\\a'"]);
    assert.deepEqual(grown("['my $0logs'] | count").slice(0, 3), [
      'my logs',
      "'my logs'",
      "['my logs']",
    ]);
  });

  it('selects the list item, the entire list and the operator in turn', () => {
    assert.deepEqual(grown('logs | summarize a = count(), b = ma$0x(n) by c, d | take 5'), [
      'max',
      'max(n)',
      'b = max(n)',
      'a = count(), b = max(n)',
      'a = count(), b = max(n) by c, d',
      'summarize a = count(), b = max(n) by c, d',
      '| summarize a = count(), b = max(n) by c, d',
      'logs | summarize a = count(), b = max(n) by c, d | take 5',
    ]);
    assert.deepEqual(grown('logs | summarize a = count() by c, $0d').slice(0, 3), [
      'd',
      'c, d',
      'a = count() by c, d',
    ]);
  });

  it("selects a subquery's content, then its parentheses, then the surrounding clause", () => {
    assert.deepEqual(grown('logs | join (users | where o$0k) on id').slice(0, 7), [
      'ok',
      'where ok',
      '| where ok',
      'users | where ok',
      '(users | where ok)',
      '(users | where ok) on id',
      'join (users | where ok) on id',
    ]);
  });

  it('selects the statement before the query', () => {
    const spans = grown('let a = 1$0; let b = 2; print a');
    assert.deepEqual(spans, ['1', 'let a = 1;', 'let a = 1; let b = 2; print a']);
  });

  it('selects the content of a comment before the comment', () => {
    const text = 'logs // every on$0e\n| count';
    assert.deepEqual(grown(text).slice(0, 2), ['every one', '// every one']);
  });

  it('selects elements of literals and indexes', () => {
    assert.deepEqual(grown('print dynamic([1, $02, 3])').slice(0, 4), [
      '2',
      '1, 2, 3',
      '[1, 2, 3]',
      '([1, 2, 3])',
    ]);
    assert.deepEqual(grown("print a.b['$0c'].d").slice(0, 3), ['c', "'c'", "['c']"]);
  });

  it('works in broken and empty queries', () => {
    assert.ok(grown('logs | where (a == $0').length > 0);
    assert.ok(grown('logs | join (users | where [a$0) on ]').length > 2);
    assert.deepEqual(selectionSpans(parseQuery(''), 0), []);
  });
});
