/**
 * Constants that are commonly written at a place: how many rows are taken, how wide a bin is, how long ago.
 * They are values of a type that no column or function gives there as often as a person writes them.
 */
import type { Columns } from '../binding/bound.ts';
import type { CallSlot } from './calls.ts';
import { nameAt } from './operands.ts';
import { type Level, type Place, textAt } from './place.ts';

export const rowCounts: readonly string[] = ['10', '100', '1000'];

export const shares: readonly string[] = ['0.1', '0.01', '0.001'];

export const widths: readonly string[] = ['1m', '5m', '15m', '1h', '1d'];

const ages: readonly string[] = ['15m', '1h', '6h', '1d', '7d'];

const percents: readonly string[] = ['50', '90', '95', '99'];

/** Returns what is commonly written where an item starts. A bin of `_time` needs that column, and no other bin. */
export function likelyFirst(
  likely: readonly string[],
  place: Place,
  rest: readonly number[],
  { list }: Columns,
): readonly string[] {
  const isBinned = rest.some((token) => /^bin(_auto)?$/.test(textAt(place, token)));
  const hasTime = list.some(({ name, type }) => name === '_time' && type === 'datetime');
  return hasTime && !isBinned ? likely : likely.filter((text) => !text.includes('_time'));
}

/** What is commonly written at the argument of a call that starts at the place. */
export function likelyIn(
  call: CallSlot | undefined,
  place: Place,
  level: Level,
  columns: Columns,
): readonly string[] {
  const last = textAt(place, level.tokens.at(-1));
  if (call === undefined || (last !== '' && last !== ',')) return [];
  // Brackets that only group hold a part of the argument.
  if (place.tokens[level.opener]?.start !== call.opening) return [];
  const { name, argument } = call;
  if (name === 'ago' && argument === 0) return ages;
  if (name === 'bin' && argument === 1) return isTime(place, level, columns) ? widths : [];
  if (name === 'percentile' && argument === 1) return percents;
  if (name === 'percentiles_array' && argument > 0) return percents;
  return [];
}

/** Whether the first argument is a column of times, and nothing else. */
function isTime(place: Place, { tokens }: Level, { list }: Columns): boolean {
  const name = nameAt(place, tokens.at(-2));
  return list.some((column) => column.name === name && column.type === 'datetime');
}
