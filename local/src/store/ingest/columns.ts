/** Builds an INSERT's columns and values from events' leaves (`leaves.ts`), the request's labels and the time. */
import { type DatasetLayout, type StoredType, typesOf } from '../layout.ts';
import type { Labels } from './labels.ts';

/** A leaf's value as SQL, which the fast path and the slow path generate differently. */
export interface LeafValue {
  readonly field: string;
  readonly sqlFor: (type: StoredType, all: ReadonlySet<StoredType>) => string;
}

/** Returns the columns to insert and their values: the two times, then the fields in `leaves` or `labels`. */
export function columnsOf(
  layout: DatasetLayout,
  leaves: readonly LeafValue[],
  labels: Labels,
  { time, systemTime }: { readonly time: string; readonly systemTime: string },
) {
  const names = ['_sysTime', '_time'];
  const values = [systemTime, time];
  const leavesOf = Map.groupBy(leaves, (leaf) => leaf.field);
  for (const field of layout.fields) {
    if (names.slice(0, 2).includes(field.name)) continue;
    const feeding = leavesOf.get(field.name) ?? [];
    const label = labels.get(field.name);
    if (feeding.length === 0 && label === undefined) continue;
    const all = typesOf(field);
    const own = field.variants.map(({ type }) => {
      const parts = feeding.map((leaf) => leaf.sqlFor(type, all));
      return parts.length > 1 ? `coalesce(${parts.join(', ')})` : (parts[0] ?? 'NULL');
    });
    for (const [index, { type, column }] of field.variants.entries()) {
      names.push(column);
      // Use the event's own value, if present, rather than the label.
      const value = own[index]!;
      const isNull = own.map((each) => `(${each}) IS NULL`).join(' AND ');
      values.push(
        label?.type === type ? `CASE WHEN ${isNull} THEN ${label.sql} ELSE ${value} END` : value,
      );
    }
  }
  return { columns: names, values };
}
