/**
 * The columns of a result where the query does not list them: for events, the time, severity and message first
 * and the time of ingestion last; the others as the service sent them. Hidden fields are not shown.
 */

import type { AnswerField } from '../../../table/src/answer.ts';
import { isMessage, isSeverity } from '../../../table/src/chart/fields.ts';

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

/** The indexes of columns that are not shown at first: hidden fields, unless there is nothing else. */
export function columnsHiddenByDefault(fields: readonly AnswerField[]): number[] {
  const hidden = [...fields.keys()].filter((index) => fields[index]?.hidden);
  return hidden.length < fields.length ? hidden : [];
}
