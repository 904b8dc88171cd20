/** Events that each have twenty of a dataset's fields. */
import { rangeOf } from '../local/events.ts';

const FIELDS_OF_EVENT = 20;
const NUMBERS = 100_000;

/** Fields with an even number have numbers as values, the others strings. */
export const fieldName = (field: number): string => `field_${String(field).padStart(6, '0')}`;

/** Returns an event as a line of NDJSON, with one field of each twentieth of `fields`, a multiple of twenty. */
export function sparseFieldsEvent(row: number, next: () => number, fields: number): string {
  const width = fields / FIELDS_OF_EVENT;
  const members = Array.from({ length: FIELDS_OF_EVENT }, (_, twentieth) => {
    const field = twentieth * width + (next() % width);
    const number = next() % NUMBERS;
    return `,"${fieldName(field)}":${field % 2 === 0 ? number : `"order ${number} was sent"`}`;
  });
  return `{"_time":"${rangeOf(row, row).startTime}"${members.join('')}}\n`;
}
