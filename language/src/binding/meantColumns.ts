/** Finds the column that an unknown name probably means, in addition to columns with a similar name. */
import { differsInFormOnly } from '../catalog/closest.ts';
import { isKustoTime } from '../catalog/kusto.ts';
import type { Row } from './columns.ts';

const dot = 46;

/**
 * Returns `closest`, the known column with the most similar name, unless the name has a better meaning: another
 * language's name of the time column, or the last parts of a dotted name, as `city` of `geo.city`.
 */
export function columnMeant(
  row: Row,
  name: string,
  closest: string | undefined,
): string | undefined {
  if (closest !== undefined && differsInFormOnly(name, closest)) return closest;
  return timeColumn(row, name) ?? nestedColumn(row, name) ?? closest;
}

function timeColumn(row: Row, name: string): string | undefined {
  return isKustoTime(name) ? row.find('_time')?.name : undefined;
}

/** Returns the only column whose name ends with a dot and `name` in any case. */
export function nestedColumn(row: Row, name: string): string | undefined {
  const ending = name.toLowerCase();
  let found: string | undefined;
  for (const other of row.names()) {
    const from = other.length - name.length;
    if (other.charCodeAt(from - 1) !== dot || other.slice(from).toLowerCase() !== ending) continue;
    if (found !== undefined) return undefined;
    found = other;
  }
  return found;
}
