/** Orders columns if the query doesn't: first an event's time, severity and message, and its ingestion time last. */

import type { AnswerField } from '../../../table/src/answer.ts';
import { isMessage, isSeverity } from '../../../table/src/chart/fields.ts';

/** Returns the indexes of columns in display order. */
export function defaultColumnOrder(fields: readonly AnswerField[]): number[] {
  const first = (matches: (field: AnswerField) => boolean) => fields.findIndex(matches);
  const time = first(({ name }) => name === '_time');
  const leading = time < 0 ? [] : [time, first(isSeverity), first(isMessage)];
  const ingested = first(({ name }) => name === '_sysTime');
  const placed = new Set([...leading, ingested]);
  const others = [...fields.keys()].filter((index) => !placed.has(index));
  return [...leading, ...others, ingested].filter((index) => index >= 0);
}

/** Returns the indexes of hidden fields; none if all fields are hidden. */
export function columnsHiddenByDefault(fields: readonly AnswerField[]): number[] {
  const hidden = [...fields.keys()].filter((index) => fields[index]?.hidden);
  return hidden.length < fields.length ? hidden : [];
}
