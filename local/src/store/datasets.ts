/**
 * Keeps the settings and fields of datasets in memory, and locks them while they change. An event store
 * (`engines/events.ts`) has them on disk. Only `vacuum` removes fields. Readers see a change after its commit, but a
 * deletion just before its commit.
 */
import type { Dataset as DatasetDocument } from '../../../api/src/index.ts';
import type { Schema } from '../../../language/src/index.ts';
import type { EventStore, NumberedRows } from '../engines/events.ts';
import { formatTime } from '../time.ts';
import {
  checkWritable,
  type Dataset,
  type FieldDetails,
  fieldSchema,
  SYSTEM_FIELDS,
} from './datasetRecords.ts';
import type { DatasetLayout, StoredField } from './layout.ts';
import { ReadWriteLock } from './locks.ts';
import type { Log } from './storedJson.ts';

export class Datasets {
  /** The maximum number of fields per dataset, not counting the two time fields. */
  readonly fieldsMax: number;
  readonly #events: EventStore;
  readonly #byName = new Map<string, Dataset>();
  #schema: Schema | undefined;
  #layouts: ReadonlyMap<string, DatasetLayout> | undefined;
  readonly #changeLock = new ReadWriteLock();
  /** The time of each dataset's last vacuum in this process. */
  readonly #vacuumed = new Map<number, string>();

  private constructor(events: EventStore, fieldsMax: number) {
    this.#events = events;
    this.fieldsMax = fieldsMax;
  }

  static async open(events: EventStore, log: Log, fieldsMax: number): Promise<Datasets> {
    const datasets = new Datasets(events, fieldsMax);
    for (const dataset of await events.load(log)) datasets.#set(dataset.document.name, dataset);
    return datasets;
  }

  /** Takes over changes by other processes to the datasets, if the event store is shared with any. */
  async refresh(log: Log): Promise<void> {
    if (this.#events.reload === undefined) return;
    const stored = new Map(
      (await this.#events.load(log)).map((dataset) => [dataset.document.name, dataset]),
    );
    for (const name of new Set([...stored.keys(), ...this.#byName.keys()])) {
      if (isSame(stored.get(name), this.#byName.get(name))) continue;
      await this.#changeLock.exclusive(() => this.#reload(name));
    }
  }

  /** Takes over changes by other processes to a dataset. The caller holds `#changeLock`. */
  async #reload(name: string): Promise<void> {
    if (this.#events.reload === undefined) return;
    const current = this.#byName.get(name);
    // Read the dataset under its lock, because ingest may be adding fields.
    const replace = async () => this.#replace(name, await this.#events.reload?.(name));
    await (current === undefined ? replace() : current.lock.exclusive(replace));
  }

  #replace(name: string, stored: Dataset | undefined): void {
    const current = this.#byName.get(name);
    if (stored === undefined) {
      this.#byName.delete(name);
      this.#invalidate();
    } else if (current === undefined || current.id !== stored.id) {
      this.#set(name, stored);
    } else {
      this.#set(name, { ...current, document: stored.document, layout: stored.layout });
      current.reading.forget();
    }
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
      const dataset = await this.#events.create(document);
      if (dataset !== undefined) this.#set(document.name, dataset);
      return dataset;
    });
  }

  update(name: string, change: (document: DatasetDocument) => DatasetDocument) {
    return this.#changeExclusively(name, async (dataset) => {
      const document = { ...change(dataset.document), updatedAt: formatTime(Date.now()) };
      if (changesEvents(dataset.document, document)) checkWritable(dataset);
      await this.#events.saveDocument(dataset, document);
      const updated = { ...dataset, document };
      this.#set(name, updated);
      // Forget what ingest has learned about the events' shape, because the update may change which fields are maps.
      dataset.reading.forget();
      return updated;
    });
  }

  async delete(name: string): Promise<boolean> {
    const deleted = await this.#changeExclusively(name, async (dataset) => {
      // Remove the dataset before the commit, so that no query is planned for a dropped table.
      const hide = () => {
        this.#byName.delete(name);
        this.#invalidate();
      };
      await this.#events.delete(dataset, hide).catch((error: unknown) => {
        this.#set(name, dataset);
        throw error;
      });
      return true;
    });
    return deleted ?? false;
  }

  updateField(name: string, fieldName: string, details: FieldDetails) {
    return this.#changeExclusively(name, async (dataset) => {
      const field = dataset.layout.fields.find((each) => each.name === fieldName);
      if (field === undefined) return undefined;
      const updated: StoredField = { ...field, ...details };
      await this.#events.saveDetails(dataset, field, updated);
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
      checkWritable(dataset);
      return this.#events.trim(dataset, before, (work) =>
        dataset.lock.exclusive(async () => {
          const current = this.#byName.get(name)!;
          const { deleted, replaced } = await work(current);
          if (replaced !== undefined) {
            const vacuumed = this.#vacuumed.get(current.id);
            if (vacuumed !== undefined) this.#vacuumed.set(replaced.id, vacuumed);
            this.#set(name, replaced);
          }
          return deleted;
        }),
      );
    });
  }

  currentRows(numbered: NumberedRows): Promise<NumberedRows> {
    return this.#events.currentRows(numbered);
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
      checkWritable(dataset);
      check(this.#vacuumed.get(dataset.id));
      const { layout } = dataset;
      const unused = await this.#events.dropUnused(dataset);
      this.#vacuumed.set(dataset.id, formatTime(Date.now()));
      if (unused.size === 0) return 0;
      const fields = layout.fields.flatMap((field) => {
        const variants = field.variants.filter(({ column }) => !unused.has(column));
        return variants.length === 0 ? [] : [{ ...field, variants }];
      });
      this.#set(name, { ...dataset, layout: { ...layout, fields } });
      dataset.reading.forget();
      return unused.size;
    });
  }

  #changeExclusively<T>(
    name: string,
    change: (dataset: Dataset) => Promise<T>,
  ): Promise<T | undefined> {
    return this.#changeLock.exclusive(async () => {
      // A change must not undo that of another process.
      await this.#reload(name);
      // Read the dataset again under the lock, because it may have new fields. `#changeLock` excludes deletions.
      const current = () => this.#byName.get(name);
      return current()?.lock.exclusive(() => change(current() as Dataset));
    });
  }

  /** Publishes a layout with added columns after their commit. */
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
}

/** Returns whether changed settings affect how long events are kept or how they are stored. */
function changesEvents(before: DatasetDocument, after: DatasetDocument): boolean {
  const settings = ({ retentionDays, useRetentionPeriod, mapFields }: DatasetDocument) =>
    JSON.stringify([retentionDays, useRetentionPeriod, mapFields]);
  return settings(before) !== settings(after);
}

function isSame(a: Dataset | undefined, b: Dataset | undefined): boolean {
  const compared = (dataset: Dataset | undefined) =>
    dataset && JSON.stringify([dataset.id, dataset.document, dataset.layout]);
  return compared(a) === compared(b);
}
