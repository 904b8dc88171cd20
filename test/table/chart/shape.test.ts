/** The kinds of chart for an answer, determined by its columns alone. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnswerField, AnswerTable } from '../../../table/src/answer.ts';
import type { ChartKind } from '../../../table/src/chart/chart.ts';
import { chartRequest, chartShape } from '../../../table/src/chart/shape.ts';

const bounds = { maxSeries: 10, maxPoints: 100, timeZone: 'utc' } as const;

/** Returns a table of fields such as `n:integer=count`, a column with an aggregate. */
function table(fields: string, { groups = '', rows = 5 } = {}): AnswerTable {
  return {
    name: '0',
    sources: [],
    fields: fields.split(' ').map((text): AnswerField => {
      const [name = '', rest = ''] = text.split(':');
      const [type = '', agg] = rest.split('=');
      return {
        name,
        type,
        ...(agg && { agg: { name: agg, args: agg === 'percentiles' ? [50, 95] : [] } }),
      };
    }),
    groups: groups === '' ? [] : groups.split(' '),
    order: [],
    rowCount: rows,
  };
}

interface Case {
  readonly name: string;
  readonly fields: string;
  readonly groups?: string;
  readonly rows?: number;
  readonly aggregated?: boolean;
  readonly kinds: readonly ChartKind[];
  readonly look?: string;
  readonly values?: string;
}

const cases: readonly Case[] = [
  {
    name: 'a count over time',
    fields: '_time:datetime count_:integer=count',
    groups: '_time',
    kinds: ['timeSeries', 'statistic', 'scatter'],
    look: 'bars',
  },
  {
    name: 'a count over time by a group',
    fields: '_time:datetime status:integer count_:integer=count',
    groups: '_time status',
    kinds: ['timeSeries', 'topList', 'pie', 'heatmap', 'statistic', 'scatter'],
    look: 'bars stacked',
    values: 'count_',
  },
  {
    name: 'an average over time by a group, which is neither stacked nor a pie',
    fields: '_time:datetime host:string avg_x:float=avg',
    groups: '_time host',
    kinds: ['timeSeries', 'topList', 'heatmap', 'statistic', 'scatter'],
    look: 'line',
  },
  {
    name: 'two aggregates over time',
    fields: '_time:datetime count_:integer=count avg_x:float=avg',
    groups: '_time',
    kinds: ['timeSeries', 'statistic', 'scatter'],
    look: 'line',
    values: 'count_ avg_x',
  },
  {
    name: 'a count by a group',
    fields: 'status:integer count_:integer=count',
    groups: 'status',
    kinds: ['topList', 'pie', 'statistic'],
  },
  { name: 'a single count', fields: 'count_:integer=count', rows: 1, kinds: ['statistic'] },
  {
    name: 'several aggregates in one row',
    fields: 'count_:integer=count avg_x:float=avg',
    rows: 1,
    kinds: ['statistic', 'topList'],
  },
  {
    name: 'percentiles over time',
    fields: '_time:datetime p:array=percentiles',
    groups: '_time',
    kinds: ['timeSeries', 'statistic'],
    look: 'line',
  },
  {
    name: 'a histogram over time',
    fields: '_time:datetime h:array=histogram',
    groups: '_time',
    kinds: ['heatmap'],
  },
  { name: 'a histogram', fields: 'h:array=histogram', rows: 1, kinds: ['topList'] },
  { name: 'topk', fields: 't:array=topk', rows: 1, kinds: ['topList', 'pie'] },
  {
    name: 'topk over time',
    fields: '_time:datetime t:array=topk',
    groups: '_time',
    kinds: ['timeSeries', 'topList', 'pie', 'heatmap'],
    look: 'bars stacked',
  },
  {
    name: 'make-series',
    fields: 'status:integer count_:array _time:array',
    aggregated: false,
    kinds: ['timeSeries', 'topList', 'pie', 'heatmap', 'statistic'],
    look: 'bars stacked',
    values: 'count_',
  },
  {
    name: 'events with a message',
    fields: '_sysTime:datetime _time:datetime level:string message:string bytes:integer',
    aggregated: false,
    kinds: ['logStream', 'scatter', 'timeSeries', 'statistic'],
  },
  {
    name: 'events without a message',
    fields: '_sysTime:datetime _time:datetime id:integer duration:float method:string',
    aggregated: false,
    kinds: ['scatter', 'timeSeries', 'logStream', 'statistic'],
    values: 'duration',
  },
  {
    name: 'projected numbers with their time',
    fields: 't:datetime host:string cpu:float',
    aggregated: false,
    kinds: ['timeSeries', 'logStream', 'statistic', 'scatter'],
    look: 'line',
  },
  {
    name: 'two columns of numbers',
    fields: 'a:float b:integer',
    aggregated: false,
    kinds: ['scatter'],
  },
  {
    name: 'names with numbers',
    fields: 'host:string cpu:float',
    aggregated: false,
    kinds: ['topList'],
  },
  {
    name: 'a name with two columns of numbers',
    fields: 'duration:float bytes:integer method:string',
    aggregated: false,
    kinds: ['scatter', 'topList'],
  },
  { name: 'columns of text only', fields: 'a:string b:string', aggregated: false, kinds: [] },
  { name: 'one column of numbers', fields: 'status:integer', aggregated: false, kinds: [] },
  {
    name: 'arrays that are not series',
    fields: 'tags:array ids:array',
    aggregated: false,
    kinds: [],
  },
  { name: 'the latest time', fields: 'max__time:datetime=max', rows: 1, kinds: [] },
  {
    name: 'the latest time and a count by a group',
    fields: 'host:string max__time:datetime=max count_:integer=count',
    groups: 'host',
    kinds: ['topList', 'pie', 'statistic'],
  },
  {
    name: 'timespans over time',
    fields: '_time:datetime avg_t:timespan=avg',
    groups: '_time',
    kinds: ['timeSeries', 'statistic', 'scatter'],
  },
];

describe('the shape of an answer', () => {
  for (const { name, fields, groups, rows, aggregated = true, kinds, look, values } of cases) {
    it(`is detected for ${name}`, () => {
      const given = table(fields, { ...(groups && { groups }), ...(rows && { rows }) });
      const shape = chartShape(given, aggregated);
      assert.deepEqual(shape.kinds, kinds);
      if (look !== undefined)
        assert.equal(`${shape.style}${shape.stacked ? ' stacked' : ''}`, look);
      if (values !== undefined)
        assert.equal(
          shape.defaultValues.map((index) => given.fields[index]?.name).join(' '),
          values,
        );
    });
  }
});

describe('the chart request for a choice', () => {
  const shape = chartShape(
    table('_time:datetime status:integer count_:integer=count avg_x:float=avg', {
      groups: '_time status',
    }),
    true,
  );

  it('keeps available options and replaces unavailable ones', () => {
    const request = chartRequest(shape, { kind: 'logStream', values: [1, 99, 3] }, bounds);
    assert.equal(request.kind, 'timeSeries');
    assert.deepEqual(request.values, [3]);
    assert.deepEqual(request.groups, [1]);
    assert.equal(request.time, 0);
  });

  it('stacks bars and areas, but never lines', () => {
    const counts = chartShape(
      table('_time:datetime s:integer n:integer=count', { groups: '_time s' }),
      true,
    );
    const stacked = (choice: object) => chartRequest(counts, choice, bounds).stacked;
    assert.equal(stacked({}), true);
    assert.equal(stacked({ style: 'area' }), true);
    assert.equal(stacked({ style: 'line', stacked: true }), false);
    assert.equal(stacked({ stacked: false }), false);
    assert.equal(stacked({ kind: 'topList' }), false);
  });

  it('fills missing counts with zero and leaves gaps for other values unless chosen otherwise', () => {
    const counts = chartShape(table('_time:datetime n:integer=count', { groups: '_time' }), true);
    assert.equal(chartRequest(counts, {}, bounds).missing, 'zero');
    assert.equal(chartRequest(shape, {}, bounds).missing, 'gap');
    assert.equal(chartRequest(shape, { missing: 'carry' }, bounds).missing, 'carry');
  });

  it('plots two selected columns against each other instead of over time', () => {
    const request = chartRequest(shape, { kind: 'scatter', values: [2, 3] }, bounds);
    assert.equal(request.time, undefined);
    assert.equal(chartRequest(shape, { kind: 'scatter', values: [2] }, bounds).time, 0);
  });
});
