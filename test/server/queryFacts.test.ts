// Facts about a query that the client gets ahead of a run: parameters, whether rows are limited, and the queries
// that count rows stage by stage.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseQuery } from '../../language/src/index.ts';
import { stageCounts } from '../../server/src/features/queryAt.ts';
import { queryFacts } from '../../server/src/features/queryFacts.ts';
import { titleOf } from '../../server/src/features/queryTitle.ts';
import { snapshotOf, textAt } from './marked.ts';

const facts = (text: string) => queryFacts(parseQuery(text));

describe('finding the datasets of a query', () => {
  for (const [text, names] of [
    ['logs | where a == 1', ['logs']],
    ["['a b'] | join kind=inner (other | take 1) on id", ['a b', 'other']],
    ['let l = logs | take 1; union l, traces, web*', ['logs', 'traces']],
    ['search in (logs, metrics) "x"', ['logs', 'metrics']],
    [
      "logs | where id in ((bad | project id)) | lookup ['codes'] on code",
      ['logs', 'bad', 'codes'],
    ],
    ['print 1', []],
    ['search "x"', []],
  ] as const) {
    it(`returns ${names.join(', ') || 'none'}: ${text}`, () => {
      assert.deepEqual(facts(text).datasets, names);
    });
  }
});

describe('choosing a visualization', () => {
  for (const [text, drawnAs] of [
    ['logs | where a == 1', 'logStream'],
    ['logs | summarize count() by bin_auto(_time), method', 'timeSeries'],
    ["logs | summarize n = count() by t = bin(['_time'], 1h)", 'timeSeries'],
    ['logs | summarize count() by method | sort by count_ | take 5', 'topList'],
    ['logs | summarize count(), avg(a) by method', 'table'],
    ['logs | summarize avg(a)', 'statistic'],
    ['logs | count', 'statistic'],
    ['logs | make-series count() on _time step 1h', 'timeSeries'],
    ['logs | summarize count() by method | extend a = 1', 'table'],
    ['logs | take 5', 'table'],
  ] as const) {
    it(`draws ${text} as ${drawnAs}`, () => assert.equal(facts(text).drawnAs, drawnAs));
  }
});

describe('the parameters of a query', () => {
  it('include names, types and defaults', () => {
    const text =
      'declare query_parameters (a, n: long = 9007199254740993, s: string = "it\\"s",\n' +
      "  t: datetime = datetime(2026-01-31), ['odd name']: dynamic, b: boolean = true, x: int);\nlogs";
    assert.deepEqual(facts(text).parameters, [
      { name: 'a', type: 'string' },
      { name: 'n', type: 'long', defaultText: '9007199254740993' },
      { name: 's', type: 'string', defaultText: 'it"s' },
      { name: 't', type: 'datetime', defaultText: 'datetime(2026-01-31)' },
      { name: 'odd name', type: 'dynamic' },
      { name: 'b', type: 'bool', defaultText: 'true' },
      { name: 'x', type: 'long' },
    ]);
    assert.deepEqual(facts('logs').parameters, []);
  });
});

describe('finding the dataset whose fields are the output columns', () => {
  for (const [query, dataset] of [
    ['logs', 'logs'],
    ["['http-logs'] | where a > 1 | sort by a | top 5 by b | limit 10", 'http-logs'],
    ['let n = 5; logs | where a > n', 'logs'],
    ['let logs = traces | project a; logs', undefined],
    ["['logs-*']", undefined],
    ['logs | extend b = 1', undefined],
    ['logs | project a', undefined],
    ['logs | summarize count()', undefined],
    ['union logs, traces', undefined],
    ['logs | join traces on a', undefined],
    ['logs; traces', undefined],
    ['print 1', undefined],
    ['logs | whatever', undefined],
  ] as const) {
    it(`returns ${dataset ?? 'none'}: ${query}`, () =>
      assert.equal(facts(query).allFieldsOf, dataset));
  }
});

describe('a query', () => {
  for (const [query, datasets] of [
    ['logs', ['logs']],
    ["['http-logs'] | where a > 1 | extend b = 2 | sort by b", ['http-logs']],
    ['let t = logs | where a > 1; t | project a', ['logs']],
    ['let t = t | where a > 1; t', ['t']],
    ['union logs, (traces | where a > 1), (other | take 1)', ['logs', 'traces']],
    ['(logs | where a > 1) | extend b = 2', ['logs']],
    ['search in (logs, traces) "error"', ['logs', 'traces']],
    ['search "error"', []],
    ['logs | join (traces | take 5) on a', ['logs']],
  ] as const)
    it(`reads ${datasets.join(', ') || 'everything'} without a limit: ${query}`, () =>
      assert.deepEqual(facts(query).unlimited?.datasets, datasets));

  for (const query of [
    'logs | take 5',
    'logs | limit 5 | extend a = 1',
    'logs | top 5 by a',
    'logs | sample 0.1',
    'logs | summarize count() by a',
    'logs | count',
    'logs | distinct a',
    'logs | getschema',
    'let t = logs | take 5; t',
    'let t = logs | summarize count(); (t) | extend a = 1',
    'union (logs | take 5), (traces | count)',
    'print 1',
    'datatable (a: long) [1]',
    '',
    'let a = 1;',
  ])
    it(`is recognized as limited: ${query}`, () => assert.equal(facts(query).unlimited, undefined));

  it('gets a missing limit after its last stage and ahead of trailing comments', () => {
    const limited = (text: string) => {
      const { offset, insert } = facts(text).unlimited ?? assert.fail();
      return text.slice(0, offset) + insert + text.slice(offset);
    };
    assert.equal(limited('logs | where a'), 'logs | where a | limit 1000');
    assert.equal(
      limited('let x = 1;\nlogs\n| where a > x // why\n// the end'),
      'let x = 1;\nlogs\n| where a > x\n| limit 1000 // why\n// the end',
    );
    assert.equal(limited('let x = 1;\nlogs;'), 'let x = 1;\nlogs | limit 1000;');
  });
});

describe('counting rows by stage', () => {
  it('creates one query for the source and one per stage, each with the preceding lets', () => {
    const text = 'print 1\n\n// Errors\nlet x = 1;\nlogs // all\n| where a > x\n| project a\n';
    const at = { uri: '', position: { line: 5, character: 4 } };
    const found = stageCounts(snapshotOf(text), at);
    assert.deepEqual(
      found.map(({ title, range }) => [title, textAt(text, range), range.end.line]),
      [
        ['logs', 'logs', 4],
        ['where a > x', '| where a > x', 5],
        ['project a', '| project a', 6],
      ],
    );
    assert.deepEqual(
      found.map(({ text }) => text),
      [
        '// Errors\nlet x = 1;\nlogs\n| count',
        '// Errors\nlet x = 1;\nlogs // all\n| where a > x\n| count',
        '// Errors\nlet x = 1;\nlogs // all\n| where a > x\n| project a\n| count',
      ],
    );
  });

  it('covers only the subquery at the cursor', () => {
    const text = 'logs\n| join (\n  traces\n  | where b > 1\n) on a';
    const found = stageCounts(snapshotOf(text), { uri: '', position: { line: 3, character: 6 } });
    assert.deepEqual(
      found.map(({ title }) => title),
      ['traces', 'where b > 1'],
    );
  });

  it('returns no stages if there is no query', () => {
    const at = { uri: '', position: { line: 0, character: 0 } };
    assert.deepEqual(stageCounts(snapshotOf('\n\n'), at), []);
    assert.deepEqual(stageCounts(snapshotOf('| count'), at), []);
  });
});

describe('the stages of a query', () => {
  it('include its dataset and one line per stage, truncated at 80 characters', () => {
    const long = `where a in (${'1, '.repeat(60)}2)`;
    const text = `['http-logs']\n| summarize n = count()\n    by host // each\n| ${long}\n| take 5`;
    const { stages = [] } = facts(text);
    assert.deepEqual(stages.with(2, ''), [
      'http-logs',
      'summarize n = count() by host',
      '',
      'take 5',
    ]);
    assert.match(stages[2] ?? '', /^where a in \(1, 1.*…$/);
    assert.equal(stages[2]?.length, 80);
    assert.deepEqual(facts('let n = 5; logs | take n').stages, ['logs', 'take n']);
  });

  it('are undefined if a comment names the query or the query has no pipeline', () => {
    assert.equal(facts('// Errors\nlogs | count').stages, undefined);
    assert.deepEqual(facts('// range: 1h\nlogs | count').stages, ['logs', 'count']);
    assert.equal(facts('let a = 1;').stages, undefined);
  });
});

describe('the title of a query', () => {
  it("isn't taken from a comment with a time range or a suppression", () => {
    assert.equal(titleOf('// range: 7d\nlogs | count'), 'logs | count');
    assert.equal(titleOf('// Errors\n// range: 7d\nlogs | count'), 'Errors');
    assert.equal(titleOf('// aplomb-disable-next-line late-filter\nlogs | count'), 'logs | count');
    assert.equal(titleOf('// range of values\nlogs | count'), 'range of values');
  });
});
