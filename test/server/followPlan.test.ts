// Queries that are followed event by event, and the parts of the query for new events.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseQuery } from '../../language/src/index.ts';
import { followPlan } from '../../server/src/features/followPlan.ts';

const plan = (text: string) => followPlan(parseQuery(text));

describe('following only new events', () => {
  for (const [query, stages, limit] of [
    ['logs', '', undefined],
    [
      "['http-logs'] | where a > 1 // why\n| extend b = 2",
      '\n| where a > 1\n| extend b = 2',
      undefined,
    ],
    ['logs | sort by _time asc | take 20', '', 20],
    ['logs | limit 50 | take 20 | extend a = 1', '\n| extend a = 1', 20],
    ['logs | top 5 by _time | project a, b', '\n| project a, b, aplomb_arrival', 5],
    ['logs | project-keep a*, _time', '\n| project-keep a*, _time, aplomb_arrival', undefined],
    ['logs | project-away b*, c', '\n| project-away b*, c', undefined],
    [
      'logs | project-rename c = a | project-reorder c',
      '\n| project-rename c = a\n| project-reorder c',
      undefined,
    ],
    [
      'logs | parse a with * "x" y | parse-kv b as (c: long)',
      '\n| parse a with * "x" y\n| parse-kv b as (c: long)',
      undefined,
    ],
    ['logs | search "error"', '\n| search "error"', undefined],
  ] as const)
    it(query.replaceAll('\n', ' '), () => {
      const found = plan(query);
      assert.equal(found.kind, 'events');
      assert.equal(found.stages, stages);
      assert.equal(found.limit, limit);
    });

  it('preserves lets and parameters and drops trailing comments', () => {
    const found = plan(
      "let n = 5;\ndeclare query_parameters (a: long = 1);\n['a b'] // comment\n| where x > n // end\n",
    );
    assert.deepEqual(found, {
      kind: 'events',
      source: "let n = 5;\ndeclare query_parameters (a: long = 1);\n['a b']",
      stages: '\n| where x > n',
    });
  });
});

describe('a query that is rerun while followed', () => {
  for (const [query, reason] of [
    ['logs | summarize count() by bin_auto(_time)', 'its rows are not events after "summarize"'],
    ['logs | where a > 1 | count', 'its rows are not events after "count"'],
    ['logs | mv-expand a', 'its rows are not events after "mv-expand"'],
    ['logs | join (traces) on a', 'its rows are not events after "join"'],
    ['logs | sort by status', 'its rows are not in the order of time'],
    ['logs | top 5 by duration', 'its rows are not in the order of time'],
    ['logs | sort by _time, status', 'its rows are not in the order of time'],
    ['logs | limit 5 | where a > 1', 'it filters the rows that a limit leaves'],
    ['logs | sample 0.1', 'its rows are not events after "sample"'],
    ['logs | project-away a*', 'it removes all columns of a pattern'],
    ['logs | project-away *', 'it removes all columns of a pattern'],
    ['union logs, traces', 'it does not start with a dataset'],
    ['print 1', 'it does not start with a dataset'],
    ['let t = logs | summarize count(); t', 'it does not start with a dataset'],
    ['', 'there is no query'],
  ] as const)
    it(query || 'no text', () => assert.deepEqual(plan(query), { kind: 'rows', reason }));
});
