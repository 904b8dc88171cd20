/** Reads a column's numbers as doubles for drawing, as exact values for sums, and as exact text. */
import { parseJson } from '../../../api/src/plain.ts';
import { parseDuration } from '../../../formats/src/duration.ts';
import type { AnswerField } from '../answer.ts';
import type { Column } from '../columns/column.ts';
import { numberCell } from '../columns/values.ts';
import type { Cell } from '../result.ts';
import { valueForm } from './fields.ts';

/** A column's numbers by row. `NaN` marks a row without a number. */
export interface Numbers {
  double(row: number): number;
  /** Returns the exact value of a row whose double is not `NaN`. */
  exact(row: number): number | bigint;
  text(row: number): string;
  isNull(row: number): boolean;
}

/** Returns a column's numbers. `part` is the index into percentile arrays. */
export function numbersOf(column: Column, field: AnswerField, part: number): Numbers {
  const form = valueForm(field);
  if (form === 'timespan') return cached(column, timespanNanos);
  if (form === 'percentiles') return cached(column, (text) => element(text, part));
  const { store } = column;
  const number = store.numbers();
  return {
    double: (row) => finite(number(row)),
    exact: (row) => store.cellOf(row) as number | bigint,
    text: (row) => store.textOf(row),
    isNull: (row) => store.isNull(row),
  };
}

/** Replaces infinity with `NaN`, because infinity can't be drawn. */
function finite(value: number): number {
  return Number.isFinite(value) ? value : Number.NaN;
}

/** Returns numbers that are parsed from text. The last parsed row is cached. */
function cached(column: Column, parse: (text: string) => number | bigint | undefined): Numbers {
  let last = -1;
  let value: number | bigint | undefined;
  const read = (row: number): number | bigint | undefined => {
    if (row !== last) {
      last = row;
      value = column.isNull(row) ? undefined : parse(column.text(row) ?? '');
    }
    return value;
  };
  return {
    double: (row) => finite(Number(read(row) ?? Number.NaN)),
    exact: (row) => read(row) ?? Number.NaN,
    text: (row) => String(read(row) ?? ''),
    isNull: (row) => column.isNull(row),
  };
}

/** Returns the number at an index of a JSON array. A single number counts as an array of one. */
function element(text: string, index: number): number | bigint | undefined {
  if (!text.startsWith('[')) return index === 0 ? numberOf(numberCell(text)) : undefined;
  return numberOf((parseJson(text) as Cell[])[index]);
}

/** Returns a numeric value, which may be given as `{ percentile, value }`; undefined for other values. */
export function numberOf(value: unknown): number | bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : value;
  if (value !== null && typeof value === 'object' && !Array.isArray(value) && 'value' in value)
    return numberOf(value.value);
  return undefined;
}

const clock = /^(-?)(?:(\d+)\.)?(\d\d?):(\d\d):(\d\d(?:\.\d+)?)$/;

/** Parses timespans such as `1m30.5s` or `1.00:01:30.5` to nanoseconds. */
function timespanNanos(text: string): number | undefined {
  const [, sign, days = '0', hours, minutes, seconds] = clock.exec(text) ?? [];
  if (hours !== undefined) {
    const whole = Number(days) * 86_400 + Number(hours) * 3_600 + Number(minutes) * 60;
    return (sign === '-' ? -1 : 1) * Math.round((whole + Number(seconds)) * 1e9);
  }
  const nanos = parseDuration(text);
  return nanos === undefined ? undefined : Number(nanos);
}
