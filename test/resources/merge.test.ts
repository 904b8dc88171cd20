// Merges two changes of one document by member and marks conflicts.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  hasConflictMarkers,
  markedConflicts,
  mergeDocuments,
  mergeStrings,
} from '../../resources/src/merge.ts';
import type { Members } from '../../resources/src/value.ts';

const names = { mine: 'Yours', base: 'Before', theirs: 'On Local' };
const merge = (base: Members, mine: Members, theirs: Members) =>
  mergeDocuments(base, mine, theirs, names);

/** Parses the marked text after taking one side of every conflict. */
function resolved(text: string, side: 'mine' | 'theirs'): unknown {
  const taken = text.replace(
    /^<{7} .*\n([\s\S]*?)^\|{7} .*\n[\s\S]*?^={7}\n([\s\S]*?)^>{7} .*\n/gm,
    (_, mine, theirs) => (side === 'mine' ? mine : theirs),
  );
  return JSON.parse(taken);
}

const board = (...charts: Members[]): Members => ({ dashboard: { name: 'b', charts }, extra: 1 });
const chart = (id: string, apl: string): Members => ({ id, query: { apl } });

describe('a merge of two changes', () => {
  it('takes each member from the side that changed it', () => {
    const base = { name: 'a', threshold: 1, range: 5, gone: 1, kept: 12345678901234567890n };
    const { gone: _, ...mine } = { ...base, threshold: 2 };
    const merged = merge(base, mine, { ...base, range: 9, fresh: true });
    assert.equal(merged.conflicts, 0);
    assert.equal(
      merged.text,
      '{\n  "name": "a",\n  "fresh": true,\n  "kept": 12345678901234567890,\n  "range": 9,\n  "threshold": 2\n}\n',
    );
  });

  it('merges added, removed and changed charts by their identifiers', () => {
    const base = board(chart('1', 'a'), chart('2', 'b'), chart('3', 'c'));
    const mine = board(chart('2', 'mine'), chart('1', 'a'), chart('4', 'new'));
    const theirs = board(chart('1', 'theirs'), chart('2', 'b'), chart('3', 'c'), chart('5', 'x'));
    const merged = merge(base, mine, theirs);
    assert.equal(merged.conflicts, 0);
    assert.deepEqual(JSON.parse(merged.text).dashboard.charts, [
      chart('2', 'mine'),
      chart('1', 'theirs'),
      chart('4', 'new'),
      chart('5', 'x'),
    ]);
  });

  it('takes the order of items from the side that changed it, and from mine if both did', () => {
    const [a, b, c] = [chart('1', 'a'), chart('2', 'b'), chart('3', 'c')];
    const [changed, added] = [chart('1', 'mine'), chart('4', 'new')];
    const orders: readonly (readonly [Members[], Members[], string])[] = [
      [[changed, b, c], [c, a, b], '312'],
      [[changed, b, c, added], [c, b, a], '3214'],
      [[b, changed, c], [a, b, c], '213'],
      [[b, changed, c], [c, b, a], '213'],
      [[changed, c], [c, b, a], '31'],
      [[changed, b, c], [a, c], '13'],
    ];
    for (const [mine, theirs, order] of orders) {
      const merged = merge(board(a, b, c), board(...mine), board(...theirs));
      assert.equal(merged.conflicts, 0);
      const { charts } = JSON.parse(merged.text).dashboard;
      assert.equal(charts.map(({ id }: { id: string }) => id).join(''), order);
      assert.deepEqual(charts[order.indexOf('1')], changed);
    }
  });

  it('marks members that both sides changed, so that taking either side is valid JSON', () => {
    const base = { ...board(chart('1', 'a'), chart('2', 'b')), list: [1], n: 1, z: 0 };
    const mine = { ...board(chart('1', 'mine'), chart('2', 'b')), list: [1, 2], n: 2, z: 0 };
    const { z: _, ...theirs } = { ...board(chart('1', 'x')), list: [1, 3], n: 3, z: 0 };
    const merged = merge(base, { ...mine, z: 1 }, theirs);
    assert.equal(merged.conflicts, 4);
    assert.ok(hasConflictMarkers(merged.text));
    assert.match(
      merged.text,
      /^<{7} Yours\n.*"apl": "mine"\n\|{7} Before\n.*"apl": "a"\n={7}\n.*"apl": "x"\n>{7} On Local$/m,
    );
    const own = resolved(merged.text, 'mine') as Members;
    const other = resolved(merged.text, 'theirs') as Members;
    assert.deepEqual([own.n, own.list, own.z], [2, [1, 2], 1]);
    assert.deepEqual([other.n, other.list, 'z' in other], [3, [1, 3], false]);
  });

  it('leaves valid JSON if one side removed a chart that the other changed', () => {
    const base = board(chart('1', 'a'), chart('2', 'b'));
    for (const [mine, theirs] of [
      [board(chart('1', 'a')), board(chart('1', 'a'), chart('2', 'c'))],
      [board(chart('2', 'c')), board(chart('2', 'b'))],
      [board(), board(chart('1', 'x'), chart('2', 'y'))],
    ] as const) {
      const merged = merge(base, mine, theirs);
      if (merged.conflicts === 0) continue;
      for (const side of ['mine', 'theirs'] as const) resolved(merged.text, side);
    }
    const removed = merge({ a: 1 }, {}, { a: 2 });
    assert.equal(removed.conflicts, 1);
    assert.deepEqual(resolved(removed.text, 'mine'), {});
  });

  it('provides both sides of a marked conflict without the base', () => {
    const { text } = merge({ n: 1 }, { n: 2 }, { n: 3 });
    const [found, ...more] = markedConflicts(text);
    assert.deepEqual([found?.mine, found?.theirs, more], ['  "n": 2\n', '  "n": 3\n', []]);
    // Git's default conflict style, which has no base.
    const [plain] = markedConflicts('<<<<<<< a\nb\n=======\nc\n>>>>>>> d\n');
    assert.deepEqual([plain?.mine, plain?.theirs], ['b\n', 'c\n']);
  });

  it('marks the conflicting lines of a query', () => {
    assert.deepEqual(mergeStrings('a', 'b', 'a', names), { text: 'b', conflicts: 0 });
    const both = mergeStrings('a', 'b', 'c\n', names);
    assert.equal(both.text, '<<<<<<< Yours\nb\n||||||| Before\na\n=======\nc\n>>>>>>> On Local\n');
    assert.ok(!hasConflictMarkers('logs // <<<<<<< \n=======\n'));
  });
});
