/** Reads the columns of tables that exist already. */
import type { ClickHouse } from '../client.ts';
import type { TableColumn } from './view.ts';

export interface TableName {
  readonly database: string;
  readonly table: string;
}

/** Returns a key for maps by table. */
export function keyOf({ database, table }: TableName): string {
  return JSON.stringify([database, table]);
}

/** Returns the columns of the tables that fulfil a condition on `system.columns`, by `keyOf`. */
export async function readColumns(
  clickhouse: ClickHouse,
  condition: string,
): Promise<ReadonlyMap<string, readonly TableColumn[]>> {
  const rows = await clickhouse.rows<[string, string, string, string, 0 | 1]>(
    `SELECT database, table, name, type, is_in_sorting_key OR is_in_partition_key FROM system.columns
     WHERE ${condition} AND default_kind != 'EPHEMERAL' ORDER BY database, table, position`,
  );
  const columns = new Map<string, TableColumn[]>();
  for (const [database, table, name, type, isKey] of rows) {
    const key = keyOf({ database, table });
    const own = columns.get(key) ?? [];
    own.push({ name, type, isKey: isKey === 1 });
    columns.set(key, own);
  }
  return columns;
}
