/** Converts stored rows to datasets in memory, and finds and drops the tables and columns of datasets. */
import { type Dataset as DatasetDocument, FieldUpdate } from '../../../api/src/index.ts';
import type { FieldSchema } from '../../../language/src/index.ts';
import { ReadingMemory } from './ingest/readingMemory.ts';
import {
  type DatasetLayout,
  duckdbTypes,
  type StoredField,
  type StoredType,
  wireType,
} from './layout.ts';
import { ReadWriteLock } from './locks.ts';
import type { Session } from './session.ts';
import { quoteName, quoteText } from './sql.ts';
import { readStored } from './storedJson.ts';

/** A dataset in the store. All properties except `lock` and `reading` are replaced rather than mutated. */
export interface Dataset {
  /** The dataset's ID. It also identifies the row numbering, so a trim that deletes events assigns a new ID. */
  readonly id: number;
  readonly document: DatasetDocument;
  readonly layout: DatasetLayout;
  /**
   * Held shared by the fast path of ingest (`quickStore.ts`) and by `Datasets.read`. Held exclusively by changes to the
   * settings, fields or table, and by the slow path (`thoroughRead.ts`).
   */
  readonly lock: ReadWriteLock;
  readonly reading: ReadingMemory;
}

/** A field to be added, or a type to be added to a field. */
export interface Addition {
  readonly field: string;
  readonly type: StoredType;
}

export const TIME_FIELD = '_time';
const SYSTEM_TIME_FIELD = '_sysTime';

export const SYSTEM_FIELDS: readonly StoredField[] = [SYSTEM_TIME_FIELD, TIME_FIELD].map(
  (name) => ({ name, variants: [{ type: 'datetime', column: name }] }),
);

export type DatasetRow = readonly [id: number, document: string];
export type FieldRow = readonly [
  dataset: number,
  name: string,
  type: StoredType | 'details',
  column: string,
  details: string | null,
];

export interface FieldDetails {
  readonly unit?: string;
  readonly description?: string;
  readonly hidden?: boolean;
}

export const DATASET_ID_COLUMNS = [
  ['aplomb.datasets', 'id'],
  ['aplomb.fields', 'dataset'],
] as const;

export function tableOf(id: number): string {
  return `events.d${id}`;
}

/** Returns the tables that interrupted trims have left behind. */
export async function unfinishedTrims(session: Session, rows: readonly DatasetRow[]) {
  const owned = new Set(rows.map(([id]) => tableOf(id)));
  const tables = await session.rows<[string]>(
    `SELECT concat(schema_name, '.', table_name) FROM duckdb_tables()
     WHERE database_name = current_database() AND schema_name = 'events'`,
  );
  return tables.flatMap(([table]) => (owned.has(table) ? [] : [table]));
}

export async function dropTables(session: Session, tables: readonly string[]): Promise<void> {
  if (tables.length === 0) return;
  await session.transaction(async () => {
    for (const table of tables) await session.run(`DROP TABLE IF EXISTS ${table}`);
  });
}

/** Drops columns that contain only nulls, in the caller's transaction. Returns their names. */
export async function dropUnused(
  session: Session,
  { id, layout: { table, fields } }: Dataset,
): Promise<ReadonlySet<string>> {
  const own = fields.filter(({ name }) => !SYSTEM_FIELDS.some((field) => field.name === name));
  const columns = own.flatMap(({ variants }) => variants.map(({ column }) => column));
  if (columns.length === 0) return new Set();
  const counts = columns.map((column) => `count(${quoteName(column)})`);
  const [row] = await session.rows<bigint[]>(`SELECT ${counts.join(', ')} FROM ${table}`);
  const unused = columns.filter((_, i) => row![i] === 0n);
  for (const column of unused) {
    await session.run(`ALTER TABLE ${table} DROP COLUMN ${quoteName(column)}`);
    const key = [id, column];
    await session.run('DELETE FROM aplomb.fields WHERE dataset = ? AND column_name = ?', key);
  }
  await session.run(
    `DELETE FROM aplomb.fields AS details WHERE dataset = ? AND type = 'details' AND NOT EXISTS
      (SELECT 1 FROM aplomb.fields AS other WHERE other.dataset = details.dataset
        AND other.name = details.name AND other.type <> 'details')
      AND name NOT IN (${SYSTEM_FIELDS.map(({ name }) => quoteText(name)).join(', ')})`,
    [id],
  );
  return new Set(unused);
}

export function makeDataset(
  id: number,
  document: DatasetDocument,
  rows: readonly FieldRow[],
): Dataset {
  const fields = new Map(SYSTEM_FIELDS.map((field) => [field.name, field]));
  for (const [, name, type, column] of rows) {
    // Skip rows of the type `details`, and rows whose type only another version supports.
    if (type === 'details' || !Object.hasOwn(duckdbTypes, type)) continue;
    const field = fields.get(name);
    fields.set(name, { name, variants: [...(field?.variants ?? []), { type, column }] });
  }
  for (const [, name, type, , details] of rows) {
    const field = fields.get(name);
    if (type !== 'details' || field === undefined || details === null) continue;
    const read = readStored(FieldUpdate, details);
    if (typeof read !== 'string') fields.set(name, { ...field, ...pickDetails(read) });
  }
  const { name } = document;
  const sorted = inOrder([...fields.values()]);
  const layout = { name, table: tableOf(id), numbering: id, fields: sorted };
  return { id, document, layout, lock: new ReadWriteLock(), reading: new ReadingMemory() };
}

export function fieldSchema(field: StoredField): FieldSchema {
  return { name: field.name, type: wireType(field), ...pickDetails(field) };
}

export function pickDetails({ unit, description, hidden }: FieldDetails): FieldDetails {
  return {
    ...(unit === undefined ? {} : { unit }),
    ...(description === undefined ? {} : { description }),
    ...(hidden === undefined ? {} : { hidden }),
  };
}

export function inOrder(fields: StoredField[]): StoredField[] {
  const rank = (name: string) => (name === SYSTEM_TIME_FIELD ? 0 : name === TIME_FIELD ? 1 : 2);
  return fields.sort((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1));
}

// Returns a name for a column. In DuckDB, column names are case-insensitive and can't contain NUL, unlike field names.
// Free names of printable ASCII are kept, so that people can read the table.
export function columnName(field: string, type: StoredType, taken: ReadonlySet<string>): string {
  if (/^[\x20-\x7e]+$/.test(field)) {
    for (const name of [field, `${field}:${type}`]) {
      if (!taken.has(name.toLowerCase())) return name;
    }
  }
  let number = taken.size;
  while (taken.has(`column:${number}`)) number += 1;
  return `column:${number}`;
}
