// Adding a result value as a condition to its query: the position of the stage, the quoting of values, and the
// refusals. Each changed query is analyzed.
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

/** Returns the document after the conditions are added to the query at `$0`, or the refusal. */
function added(marked: string, ...conditions: readonly Partial<WireCondition>[]): string {
  const offset = Math.max(0, marked.indexOf('$0'));
  const text = marked.replace('$0', '');
  const snapshot = snapshotOf(text);
  const position = snapshot.lines.positionAt(offset);
  const found = addFilter(snapshot, {
    uri: snapshot.uri,
    position,
    conditions: (conditions.length === 0 ? [{}] : conditions).map((one) => ({ ...status, ...one })),
  });
  if ('refusal' in found) return `refused: ${found.refusal}`;
  const start = snapshot.lines.offsetAt(found.start);
  const { edit } = found;
  const changed = text.slice(0, start + edit.start) + edit.text + text.slice(start + edit.end);
  assert.equal(changed.slice(start, start + found.text.length), found.text);
  return changed;
}

describe('the added where stage', () => {
  for (const [name, before, after] of [
    ['follows a dataset without stages', 'logs', 'logs\n| where status == 500'],
    [
      'stays on the line if all stages are on one line',
      'logs | where a > 1',
      'logs | where a > 1 | where status == 500',
    ],
    [
      'goes on a separate line with the same indentation as the stages',
      'logs\n  | where a > 1\n  | extend b = 2',
      'logs\n  | where a > 1\n  | extend b = 2\n  | where status == 500',
    ],
    [
      'precedes sort and take',
      'logs\n| extend b = 2\n| sort by _time desc\n| take 10\n',
      'logs\n| extend b = 2\n| where status == 500\n| sort by _time desc\n| take 10\n',
    ],
    ['follows a sample', 'logs | sample 0.1', 'logs | sample 0.1 | where status == 500'],
    [
      'precedes top and limit on one line',
      'logs | top 5 by status | limit 3',
      'logs | where status == 500 | top 5 by status | limit 3',
    ],
    [
      'follows the summarize that aggregates the filtered column',
      'logs\n| summarize status = count() by host\n| sort by status desc',
      'logs\n| summarize status = count() by host\n| where status == 500\n| sort by status desc',
    ],
    [
      'precedes a summarize that groups by the column',
      'logs\n| where a > 1\n| summarize count() by bin_auto(_time), status\n| sort by count_ desc',
      'logs\n| where a > 1\n| where status == 500\n| summarize count() by bin_auto(_time), status\n| sort by count_ desc',
    ],
    [
      'precedes a grouping summarize on the line of the dataset',
      'logs | summarize count() by status',
      'logs | where status == 500 | summarize count() by status',
    ],
    [
      "precedes the first summarize that groups by the column and uses the column's earlier name",
      'logs\n| take 9\n| summarize n = count() by code, host\n| where n > 1\n| project n, status = code\n| extend twice = 2 * n\n| summarize sum(n) by status',
      'logs\n| take 9\n| where code == 500\n| summarize n = count() by code, host\n| where n > 1\n| project n, status = code\n| extend twice = 2 * n\n| summarize sum(n) by status',
    ],
    [
      'precedes a summarize that groups by a map property and filters the property',
      "logs\n| summarize count() by status = attributes['http.status']",
      "logs\n| where attributes['http.status'] == 500\n| summarize count() by status = attributes['http.status']",
    ],
    [
      'precedes a distinct on a computed column',
      'logs\n| extend status = code + 1\n| project-rename code2 = code\n| distinct status, host',
      'logs\n| extend status = code + 1\n| project-rename code2 = code\n| where status == 500\n| distinct status, host',
    ],
    [
      'follows a summarize that computes the group column',
      'logs\n| summarize count() by status = bin(code, 100)',
      'logs\n| summarize count() by status = bin(code, 100)\n| where status == 500',
    ],
    [
      'follows an extend that computes the column after a summarize',
      'logs\n| summarize count() by host\n| extend status = count_ * 2',
      'logs\n| summarize count() by host\n| extend status = count_ * 2\n| where status == 500',
    ],
    [
      'precedes a comment above the next stage',
      'logs\n// by status\n| summarize count() by status',
      'logs\n| where status == 500\n// by status\n| summarize count() by status',
    ],
    [
      'follows a union and precedes a grouping summarize',
      'union a, b\n| summarize count() by status',
      'union a, b\n| where status == 500\n| summarize count() by status',
    ],
    [
      'follows a trailing comment of the last stage',
      'logs // all\n| where a > 1 // some\n',
      'logs // all\n| where a > 1 // some\n| where status == 500\n',
    ],
    [
      'uses the CRLF line breaks of the document',
      'logs\r\n| where a > 1\r\n',
      'logs\r\n| where a > 1\r\n| where status == 500\r\n',
    ],
    [
      'is added only to the query at the cursor, after its let statements',
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

describe('an added where stage with several conditions', () => {
  const host = { column: 'host', kind: 'text', text: 'web-1' } as const;

  it('combines them with `and`', () => {
    assert.equal(
      added('logs\n| summarize count() by status, host', {}, host),
      "logs\n| where status == 500 and host == 'web-1'\n| summarize count() by status, host",
    );
  });

  it('becomes two stages if the conditions apply to different stages', () => {
    assert.equal(
      added('logs | summarize status = count() by host', {}, host),
      "logs | where host == 'web-1' | summarize status = count() by host | where status == 500",
    );
  });

  it('omits conditions that are already in the query', () => {
    const before = 'logs\n| where a > 1 and status == 500\n| summarize count() by status, host';
    assert.equal(
      added(before, {}, host),
      "logs\n| where a > 1 and status == 500\n| where host == 'web-1'\n| summarize count() by status, host",
    );
    assert.match(added(before), /^refused: The query already has this filter\.$/);
  });
});

describe('adding a filter to the executed part of a query', () => {
  it('inserts the filter within that part and leaves the rest of the query unchanged', () => {
    const text = 'logs\n| where a > 1\n| summarize count() by host\n';
    const snapshot = snapshotOf(text);
    const part = 'logs\n| where a > 1';
    const position = { line: 0, character: 0 };
    const { uri } = snapshot;
    const found = addFilter(snapshot, { uri, position, part, conditions: [status] });
    assert.ok('text' in found);
    assert.equal(found.text, `${part}\n| where status == 500`);
    const { length } = part;
    assert.deepEqual(found.edit, { start: length, end: length, text: '\n| where status == 500' });
  });
});

describe('an added filter', () => {
  it('causes no new problems', () => {
    for (const query of [
      "['http-logs'] | summarize count() by status",
      "['http-logs'] | summarize count() by status | sort by count_ | take 3",
      "['http-logs'] | distinct status",
      "['http-logs'] | sort by _time | extend a = 1 | take 9",
    ]) {
      const remarks = (text: string) =>
        analyze(text, schema).problems.map(({ code, message }) => `${code}: ${message}`);
      const changed = added(query);
      assert.deepEqual(
        remarks(changed).filter((one) => !remarks(query).includes(one)),
        [],
        changed,
      );
    }
  });
});

describe('the added condition', () => {
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
    it(`is written as ${expected}`, () => {
      assert.equal(added('logs | take 9', condition), `logs | where ${expected} | take 9`);
    });

  it('contains the value as a single string literal, whatever its characters', () => {
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

describe('adding a filter', () => {
  it('is refused if there is no query', () => {
    assert.match(added('// nothing here\n'), /^refused: /);
    assert.match(added('let a = 1;'), /^refused: /);
  });
});

describe('quotePath', () => {
  it('quotes column names and property paths for use in a query', () => {
    assert.equal(quotePath('status', []), 'status');
    assert.equal(quotePath('geo.city', []), "['geo.city']");
    assert.equal(quotePath('a', ["it's", 3, 'b']), "a['it\\'s'][3]['b']");
  });
});

describe('adding a filter with a schema', () => {
  it("is refused for a column that isn't in the result", () => {
    assert.match(added("['http-logs'] | project method"), /^refused: .*status/);
  });

  it('causes no error if the value and the column have different types', () => {
    const condition = { column: 'status', kind: 'text', text: '500' } as const;
    const changed = added("['http-logs'] | take 9", condition);
    const [query] = analyze(changed, schema).problems.filter(
      ({ severity }) => severity === 'error',
    );
    assert.equal(query, undefined, changed);
  });
});
