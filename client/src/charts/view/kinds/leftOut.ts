/** Sentences about data that a chart omits. */
import { counted, grouped } from '../../../../../formats/src/counts.ts';

type Sentence = string | false | undefined;

/** Returns the sentences, without `false` and `undefined`. */
export function sentences(...all: readonly Sentence[]): string[] {
  return all.filter((sentence) => typeof sentence === 'string');
}

export function foldedNotice(count: number | undefined): Sentence {
  return count !== undefined && `${grouped(count)} more grouped as 'other'.`;
}

/** Describes omitted categories. Their values aren't additive, so a combined bar would be meaningless. */
export function leftOutNotice(count = 0): Sentence {
  return (
    count > 0 && `${grouped(count)} smaller categories are not drawn: their values cannot be added.`
  );
}

/** `lacked` names the values that the skipped rows lack. */
export function skippedNotice(count: number, lacked = 'time or no number'): Sentence {
  return count > 0 && `${counted(count, 'row has', 'rows have')} no ${lacked}.`;
}
