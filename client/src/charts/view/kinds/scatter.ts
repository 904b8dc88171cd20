/** Draws scatter charts. Their marks are the points, found through a grid of pixels. */
import { counted, grouped } from '../../../../../formats/src/counts.ts';
import type { ScatterData } from '../../../../../table/src/chart/chart.ts';
import { drawnNumber, timeText } from '../format.ts';
import { type Drawing, inkOfKey, visibleOf } from '../options/drawing.ts';
import { scatterOption } from '../options/scatter.ts';
import type { Drawn, Scale } from './drawn.ts';
import { sentences } from './leftOut.ts';

const nearPixels = 12;

export function drawScatter(data: ScatterData, drawing: Drawing): Drawn {
  const { x, y } = data;
  const points = visibleOf(data.series, drawing).flatMap((series) =>
    series.points.map((point) => ({ series, point })),
  );
  let found: { readonly scale: string; readonly cells: Map<string, number[]> } | undefined;
  /** Groups the points by grid cell. Computed on the first pointer movement. */
  const cells = (scale: Scale): Map<string, number[]> => {
    const key = `${scale.width} ${scale.height}`;
    if (found?.scale === key) return found.cells;
    const map = new Map<string, number[]>();
    points.forEach(({ point }, index) => {
      const at = scale.pixelOf(point);
      if (at === undefined) return;
      const cell = cellOf(at[0], at[1]);
      const list = map.get(cell);
      if (list) list.push(index);
      else map.set(cell, [index]);
    });
    found = { scale: key, cells: map };
    return map;
  };
  const drawn = data.series.reduce((sum, series) => sum + series.points.length, 0);
  return {
    option: scatterOption(data, drawing),
    ...(data.series.length > 1 && {
      legend: {
        columns: ['Points'],
        rows: data.series.map((series) => ({
          key: series.key,
          name: series.name,
          color: inkOfKey(series, drawing).color,
          cells: [{ text: grouped(series.points.length) }],
          origin: series.origin,
        })),
      },
    }),
    notices: sentences(
      drawn < data.points &&
        `${grouped(drawn)} of ${grouped(data.points)} points are drawn, extremes included.`,
      data.skipped > 0 &&
        `${counted(data.skipped, 'row lacks', 'rows lack')} one of the two values.`,
    ),
    description: `Scatter chart of ${y.name} by ${x.name} with ${grouped(data.points)} points.`,
    marks: points.length,
    markAt: (px, py, scale) => {
      const map = cells(scale);
      let best: number | undefined;
      let least = nearPixels;
      for (const [dx, dy] of around) {
        for (const index of map.get(cellOf(px + dx * nearPixels, py + dy * nearPixels)) ?? []) {
          const { point } = points[index] as (typeof points)[number];
          const [x, y] = scale.pixelOf(point) as readonly [number, number];
          const distance = Math.hypot(x - px, y - py);
          if (distance >= least) continue;
          best = index;
          least = distance;
        }
      }
      return best;
    },
    hit: (mark, scale) => {
      const one = points[mark];
      if (one === undefined) return undefined;
      const { series, point } = one;
      const { color } = inkOfKey(series, drawing);
      const shownX = x.isTime
        ? timeText(point[0], drawing.timeZone)
        : drawnNumber(point[0], x.unit);
      return {
        title: data.series.length > 1 ? series.name : 'Point',
        rows: [
          { key: 'x', name: x.name, value: shownX, color },
          { key: 'y', name: y.name, value: drawnNumber(point[1], y.unit), color },
        ],
        hot: series,
        at: scale.pixelOf(point) ?? [0, 0],
      };
    },
    hasTimeAxis: x.isTime,
  };
}

const around = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy] as const));

function cellOf(x: number, y: number): string {
  return `${Math.floor(x / nearPixels)} ${Math.floor(y / nearPixels)}`;
}
