/** Notices about values that an export format cannot represent. */
import { counted, grouped, plural } from '../../../formats/src/counts.ts';
import type { ResultNotice } from '../result.ts';

/** The notices' messages, given the number of affected values, columns or rows. */
const sentences = {
  guardedFormulas: (count: number) =>
    `${counted(count, 'value')} ${plural(count, 'was', 'were')} prefixed with an apostrophe, because a spreadsheet would run ${plural(count, 'it', 'them')} as a formula.`,
  halfSurrogates: () =>
    'Invalid Unicode (half of a surrogate pair) was written as U+FFFD, because UTF-8 cannot represent it.',
  notJsonNumbers: (count: number) =>
    `${counted(count, 'value')} ${plural(count, 'was', 'were')} written as a string, because JSON has no such number.`,
  renamedColumns: (count: number) =>
    `${counted(count, 'column was', 'columns were')} renamed, because names must be unique.`,
  excelTextNumbers: (count: number) =>
    `${counted(count, 'value')} ${plural(count, 'was', 'were')} written as text, because Excel would change the number.`,
  excelTextTimes: (count: number) =>
    `The times of ${counted(count, 'column')} were written as text, because Excel keeps milliseconds, from March 1900 on.`,
  excelSheets: (count: number) =>
    `The rows fill ${grouped(count)} sheets, because a sheet of Excel has at most 1,048,576 rows.`,
  excelCutText: (count: number) =>
    `${counted(count, 'value')} ${plural(count, 'was', 'were')} cut, because a cell of Excel has at most 32,767 characters.`,
  mixedColumns: (count: number) =>
    `${counted(count, 'column')} with values of several types ${plural(count, 'was', 'were')} written as strings.`,
  inexactColumns: (count: number) =>
    `${counted(count, 'column')} with numbers of more than 64 bits ${plural(count, 'was', 'were')} written as strings.`,
  leftOutNulls: (count: number) =>
    `${counted(count, 'value')} ${plural(count, 'was', 'were')} left out: null.`,
  longQuery: () =>
    'The text is longer than the 500,000 characters that a query may have, so it cannot be run.',
} as const;

type NoticeCode = keyof typeof sentences;

const isInformation: ReadonlySet<NoticeCode> = new Set(['leftOutNulls', 'excelSheets']);

/** Counts notices by kind, and reports each kind once. */
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
