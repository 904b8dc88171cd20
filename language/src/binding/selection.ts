/** Binds the columns that an operator selects by name, and builds the bound selection. */
import type { BoundSelect } from '../operators/projectByPattern.ts';
import type * as syntax from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import { type Binder, referToColumn, referToUnknown, reportUnknownColumn } from './binder.ts';
import type { Column } from './bound.ts';
import { isSlip } from './columnNames.ts';
import type { ColumnList, Row } from './columns.ts';

/**
 * Returns the bound selection: each output column with its name in the input. The columns are computed on first access.
 */
export function selection(
  node: syntax.Operator,
  name: BoundSelect['name'],
  output: ColumnList,
  originOf: (name: string) => string,
): BoundSelect {
  const { keyword, start, end } = node;
  let columns: readonly { name: string; from: string }[] | undefined;
  return {
    kind: 'select',
    name,
    get columns() {
      columns ??= output.list.map((column) => ({
        name: column.name,
        from: originOf(column.name),
      }));
      return columns;
    },
    keyword,
    start,
    end,
  };
}

/**
 * Returns the column with a name. An unknown name counts as a column if the row is open and the name isn't certainly
 * misspelled. Otherwise it is reported.
 */
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
