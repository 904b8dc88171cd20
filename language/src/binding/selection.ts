/** Looks up the columns that an operator selects by name, and creates the bound operator. */
import type { Own } from '../operators/operator.ts';
import type { BoundSelect } from '../operators/projectByPattern.ts';
import type { Span } from '../text.ts';
import { type Binder, referToColumn, referToUnknown, reportUnknownColumn } from './binder.ts';
import type { Column } from './bound.ts';
import { isSlip } from './columnNames.ts';
import type { ColumnList, Row } from './columns.ts';

/** Creates the bound operator. Its output columns are computed on first access. */
export function selection(
  name: BoundSelect['name'],
  output: ColumnList,
  originOf: (name: string) => string,
): Own<BoundSelect> {
  let columns: readonly { name: string; from: string }[] | undefined;
  return {
    kind: 'select',
    name,
    get columns() {
      columns ??= output.list.map(({ name }) => ({ name, from: originOf(name) }));
      return columns;
    },
  };
}

/** Returns the named column. If the name is unknown, returns an unlisted column of unknown type or reports the name. */
export function columnNamed(
  span: Span,
  name: string,
  row: Row,
  binder: Binder,
): Column | undefined {
  const column = row.find(name);
  if (column !== undefined) {
    referToColumn(binder, span, column);
    return column;
  }
  if (!row.open || isSlip(name, row, binder)) {
    reportUnknownColumn(binder, row, span, name);
    return undefined;
  }
  referToUnknown(binder, span, name);
  return { name, type: 'unknown' };
}
