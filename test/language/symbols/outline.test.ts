/** The outline of a query: its statements, stages, and nested pipelines. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyzeQuery } from '../../../language/src/analysis.ts';
import { type OutlineItem, outlineOf } from '../../../language/src/symbols/outline.ts';

function shown(items: readonly OutlineItem[], indent = ''): string[] {
  return items.flatMap(({ kind, name, detail, children }) => [
    `${indent}${kind} ${name}${detail === '' ? '' : `: ${detail}`}`,
    ...shown(children, `${indent}  `),
  ]);
}

function outline(text: string): string[] {
  return shown(outlineOf(analyzeQuery(text).bound));
}

describe('an outline', () => {
  it('lists the source and each stage with its arguments', () => {
    assert.deepEqual(
      outline(
        "['http-logs'] // all of them\n| where status >= 500 // bad\n| summarize count()\n    by service",
      ),
      ["source ['http-logs']", 'stage where: status >= 500', 'stage summarize: count() by service'],
    );
  });

  it('lists parameters, lets, and lets of tables with their stages', () => {
    assert.deepEqual(
      outline(
        'declare query_parameters (n:long = 3, s:string);\nlet limit1 = 5 * n; let T = logs | take limit1;\nT | count',
      ),
      [
        'parameter n: long = 3',
        'parameter s: string',
        'let limit1: 5 * n',
        'table T: logs',
        '  stage take: limit1',
        'source T',
        'stage count',
      ],
    );
  });

  it('nests subqueries under the stage that contains them', () => {
    assert.deepEqual(
      outline(
        'logs | join kind=inner (users | where ok | project id) on id\n| union (a | take 5), b\n| where x in (c | distinct x)',
      ),
      [
        'source logs',
        'stage join: kind=inner (users | where ok | project id) on id',
        '  source users',
        '    stage where: ok',
        '    stage project: id',
        'stage union: (a | take 5), b',
        '  source a',
        '    stage take: 5',
        'stage where: x in (c | distinct x)',
        '  source c',
        '    stage distinct: x',
      ],
    );
  });

  it('names a source operator by its keyword', () => {
    assert.deepEqual(outline('union logs, (users | take 1) | count'), [
      'source union: logs, (users | take 1)',
      '  source users',
      '    stage take: 1',
      'stage count',
    ]);
    assert.deepEqual(outline('search in (logs) "x"'), ['source search: in (logs) "x"']);
    assert.deepEqual(outline('print 1, 2'), ['source print 1, 2']);
  });

  it('truncates long details and keeps URLs in strings', () => {
    const [, long] = outline(`logs | where ${'status == 1 or '.repeat(50)}ok`);
    assert.ok(long !== undefined && long.length < 100 && long.endsWith('…'), long);
    const [source] = outline("externaldata (a:long) ['https://example.com/a.csv']");
    assert.match(source ?? '', /https:\/\/example\.com\/a\.csv/);
  });

  it('lists every stage of a broken query within the range of its parent', () => {
    const text = 'let = 5; logs | | where ( | extend x = | join (users | whree) on';
    const inside = (items: readonly OutlineItem[], start: number, end: number) => {
      for (const item of items) {
        assert.ok(start <= item.start && item.end <= end, item.name);
        assert.ok(item.start <= item.selection.start && item.selection.end <= item.end, item.name);
        assert.notEqual(item.name, '');
        inside(item.children, item.start, item.end);
      }
    };
    const items = outlineOf(analyzeQuery(text).bound);
    inside(items, 0, text.length);
    assert.ok(shown(items).some((line) => line.trim() === 'stage whree'));
  });

  it('is computed once per analysis', () => {
    const { bound } = analyzeQuery('logs | count');
    assert.equal(outlineOf(bound), outlineOf(bound));
  });
});
