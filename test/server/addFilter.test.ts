// A value of a result as a condition of its query: where the stage goes, how values are quoted, and what is
// refused. Each changed query is analyzed.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { quotePath } from '../../language/src/editing.ts';
import { analyze } from '../../language/src/index.ts';
import { addFilter } from '../../server/src/features/addFilter.ts';
import type { WireCondition } from '../../server/src/protocol.ts';
import { schema, snapshotOf } from './marked.ts';

const status: WireCondition = {
  column: 'status',
  path: [],
  kind: 'number',
  text: '500',
  exclude: false,
};

/** The document with the condition added to the query at the offset of `$0`, or why it was not. */
function added(marked: string, condition: Partial<WireCondition> = {}): string {
  const offset = Math.max(0, marked.indexOf('$0'));
  const text = marked.replace('$0', '');
  const snapshot = snapshotOf(text);
  const position = snapshot.lines.positionAt(offset);
  const found = addFilter(snapshot, {
    uri: snapshot.uri,
    position,
    condition: { ...status, ...condition },
  });
  if ('refusal' in found) return `refused: ${found.refusal}`;
  let changed = text;
  for (const { range, newText } of found.edits) {
    const [start, end] = [snapshot.lines.offsetAt(range.start), snapshot.lines.offsetAt(range.end)];
    changed = changed.slice(0, start) + newText + changed.slice(end);
  }
  return changed;
}

describe('the stage', () => {
  for (const [name, before, after] of [
    ['follows a dataset', 'logs', 'logs\n| where status == 500'],
    ['stays on a line of stages', 'logs | where a > 1', 'logs | where a > 1 | where status == 500'],
    [
      'has a line where stages have one',
      'logs\n  | where a > 1\n  | extend b = 2',
      'logs\n  | where a > 1\n  | extend b = 2\n  | where status == 500',
    ],
    [
      'comes before sorting and limiting',
      'logs\n| extend b = 2\n| sort by _time desc\n| take 10\n',
      'logs\n| extend b = 2\n| where status == 500\n| sort by _time desc\n| take 10\n',
    ],
    [
      'comes before a limit on the same line',
      'logs | top 5 by status | limit 3',
      'logs | where status == 500 | top 5 by status | limit 3',
    ],
    [
      'follows an aggregate, whose rows it filters',
      'logs\n| summarize count() by status\n| sort by count_ desc',
      'logs\n| summarize count() by status\n| where status == 500\n| sort by count_ desc',
    ],
    [
      'leaves a comment with the stage that it is about',
      'logs // all\n| where a > 1 // some\n',
      'logs // all\n| where a > 1 // some\n| where status == 500\n',
    ],
    [
      'keeps the line breaks of the document',
      'logs\r\n| where a > 1\r\n',
      'logs\r\n| where a > 1\r\n| where status == 500\r\n',
    ],
    [
      'goes into the query at the place alone, after its lets',
      'first | take 1\n\nlet n = 1;\n$0logs\n| where a > n\n\nlast\n',
      'first | take 1\n\nlet n = 1;\nlogs\n| where a > n\n| where status == 500\n\nlast\n',
    ],
  ] as const)
    it(name, () => {
      const changed = added(before);
      assert.equal(changed, after);
      const errors = (text: string) =>
        analyze(text).problems.filter(({ severity }) => severity === 'error').length;
      assert.equal(errors(changed), errors(before.replace('$0', '')));
    });
});

describe('the condition', () => {
  for (const [condition, expected] of [
    [{ exclude: true }, 'status != 500'],
    [{ text: '-9223372036854775808' }, 'status == -9223372036854775808'],
    [{ text: '9007199254740993' }, 'status == 9007199254740993'],
    [{ text: '1e-7' }, 'status == 1e-7'],
    [{ kind: 'boolean', text: 'true' }, 'status == true'],
    [{ kind: 'null', text: '' }, 'isnull(status)'],
    [{ kind: 'null', text: '', exclude: true }, 'isnotnull(status)'],
    [{ kind: 'text', text: `it's "\\ \n` }, `status == 'it\\'s "\\\\ \\n'`],
    [{ kind: 'text', text: '' }, "status == ''"],
    [
      { kind: 'datetime', text: '2026-11-21T09:14:02.118394221Z' },
      'status == datetime(2026-11-21T09:14:02.118394221Z)',
    ],
    [{ column: 'geo.city', kind: 'text', text: 'Lisbon' }, "['geo.city'] == 'Lisbon'"],
    [{ column: "it's", kind: 'text', text: 'x' }, "['it\\'s'] == 'x'"],
    [
      { column: 'attributes', path: ['http.method', 0], kind: 'text', text: 'GET' },
      "attributes['http.method'][0] == 'GET'",
    ],
  ] as [Partial<WireCondition>, string][])
    it(`is ${expected}`, () => {
      assert.equal(added('logs | take 9', condition), `logs | where ${expected} | take 9`);
    });

  it('never ends its literal early, whatever the text', () => {
    for (const text of [`' or true or '`, `\\' | project-away *`, '\u2028', '`', '//', '"', `\\`]) {
      const changed = added('logs', { kind: 'text', text });
      assert.deepEqual(
        analyze(changed).problems.filter(({ severity }) => severity === 'error'),
        [],
        changed,
      );
      assert.equal(analyze(changed).queries.length, 1);
    }
  });
});

describe('a filter', () => {
  it('is refused where there is no query', () => {
    assert.match(added('// nothing here\n'), /^refused: /);
    assert.match(added('let a = 1;'), /^refused: /);
  });
});

describe('a path', () => {
  it('is written as a query names it', () => {
    assert.equal(quotePath('status', []), 'status');
    assert.equal(quotePath('geo.city', []), "['geo.city']");
    assert.equal(quotePath('a', ["it's", 3, 'b']), "a['it\\'s'][3]['b']");
  });
});

describe('with a schema', () => {
  it('a column that the result does not have is refused', () => {
    assert.match(added("['http-logs'] | project method"), /^refused: .*status/);
  });

  it('a value of another type than the column is compared as text', () => {
    const condition = { column: 'status', kind: 'text', text: '500' } as const;
    const changed = added("['http-logs'] | take 9", condition);
    const [query] = analyze(changed, schema).problems.filter(
      ({ severity }) => severity === 'error',
    );
    assert.equal(query, undefined, changed);
  });
});
