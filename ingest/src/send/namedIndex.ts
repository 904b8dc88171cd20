// Finds the event that the service's message about a refused request names, if any.
import type { Batch } from '../contract.ts';

const patterns: readonly {
  readonly pattern: RegExp;
  /** Converts the number in the message to the index in the request, from 0. */
  readonly indexOf: (number: number, request: Batch) => number;
}[] = [
  { pattern: /\bevent at index (\d{1,9})\b/i, indexOf: (number) => number },
  { pattern: /\bevent (\d{1,9})\b/i, indexOf: (number) => number - 1 },
  {
    pattern: /\bline:? (\d{1,9})\b/i,
    indexOf: (number, { contentType, headers }) =>
      contentType === 'text/csv' && !headers['X-Axiom-CSV-Fields'] ? number - 2 : number - 1,
  },
];

/** Returns the event's index in the request, from 0. It is a guess until that event is also refused alone. */
export function namedIndex(message: string, request: Batch): number | undefined {
  for (const { pattern, indexOf } of patterns) {
    const [, number] = pattern.exec(message) ?? [];
    if (number === undefined) continue;
    const found = indexOf(Number(number), request);
    return found >= 0 && found < request.events ? found : undefined;
  }
  return undefined;
}
