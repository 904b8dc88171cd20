/** The lenses above queries and stages, and what the second runs. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeLenses } from '../../server/src/features/codeLens.ts';
import { queryUpTo } from '../../server/src/features/queryAt.ts';
import { cursor, snapshotOf, textAt } from './marked.ts';

const both = { runLens: true, stageLens: true };

/** Each lens as its title and line. */
function lenses(text: string, shown = both): string[] {
  return codeLenses(snapshotOf(text), shown).map(
    ({ command, range }) => `${command?.title} ${range.start.line}`,
  );
}

describe('code lenses', () => {
  const text = "['traces'] | count\n\nprint 1\n| extend x = 2 | count\n  | take 1";

  it('are one Run per query, unless they are switched off', () => {
    assert.deepEqual(lenses(text, { runLens: true, stageLens: false }), ['Run 0', 'Run 2']);
    assert.deepEqual(lenses(text, { runLens: false, stageLens: false }), []);
  });

  it('are one Run to here per stage that begins a line, on request', () => {
    assert.deepEqual(lenses(text), ['Run 0', 'Run 2', 'Run to here 3', 'Run to here 4']);
  });

  it('reach into tables in brackets', () => {
    assert.deepEqual(
      lenses("['traces']\n| join (\n  ['http-logs']\n  | where true\n) on span", {
        runLens: false,
        stageLens: true,
      }),
      ['Run to here 1', 'Run to here 3'],
    );
  });

  it('say where their stage is', () => {
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

  it('has the place in the document and a title that names the stage', () => {
    const { text, query } = found('print 1\n\n// Slow ones\nprint 2\n| extend x$0 = 3\n| count');
    assert.equal(query?.text, '// Slow ones\nprint 2\n| extend x = 3');
    assert.equal(textAt(text, query?.range ?? assert.fail()), query.text);
    assert.equal(query.title, 'Slow ones, up to | extend x = 3');
  });

  it('has as many lines as its place when it stands in brackets', () => {
    const { text, query } = found('print 1\n| join (\n  print 2\n  | exten$0d x = 3\n) on x');
    assert.ok(query);
    const place = textAt(text, query.range);
    assert.equal(query.text.length, place.length);
    assert.equal(query.text.split('\n').length, place.split('\n').length);
    assert.match(query.text, /^\s+print 2\n {2}\| extend x = 3$/);
  });

  it('is nothing between queries', () => {
    assert.equal(found('print 1\n\n\n$0\n\nprint 2').query, null);
  });
});
