// Draws what the tests that pound run in `npm test`: a tenth of their cases, others each day. `npm run test:long`
// runs all.
import { random } from './local/random.ts';

/** Whether all cases run. */
export const isLong = process.env['APLOMB_LONG'] === '1';

/** The day as a number, as `npm test` prints it. APLOMB_SEED names another. */
export const seed = Number(
  process.env['APLOMB_SEED'] ?? new Date().toISOString().slice(0, 10).replaceAll('-', ''),
);

const TENTH = 10;

/** The items of the day in their order: a tenth of them, or all of them in a long run. */
export function drawn<T>(items: readonly T[]): readonly T[] {
  if (isLong) return items;
  const next = random(seed);
  const left = items.map((_, index) => index);
  const chosen = Array.from(
    { length: Math.ceil(items.length / TENTH) },
    () => left.splice(next(left.length), 1)[0] as number,
  );
  return chosen.sort((a, b) => a - b).map((index) => items[index] as T);
}
