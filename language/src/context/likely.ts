/** Finds common constants for positions where they are more frequent than columns and functions. */
import type { Columns } from '../binding/bound.ts';
import type { CallSlot } from './calls.ts';
import { widths } from './constants.ts';
import { nameAt } from './operands.ts';
import { type Level, type Place, textAt } from './place.ts';

const ages: readonly string[] = ['15m', '1h', '6h', '1d', '7d'];

const percents: readonly string[] = ['50', '90', '95', '99'];

/** Returns constants for the start of an item. Omits bins of `_time` if it is missing or already binned. */
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

/** Returns common constants for the call argument that starts at the cursor, such as percentiles. */
export function likelyIn(
  call: CallSlot | undefined,
  place: Place,
  level: Level,
  columns: Columns,
): readonly string[] {
  const last = textAt(place, level.tokens.at(-1));
  if (call === undefined || (last !== '' && last !== ',')) return [];
  // The innermost bracket may be a grouping bracket inside the argument, which contains only a part of the argument.
  if (place.tokens[level.opener]?.start !== call.opening) return [];
  const { name, argument } = call;
  if (name === 'ago' && argument === 0) return ages;
  if (name === 'bin' && argument === 1) return isTime(place, level, columns) ? widths : [];
  if (name === 'percentile' && argument === 1) return percents;
  if (name === 'percentiles_array' && argument > 0) return percents;
  return [];
}

function isTime(place: Place, { tokens }: Level, { list }: Columns): boolean {
  const name = nameAt(place, tokens.at(-2));
  return list.some((column) => column.name === name && column.type === 'datetime');
}
