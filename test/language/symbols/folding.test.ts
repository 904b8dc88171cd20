/** What of a query and of a document's comments can be folded, as spans; the server's tests see lines. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commentFolds, type Fold, foldsOf } from '../../../language/src/symbols/folding.ts';
import { parseQuery } from '../../../language/src/syntax/parser.ts';

/** The folded texts in the order in which they are offered; `…` before the end of one whose end stays to be seen. */
function shown(text: string, folds: readonly Fold[]): string[] {
  return folds.map(({ kind, keepsEnd, start, end }) => {
    const folded = `${text.slice(start, end)}${keepsEnd ? `…${text.charAt(end)}` : ''}`;
    return kind === 'code' ? folded : `${kind}: ${folded}`;
  });
}

const ofQuery = (text: string) => shown(text, foldsOf(parseQuery(text)));
const ofComments = (text: string) => shown(text, commentFolds(text));

describe('the folds of a query', () => {
  it('are the query without the comments around it, its statements and its stages', () => {
    assert.deepEqual(ofQuery('// what\nlet n = 5;\nlogs // which\n| take n\n// end'), [
      'let n = 5;\nlogs // which\n| take n',
      'let n = 5;',
      'logs // which\n| take n',
      '| take n',
    ]);
  });

  it('offer what a bracket holds before the statement on its line, and leave its end to be seen', () => {
    const [query, bracket, ...rest] = ofQuery('datatable (a:long) [\n  1,\n]').slice(0, 3);
    assert.equal(query, 'datatable (a:long) [\n  1,\n]');
    assert.equal(bracket, '(a:long…)');
    assert.deepEqual(rest, ['[\n  1,\n…]']);
  });

  it('go into brackets', () => {
    const folds = ofQuery('logs | join (a | where (b)) on c');
    assert.ok(folds.includes('(a | where (b)…)'));
    assert.ok(folds.includes('(b…)'));
    assert.ok(folds.includes('| where (b)'));
    assert.ok(folds.includes('| join (a | where (b)) on c'));
  });

  it('leave out brackets that nothing closes, and that close nothing', () => {
    assert.deepEqual(
      foldsOf(parseQuery('logs | where (a | count')).filter(({ keepsEnd }) => keepsEnd),
      [],
    );
    assert.deepEqual(
      foldsOf(parseQuery('logs | where a) | count')).filter(({ keepsEnd }) => keepsEnd),
      [],
    );
  });

  it('are none where there is nothing, and found once for a tree', () => {
    assert.deepEqual(ofQuery(''), []);
    assert.deepEqual(ofQuery('// only a comment'), []);
    const tree = parseQuery('logs | count');
    assert.equal(foldsOf(tree), foldsOf(tree));
    assert.notEqual(foldsOf(tree), foldsOf(parseQuery('logs | count')));
  });
});

describe('the folds of comments', () => {
  it('are blocks of lines, indented or not, that code and blank lines part', () => {
    assert.deepEqual(ofComments('// a\n  // b\nlogs // c\n// d\n\n// e'), [
      'comment: // a\n  // b',
      'comment: // d',
      'comment: // e',
    ]);
  });

  it('are regions, the inner before the outer, that comments beside them do not join', () => {
    const inner = '//region inner\n// note\n//endregion';
    assert.deepEqual(ofComments(`// #region outer\n${inner}\nlogs\n// #endregion`), [
      'comment: // note',
      `region: ${inner}`,
      `region: // #region outer\n${inner}\nlogs\n// #endregion`,
    ]);
  });

  it('leave out a region without its end, an end without its region, and words that only begin so', () => {
    assert.deepEqual(ofComments('// #region a\nlogs'), []);
    assert.deepEqual(ofComments('// #endregion\nlogs'), []);
    assert.deepEqual(ofComments('// regional\nlogs\n// endregions'), [
      'comment: // regional',
      'comment: // endregions',
    ]);
  });

  it('take every end of line', () => {
    for (const end of ['\n', '\r\n', '\r'])
      assert.deepEqual(ofComments(`// a${end}// b${end}logs`), [`comment: // a${end}// b`]);
  });
});
