/**
 * Stores the settings and fields of datasets in two tables and in memory. Only `vacuum` removes fields. Readers see a
 * change after its commit, but a deletion just before its commit.
 */
import { Dataset as DatasetDocument, stringifyJson } from '../../../api/src/index.ts';
import type { Schema } from '../../../language/src/index.ts';
import { formatTime } from '../time.ts';
import {
  type Addition,
  columnName,
  DATASET_ID_COLUMNS,
  type Dataset,
  type DatasetRow,
  dropTables,
  dropUnused,
  type FieldDetails,
  type FieldRow,
  fieldSchema,
  inOrder,
  makeDataset,
  pickDetails,
  SYSTEM_FIELDS,
  tableOf,
  unfinishedTrims,
} from './datasetRecords.ts';
import type { Engine } from './duckdb.ts';
import { type DatasetLayout, duckdbTypes, type StoredField } from './layout.ts';
import { ReadWriteLock } from './locks.ts';
import { type NumberedRows, Numberings } from './numbering.ts';
import type { Session } from './session.ts';
import { quoteName, quoteText } from './sql.ts';
import { type Log, readStored } from './storedJson.ts';
import { copyKept, isOlderSql, replaceTable } from './trim.ts';

export class Datasets {
  /** The maximum number of fields per dataset, not counting the two time fields. */
  readonly fieldsMax: number;
  readonly #engine: Engine;
  readonly #byName = new Map<string, Dataset>();
  #schema: Schema | undefined;
  #layouts: ReadonlyMap<string, DatasetLayout> | undefined;
  #nextId = 1;
  #numberings = new Numberings();
  readonly #changeLock = new ReadWriteLock();
  /** The time of each dataset's last vacuum in this process. */
  readonly #vacuumed = new Map<number, string>();

  private constructor(engine: Engine, fieldsMax: number) {
    this.#engine = engine;
    this.fieldsMax = fieldsMax;
  }

  static async open(engine: Engine, log: Log, fieldsMax: number): Promise<Datasets> {
    const datasets = new Datasets(engine, fieldsMax);
    await engine.use((session) => datasets.#load(session, log));
    return datasets;
  }

  get(name: string): Dataset | undefined {
    return this.#byName.get(name);
  }

  /** Locks the dataset's table and columns while `work` runs. Returns undefined if the dataset doesn't exist. */
  async read<T>(name: string, work: (dataset: Dataset) => Promise<T>): Promise<T | undefined> {
    return this.#byName.get(name)?.lock.shared(async () => {
      const dataset = this.#byName.get(name);
      return dataset && work(dataset);
    });
  }

  list(): Dataset[] {
    return [...this.#byName.values()].sort((a, b) => (a.layout.name < b.layout.name ? -1 : 1));
  }

  schema(): Schema {
    this.#schema ??= {
      complete: true,
      datasets: [...this.#byName.values()].map(({ layout }) => ({
        name: layout.name,
        fields: layout.fields.map((field) => fieldSchema(field)),
      })),
    };
    return this.#schema;
  }

  /** Returns the datasets' layouts by name. The map stays the same object until a layout changes. */
  layouts(): ReadonlyMap<string, DatasetLayout> {
    this.#layouts ??= new Map([...this.#byName].map(([name, { layout }]) => [name, layout]));
    return this.#layouts;
  }

  create(document: DatasetDocument): Promise<Dataset | undefined> {
    return this.#changeLock.exclusive(async () => {
      if (this.#byName.has(document.name)) return undefined;
      const id = this.#nextId++;
      const dataset = makeDataset(id, document, []);
      await this.#engine.transaction(async (session) => {
        const columns = SYSTEM_FIELDS.map((field) => `${quoteName(field.name)} TIMESTAMP_NS`);
        await session.run(`CREATE TABLE ${dataset.layout.table} (${columns.join(', ')})`);
        const row = [id, stringifyJson(document)];
        await session.run('INSERT INTO aplomb.datasets VALUES (?, ?)', row);
      });
      this.#set(document.name, dataset);
      return dataset;
    });
  }

  update(name: string, change: (document: DatasetDocument) => DatasetDocument) {
    return this.#changeExclusively(name, async (dataset) => {
      const document = { ...change(dataset.document), updatedAt: formatTime(Date.now()) };
      const values = [stringifyJson(document), dataset.id];
      await this.#engine.transaction((session) =>
        session.run('UPDATE aplomb.datasets SET document = ? WHERE id = ?', values),
      );
      const updated = { ...dataset, document };
      this.#set(name, updated);
      // Forget what ingest has learned about the events' shape, because the update may change which fields are maps.
      dataset.reading.forget();
      return updated;
    });
  }

  async delete(name: string): Promise<boolean> {
    const deleted = await this.#changeExclusively(name, async (dataset) => {
      const work = async (session: Session) => {
        await session.run(`DROP TABLE ${dataset.layout.table}`);
        await session.run('DELETE FROM aplomb.fields WHERE dataset = ?', [dataset.id]);
        await session.run('DELETE FROM aplomb.datasets WHERE id = ?', [dataset.id]);
        await this.#numberings.recordEnd(session, dataset.id);
        // Remove the dataset before the commit, so that no query is planned for a dropped table.
        this.#byName.delete(name);
        this.#invalidate();
      };
      await this.#engine.transaction(work).catch((error: unknown) => {
        this.#set(name, dataset);
        throw error;
      });
      this.#numberings.publish(dataset.id, null);
      return true;
    });
    return deleted ?? false;
  }

  updateField(name: string, fieldName: string, details: FieldDetails) {
    return this.#changeExclusively(name, async (dataset) => {
      const field = dataset.layout.fields.find((each) => each.name === fieldName);
      if (field === undefined) return undefined;
      const updated: StoredField = { ...field, ...details };
      await this.#engine.transaction(async (session) => {
        const row = [dataset.id, fieldName, JSON.stringify(pickDetails(updated))];
        await session.run(
          "DELETE FROM aplomb.fields WHERE dataset = ? AND name = ? AND type = 'details'",
          row.slice(0, 2),
        );
        await session.run("INSERT INTO aplomb.fields VALUES (?, ?, 'details', '', ?)", row);
      });
      const fields = dataset.layout.fields.map((each) => (each === field ? updated : each));
      this.#set(name, { ...dataset, layout: { ...dataset.layout, fields } });
      return updated;
    });
  }

  /**
   * Deletes the events before `before`, in nanoseconds since 1970. Returns the number of deleted events, or undefined
   * if the dataset doesn't exist.
   */
  trim(name: string, before: bigint): Promise<number | undefined> {
    return this.#changeLock.exclusive(async () => {
      const dataset = this.#byName.get(name);
      if (dataset === undefined) return undefined;
      const id = this.#nextId++;
      const table = tableOf(id);
      const copied = await this.#engine.use((session) =>
        copyKept(session, dataset.layout, table, before),
      );
      if (copied === undefined) return 0;
      const deleted = await dataset.lock.exclusive(async () => {
        const current = this.#byName.get(name)!;
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
        const vacuumed = this.#vacuumed.get(current.id);
        if (vacuumed !== undefined) this.#vacuumed.set(id, vacuumed);
        this.#set(name, { ...current, id, layout: { ...current.layout, table, numbering: id } });
        return count;
      });
      await this.#engine.checkpointNow();
      return deleted;
    });
  }

  currentRows(numbered: NumberedRows): Promise<NumberedRows> {
    return this.#engine.use((session) => this.#numberings.current(session, numbered));
  }

  /** Waits until all pending changes to the datasets are visible to readers. */
  async pendingChanges(names: readonly string[]): Promise<void> {
    for (const name of names) await this.read(name, async () => undefined);
  }

  /**
   * Drops each type of a field if no event has a value of the type. Returns the number of dropped columns, or undefined
   * if the dataset doesn't exist. `check` gets the time of the last vacuum, and can throw to prevent this one.
   */
  vacuum(name: string, check: (last: string | undefined) => void): Promise<number | undefined> {
    return this.#changeExclusively(name, async (dataset) => {
      check(this.#vacuumed.get(dataset.id));
      const { layout } = dataset;
      const unused = await this.#engine.transaction((session) => dropUnused(session, dataset));
      this.#vacuumed.set(dataset.id, formatTime(Date.now()));
      if (unused.size === 0) return 0;
      const fields = layout.fields.flatMap((field) => {
        const variants = field.variants.filter(({ column }) => !unused.has(column));
        return variants.length === 0 ? [] : [{ ...field, variants }];
      });
      this.#set(name, { ...dataset, layout: { ...layout, fields } });
      dataset.reading.forget();
      this.#engine.countWrite();
      return unused.size;
    });
  }

  #changeExclusively<T>(
    name: string,
    change: (dataset: Dataset) => Promise<T>,
  ): Promise<T | undefined> {
    return this.#changeLock.exclusive(async () => {
      // Read the dataset again under the lock, because it may have new fields. `#changeLock` excludes deletions.
      const current = () => this.#byName.get(name);
      return current()?.lock.exclusive(() => change(current() as Dataset));
    });
  }

  /** Adds columns in the caller's transaction, under the dataset's exclusive lock. Call `publish` after the commit. */
  async widen(
    session: Session,
    dataset: Dataset,
    additions: readonly Addition[],
  ): Promise<DatasetLayout> {
    const { layout } = dataset;
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
      rows.push(`(${dataset.id}, ${texts.join(', ')}, NULL)`);
    }
    await session.run(`INSERT INTO aplomb.fields VALUES ${rows.join(', ')}`);
    return { ...layout, fields: inOrder([...fields.values()]) };
  }

  publish(name: string, layout: DatasetLayout): void {
    const dataset = this.#byName.get(name);
    if (dataset !== undefined) this.#set(name, { ...dataset, layout });
  }

  freeFields(layout: DatasetLayout): number {
    return Math.max(0, this.fieldsMax - (layout.fields.length - SYSTEM_FIELDS.length));
  }

  #set(name: string, dataset: Dataset): void {
    this.#byName.set(name, dataset);
    this.#invalidate();
  }

  #invalidate(): void {
    this.#schema = undefined;
    this.#layouts = undefined;
  }

  async #load(session: Session, log: Log): Promise<void> {
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
    for (const [id, json] of datasetRows) {
      this.#nextId = Math.max(this.#nextId, id + 1);
      const document = readStored(DatasetDocument, json);
      if (typeof document === 'string') {
        log(`The stored dataset number ${id} is left out, because ${document}.`);
      } else {
        this.#set(document.name, makeDataset(id, document, rowsOf.get(id) ?? []));
      }
    }
  }
}
