/**
 * What the client has told of datasets and fields. The list of datasets is asked for once, the fields
 * of a dataset when a query first names it; a change notification forgets what it covers.
 */
import type { DatasetSchema, FieldSchema, Schema } from '../../language/src/index.ts';
import type { DatasetsResult, FieldsResult, WireDataset } from './protocol.ts';

/** How the server reaches the client; both may fail, and then nothing is known. */
export interface SchemaSource {
  datasets(): Promise<DatasetsResult>;
  fields(dataset: string): Promise<FieldsResult>;
}

interface KnownFields {
  readonly fields: readonly FieldSchema[];
  readonly complete: boolean;
}

const nothing: KnownFields = { fields: [], complete: false };

export class SchemaStore {
  readonly #source: SchemaSource;
  readonly #changed: () => void;
  #listed: readonly WireDataset[] = [];
  #listComplete = false;
  #listing: Promise<void> | undefined;
  #fields = new Map<string, KnownFields>();
  #fetching = new Map<string, Promise<void>>();
  /** Grows whenever something is forgotten, so that a late answer cannot bring back what was. */
  #epoch = 0;
  #schema: Schema | undefined;

  /** `changed` is called after the known schema has become another. */
  constructor(source: SchemaSource, changed: () => void) {
    this.#source = source;
    this.#changed = changed;
  }

  /** What is known now; the same object until something changes. */
  get schema(): Schema {
    this.#schema ??= { datasets: this.#datasets(), complete: this.#listComplete };
    return this.#schema;
  }

  /** Asks for the list of datasets unless it is known or on its way. */
  ensureDatasets(): Promise<void> {
    this.#listing ??= this.#fetchDatasets(this.#epoch);
    return this.#listing;
  }

  /** Asks for the fields of a dataset unless they are known or on their way. */
  ensureFields(dataset: string): Promise<void> {
    if (this.#fields.has(dataset)) return Promise.resolve();
    let fetching = this.#fetching.get(dataset);
    if (fetching === undefined) {
      fetching = this.#fetchFields(dataset, this.#epoch);
      this.#fetching.set(dataset, fetching);
    }
    return fetching;
  }

  /**
   * Forgets the named datasets' fields, or everything. Old knowledge of the others stays; the list is
   * asked for again in either case, since ingest may have made a dataset.
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
    }
    this.#announce();
  }

  async #fetchDatasets(epoch: number): Promise<void> {
    const answer = await this.#source
      .datasets()
      .catch((): DatasetsResult => ({ datasets: [], complete: false }));
    if (epoch !== this.#epoch) return;
    this.#listed = answer.datasets;
    this.#listComplete = answer.complete;
    this.#announce();
  }

  async #fetchFields(dataset: string, epoch: number): Promise<void> {
    const answer = await this.#source.fields(dataset).catch((): FieldsResult => {
      return { fields: [], complete: false };
    });
    if (epoch !== this.#epoch) return;
    this.#fetching.delete(dataset);
    this.#fields.set(dataset, answer);
    this.#announce();
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
      // A name that is not listed while the list is complete does not exist, whatever was asked of it.
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
