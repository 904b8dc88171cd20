/**
 * Foldable ranges of a query and of a document's comments, as offsets. The server's tests check lines.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commentFolds, type Fold, foldsOf } from '../../../language/src/symbols/folding.ts';
import { parseQuery } from '../../../language/src/syntax/parser.ts';

/** Returns the folded strings in the order offered, with `…` ahead of an end that stays visible. */
function shown(text: string, folds: readonly Fold[]): string[] {
  return folds.map(({ kind, keepsEnd, start, end }) => {
    const folded = `${text.slice(start, end)}${keepsEnd ? `…${text.charAt(end)}` : ''}`;
    return kind === 'code' ? folded : `${kind}: ${folded}`;
  });
}

const ofQuery = (text: string) => shown(text, foldsOf(parseQuery(text)));
const ofComments = (text: string) => shown(text, commentFolds(text));

describe('query folding', () => {
  it('covers the query, its statements and its stages, but not the comments around the query', () => {
    assert.deepEqual(ofQuery('// what\nlet n = 5;\nlogs // which\n| take n\n// end'), [
      'let n = 5;\nlogs // which\n| take n',
      'let n = 5;',
      'logs // which\n| take n',
      '| take n',
    ]);
  });

  it('folds brackets instead of a statement that starts on the same line, and leaves the closing bracket visible', () => {
    const [query, bracket, ...rest] = ofQuery('datatable (a:long) [\n  1,\n]').slice(0, 3);
    assert.equal(query, 'datatable (a:long) [\n  1,\n]');
    assert.equal(bracket, '(a:long…)');
    assert.deepEqual(rest, ['[\n  1,\n…]']);
  });

  it('covers brackets, subqueries and the stages of subqueries', () => {
    const folds = ofQuery('logs | join (a | where (b)) on c');
    assert.ok(folds.includes('(a | where (b)…)'));
    assert.ok(folds.includes('(b…)'));
    assert.ok(folds.includes('| where (b)'));
    assert.ok(folds.includes('| join (a | where (b)) on c'));
  });

  it('ignores unclosed and unmatched brackets', () => {
    assert.deepEqual(
      foldsOf(parseQuery('logs | where (a | count')).filter(({ keepsEnd }) => keepsEnd),
      [],
    );
    assert.deepEqual(
      foldsOf(parseQuery('logs | where a) | count')).filter(({ keepsEnd }) => keepsEnd),
      [],
    );
  });

  it('returns nothing for an empty query and caches the result per tree', () => {
    assert.deepEqual(ofQuery(''), []);
    assert.deepEqual(ofQuery('// only a comment'), []);
    const tree = parseQuery('logs | count');
    assert.equal(foldsOf(tree), foldsOf(tree));
    assert.notEqual(foldsOf(tree), foldsOf(parseQuery('logs | count')));
  });
});

describe('comment folding', () => {
  it('covers blocks of comment lines, separated by code and blank lines', () => {
    assert.deepEqual(ofComments('// a\n  // b\nlogs // c\n// d\n\n// e'), [
      'comment: // a\n  // b',
      'comment: // d',
      'comment: // e',
    ]);
  });

  it('covers regions, inner before outer, without merging comments across them', () => {
    const inner = '//region inner\n// note\n//endregion';
    assert.deepEqual(ofComments(`// #region outer\n${inner}\nlogs\n// #endregion`), [
      'comment: // note',
      `region: ${inner}`,
      `region: // #region outer\n${inner}\nlogs\n// #endregion`,
    ]);
  });

  it('ignores unmatched region markers and words such as `regional`', () => {
    assert.deepEqual(ofComments('// #region a\nlogs'), []);
    assert.deepEqual(ofComments('// #endregion\nlogs'), []);
    assert.deepEqual(ofComments('// regional\nlogs\n// endregions'), [
      'comment: // regional',
      'comment: // endregions',
    ]);
  });

  it('accepts every line ending', () => {
    for (const end of ['\n', '\r\n', '\r'])
      assert.deepEqual(ofComments(`// a${end}// b${end}logs`), [`comment: // a${end}// b`]);
  });
});
