/** Thresholds of monitors in time series: always in view, on the axis of the watched column. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChartThreshold } from '../../../client/src/charts/marks.ts';
import { timeSeriesOption } from '../../../client/src/charts/view/options/timeSeries.ts';
import type { ChartSeries } from '../../../table/src/chart/chart.ts';
import { drawingOf, drawnText } from './drawnText.ts';

function series(name: string, y: readonly number[], unit?: string): ChartSeries {
  const figures = { points: y.length };
  return { key: name, name, column: 0, y, figures, ...(unit !== undefined && { unit }) };
}

/** Draws a chart of three minutes, and returns its text. */
function drawn(all: readonly ChartSeries[], threshold: ChartThreshold): string[] {
  const drawing = drawingOf(600, 300, { thresholds: [threshold] });
  const option = timeSeriesOption(
    {
      kind: 'timeSeries',
      series: all,
      times: [0, 60_000, 120_000],
      partial: { first: false, last: false },
      missing: 0,
      reduced: false,
      skipped: 0,
    },
    { style: 'line', stacked: false },
    drawing,
  );
  return drawnText(option, drawing).map(({ text }) => text);
}

describe('a threshold', () => {
  for (const value of [6, 50, -50])
    it(`of ${value} is visible in a chart with values from 1 to 10`, () => {
      const found = drawn([series('a', [1, 5, 10])], { monitor: 'Errors', value });
      assert.ok(found.includes(`Errors ${value}`), found.join(' | '));
    });

  it('is on the axis of the column that its monitor watches', () => {
    const all = [series('took', [1, 5, 10], 'ms'), series('size', [100, 500, 1_000], 'bytes')];
    const found = drawn(all, { monitor: 'Large', value: 600, column: 'size' });
    assert.ok(found.includes('Large 600 B'), found.join(' | '));
    assert.ok(found.includes('10 ms') && !found.includes('600 ms'), found.join(' | '));
  });
});
