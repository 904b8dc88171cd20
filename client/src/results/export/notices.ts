/** What an export has to say about values that its format cannot hold as they are. */
import type { ResultNotice } from '../result.ts';

const number = new Intl.NumberFormat('en-US');

/** The sentence of each notice, by the number of values, columns or rows that it is about. */
const sentences = {
  guardedFormulas: (count: number) =>
    `${values(count)} ${were(count)} prefixed with an apostrophe, because a spreadsheet would run ${them(count)} as a formula.`,
  halfSurrogates: () =>
    'Invalid Unicode (half of a surrogate pair) was written as U+FFFD, because UTF-8 cannot represent it.',
  notJsonNumbers: (count: number) =>
    `${values(count)} ${were(count)} written as a string, because JSON has no such number.`,
  renamedColumns: (count: number) =>
    `${number.format(count)} ${count === 1 ? 'column was' : 'columns were'} renamed, because names must be unique.`,
  excelTextNumbers: (count: number) =>
    `${values(count)} ${were(count)} written as text, because Excel would change the number.`,
  excelTextTimes: (count: number) =>
    `The times of ${columns(count)} were written as text, because Excel keeps milliseconds, from March 1900 on.`,
  excelSheets: (count: number) =>
    `The rows fill ${number.format(count)} sheets, because a sheet of Excel has at most 1,048,576 rows.`,
  excelLongText: (count: number) =>
    `${values(count)} longer than 32,767 characters ${were(count)} moved to a sheet for long text, because a cell of Excel cannot hold more.`,
  mixedColumns: (count: number) =>
    `${columns(count)} with values of several types ${were(count)} written as strings.`,
  inexactColumns: (count: number) =>
    `${columns(count)} with numbers of more than 64 bits ${were(count)} written as strings.`,
  leftOutNulls: (count: number) => `${values(count)} ${were(count)} left out: null.`,
  longQuery: () =>
    'The text is longer than the 500,000 characters that a query may have, so it cannot be run.',
} as const;

export type NoticeCode = keyof typeof sentences;

const isInformation: ReadonlySet<NoticeCode> = new Set(['leftOutNulls', 'excelSheets']);

/** Counts occurrences and reports each kind once. */
export class Notices {
  readonly #counts = new Map<NoticeCode, number>();

  add(code: NoticeCode, count = 1): void {
    if (count > 0) this.#counts.set(code, (this.#counts.get(code) ?? 0) + count);
  }

  list(): ResultNotice[] {
    return [...this.#counts].map(([code, count]) => ({
      severity: isInformation.has(code) ? 'info' : 'warning',
      code,
      message: sentences[code](count),
    }));
  }
}

function values(count: number): string {
  return `${number.format(count)} ${count === 1 ? 'value' : 'values'}`;
}

function columns(count: number): string {
  return `${number.format(count)} ${count === 1 ? 'column' : 'columns'}`;
}

function were(count: number): string {
  return count === 1 ? 'was' : 'were';
}

function them(count: number): string {
  return count === 1 ? 'it' : 'them';
}
