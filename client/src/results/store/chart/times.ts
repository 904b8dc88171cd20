/** Reads the times of a column, as milliseconds since 1970 with fractions, and as exact text in UTC. */
import { nanosOf } from '../arrange/times.ts';
import type { Column } from '../table/column.ts';
import { kinds } from '../table/store.ts';
import { formatTime, TimeStore } from '../table/timeStore.ts';
import { split, splitNanos } from '../table/wideIntegers.ts';

export interface Times {
  /** `NaN` without a time. */
  milliseconds(row: number): number;
  /** RFC 3339 in UTC. */
  text(row: number): string;
}

export function timesOf({ store }: Column): Times {
  if (store instanceof TimeStore) {
    return {
      milliseconds(row) {
        if (store.nulls !== undefined && store.isNull(row)) return Number.NaN;
        splitNanos(store.words, row);
        return split.seconds * 1000 + split.nanos / 1e6;
      },
      text: (row) => store.textOf(row),
    };
  }
  const textOf = (row: number) =>
    store.isNull(row) || store.kind(row) !== kinds.text ? undefined : store.textOf(row);
  return {
    milliseconds: (row) => timeOfText(textOf(row)),
    text: (row) => utcText(textOf(row) ?? ''),
  };
}

const form = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** Milliseconds since 1970 of RFC 3339; `NaN` for anything else. */
export function timeOfText(text: unknown): number {
  if (typeof text !== 'string' || !form.test(text)) return Number.NaN;
  const whole = Date.parse(text.replace(/\.\d+/, '').toUpperCase());
  if (Number.isNaN(whole)) return Number.NaN;
  const [, digits = ''] = /\.(\d+)/.exec(text) ?? [];
  return whole + Number(digits.slice(0, 9).padEnd(9, '0')) / 1e6;
}

/** A time in another zone as UTC, with its digits; text that is not a time as it is. */
export function utcText(text: string): string {
  if (Number.isNaN(timeOfText(text)) || /[Zz]$/.test(text)) return text;
  const nanos = nanosOf(text);
  const seconds = nanos / 1_000_000_000n - (nanos % 1_000_000_000n < 0n ? 1n : 0n);
  return formatTime(Number(seconds), Number(nanos - seconds * 1_000_000_000n), -1, 'T', 'Z');
}
