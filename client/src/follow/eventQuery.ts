/** Builds the query that requests a followed query's new events, selected and sorted by arrival time. */
import { arrivalColumn, type FollowPlan } from '../../../server/src/protocol.ts';
import type { ArrivalQuestion } from './arrivals.ts';

export type EventsPlan = FollowPlan & { readonly kind: 'events' };

/** The column of event IDs, which the service adds on request. */
export const cursorColumn = '_cursor';

export function eventQuery({ source, stages }: EventsPlan, question: ArrivalQuestion): string {
  const { kind, from, rows } = question;
  const filter = from === undefined ? '' : `\n| where _sysTime >= datetime(${from})`;
  const ascending = `\n| sort by ${arrivalColumn} asc`;
  const order =
    kind === 'since'
      ? `${ascending}\n| limit ${rows}`
      : `\n| sort by ${arrivalColumn} desc\n| limit ${rows}${ascending}`;
  return `${source}${filter}\n| extend ${arrivalColumn} = _sysTime${stages}${order}`;
}
