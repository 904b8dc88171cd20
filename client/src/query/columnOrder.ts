/**
 * The order of a result's columns where the query states none: for events, the time, severity and message first
 * and the time of ingestion last; the others as the service sent them.
 */
import { isMessage, isSeverity } from '../charts/columns.ts';
import type { AnswerField } from '../results/store/answer.ts';

/** The indexes of columns in the order to show them. */
export function defaultColumnOrder(fields: readonly AnswerField[]): number[] {
  const first = (matches: (field: AnswerField) => boolean) => fields.findIndex(matches);
  const time = first(({ name }) => name === '_time');
  const leading = time < 0 ? [] : [time, first(isSeverity), first(isMessage)];
  const ingested = first(({ name }) => name === '_sysTime');
  const placed = new Set([...leading, ingested]);
  const others = [...fields.keys()].filter((index) => !placed.has(index));
  return [...leading, ...others, ingested].filter((index) => index >= 0);
}
