/** The labels of tabs, which distinguish queries that begin alike in a few words. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tabLabels } from '../../../client/src/results/tabLabels.ts';

interface Tab {
  readonly line?: string;
  readonly title?: string;
  readonly name?: string;
  readonly uri?: string;
}

function labels(...tabs: (string | Tab)[]): string[] {
  const made = tabs.map((tab, index) => {
    const { line, title = line ?? '', name, uri } = typeof tab === 'string' ? { line: tab } : tab;
    return {
      id: `tab-${index}`,
      title: name ?? title,
      ...(name !== undefined && { name }),
      query: { ...(line && { stages: line.split(' | ') }), ...(uri && { place: { uri } }) },
    };
  });
  const found = tabLabels(made);
  return made.map(({ id }) => found.get(id) ?? '');
}

describe('the labels of tabs', () => {
  for (const [name, tabs, expected] of [
    ['are titles if there is one query of a dataset', ['logs | count'], ['logs | count']],
    [
      'are titles if datasets differ',
      ['logs | count', 'traces | count'],
      ['logs | count', 'traces | count'],
    ],
    [
      'begin with the first stage that differs',
      ['logs | where a > 1 | count', 'logs | where a > 1 | take 5', 'logs | sort by b'],
      ['… count', '… take 5', '… sort by b'],
    ],
    [
      'begin one word before the difference within a long stage',
      [
        'logs | summarize requests = count() by bin_auto(_time), method',
        'logs | summarize requests = count() by host',
      ],
      ['… by bin_auto(_time), method', '… by host'],
    ],
    [
      'contain an entire stage if it differs near its start',
      ['logs | where status >= 500 | count', 'logs | where status >= 400 | count'],
      ['… where status >= 500 | count', '… where status >= 400 | count'],
    ],
    [
      'show the last stage of a query that another query continues',
      ['logs | where a > 1', 'logs | where a > 1 | count', 'logs'],
      ['… where a > 1', '… count', 'logs'],
    ],
    [
      'begin earlier if queries are equal after their first difference',
      [
        'logs | where a > 1 | count',
        'logs | where a > 1 | take 5',
        'logs | where b > 1 | count',
        'logs | where b > 1 | take 5',
      ],
      [
        '… where a > 1 | count',
        '… where a > 1 | take 5',
        '… where b > 1 | count',
        '… where b > 1 | take 5',
      ],
    ],
    [
      'of equal queries in different documents end with the document names',
      [
        { line: 'logs | count', uri: 'file:///queries/errors%20of%20today.apl' },
        { line: 'logs | count', uri: 'untitled:Untitled-1' },
      ],
      ['logs | count · errors of today.apl', 'logs | count · Untitled-1'],
    ],
    [
      'of equal queries in the same document end with numbers',
      ['logs | count', 'logs | count', { line: 'logs | take 5' }],
      ['… count', '… count (2)', '… take 5'],
    ],
    [
      'contain comments and names in full',
      [
        { title: 'Errors' },
        { line: 'logs | count', name: 'logs | take 5' },
        { line: 'logs | take 5' },
        { title: 'Errors' },
      ],
      ['Errors', 'logs | take 5', 'logs | take 5', 'Errors (2)'],
    ],
  ] as [string, (string | Tab)[], string[]][])
    it(name, () => assert.deepEqual(labels(...tabs), expected));

  it('are truncated, but differ if queries differ only at their ends', () => {
    const many = Array.from(
      { length: 20 },
      (_, n) => `logs | where ${'a > 1 and '.repeat(30)}b == ${n}`,
    );
    const found = labels(...many);
    assert.equal(new Set(found).size, many.length);
    assert.deepEqual(found.slice(0, 2), ['… == 0', '… == 1']);
    for (const label of found) assert.ok(label.length <= 82, label);
  });
});
