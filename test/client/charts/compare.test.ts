/** Compares the series of an earlier answer with the current ones. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareSeries, differenceOf } from '../../../client/src/charts/compare.ts';
import type { ChartSeries, TimeSeriesData } from '../../../table/src/chart/chart.ts';

const series = (key: string, total: string, rest: Partial<ChartSeries> = {}): ChartSeries => ({
  key,
  name: key,
  column: 0,
  additive: true,
  y: [1, 2],
  figures: { points: 2, total, average: '1.5' },
  ...rest,
});

const data = (times: readonly number[], all: readonly ChartSeries[]): TimeSeriesData => ({
  kind: 'timeSeries',
  series: all,
  times,
  partial: { first: false, last: false },
  missing: 0,
  reduced: false,
  skipped: 0,
});

describe('an earlier answer', () => {
  it('is compared by series key, and its times are shifted to those of the current answer', () => {
    const now = data([1_000, 2_000], [series('a', '10'), series('__proto__', '9007199254740993')]);
    const earlier = data(
      [0, 1_000],
      [
        series('__proto__', '9007199254740992'),
        series('gone', '4', { x: [5, 6] }),
        series('a', '8'),
      ],
    );
    const result = compareSeries(now, earlier, 1_000);
    assert.deepEqual(result.times, [1_000, 2_000]);
    assert.deepEqual(result.series.find(({ key }) => key === 'gone')?.x, [1_005, 1_006]);
    assert.deepEqual(Object.fromEntries(result.compared), {
      a: { earlier: '8', difference: '2', share: 0.25 },
      gone: { earlier: '4' },
      ['__proto__']: { earlier: '9007199254740992', difference: '1', share: 1 / 9007199254740992 },
    });
  });

  it('is compared by the averages of its series if their values cannot be added', () => {
    const one = (average: string) =>
      data(
        [1],
        [{ ...series('a', '99'), additive: false, figures: { points: 3, total: '99', average } }],
      );
    assert.deepEqual(compareSeries(one('0.3'), one('0.1'), 0).compared.get('a'), {
      earlier: '0.1',
      difference: '0.2',
      share: 2,
    });
  });

  it('has no percentage for a series whose earlier total is 0, and no difference without values', () => {
    const now = data([1], [series('a', '3'), series('b', '1'), series('new', '2')]);
    const earlier = data([0], [series('a', '0'), series('b', '', { figures: { points: 0 } })]);
    const { compared } = compareSeries(now, earlier, 1);
    assert.deepEqual(compared.get('a'), { earlier: '0', difference: '3' });
    assert.deepEqual(compared.get('b'), {});
    assert.deepEqual(compared.get('new'), {});
  });
});

describe('the difference of two numbers', () => {
  for (const [left, right, difference] of [
    ['9223372036854775807', '-9223372036854775808', '18446744073709551615'],
    ['0.3', '0.1', '0.2'],
    ['1', '1.0', '0'],
    ['-0.05', '0.95', '-1'],
    ['10', '9.5', '0.5'],
    ['1e21', '1', '1e+21'],
  ] as const)
    it(`is ${difference} for ${left} minus ${right}`, () =>
      assert.equal(differenceOf(left, right), difference));
});
