/** A chart's input: a table, its description, the request and the running task. */

import type { AnswerTable } from '../answer.ts';
import type { HeldTable } from '../columns/heldTable.ts';
import { Invalid } from '../invalid.ts';
import type { LongTask } from '../rowSource.ts';
import { columnAt } from '../tableSource.ts';
import type { ChartRequest } from './chart.ts';

export interface ChartContext {
  readonly table: HeldTable;
  readonly described: AnswerTable;
  /** The groups of a time series, each computed over the entire time range. */
  readonly totals?: HeldTable;
  readonly aggregated: boolean;
  readonly request: ChartRequest;
  readonly task: LongTask;
}

/** Throws `Invalid` if the request names unknown columns or its limits are out of range. */
export function checkRequest({ table, request }: ChartContext): void {
  const { time, values, groups, histogram, maxSeries, maxPoints } = request;
  for (const index of [...values, ...groups, time, histogram])
    if (index !== undefined) columnAt(table, index);
  checkCount('series', maxSeries, 10_000);
  checkCount('points', maxPoints, 1_000_000);
}

function checkCount(what: string, count: number, limit: number): void {
  if (!Number.isInteger(count) || count < 1 || count > limit)
    throw new Invalid(`The number of ${what} must be between 1 and ${limit}.`);
}

/** Whether rows summarize bins: the answer is aggregated, or the time column has arrays with the bins of a series. */
export function hasBins({ described, aggregated, request }: ChartContext): boolean {
  const field = request.time === undefined ? undefined : described.fields[request.time];
  return field !== undefined && (aggregated || field.type !== 'datetime');
}
