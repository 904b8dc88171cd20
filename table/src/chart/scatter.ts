/** The points of two numeric columns, or of one over time, reduced if many points cover one another. */

import type { AnswerField } from '../answer.ts';
import { Invalid } from '../invalid.ts';
import type { LongTask } from '../rowSource.ts';
import { inSlices } from '../slices.ts';
import type { ScatterData } from './chart.ts';
import type { ChartContext } from './context.ts';
import { shownLabel } from './groups.ts';
import { type Measure, type Points, seriesKey, seriesName } from './measures.ts';
import { readPoints } from './points.ts';
import { divided, keptSlots } from './series.ts';

/** The number of grid cells per wanted point. It is above 1 because some cells contain no point. */
const cellsPerPoint = 4;

type Plane = ReturnType<typeof planeOf>;

export async function scatter(context: ChartContext): Promise<ScatterData> {
  const { table, request, task } = context;
  const values = request.values.slice(0, request.time === undefined ? 2 : 1);
  const points = await readPoints(table, { ...request, values }, task);
  const plane = planeOf(points);
  const counts = new Float64Array(points.grouping.count);
  let count = 0;
  await inSlices(points.count, task, (from, to) => {
    for (let point = from; point < to; point++) {
      if (!isDrawable(plane, point)) continue;
      const group = points.groups[point] as number;
      counts[group] = (counts[group] as number) + 1;
      count++;
    }
  });
  // Draw the groups beyond the limit as one series. Points aren't aggregated, so merging groups needs no sums.
  const measure = request.time === undefined ? 1 : 0;
  const { kept, slots, folded } = keptSlots(counts, request.maxSeries);
  const slotCount = kept.length + (folded > 0 ? 1 : 0);
  const bySlot = await divided(points, slots, slotCount, task);
  const series: ScatterData['series'][number][] = [];
  for (let slot = 0; slot < slotCount; slot++) {
    const all = bySlot.points.subarray(bySlot.starts[slot], bySlot.starts[slot + 1]);
    const own = all.filter((point) => isDrawable(plane, point));
    const share = Math.max(16, Math.floor((request.maxPoints * own.length) / Math.max(1, count)));
    const thin = await thinned(plane, own, share, task);
    const group = kept[slot];
    const origin = group === undefined ? undefined : points.grouping.origin(group);
    series.push({
      key: seriesKey(points, group, measure),
      name: group === undefined ? 'other' : seriesName(points, group, measure, true),
      ...(origin !== undefined && { origin }),
      ...(group === undefined && { folded }),
      points: Array.from(thin, (point) => [plane.x[point] as number, plane.y[point] as number]),
    });
  }
  return {
    kind: 'scatter',
    ...axes(context, points),
    series,
    points: count,
    skipped: points.skipped,
  };
}

function planeOf({ times, values }: Points) {
  const [first, second] = values;
  const [x, y] = times === undefined ? [first, second] : [times, first];
  if (x === undefined || y === undefined)
    throw new Invalid(
      'A scatter chart needs two columns of numbers, or one and a column of times.',
    );
  return { x, y };
}

function isDrawable({ x, y }: Plane, point: number): boolean {
  return !Number.isNaN(x[point]) && !Number.isNaN(y[point]);
}

function axes(
  { table, request }: ChartContext,
  { measures }: Points,
): Pick<ScatterData, 'x' | 'y'> {
  const axis = ({ column, name, unit }: Measure) => ({
    column,
    name,
    ...(unit !== undefined && { unit }),
  });
  const y = axis(measures[request.time === undefined ? 1 : 0] as Measure);
  if (request.time === undefined)
    return { x: { ...axis(measures[0] as Measure), isTime: false }, y };
  const { name } = table.fields[request.time] as AnswerField;
  return { x: { column: request.time, name: shownLabel(name), isTime: true }, y };
}

/** Returns at most about `max` points: one per grid cell, and the extreme points of both axes. */
async function thinned(
  { x, y }: Plane,
  points: Uint32Array,
  max: number,
  task: LongTask,
): Promise<Uint32Array> {
  if (points.length <= max) return points;
  const start = points[0] as number;
  let [left, right, bottom, top] = [start, start, start, start];
  await inSlices(points.length, task, (from, to) => {
    for (let at = from; at < to; at++) {
      const point = points[at] as number;
      if ((x[point] as number) < (x[left] as number)) left = point;
      if ((x[point] as number) > (x[right] as number)) right = point;
      if ((y[point] as number) < (y[bottom] as number)) bottom = point;
      if ((y[point] as number) > (y[top] as number)) top = point;
    }
  });
  const ends = [left, right, bottom, top];
  const [x0, y0] = [x[left] as number, y[bottom] as number];
  const width = (x[right] as number) - x0 || 1;
  const height = (y[top] as number) - y0 || 1;
  let side = Math.max(2, Math.floor(Math.sqrt(max * cellsPerPoint)));
  for (;;) {
    const seen = new Uint8Array(side * side);
    const kept = new Set<number>(ends);
    const place = side;
    await inSlices(points.length, task, (from, to) => {
      for (let at = from; at < to; at++) {
        const point = points[at] as number;
        const column = Math.min(
          place - 1,
          Math.floor((((x[point] as number) - x0) / width) * place),
        );
        const row = Math.min(place - 1, Math.floor((((y[point] as number) - y0) / height) * place));
        const cell = row * place + column;
        if (seen[cell] === 1) continue;
        seen[cell] = 1;
        kept.add(point);
      }
    });
    if (kept.size <= max + ends.length || side <= 2) return Uint32Array.from(kept).sort();
    side = Math.max(2, Math.floor(side / 2));
  }
}
