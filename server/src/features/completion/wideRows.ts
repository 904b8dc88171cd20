/**
 * Which columns of a wide row are offered. A list of ten thousand takes longer to send than to make, and nobody
 * reads it: of so many, those are offered that match what is typed, and the client asks again with the next letter.
 */
import type { Column, Columns } from '../../../../language/src/index.ts';

/** Columns that are offered at once. */
export const offeredMax = 300;

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
  const byRank: Column[][] = ranks.map(() => []);
  for (let i = 0; i < list.length; i++) {
    const column = list[i] as Column;
    if (column.hidden || !column.name.startsWith(prefix)) continue;
    const rank = rankOf(names[i] as string, wanted, start.length);
    if (rank === undefined) continue;
    const best = byRank[isOwn(column) ? 0 : 1 + 2 * rank + (fits(column) ? 0 : 1)];
    if (best !== undefined && best.length < offeredMax) best.push(column);
  }
  const best = new Set<Column>();
  for (const column of byRank.flat()) {
    if (best.size === offeredMax) break;
    best.add(column);
  }
  return { ...columns, list: list.filter((column) => best.has(column)) };
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

const known = new WeakMap<readonly Column[], readonly string[]>();

/** The names in lower case, made once for the columns of a dataset. */
function lowerNames(list: readonly Column[]): readonly string[] {
  let names = known.get(list);
  if (names === undefined) {
    names = list.map(({ name }) => name.toLowerCase());
    known.set(list, names);
  }
  return names;
}
