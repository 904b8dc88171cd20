/** Heatmaps: one row per series over time, or per histogram bucket. */

import { compareCells } from '../cells.ts';
import { inSlices } from '../slices.ts';
import { columnAt } from '../tableSource.ts';
import type { Bins } from './bins.ts';
import type { HeatmapData } from './chart.ts';
import type { ChartContext } from './context.ts';
import { histogramHeatmap } from './histogram.ts';
import { seriesName } from './measures.ts';
import { combine, valuesOf } from './series.ts';
import { type DrawnSlot, timePlot } from './timePlot.ts';

export async function heatmap(context: ChartContext): Promise<HeatmapData> {
  const { request, table, task } = context;
  if (request.histogram !== undefined) return await histogramHeatmap(context);
  const plot = await timePlot({
    ...context,
    request: { ...request, values: request.values.slice(0, 1), stacked: true },
  });
  const { points } = plot.sorted;
  const measure = points.measures[0];
  const [column] = request.groups.length === 1 ? request.groups : [];
  const cellOf = ({ slot: { group } }: DrawnSlot) => {
    const origin = group === undefined ? undefined : points.grouping.origin(group);
    if (origin === undefined || column === undefined) return null;
    return columnAt(table, column).cell(table.rowAt(origin.row));
  };
  // Order rows from bottom to top: ascending for numeric groups, otherwise with the greatest series on top.
  const rows = plot.drawn.toReversed().sort((left, right) => {
    const [a, b] = [cellOf(left), cellOf(right)];
    return typeof a === 'number' && typeof b === 'number' ? compareCells(a, b) : 0;
  });
  const columns = columnsOf(plot.bins, request.maxPoints);
  // If values have no rule for combining them, show the greatest one.
  const joining = measure?.combining === 'last' ? 'max' : (measure?.combining ?? 'max');
  const cells: [number, number, number][] = [];
  for (const [at, { slot, measure: index }] of rows.entries()) {
    const values = await valuesOf(plot.sorted, slot, index, task);
    const byColumn = new Map<number, number>();
    await inSlices(values.length, task, (from, to) => {
      for (let run = from; run < to; run++) {
        const value = values[run] as number;
        if (Number.isNaN(value)) continue;
        const column = columns.indexOf(slot.times[run] as number);
        const known = byColumn.get(column);
        byColumn.set(column, known === undefined ? value : combine(joining, known, value));
      }
    });
    for (const [column, value] of byColumn) cells.push([column, at, value]);
    if (task.due) await task.pause(at, rows.length);
  }
  return {
    kind: 'heatmap',
    times: Array.from(columns.times),
    rows: rows.map(({ slot }) => {
      const { group } = slot;
      if (group === undefined) return { name: 'other', folded: slot.groups };
      const origin = points.grouping.origin(group);
      return { name: seriesName(points, group, 0), ...(origin !== undefined && { origin }) };
    }),
    cells,
    ...(measure?.unit !== undefined && { unit: measure.unit }),
    ...(plot.leftOut > 0 && { leftOut: plot.leftOut }),
    skipped: points.skipped,
  };
}

/** Merges bins if there are too many. Times that aren't bins are grouped into spans of equal length. */
function columnsOf({ times, size }: Bins, max: number) {
  const first = times[0] ?? 0;
  const last = times[times.length - 1] ?? first;
  const bins = size === undefined ? max : Math.round((last - first) / size) + 1;
  const width = size === undefined ? (last - first) / max || 1 : size * Math.ceil(bins / max);
  const count = times.length === 0 ? 0 : Math.floor((last - first) / width) + 1;
  return {
    times: Float64Array.from({ length: count }, (_, at) => first + at * width),
    indexOf: (time: number) => Math.floor((time - first + 1e-3) / width),
  };
}
