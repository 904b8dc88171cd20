/** Thresholds of monitors in time series: in view whatever the values are, on the axis of what is watched. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChartSeries } from '../../../client/src/charts/chart.ts';
import type { ChartThreshold } from '../../../client/src/charts/marks.ts';
import { init } from '../../../client/src/charts/view/echarts.ts';
import { timeSeriesOption } from '../../../client/src/charts/view/options/timeSeries.ts';
import type { Theme } from '../../../client/src/charts/view/theme.ts';

const theme: Theme = {
  brightness: 'light',
  background: '#ffffff',
  text: '#000000',
  dim: '#666666',
  line: '#cccccc',
  font: 'sans-serif',
  fontSize: 12,
  highContrast: false,
};

function series(name: string, y: readonly number[], unit?: string): ChartSeries {
  const figures = { points: y.length };
  return { key: name, name, column: 0, y, figures, ...(unit !== undefined && { unit }) };
}

/** The text of a chart of three minutes. */
function drawn(all: readonly ChartSeries[], threshold: ChartThreshold): string[] {
  const size = { width: 600, height: 300 };
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
    { ...size, theme, timeZone: 'utc', annotations: [], thresholds: [threshold] },
  );
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...size });
  chart.setOption(option);
  const svg = chart.renderToSVGString();
  chart.dispose();
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);
}

describe('a threshold', () => {
  for (const value of [6, 50, -50])
    it(`of ${value} is drawn in a chart of values up to 10`, () => {
      const found = drawn([series('a', [1, 5, 10])], { monitor: 'Errors', value });
      assert.ok(found.includes(`Errors ${value}`), found.join(' | '));
    });

  it('is on the axis of the column that its monitor watches', () => {
    const all = [series('took', [1, 5, 10], 'ms'), series('size', [100, 500, 1_000], 'bytes')];
    const found = drawn(all, { monitor: 'Large', value: 600, column: 'size' });
    assert.ok(found.includes('Large 600 B'), found.join(' | '));
    assert.ok(found.includes('12 ms') && !found.includes('600 ms'), found.join(' | '));
  });
});
