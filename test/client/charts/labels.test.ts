/** Labels and colors of charts: labels do not overlap, and stay inside the plot. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawHeatmap } from '../../../client/src/charts/view/kinds/heatmap.ts';
import { drawStatistic } from '../../../client/src/charts/view/kinds/statistic.ts';
import { drawTimeSeries } from '../../../client/src/charts/view/kinds/timeSeries.ts';
import { pieOption } from '../../../client/src/charts/view/options/categories.ts';
import type { Drawing } from '../../../client/src/charts/view/options/drawing.ts';
import { heatmapOption } from '../../../client/src/charts/view/options/heatmap.ts';
import { heatScale } from '../../../client/src/charts/view/options/heatScale.ts';
import { statisticOption } from '../../../client/src/charts/view/options/statistic.ts';
import { timeSeriesOption } from '../../../client/src/charts/view/options/timeSeries.ts';
import type {
  CategoriesData,
  HeatmapData,
  StatisticData,
  TimeSeriesData,
} from '../../../table/src/chart/chart.ts';
import { drawingOf, drawnText } from './drawnText.ts';

const minute = 60_000;

function heatmapOf(count: number): HeatmapData {
  const rows = Array.from({ length: count }, (_, index) => ({ name: `host-${index}` }));
  return {
    kind: 'heatmap',
    times: [0, minute, 2 * minute],
    rows,
    cells: rows.map((_, index) => [0, index, index] as const),
    skipped: 0,
  };
}

describe('the row labels of a heatmap', () => {
  for (const height of [90, 118, 200, 600])
    it(`do not overlap in a chart ${height} pixels high`, () => {
      for (const count of [2, 9, 30, 50]) {
        const drawing = drawingOf(1_000, height);
        const labels = drawnText(heatmapOption(heatmapOf(count), drawing), drawing).filter(
          ({ text }) => text.startsWith('host-'),
        );
        assert.ok(labels.length >= 2, `${count} rows: ${labels.length} labels`);
        const places = labels.map(({ y }) => y).sort((one, other) => one - other);
        places.forEach((y, at) => {
          const before = places[at - 1];
          // The font is 11 pixels high.
          if (before !== undefined) assert.ok(y - before >= 14, `${count} rows: ${y - before}`);
        });
      }
    });
});

describe('the colors of a heatmap', () => {
  const places = (values: readonly number[]) => {
    const { placeOf } = heatScale({ cells: values.map((value, at) => [at, 0, value]) });
    return values.map((value) => Number(placeOf(value).toFixed(2)));
  };

  it('are logarithmic if values span more than two decades', () => {
    assert.deepEqual(places([1, 10, 100, 1_000, 10_000]), [0, 0.25, 0.5, 0.75, 1]);
    assert.deepEqual(places([0, 1, 10_000]), [0, 0.1, 1]);
    const rows = [{ name: 'a' }, { name: 'b' }];
    const cells = [
      [0, 0, 1],
      [0, 1, 5_000],
    ] as const;
    const drawn = drawHeatmap({ ...heatmapOf(2), rows, cells }, drawingOf(600, 300));
    assert.deepEqual(drawn.notices, ['Colors are on a logarithmic scale.']);
  });

  it('are linear if values span less than two decades or are negative', () => {
    assert.deepEqual(places([0, 5, 10]), [0, 0.5, 1]);
    assert.deepEqual(places([-1_000, 0, 1_000]), [0, 0.5, 1]);
    assert.deepEqual(places([0, 0]), [0, 0]);
  });
});

describe('the tooltip of a time series', () => {
  it('marks the same series with stripes as the legend', () => {
    const series = ['a', 'b'].map((key) => ({
      key,
      name: key,
      column: 0,
      y: [1, 2],
      figures: { points: 2 },
    }));
    const data: TimeSeriesData = {
      kind: 'timeSeries',
      series,
      times: [0, minute],
      partial: { first: false, last: false },
      missing: 0,
      reduced: false,
      skipped: 0,
    };
    const drawing = drawingOf(600, 300, {
      slots: new Map([
        ['a', 0],
        ['b', 8],
      ]),
    });
    const drawn = drawTimeSeries(data, { style: 'line', stacked: false }, drawing);
    const scale = { width: 600, height: 300, valueAt: () => undefined, pixelOf: () => undefined };
    const dashes = (rows: readonly { key: string; dash?: boolean }[] = []) =>
      new Map(rows.map(({ key, dash }) => [key, dash]));
    assert.deepEqual(dashes(drawn.hit(0, scale)?.rows), dashes(drawn.legend?.rows));
    assert.equal(dashes(drawn.hit(0, scale)?.rows).get('b'), true);
  });
});

describe('bars in high contrast', () => {
  it('have borders only if they are high enough', () => {
    const data: TimeSeriesData = {
      kind: 'timeSeries',
      series: [1, 1_000].map((value, at) => ({
        key: String(at),
        name: String(at),
        column: 0,
        y: [value],
        figures: { points: 1 },
      })),
      times: [0],
      binMilliseconds: minute,
      partial: { first: false, last: false },
      missing: 0,
      reduced: false,
      skipped: 0,
    };
    const light = drawingOf(600, 300);
    const drawing = { ...light, theme: { ...light.theme, highContrast: true } };
    const { series } = timeSeriesOption(data, { style: 'bars', stacked: true }, drawing) as {
      series: { id: string; data: { itemStyle?: object }[] }[];
    };
    const bordered = series.slice(0, 2).map((one) => one.data[0]?.itemStyle !== undefined);
    assert.deepEqual(bordered, [false, true]);
  });
});

describe('the slice labels of a pie', () => {
  const data: CategoriesData = {
    kind: 'pie',
    categories: ['New York', 'Berlin', 'Mumbai'].map((name, at) => ({
      key: name,
      name,
      column: 0,
      value: 10 + at,
      text: String(10 + at),
    })),
    skipped: 0,
  };
  const labels = (width: number) => {
    const drawing = drawingOf(width, 170);
    return drawnText(pieOption(data, drawing), drawing).map(({ text }) => text);
  };

  it('contain names if there is room', () => {
    assert.ok(labels(700).some((text) => text.includes('New York')));
  });

  it('contain only percentages if there is no room for names', () => {
    const narrow = labels(345);
    assert.equal(narrow.length, 3);
    for (const text of narrow) assert.match(text, /^[\d.]+%$/);
  });
});

describe('the labels of partial bins', () => {
  const data: TimeSeriesData = {
    kind: 'timeSeries',
    series: [{ key: 'a', name: 'a', column: 0, y: Array(60).fill(5), figures: { points: 60 } }],
    times: Array.from({ length: 60 }, (_, at) => at * minute),
    binMilliseconds: minute,
    from: 0.5 * minute,
    to: 59.5 * minute,
    partial: { first: true, last: true },
    missing: 0,
    reduced: false,
    skipped: 0,
  };
  for (const style of ['bars', 'line'] as const)
    it(`are inside the plot at its left and right edge: ${style}`, () => {
      const drawing = drawingOf(700, 300);
      const text = drawnText(timeSeriesOption(data, { style, stacked: false }, drawing), drawing);
      const axis = text.filter(({ text: label }) => /^\d$/.test(label)).map(({ x }) => x);
      const [first, last] = text.filter(({ text: label }) => label === 'partial');
      assert.ok(first && last && axis.length > 1, JSON.stringify(text));
      assert.ok(first.anchor === 'start' && first.x > Math.max(...axis), JSON.stringify(first));
      assert.ok(last.anchor === 'end' && last.x < 700, JSON.stringify(last));
    });

  it('mark a single bin once if both of its ends are partial', () => {
    const [series] = data.series;
    assert.ok(series);
    const one: TimeSeriesData = {
      ...data,
      series: [{ ...series, y: [5] }],
      times: [0],
      from: 0,
      to: minute,
      partial: { first: true, last: true },
    };
    const drawing = drawingOf(700, 300);
    const option = timeSeriesOption(one, { style: 'line', stacked: false }, drawing);
    const partial = drawnText(option, drawing).filter(({ text }) => text === 'partial');
    assert.equal(partial.length, 1);
    const [drawnSeries] = option.series as { data: Float64Array }[];
    assert.deepEqual([...(drawnSeries?.data ?? [])], [minute / 2, 5]);
  });

  it('are omitted in a plot of little height', () => {
    const drawing = drawingOf(700, 118);
    const option = timeSeriesOption(data, { style: 'bars', stacked: false }, drawing);
    assert.ok(drawnText(option, drawing).every(({ text }) => text !== 'partial'));
  });
});

describe('the label of a mark', () => {
  const data: TimeSeriesData = {
    kind: 'timeSeries',
    series: [{ key: 'a', name: 'a', column: 0, y: [1, 2, 1], figures: { points: 3 } }],
    times: [0, minute, 2 * minute],
    partial: { first: false, last: false },
    missing: 0,
    reduced: false,
    skipped: 0,
  };
  const annotation = { id: 'a', title: 'Deployed', type: 'note', time: minute };
  const cases = {
    'an annotation': { annotations: [annotation] },
    'an annotation with an end time': { annotations: [{ ...annotation, endTime: 2 * minute }] },
    'a threshold at the end of the axis': { thresholds: [{ monitor: 'Deployed', value: 1_000 }] },
  };
  for (const [name, marks] of Object.entries(cases))
    it(`is not cut off at the top: ${name}`, () => {
      const drawing = drawingOf(700, 340, marks);
      const option = timeSeriesOption(data, { style: 'bars', stacked: false }, drawing);
      const label = drawnText(option, drawing).find(({ text }) => text.startsWith('Deployed'));
      // Half of the font's 11 pixels is above the middle of its line.
      assert.ok(label && label.y >= 6, JSON.stringify(label));
    });
});

describe('the labels of many marks', () => {
  const data: TimeSeriesData = {
    kind: 'timeSeries',
    series: [{ key: 'a', name: 'a', column: 0, y: Array(60).fill(50), figures: { points: 60 } }],
    times: Array.from({ length: 60 }, (_, at) => at * minute),
    partial: { first: false, last: false },
    missing: 0,
    reduced: false,
    skipped: 0,
  };
  /** Returns the pairs of overlapping labels, for characters 6 pixels wide and lines 12 pixels high. */
  const overlapping = (marks: Partial<Drawing>, width: number) => {
    const drawing = drawingOf(width, 300, marks);
    const option = timeSeriesOption(data, { style: 'line', stacked: false }, drawing);
    const labels = drawnText(option, drawing)
      .filter(({ text }) => /[a-z]/.test(text))
      .map(({ text, x, y, anchor }) => {
        const length = text.length * 6;
        const left = anchor === 'end' ? x - length : anchor === 'middle' ? x - length / 2 : x;
        return { text, left, right: left + length, y };
      });
    assert.ok(labels.length > 0);
    return labels.flatMap((one, at) =>
      labels
        .slice(0, at)
        .filter(
          (other) =>
            Math.abs(one.y - other.y) < 12 && one.left < other.right && other.left < one.right,
        )
        .map((other) => `${one.text} over ${other.text}`),
    );
  };
  const annotations = [5, 6, 9, 30, 31, 58].map((at) => ({
    id: String(at),
    title: `deployed version ${at}`,
    type: 'note',
    time: at * minute,
  }));
  const thresholds = [98, 99, 100, 40, 41].map((value) => ({ monitor: 'errors', value }));

  for (const width of [400, 900])
    it(`do not overlap in a chart ${width} pixels wide`, () => {
      assert.deepEqual(overlapping({ annotations }, width), []);
      assert.deepEqual(overlapping({ thresholds }, width), []);
      assert.deepEqual(overlapping({ annotations, thresholds }, width), []);
    });
});

describe('the columns of a time series', () => {
  const notices = (sizes: readonly number[], units: readonly string[] = []) =>
    drawTimeSeries(
      {
        kind: 'timeSeries',
        series: sizes.map((size, column) => ({
          key: String(column),
          name: String(column),
          column,
          y: [size, size / 2],
          figures: { points: 2 },
          ...(units[column] && { unit: units[column] }),
        })),
        times: [0, minute],
        partial: { first: false, last: false },
        missing: 0,
        reduced: false,
        skipped: 0,
      },
      { style: 'line', stacked: false },
      drawingOf(600, 300),
    ).notices;

  it('have a notice if values of very different size share an axis', () => {
    assert.match(notices([100_000, 20]).join(' '), /very different size share an axis/);
    assert.deepEqual(notices([100, 20]), []);
    assert.deepEqual(notices([100_000, 20], ['bytes', 'ms']), []);
    assert.deepEqual(notices([100_000, 0]), []);
  });
});

describe('a time range marked in the chart of a day', () => {
  const day = 1_440 * minute;
  const data: TimeSeriesData = {
    kind: 'timeSeries',
    series: [{ key: 'a', name: 'a', column: 0, y: [1, 2], figures: { points: 2 } }],
    times: [0, day - minute],
    from: 0,
    to: day,
    partial: { first: false, last: false },
    missing: 0,
    reduced: false,
    skipped: 0,
  };
  const drawnFrom = (time: number, endTime: number) => {
    const annotation = { id: 'range', title: '', type: 'range', time, endTime };
    const drawing = drawingOf(800, 300, { annotations: [annotation] });
    const option = timeSeriesOption(data, { style: 'line', stacked: false }, drawing);
    const series = option.series as { id?: string; markArea?: { data: { xAxis: number }[][] } }[];
    const [area] = series.find(({ id }) => id === 'annotations')?.markArea?.data ?? [];
    const [from, to] = (area ?? []).map(({ xAxis }) => xAxis);
    assert.ok(from !== undefined && to !== undefined);
    return { from, to, pixels: ((to - from) / day) * 800 };
  };

  it('is widened to at least 4 pixels within the plot if it lasts one minute', () => {
    for (const [time, endTime] of [
      [day - minute, day],
      [600 * minute, 601 * minute],
      [0, minute],
    ] as const) {
      const { from, to, pixels } = drawnFrom(time, endTime);
      assert.ok(pixels >= 4, `${pixels} pixels`);
      assert.ok(from >= 0 && to <= day && from <= time && to >= endTime, `${from} to ${to}`);
    }
  });

  it('keeps its exact length if it is wide enough to see', () => {
    const { from, to } = drawnFrom(600 * minute, 660 * minute);
    assert.deepEqual([from, to], [600 * minute, 660 * minute]);
  });
});

describe('the text of a statistic', () => {
  const statistic: StatisticData['statistics'][number] = {
    key: 'n',
    name: 'requests',
    column: 0,
    value: 4_202,
    text: '4202',
    trend: { x: [0, minute, 2 * minute], y: [1, 3, 2] },
    change: { share: -0.25, from: minute, to: 59 * minute },
  };
  const textIn = (width: number, height: number, data: Partial<StatisticData> = {}) => {
    const drawing = drawingOf(width, height);
    const option = statisticOption(
      { kind: 'statistic', statistics: [statistic], ...data },
      drawing,
    );
    return drawnText(option, drawing).map(({ text }) => text);
  };

  it('states the two times that a change compares if there is room', () => {
    const binMilliseconds = minute;
    assert.ok(textIn(600, 300, { binMilliseconds }).includes('▼ 25.0% from 00:01 to 00:59'));
    assert.ok(textIn(220, 300, { binMilliseconds }).includes('▼ 25.0% from 00:01 to 00:59'));
    assert.ok(textIn(600, 300).includes('▼ 25.0% from 00:01:00 to 00:59:00'));
    assert.ok(textIn(150, 300, { binMilliseconds }).includes('▼ 25.0%'));
    // In a low cell the change follows the name on the same line.
    assert.ok(textIn(300, 105, { binMilliseconds }).includes('▼ 25.0% from 00:01 to 00:59'));
    assert.ok(textIn(200, 105, { binMilliseconds }).includes('▼ 25.0%'));
    const change = { share: -0.25, from: minute, to: 25 * 60 * minute };
    const days = { statistics: [{ ...statistic, change }], binMilliseconds };
    assert.ok(textIn(600, 300, days).includes('▼ 25.0% from 1970-01-01 00:01 to 1970-01-02 01:00'));
  });

  it('states the compared times in the tooltip, and the excluded bins in notices', () => {
    const drawing = drawingOf(600, 300);
    const partial = { first: true, last: true };
    const drawn = drawStatistic(
      {
        kind: 'statistic',
        statistics: [statistic],
        binMilliseconds: minute,
        partial,
        data: { last: 60 * minute },
      },
      drawing,
    );
    const scale = {
      width: 600,
      height: 300,
      valueAt: () => undefined,
      pixelOf: () => undefined,
    };
    assert.equal(
      drawn.hit(0, scale)?.note,
      '▼ 25.0% from the complete bin at 1970-01-01 00:01 to that at 1970-01-01 00:59',
    );
    assert.deepEqual(drawn.notices, [
      'The first bin is partial and left out of the change.',
      'The data ends in the bin at 1970-01-01 01:00. The change leaves out that bin and the empty ones after.',
    ]);
    const { change: _, ...without } = statistic;
    const still = drawStatistic({ kind: 'statistic', statistics: [without], partial }, drawing);
    assert.deepEqual(still.notices, []);
  });

  it('has a shortened name if the name is wider than the cell', () => {
    const name = 'x'.repeat(120);
    const [, shown = ''] = textIn(200, 105, { statistics: [{ ...statistic, name }] });
    assert.ok(shown.startsWith('xxx') && shown.length < 40, shown);
  });
});
