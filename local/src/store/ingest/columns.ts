/** Builds the select list of an insert from the leaves that feed each field, the request's labels, and the time. */
import type { DatasetLayout, StoredType } from '../layout.ts';
import { quoteName } from '../sql.ts';
import type { Labels } from './labels.ts';

/** The SQL value of one leaf. The quick path and the thorough path read it differently. */
export interface LeafValue {
  readonly field: string;
  /** Returns the SQL for the field's column of `type`, given all types of the field. */
  readonly sqlFor: (type: StoredType, all: ReadonlySet<StoredType>) => string;
}

export interface Columns {
  readonly names: readonly string[];
  readonly values: readonly string[];
}

/** Returns the columns to insert: the two time columns, then those with values in `leaves` or `labels`. */
export function columnsOf(
  layout: DatasetLayout,
  leaves: readonly LeafValue[],
  labels: Labels,
  times: { readonly time: string; readonly systemTime: string },
): Columns {
  const names = ['_sysTime', '_time'];
  const values = [times.systemTime, times.time];
  const leavesOf = Map.groupBy(leaves, (leaf) => leaf.field);
  for (const field of layout.fields) {
    if (names.slice(0, 2).includes(field.name)) continue;
    const feeding = leavesOf.get(field.name) ?? [];
    const label = labels.get(field.name);
    if (feeding.length === 0 && label === undefined) continue;
    const all = new Set(field.variants.map((variant) => variant.type));
    const own = field.variants.map(({ type }) => {
      const parts = feeding.map((leaf) => leaf.sqlFor(type, all));
      return parts.length > 1 ? `coalesce(${parts.join(', ')})` : (parts[0] ?? 'NULL');
    });
    for (const [index, { type, column }] of field.variants.entries()) {
      names.push(column);
      // An event's own value takes precedence over a label.
      const labelled = label?.type === type;
      const nothing = own.map((value) => `(${value}) IS NULL`).join(' AND ');
      values.push(
        labelled ? `CASE WHEN ${nothing} THEN ${label.sql} ELSE ${own[index]} END` : own[index]!,
      );
    }
  }
  return { names: names.map(quoteName), values };
}
