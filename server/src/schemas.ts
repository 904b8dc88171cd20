/**
 * Stores the datasets and fields of one deployment. Requests the dataset list once, and a dataset's fields when a query
 * first names the dataset. Discards failures and data requested before an invalidation.
 */

import {
  type DatasetSchema,
  type FieldSchema,
  getOrCreate,
  type Schema,
} from '../../language/src/index.ts';
import type { DatasetsResult, FieldsResult, WireDataset } from './protocol.ts';
import { datasetsOfView, fieldsOfView, joinFields } from './viewFields.ts';

/** Requests schemas from the client. A rejection or null is a failure and isn't kept. */
export interface SchemaSource {
  datasets(): Promise<DatasetsResult | null>;
  fields(dataset: string): Promise<FieldsResult | null>;
}

interface KnownFields {
  readonly fields: readonly FieldSchema[];
  readonly complete: boolean;
}

const nothing: KnownFields = { fields: [], complete: false };

/** The maximum nesting depth of views whose fields are derived. The client sends the fields of deeper views. */
const nestedViewsMax = 5;

export class SchemaStore {
  readonly #source: SchemaSource;
  readonly #changed: () => void;
  #listed: readonly WireDataset[] = [];
  #listComplete = false;
  #listing: Promise<void> | undefined;
  #fields = new Map<string, KnownFields>();
  #fetching = new Map<string, Promise<void>>();
  /** Incremented on every invalidation. A result requested before an invalidation is dropped. */
  #epoch = 0;
  #schema: Schema | undefined;

  /** `changed` is called after the known schema has changed. */
  constructor(source: SchemaSource, changed: () => void) {
    this.#source = source;
    this.#changed = changed;
  }

  /** The currently known schema, which is the same object until the schema changes. */
  get schema(): Schema {
    this.#schema ??= { datasets: this.#datasets(), complete: this.#listComplete };
    return this.#schema;
  }

  /** Whether no data is known or pending. */
  get isEmpty(): boolean {
    return this.#listing === undefined && this.#fetching.size === 0 && this.#fields.size === 0;
  }

  ensureDatasets(): Promise<void> {
    this.#listing ??= this.#fetchDatasets(this.#epoch);
    return this.#listing;
  }

  ensureFields(dataset: string): Promise<void> {
    if (this.#fields.has(dataset)) return Promise.resolve();
    return getOrCreate(this.#fetching, dataset, () => this.#fetchFields(dataset, this.#epoch));
  }

  /**
   * Drops the fields of `datasets` and of all views, or all data if `datasets` is undefined. The dataset list is
   * requested again, because ingest may have created a dataset.
   */
  invalidate(datasets: readonly string[] | undefined): void {
    this.#epoch++;
    this.#listing = undefined;
    this.#fetching.clear();
    if (datasets === undefined) {
      this.#fields.clear();
      this.#listed = [];
      this.#listComplete = false;
    } else {
      for (const dataset of datasets) this.#fields.delete(dataset);
      // Drop the fields of all views as well, because they depend on the datasets that the views read.
      for (const { name, query } of this.#listed) if (query) this.#fields.delete(name);
    }
    this.#announce();
  }

  async #fetchDatasets(epoch: number): Promise<void> {
    const result = await this.#source.datasets().catch(() => null);
    if (epoch !== this.#epoch) return;
    if (result === null) {
      this.#listing = undefined;
      return;
    }
    this.#listed = result.datasets;
    this.#listComplete = result.complete;
    this.#announce();
  }

  async #fetchFields(dataset: string, epoch: number): Promise<void> {
    // Wait for the dataset list, because only the list shows whether the dataset is a view.
    await this.ensureDatasets();
    const result = await this.#fieldsOf(dataset, []);
    if (epoch !== this.#epoch) return;
    this.#fetching.delete(dataset);
    if (result === null) return;
    this.#fields.set(dataset, result);
    this.#announce();
  }

  /**
   * Derives a view's fields from its query. Requests the fields of datasets, and of views that are nested too deeply or
   * whose derived fields are incomplete. `above` lists the outer views.
   */
  async #fieldsOf(dataset: string, above: readonly string[]): Promise<FieldsResult | null> {
    const query = this.#listed.find(({ name }) => name === dataset)?.query;
    const asked = () => this.#source.fields(dataset).catch(() => null);
    if (query === undefined || above.length === nestedViewsMax) return asked();
    const path = [...above, dataset];
    const read = datasetsOfView(query).filter((name) => !path.includes(name));
    const known = await Promise.all(
      read.map(async (name) => {
        const isView = this.#listed.some((listed) => listed.name === name && listed.query);
        // Derive a view's fields directly. Waiting for its pending request could deadlock if the views read each other.
        if (isView) return { name, ...(await this.#fieldsOf(name, path)) };
        await this.ensureFields(name);
        return { name, ...this.#fields.get(name) };
      }),
    );
    const datasets = known.map(({ name, fields = [], complete = false }) => ({
      name,
      kind: this.#listed.find((listed) => listed.name === name)?.kind ?? 'dataset',
      fields,
      complete,
    }));
    const own = fieldsOfView(query, { datasets });
    return own.complete ? own : joinFields(own, await asked());
  }

  #announce(): void {
    this.#schema = undefined;
    this.#changed();
  }

  #datasets(): DatasetSchema[] {
    const listed = new Map(this.#listed.map((dataset) => [dataset.name, dataset]));
    const names = new Set([...listed.keys(), ...this.#fields.keys()]);
    const known: DatasetSchema[] = [];
    for (const name of names) {
      const entry = listed.get(name);
      const { fields, complete } = this.#fields.get(name) ?? nothing;
      // Omit a dataset that isn't in the complete list, because it doesn't exist, even if its fields were requested.
      if (entry === undefined && (this.#listComplete || fields.length === 0)) continue;
      known.push({
        name,
        kind: entry?.kind ?? 'dataset',
        ...(entry?.description === undefined ? {} : { description: entry.description }),
        fields,
        complete,
      });
    }
    return known;
  }
}
