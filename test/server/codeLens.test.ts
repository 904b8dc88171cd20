/** The code lenses above queries and stages, and the query that Run to here runs. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeLenses } from '../../server/src/features/codeLens.ts';
import { queryUpTo } from '../../server/src/features/queryAt.ts';
import { cursor, snapshotOf, textAt } from './marked.ts';

const both = { runLens: true, stageLens: true };

/** Returns each lens as its title and line. */
function lenses(text: string, shown = both): string[] {
  return codeLenses(snapshotOf(text), shown).map(
    ({ command, range }) => `${command?.title} ${range.start.line}`,
  );
}

describe('code lenses', () => {
  const text = "['traces'] | count\n\nprint 1\n| extend x = 2 | count\n  | take 1";

  it('include Run above each query unless the setting is off', () => {
    assert.deepEqual(lenses(text, { runLens: true, stageLens: false }), ['Run 0', 'Run 2']);
    assert.deepEqual(lenses(text, { runLens: false, stageLens: false }), []);
  });

  it('include Run to here above each stage that starts a line if the setting is on', () => {
    assert.deepEqual(lenses(text), ['Run 0', 'Run 2', 'Run to here 3', 'Run to here 4']);
  });

  it('include stages of tables in parentheses', () => {
    assert.deepEqual(
      lenses("['traces']\n| join (\n  ['http-logs']\n  | where true\n) on span", {
        runLens: false,
        stageLens: true,
      }),
      ['Run to here 1', 'Run to here 3'],
    );
  });

  it('pass the position of their stage to the command', () => {
    const lens = codeLenses(snapshotOf(text), both).at(-1);
    assert.deepEqual(lens?.command?.arguments, ['file:///query.apl', { line: 4, character: 2 }]);
  });
});

describe('the query up to a position', () => {
  const found = (marked: string) => {
    const { text, offset } = cursor(marked);
    const snapshot = snapshotOf(text);
    return {
      text,
      query: queryUpTo(snapshot, { uri: '', position: snapshot.lines.positionAt(offset) }),
    };
  };

  it('has a range in the document and names its last stage in its title', () => {
    const { text, query } = found('print 1\n\n// Slow ones\nprint 2\n| extend x$0 = 3\n| count');
    assert.equal(query?.text, '// Slow ones\nprint 2\n| extend x = 3');
    assert.equal(textAt(text, query?.range ?? assert.fail()), query.text);
    assert.equal(query.title, 'Slow ones, up to | extend x = 3');
  });

  it('has the same line breaks as its range in the document, even inside parentheses', () => {
    const { text, query } = found('print 1\n| join (\n  print 2\n  | exten$0d x = 3\n) on x');
    assert.ok(query);
    const place = textAt(text, query.range);
    assert.equal(query.text.length, place.length);
    assert.equal(query.text.split('\n').length, place.split('\n').length);
    assert.match(query.text, /^\s+print 2\n {2}\| extend x = 3$/);
  });

  it('is null between queries', () => {
    assert.equal(found('print 1\n\n\n$0\n\nprint 2').query, null);
  });
});
