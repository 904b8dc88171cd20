/**
 * Which columns of a wide row are offered. A list of ten thousand takes longer to send than to make, and nobody
 * reads it: of so many, those are offered that match what is typed, and the client asks again with the next letter.
 */
import type { Column, Columns } from '../../../../language/src/index.ts';

/** Columns that are offered at once. */
export const offeredMax = 100;

/** Whether a list of so many columns is cut, so that it has to be asked for again when more is typed. */
export function isWide(columns: Columns | undefined): boolean {
  return columns !== undefined && columns.list.length > offeredMax;
}

/**
 * The columns to offer: all of a few, otherwise the best matches. `fits` prefers columns where many match; `prefix`
 * is what all names have to begin with before what is typed.
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
 * The query's own columns; then exact beginning, beginning of a part of the name, anywhere, letters in order, each
 * for fitting columns and others.
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

/** What the query made itself, and the time, are likelier meant than a field among thousands. */
function isOwn({ name, definition }: Column): boolean {
  return definition !== undefined || name === '_time';
}

let last: { readonly list: readonly Column[]; readonly names: readonly string[] } | undefined;

/** The names in lower case. Those of columns that the last list had at the same place are used again. */
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
