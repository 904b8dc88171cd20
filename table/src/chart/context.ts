/** The input of a chart: a table with its head, the request, and the task that it pauses. */

import type { AnswerTable } from '../answer.ts';
import type { HeldTable } from '../columns/heldTable.ts';
import { Invalid } from '../invalid.ts';
import type { LongTask } from '../rowSource.ts';
import { columnAt } from '../tableSource.ts';
import type { ChartRequest } from './chart.ts';

export interface ChartContext {
  readonly table: HeldTable;
  /** The table as the service described it. */
  readonly described: AnswerTable;
  /** The table with the groups of a time series over its entire range. */
  readonly totals?: HeldTable;
  /** Whether rows are summaries of events. */
  readonly aggregated: boolean;
  readonly request: ChartRequest;
  readonly task: LongTask;
}

/** Throws `Invalid` where a request names columns that are not there, or has bounds that cannot be. */
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

/** Whether a row is a summary of the events in a bin: the service says so, or an array has the bins of a series. */
export function hasBins({ described, aggregated, request }: ChartContext): boolean {
  const field = request.time === undefined ? undefined : described.fields[request.time];
  return field !== undefined && (aggregated || field.type !== 'datetime');
}
