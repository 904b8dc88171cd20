/** Draws heatmaps. Their marks are the cells, in row order. */
import { grouped } from '../../../../../formats/src/counts.ts';
import type { HeatmapData } from '../../../../../table/src/chart/chart.ts';
import { drawnNumber, spanText, timeText } from '../format.ts';
import type { Drawing } from '../options/drawing.ts';
import { heatmapOption, stepOf } from '../options/heatmap.ts';
import { heatScale } from '../options/heatScale.ts';
import { neutral } from '../palette.ts';
import type { Drawn } from './drawn.ts';
import { foldedNotice, leftOutNotice, sentences, skippedNotice } from './leftOut.ts';

export function drawHeatmap(data: HeatmapData, drawing: Drawing): Drawn {
  const { times, rows, cells, unit } = data;
  const values = new Map(cells.map(([x, y, value]) => [y * times.length + x, value]));
  const step = stepOf(times);
  return {
    option: heatmapOption(data, drawing),
    notices: sentences(
      heatScale(data).isLogarithmic && 'Colors are on a logarithmic scale.',
      ...rows.map(({ folded }) => foldedNotice(folded)),
      leftOutNotice(data.leftOut),
      skippedNotice(data.skipped),
    ),
    description: `Heatmap of ${grouped(rows.length)} rows by ${grouped(times.length)} times.`,
    marks: rows.length * times.length,
    markAt: (x, y, scale) => {
      const value = scale.valueAt(x, y);
      if (value === undefined) return undefined;
      const [column, row] = value.map(Math.round) as [number, number];
      const inside = column >= 0 && column < times.length && row >= 0 && row < rows.length;
      return inside ? row * times.length + column : undefined;
    },
    hit: (mark, scale, pointer) => {
      const [column, index] = [mark % times.length, Math.floor(mark / times.length)];
      const time = times[column];
      const row = rows[index];
      if (time === undefined || row === undefined) return undefined;
      const value = values.get(mark);
      const at = pointer ?? scale.pixelOf([column, index]) ?? [0, 0];
      const key = String(index);
      return {
        title:
          step > 0
            ? spanText(time, time + step, drawing.timeZone)
            : timeText(time, drawing.timeZone),
        rows: [
          {
            key,
            name: row.name,
            value: value === undefined ? 'no value' : drawnNumber(value, unit),
            color: neutral[drawing.theme.brightness],
          },
        ],
        hot: { ...row, key },
        at,
      };
    },
  };
}
