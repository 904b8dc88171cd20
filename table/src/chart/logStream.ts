/** Finds a log's time, message and severity columns. */

import { Invalid } from '../invalid.ts';
import type { LogStreamData } from './chart.ts';
import type { ChartContext } from './context.ts';
import { isMessage, isSeverity } from './fields.ts';

export function logStream({ described, request }: ChartContext): LogStreamData {
  if (request.time === undefined) throw new Invalid('A log needs a column of times.');
  const message = described.fields.findIndex(isMessage);
  const severity = described.fields.findIndex(isSeverity);
  return {
    kind: 'logStream',
    time: request.time,
    ...(message >= 0 && { message }),
    ...(severity >= 0 && { severity }),
  };
}
