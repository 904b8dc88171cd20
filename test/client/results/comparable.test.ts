// The results that are offered for a comparison with a result, and those that are rejected.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { incomparable, othersToCompare } from '../../../client/src/results/comparable.ts';
import type { TabResult } from '../../../client/src/results/resultOf.ts';

const result = (title: string, text: string, askedAt: number, ...names: string[]) => {
  const tables = [{ fields: names.map((name) => ({ name })) }];
  const answer = { about: { askedAt }, head: { tables } };
  return { tab: { title, query: { text, title } }, answer } as unknown as TabResult;
};

describe('a comparison of results', () => {
  const now = result('now', 'logs | count', 9, 'count_');
  const older = result('older', 'logs | count', 1, 'count_');
  const previous = result('previous', 'logs | count', 5, 'count_');
  const related = result('related', 'traces | count', 8, 'count_');
  const unrelated = result('unrelated', 'print a = 1', 7, 'a');

  it('offers the previous run of the same query first, and unrelated results last', () => {
    const offered = othersToCompare([unrelated, older, related, previous, now], now);
    assert.deepEqual(
      offered.map(({ tab }) => tab.title),
      ['previous', 'older', 'related', 'unrelated'],
    );
  });

  it('is rejected with a reason if the results share no column', () => {
    assert.equal(incomparable(related, now), undefined);
    assert.match(
      incomparable(unrelated, now) ?? '',
      /^The results 'unrelated' and 'now' have no column in common\./,
    );
  });
});
