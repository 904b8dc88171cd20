/** Sentences about data that a chart leaves out. */
import { counted, grouped } from '../../../../../formats/src/counts.ts';

type Sentence = string | false | undefined;

/** Returns the sentences that apply. */
export function sentences(...all: readonly Sentence[]): string[] {
  return all.filter((sentence) => typeof sentence === 'string');
}

export function foldedNotice(count: number | undefined): Sentence {
  return count !== undefined && `${grouped(count)} more grouped as 'other'.`;
}

/** Categories whose values cannot be added, so that no common bar would mean anything. */
export function leftOutNotice(count = 0): Sentence {
  return (
    count > 0 && `${grouped(count)} smaller categories are not drawn: their values cannot be added.`
  );
}

/** `lacked` is what the rows have none of. */
export function skippedNotice(count: number, lacked = 'time or no number'): Sentence {
  return count > 0 && `${counted(count, 'row has', 'rows have')} no ${lacked}.`;
}
