/** Stores events in a DuckDB table per dataset, and the settings and fields of datasets in two tables. */
import { Dataset as DatasetDocument, stringifyJson } from '../../../../api/src/index.ts';
import { ApiError } from '../../errors.ts';
import {
  type Addition,
  type Dataset,
  type FieldDetails,
  type FieldRow,
  inOrder,
  makeDataset,
  pickDetails,
  SYSTEM_FIELDS,
  tableOf,
} from '../../store/datasetRecords.ts';
import { type DatasetLayout, duckdbTypes, type StoredField } from '../../store/layout.ts';
import { quoteName, quoteText } from '../../store/sql.ts';
import { type Log, readStored } from '../../store/storedJson.ts';
import { TIME_END, TIME_MIN } from '../../time.ts';
import type {
  ComputedRows,
  DatasetSize,
  EventStore,
  NumberedRows,
  StoredSize,
  TrimResult,
} from '../events.ts';
import type { TimeBounds } from '../timeBounds.ts';
import type { BlockReader } from './blocks.ts';
import type { Engine } from './database/engine.ts';
import type { Session } from './database/session.ts';
import {
  columnName,
  DATASET_ID_COLUMNS,
  type DatasetRow,
  dropTables,
  dropUnused,
  unfinishedTrims,
} from './datasetTables.ts';
import { Numberings } from './numbering.ts';
import { readSize, readStoredSize } from './size.ts';
import type { TimeBoundsReader } from './timeBounds.ts';
import { copyKept, isOlderSql, replaceTable } from './trim.ts';

const allTimes = { start: TIME_MIN, end: TIME_END };

export class DuckDBEvents implements EventStore {
  readonly #engine: Engine;
  readonly #timeBounds: TimeBoundsReader;
  readonly #blocks: BlockReader;
  #nextId = 1;
  #numberings = new Numberings();

  constructor(engine: Engine, timeBounds: TimeBoundsReader, blocks: BlockReader) {
    this.#engine = engine;
    this.#timeBounds = timeBounds;
    this.#blocks = blocks;
  }

  load(log: Log): Promise<Dataset[]> {
    return this.#engine.use((session) => this.#load(session, log));
  }

  async create(document: DatasetDocument): Promise<Dataset> {
    if (document.source !== undefined) throw new ApiError('source-unsupported');
    const id = this.#nextId++;
    const dataset = makeDataset(id, document, []);
    await this.#engine.transaction(async (session) => {
      const columns = SYSTEM_FIELDS.map((field) => `${quoteName(field.name)} TIMESTAMP_NS`);
      await session.run(`CREATE TABLE ${dataset.layout.table} (${columns.join(', ')})`);
      const row = [id, stringifyJson(document)];
      await session.run('INSERT INTO aplomb.datasets VALUES (?, ?)', row);
    });
    return dataset;
  }

  async delete({ id, layout }: Dataset, hide: () => void): Promise<void> {
    await this.#engine.transaction(async (session) => {
      await session.run(`DROP TABLE ${layout.table}`);
      await session.run('DELETE FROM aplomb.fields WHERE dataset = ?', [id]);
      await session.run('DELETE FROM aplomb.datasets WHERE id = ?', [id]);
      await this.#numberings.recordEnd(session, id);
      hide();
    });
    this.#numberings.publish(id, null);
  }

  async saveDocument({ id }: Dataset, document: DatasetDocument): Promise<void> {
    const values = [stringifyJson(document), id];
    await this.#engine.transaction((session) =>
      session.run('UPDATE aplomb.datasets SET document = ? WHERE id = ?', values),
    );
  }

  async saveDetails({ id }: Dataset, { name }: StoredField, details: FieldDetails): Promise<void> {
    await this.#engine.transaction(async (session) => {
      const row = [id, name, JSON.stringify(pickDetails(details))];
      await session.run(
        "DELETE FROM aplomb.fields WHERE dataset = ? AND name = ? AND type = 'details'",
        row.slice(0, 2),
      );
      await session.run("INSERT INTO aplomb.fields VALUES (?, ?, 'details', '', ?)", row);
    });
  }

  async addColumns(
    session: Session,
    { id, layout }: Dataset,
    additions: readonly Addition[],
  ): Promise<DatasetLayout> {
    const fields = new Map(layout.fields.map((field) => [field.name, field]));
    const taken = new Set(
      layout.fields.flatMap((field) => field.variants.map(({ column }) => column.toLowerCase())),
    );
    const rows: string[] = [];
    for (const { field: name, type } of additions) {
      const column = columnName(name, type, taken);
      taken.add(column.toLowerCase());
      const field = fields.get(name);
      const variants = [...(field?.variants ?? []), { type, column }];
      fields.set(name, { ...field, name, variants });
      await session.run(
        `ALTER TABLE ${layout.table} ADD COLUMN ${quoteName(column)} ${duckdbTypes[type]}`,
      );
      const texts = [name, type, column].map(quoteText);
      rows.push(`(${id}, ${texts.join(', ')}, NULL)`);
    }
    await session.run(`INSERT INTO aplomb.fields VALUES ${rows.join(', ')}`);
    return { ...layout, fields: inOrder([...fields.values()]) };
  }

  async dropUnused(dataset: Dataset): Promise<ReadonlySet<string>> {
    const unused = await this.#engine.transaction((session) => dropUnused(session, dataset));
    if (unused.size > 0) this.#engine.countWrite();
    return unused;
  }

  async trim(
    { layout }: Dataset,
    before: bigint,
    exclusively: (work: (current: Dataset) => Promise<TrimResult>) => Promise<number>,
  ): Promise<number> {
    const id = this.#nextId++;
    const table = tableOf(id);
    const copied = await this.#engine.use((session) => copyKept(session, layout, table, before));
    if (copied === undefined) return 0;
    const deleted = await exclusively(async (current) => {
      const replace = async (session: Session) => {
        const old = `SELECT rowid FROM ${current.layout.table} WHERE ${isOlderSql(before)}`;
        const removed = await this.#numberings.record(session, current.id, id, old);
        await replaceTable(session, copied, current.layout);
        for (const [owner, column] of DATASET_ID_COLUMNS) {
          const change = `UPDATE ${owner} SET ${column} = ? WHERE ${column} = ?`;
          await session.run(change, [id, current.id]);
        }
        return removed;
      };
      const count = await this.#engine.transaction(replace).catch(async (error: unknown) => {
        await this.#engine.use((session) => dropTables(session, [table])).catch(() => undefined);
        throw error;
      });
      this.#numberings.publish(current.id, id);
      const replaced = { ...current, id, layout: { ...current.layout, table, numbering: id } };
      return { deleted: count, replaced };
    });
    await this.#engine.checkpointNow();
    return deleted;
  }

  currentRows(numbered: NumberedRows): Promise<NumberedRows> {
    return this.#engine.use((session) => this.#numberings.current(session, numbered));
  }

  transaction<T>(session: Session, work: () => Promise<T>): Promise<T> {
    return session.transaction(work);
  }

  async insert(
    session: Session,
    { table }: DatasetLayout,
    { columns, values, from }: ComputedRows,
    onRead?: (count: number) => void,
  ): Promise<number> {
    const count = await session.run(
      `INSERT INTO ${table} (${columns.map(quoteName).join(', ')}) SELECT ${values.join(', ')} ${from}`,
    );
    onRead?.(count);
    return count;
  }

  readStoredSize({ table }: DatasetLayout, signal: AbortSignal): Promise<StoredSize> {
    return readStoredSize(this.#engine, table, signal);
  }

  readSize(layout: DatasetLayout, signal: AbortSignal): Promise<DatasetSize> {
    return readSize(this.#engine, layout, signal);
  }

  readBounds({ table }: DatasetLayout, signal: AbortSignal): Promise<TimeBounds | undefined> {
    return this.#timeBounds.read([table], allTimes, signal);
  }

  async countBlocks({ table }: DatasetLayout, signal: AbortSignal): Promise<number> {
    return (await this.#blocks.read([table], allTimes, signal)).examined;
  }

  async close(): Promise<void> {}

  async #load(session: Session, log: Log): Promise<Dataset[]> {
    await session.run('CREATE SCHEMA IF NOT EXISTS aplomb');
    await session.run('CREATE SCHEMA IF NOT EXISTS events');
    await session.run('CREATE TABLE IF NOT EXISTS aplomb.datasets (id INTEGER, document VARCHAR)');
    // A field has a row per type, and a row of type `details` if a user has set details.
    await session.run(
      `CREATE TABLE IF NOT EXISTS aplomb.fields
         (dataset INTEGER, name VARCHAR, type VARCHAR, column_name VARCHAR, details VARCHAR)`,
    );
    this.#numberings = await Numberings.open(session);
    this.#nextId = this.#numberings.greatest + 1;
    const fieldRows = await session.rows<FieldRow>('SELECT * FROM aplomb.fields ORDER BY rowid');
    const rowsOf = Map.groupBy(fieldRows, ([dataset]) => dataset);
    const datasetRows = await session.rows<DatasetRow>('SELECT * FROM aplomb.datasets');
    await dropTables(session, await unfinishedTrims(session, datasetRows));
    return datasetRows.flatMap(([id, json]) => {
      this.#nextId = Math.max(this.#nextId, id + 1);
      const document = readStored(DatasetDocument, json);
      if (typeof document !== 'string') return [makeDataset(id, document, rowsOf.get(id) ?? [])];
      log(`The stored dataset number ${id} is left out, because ${document}.`);
      return [];
    });
  }
}
