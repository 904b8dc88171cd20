/** `getschema`: returns the table's columns as rows. */
import { columnWireType } from '../output.ts';
import * as print from '../sql.ts';
import { Ids, newTable, type Table, type TableColumn } from '../table.ts';

/** The output columns. `ColumnType` is a column's type in APL, and `DataType` its type in the API. */
const names = ['ColumnName', 'ColumnOrdinal', 'ColumnType', 'DataType'] as const;

export function planGetSchema(table: Table): Table {
  const ids = new Ids();
  const columns = names.map((name): TableColumn => {
    const type = name === 'ColumnOrdinal' ? 'long' : 'string';
    return { name, type, id: ids.free(name) };
  });
  const rows = table.columns.map((column, i) => [
    print.text(column.name),
    print.long(BigInt(i)),
    print.text(column.variants === undefined ? column.type : 'dynamic'),
    print.text(columnWireType(column)),
  ]);
  const relation = { kind: 'values', ids: columns.map((column) => column.id), rows } as const;
  return newTable(relation, columns, ids);
}
