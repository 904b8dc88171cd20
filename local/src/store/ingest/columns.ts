/**
 * The select list of an insert: for each physical column of a dataset, the SQL of its value, made of
 * the leaves that feed the field, the labels of the request, and the time.
 */
import type { DatasetLayout, StoredType } from '../layout.ts';
import { quoteName } from '../sql.ts';
import type { Labels } from './labels.ts';

/** The SQL of the value at one leaf, as the source of the events has it. */
export interface LeafValue {
  readonly field: string;
  /** The SQL of its column of `type`, given all types of the field. */
  readonly as: (type: StoredType, all: ReadonlySet<StoredType>) => string;
}

export interface Columns {
  /** The columns to insert into, quoted. */
  readonly names: readonly string[];
  readonly values: readonly string[];
}

/** The columns fed by `leaves` and `labels`, with the two times first. */
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
      const parts = feeding.map((leaf) => leaf.as(type, all));
      return parts.length > 1 ? `coalesce(${parts.join(', ')})` : (parts[0] ?? 'NULL');
    });
    for (const [index, { type, column }] of field.variants.entries()) {
      names.push(column);
      // What an event says itself goes before a label.
      const labelled = label?.type === type;
      const nothing = own.map((value) => `(${value}) IS NULL`).join(' AND ');
      values.push(
        labelled ? `CASE WHEN ${nothing} THEN ${label.sql} ELSE ${own[index]} END` : own[index]!,
      );
    }
  }
  return { names: names.map(quoteName), values };
}
