/** Converts stored rows to datasets in memory. */
import { type Dataset as DatasetDocument, FieldUpdate } from '../../../api/src/index.ts';
import type { FieldSchema } from '../../../language/src/index.ts';
import { ApiError } from '../errors.ts';
import { ReadingMemory } from './ingest/readingMemory.ts';
import {
  type DatasetLayout,
  duckdbTypes,
  type StoredField,
  type StoredType,
  wireType,
} from './layout.ts';
import { ReadWriteLock } from './locks.ts';
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

/** Throws an ApiError if the dataset has the rows of a table that exists already. */
export function checkWritable({ document: { name, source } }: Dataset): void {
  if (source === undefined) return;
  const table = JSON.stringify(`${source.database}.${source.table}`);
  throw new ApiError('dataset-read-only', { name: JSON.stringify(name), table });
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

export function tableOf(id: number): string {
  return `events.d${id}`;
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
