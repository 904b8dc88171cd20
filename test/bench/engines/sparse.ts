/** Log events with 200 more fields of whole numbers, each of them present in one of twenty events. */
import { event } from '../local/events.ts';

const FIELDS = 200;
/** One of so many events has a field. */
const SHARE = 20;
const NUMBER_MAX = 100_000;

export const numberFields: readonly string[] = Array.from(
  { length: FIELDS },
  (_, field) => `metric_${String(field).padStart(3, '0')}`,
);

export function sparseEvent(row: number, next: () => number): string {
  const present = numberFields.filter(() => next() % SHARE === 0);
  const members = present.map((name) => `,"${name}":${next() % NUMBER_MAX}`).join('');
  return event(row, next).replace(/\}\n$/, `${members}}\n`);
}
