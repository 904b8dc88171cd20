/**
 * Selects the best matches among the columns of a wide row, because sending ten thousand items takes too long. The
 * client requests a new list after the next letter.
 */
import type { Column, Columns } from '../../../../language/src/index.ts';

export const offeredMax = 100;

/** Returns whether the list of columns is truncated, so the client must request it again as the user types. */
export function isWide(columns: Columns | undefined): boolean {
  return columns !== undefined && columns.list.length > offeredMax;
}

/**
 * Returns all columns or, if there are too many, those that match best. Only names that start with `prefix` match, and
 * `typed` is compared with the rest of the name. Columns for which `fits` returns true come first.
 */
export function offered(
  columns: Columns,
  typed: string,
  fits: (column: Column) => boolean = () => true,
  prefix = '',
): Columns {
  if (!isWide(columns)) return columns;
  const { list } = columns;
  const names = lowerNames(list);
  const wanted = typed.replace(/^\[?\s*(['"]?)/, '').toLowerCase();
  const start = prefix.toLowerCase();
  const byRank: number[][] = ranks.map(() => []);
  for (let i = 0; i < list.length; i++) {
    const column = list[i] as Column;
    const rank = rankOf(names[i] as string, wanted, start.length);
    if (rank === undefined || column.hidden || !column.name.startsWith(prefix)) continue;
    const best = byRank[isOwn(column) ? 0 : 1 + 2 * rank + (fits(column) ? 0 : 1)];
    if (best !== undefined && best.length < offeredMax) best.push(i);
  }
  const best = byRank.flat().slice(0, offeredMax);
  return { ...columns, list: best.sort((a, b) => a - b).map((index) => list[index] as Column) };
}

/**
 * Rank 0 holds the query's own columns and `_time`. Each kind of match then has two ranks: one for columns for which
 * `fits` returns true, and one for columns for which it returns false.
 */
const ranks = Array.from({ length: 9 });

function rankOf(name: string, wanted: string, from: number): number | undefined {
  const at = name.indexOf(wanted, from);
  if (at === from) return 0;
  if (at > from) return /[a-z0-9]/.test(name.charAt(at - 1)) ? 2 : 1;
  let next = from;
  for (let i = 0; i < wanted.length; i++) {
    next = name.indexOf(wanted.charAt(i), next) + 1;
    if (next === 0) return undefined;
  }
  return 3;
}

function isOwn({ name, definition }: Column): boolean {
  return definition !== undefined || name === '_time';
}

let last: { readonly list: readonly Column[]; readonly names: readonly string[] } | undefined;

/** Returns the lowercase names. Reuses a name if the last list had the same column at the same index. */
function lowerNames(list: readonly Column[]): readonly string[] {
  if (last?.list === list) return last.names;
  const before = last;
  const names = list.map((column, index) => {
    const known = before?.list[index] === column ? before.names[index] : undefined;
    return known ?? column.name.toLowerCase();
  });
  last = { list, names };
  return names;
}
