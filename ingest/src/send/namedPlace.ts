// Finds the event that the service's message about a refused request names, if any.
import type { Batch } from '../contract.ts';

const patterns: readonly {
  readonly pattern: RegExp;
  /** Converts the number in the message to the index in the request, from 0. */
  readonly place: (number: number, request: Batch) => number;
}[] = [
  { pattern: /\bevent at index (\d{1,9})\b/i, place: (number) => number },
  { pattern: /\bevent (\d{1,9})\b/i, place: (number) => number - 1 },
  {
    pattern: /\bline:? (\d{1,9})\b/i,
    place: (number, { contentType, headers }) =>
      contentType === 'text/csv' && !headers['X-Axiom-CSV-Fields'] ? number - 2 : number - 1,
  },
];

/** Returns the event's index in the request, from 0. It is a guess until that event is also refused alone. */
export function namedPlace(message: string, request: Batch): number | undefined {
  for (const { pattern, place } of patterns) {
    const [, number] = pattern.exec(message) ?? [];
    if (number === undefined) continue;
    const found = place(Number(number), request);
    return found >= 0 && found < request.events ? found : undefined;
  }
  return undefined;
}
