/** Reads a chart's points. A row is one point, or contains a list of points as in `make-series` and `topk`. */

import type { AnswerField } from '../answer.ts';
import type { HeldTable } from '../columns/heldTable.ts';
import type { LongTask } from '../rowSource.ts';
import { inSlices } from '../slices.ts';
import { columnAt } from '../tableSource.ts';
import type { ChartRequest } from './chart.ts';
import { valueForm } from './fields.ts';
import { Groups } from './groups.ts';
import { arrayPoints, topkPoints } from './listPoints.ts';
import { type Measure, measuresOf, type Points } from './measures.ts';

/** The columns to read. `areEvents`: whether rows are events rather than summaries of events. */
export type Asked = Pick<ChartRequest, 'time' | 'values' | 'groups' | 'timeZone'> & {
  readonly areEvents?: boolean;
};

export async function readPoints(
  table: HeldTable,
  request: Asked,
  task: LongTask,
): Promise<Points> {
  const [first] = request.values;
  const form = first === undefined ? undefined : valueForm(table.fields[first] as AnswerField);
  if (form === 'topk') return await topkPoints(table, request, first as number, task);
  const timeField = request.time === undefined ? undefined : table.fields[request.time];
  if (timeField !== undefined && timeField.type !== 'datetime' && form === 'array')
    return await arrayPoints(table, request, task);
  return await rowPoints(table, request, task);
}

async function rowPoints(
  table: HeldTable,
  { time, values, groups: columns, timeZone, areEvents }: Asked,
  task: LongTask,
): Promise<Points> {
  const count = table.shownCount;
  const measures = measuresOf(table, values, areEvents);
  const groups = new Groups(table, columns, timeZone);
  const ids = new Int32Array(count);
  const times = time === undefined ? undefined : new Float64Array(count);
  const reader = time === undefined ? undefined : columnAt(table, time).store.times();
  const numbers = measures.map(() => new Float64Array(count));
  let skipped = 0;
  await inSlices(count, task, (from, to) => {
    for (let shown = from; shown < to; shown++) {
      const row = table.rowAt(shown);
      ids[shown] = groups.idOf(row, shown);
      let isSkipped = false;
      if (times !== undefined && reader !== undefined) {
        const at = reader.milliseconds(row);
        times[shown] = at;
        isSkipped = Number.isNaN(at);
      }
      for (let measure = 0; measure < measures.length; measure++) {
        const source = (measures[measure] as Measure).numbers;
        const value = source.double(row);
        (numbers[measure] as Float64Array)[shown] = value;
        if (Number.isNaN(value) && !isSkipped) isSkipped = !source.isNull(row);
      }
      if (isSkipped) skipped++;
    }
  });
  return {
    count,
    groups: ids,
    times,
    measures,
    values: numbers,
    skipped,
    grouping: groups,
    exact: (point, measure) => (measures[measure] as Measure).numbers.exact(table.rowAt(point)),
    text: (point, measure) => (measures[measure] as Measure).numbers.text(table.rowAt(point)),
    timeText: (point) => reader?.text(table.rowAt(point)) ?? '',
  };
}
