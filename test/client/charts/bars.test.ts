/** Bars: visible where they are narrow, and distinguished where the colors of the palette are used up. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChartSeries } from '../../../client/src/charts/chart.ts';
import { init } from '../../../client/src/charts/view/echarts.ts';
import { timeSeriesLegend } from '../../../client/src/charts/view/kinds/timeSeriesLegend.ts';
import type { Drawing } from '../../../client/src/charts/view/options/drawing.ts';
import { timeSeriesOption } from '../../../client/src/charts/view/options/timeSeries.ts';
import { palettes } from '../../../client/src/charts/view/palette.ts';
import { drawingOf } from './drawnText.ts';

const bin = 60_000;
const { theme } = drawingOf(0, 0);

function dataOf(names: readonly string[], bins: number) {
  const times = Array.from({ length: bins }, (_, at) => at * bin);
  const series = names.map(
    (name): ChartSeries => ({
      key: name,
      name,
      column: 0,
      y: times.map((_, at) => 1 + (at % 3)),
      figures: { points: bins },
    }),
  );
  return {
    kind: 'timeSeries',
    series,
    times,
    binMilliseconds: bin,
    partial: { first: false, last: false },
    missing: 0,
    reduced: false,
    skipped: 0,
  } as const;
}

function svgOf(data: ReturnType<typeof dataOf>, drawing: Drawing): string {
  const { width, height } = drawing;
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  chart.setOption(timeSeriesOption(data, { style: 'bars', stacked: true }, drawing));
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}

describe('bars in high contrast', () => {
  const background = '#123456';
  const drawing = drawingOf(600, 200, { theme: { ...theme, highContrast: true, background } });
  const borders = (bins: number) =>
    svgOf(dataOf(['GET'], bins), drawing).split(`stroke="${background}"`).length - 1;

  it('have borders where they are wide', () => {
    assert.ok(borders(12) >= 12);
  });

  it('have none where a border would leave nothing of them', () => {
    assert.equal(borders(200), 0);
  });
});

describe('more series than colors', () => {
  const names = Array.from({ length: palettes.light.length + 1 }, (_, at) => `host ${at}`);
  const slots = new Map(names.map((name, at) => [name, at]));
  const drawing = drawingOf(600, 200, { slots });
  const patterns = (count: number) =>
    svgOf(dataOf(names.slice(0, count), 20), drawing).split('<pattern').length - 1;

  it('have stripes', () => {
    assert.equal(patterns(names.length - 1), 0);
    assert.ok(patterns(names.length) > 0);
  });

  it('differ in the legend as well', () => {
    const { rows } = timeSeriesLegend(dataOf(names, 20), drawing, undefined);
    const looks = rows.map(({ color, dash }) => `${color} ${dash}`);
    assert.equal(new Set(looks).size, names.length);
  });
});
