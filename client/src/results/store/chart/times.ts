/** Reads the times of a column, as milliseconds since 1970 with fractions, and as exact text in UTC. */
import { parseRfc3339 } from '../../../../../formats/src/rfc3339.ts';
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

/** Parses RFC 3339 to milliseconds since 1970; `NaN` for anything else. */
export function timeOfText(text: unknown): number {
  const instant = typeof text === 'string' ? parseRfc3339(text) : undefined;
  return instant === undefined ? Number.NaN : instant.seconds * 1000 + instant.nanos / 1e6;
}

/** Converts a time in another zone to UTC with the same precision. Returns other strings unchanged. */
export function utcText(text: string): string {
  const instant = /[Zz]$/.test(text) ? undefined : parseRfc3339(text);
  return instant === undefined ? text : formatTime(instant.seconds, instant.nanos, -1, 'T', 'Z');
}
