/** Bars: narrow ones stay visible, and series beyond the size of the palette are told apart by stripes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { init } from '../../../client/src/charts/view/echarts.ts';
import { partialNotice } from '../../../client/src/charts/view/kinds/timeSeries.ts';
import { timeSeriesLegend } from '../../../client/src/charts/view/kinds/timeSeriesLegend.ts';
import type { Drawing } from '../../../client/src/charts/view/options/drawing.ts';
import { timeSeriesOption } from '../../../client/src/charts/view/options/timeSeries.ts';
import { palettes } from '../../../client/src/charts/view/palette.ts';
import type { ChartSeries, TimeSeriesData } from '../../../table/src/chart/chart.ts';
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

function svgOf(data: TimeSeriesData, drawing: Drawing): string {
  const { width, height } = drawing;
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  chart.setOption(timeSeriesOption(data, { style: 'bars', stacked: true }, drawing));
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}

/** Returns the left and right edges of the bars, in pixels. */
function edgesOf(svg: string): [number, number][] {
  return [...svg.matchAll(/<path d="M([\d.]+) [\d.]+l([\d.]+) 0l0 [^"]*" fill="(#\w+)"/g)]
    .filter(([, , , fill]) => fill !== '#000')
    .map(([, left, width]) => [Number(left), Number(left) + Number(width)]);
}

describe('the bar of a single bin', () => {
  const range = { from: 0, to: 10 * bin };
  const drawing = drawingOf(600, 200);
  const all = edgesOf(svgOf({ ...dataOf(['GET'], 10), ...range }, drawing));

  it('has the position and width of its bin', () => {
    const one = { ...dataOf(['GET'], 1), times: [4 * bin], ...range };
    const [[left, right] = [0, 0], ...others] = edgesOf(svgOf(one, drawing));
    assert.equal(others.length, 0);
    const [from, to] = all[4] ?? [0, 0];
    // The axis labels are a few pixels narrower.
    assert.ok(
      Math.abs(right - left - (to - from)) < 6,
      `${left} to ${right}, not ${from} to ${to}`,
    );
    assert.ok(Math.abs(left - from) < 16, `${left} to ${right}, not ${from} to ${to}`);
  });

  it('fills most of the plot if the time range covers only a part of the bin', () => {
    const one = { ...dataOf(['GET'], 1), from: 10_000, to: 50_000 };
    const [[left, right] = [0, 0]] = edgesOf(svgOf(one, drawing));
    assert.ok(right - left > 400 && left > 0 && right < 600, `${left} to ${right}`);
  });

  it('has a notice about a single partial bin if the time range cuts it', () => {
    const partial = { first: true, last: true };
    assert.equal(
      partialNotice({ partial, times: [0] }),
      'The bin is partial: the time range cuts it.',
    );
    assert.match(partialNotice({ partial, times: [0, bin] }) ?? '', /^The first and the last/);
  });
});

describe('bars in high contrast', () => {
  const background = '#123456';
  const drawing = drawingOf(600, 200, { theme: { ...theme, highContrast: true, background } });
  const borders = (bins: number) =>
    svgOf(dataOf(['GET'], bins), drawing).split(`stroke="${background}"`).length - 1;

  it('have borders if they are wide enough', () => {
    assert.ok(borders(12) >= 12);
  });

  it('have no borders if they are so narrow that borders would cover them', () => {
    assert.equal(borders(200), 0);
  });
});

describe('the bars of more series than the palette has colors', () => {
  const names = Array.from({ length: palettes.light.length + 1 }, (_, at) => `host ${at}`);
  const slots = new Map(names.map((name, at) => [name, at]));
  const drawing = drawingOf(600, 200, { slots });
  const patterns = (count: number) =>
    svgOf(dataOf(names.slice(0, count), 20), drawing).split('<pattern').length - 1;

  it('have stripes to tell apart series of the same color', () => {
    assert.equal(patterns(names.length - 1), 0);
    assert.ok(patterns(names.length) > 0);
  });

  it('have a different color or dash for each series in the legend', () => {
    const { rows } = timeSeriesLegend(dataOf(names, 20), drawing, undefined);
    const looks = rows.map(({ color, dash }) => `${color} ${dash}`);
    assert.equal(new Set(looks).size, names.length);
  });
});
