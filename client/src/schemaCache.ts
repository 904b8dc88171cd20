// The datasets and fields of the active deployment, fetched on demand and kept until something changes.
// A failure is not kept: it is reported as null for a while, so that typing does not repeat the request,
// and then consumers are notified to ask again.
import type { DatasetsResult, FieldsResult } from '../../server/src/protocol.ts';
import type { Failure, Outcome } from './api/failure.ts';
import type { KnownField, KnownFields, KnownSchema } from './api/schema.ts';

/** How fresh the known datasets are. */
export type SchemaState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'known'; readonly fetchedAt: number; readonly datasets: number }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface SchemaFetches {
  datasets(): Promise<Outcome<KnownSchema>>;
  /** `listed` are the fields that came with the list of datasets. */
  fields(dataset: string, listed: readonly KnownField[] | undefined): Promise<Outcome<KnownFields>>;
}

export interface SchemaEvents {
  /** The named datasets, or all, have to be asked for again. */
  changed(datasets: readonly string[] | undefined): void;
  stateChanged(): void;
}

/** How long each failure in a row delays the next attempt. */
const RETRY_DELAYS_MS = [2_000, 5_000, 15_000, 60_000, 300_000];

export class SchemaCache {
  readonly #fetches: SchemaFetches;
  readonly #events: SchemaEvents;
  readonly #retryDelays: readonly number[];
  #state: SchemaState = { kind: 'unknown' };
  #datasets: Promise<KnownSchema | undefined> | undefined;
  /** The names of the latest list. */
  #listed: ReadonlySet<string> | undefined;
  /** Datasets that results named. They exist even where a list lacks them. */
  #named = new Set<string>();
  #fields = new Map<string, Promise<KnownFields | undefined>>();
  /** Grows when something is forgotten, so that a late response cannot replace newer knowledge. */
  #epoch = 0;
  #failuresInRow = 0;
  #retry: NodeJS.Timeout | undefined;
  #failedFields = new Set<string>();

  constructor(
    fetches: SchemaFetches,
    events: SchemaEvents,
    retryDelays: readonly number[] = RETRY_DELAYS_MS,
  ) {
    this.#fetches = fetches;
    this.#events = events;
    this.#retryDelays = retryDelays;
  }

  get state(): SchemaState {
    return this.#state;
  }

  /** The datasets and views; null where they cannot be fetched. */
  async datasets(): Promise<DatasetsResult | null> {
    const known = await this.#known();
    if (known === undefined) return null;
    const names = new Set(known.datasets.map(({ name }) => name));
    const missing = [...this.#named].filter((name) => !names.has(name));
    return {
      datasets: [...known.datasets, ...missing.map((name) => ({ name, kind: 'dataset' as const }))],
      complete: known.complete,
    };
  }

  /** The fields of a dataset; null where they cannot be fetched. */
  async fields(dataset: string): Promise<FieldsResult | null> {
    let fields = this.#fields.get(dataset);
    if (fields === undefined) {
      const fetching = this.#fetchFields(dataset).then((outcome) => {
        const failed = !outcome.ok || outcome.value.incomplete !== undefined;
        if (failed && this.#fields.get(dataset) === fetching) {
          this.#failedFields.add(dataset);
          this.#retryLater();
        }
        return outcome.ok ? outcome.value : undefined;
      });
      fields = fetching;
      this.#fields.set(dataset, fields);
    }
    const known = await fields;
    return known ? { fields: known.fields, complete: known.complete } : null;
  }

  /** A result named these datasets. If the list lacks one it is out of date, and is fetched again. */
  resultNamed(datasets: readonly string[]): void {
    for (const name of datasets) this.#named.add(name);
    const listed = this.#listed;
    const missing = listed === undefined ? [] : datasets.filter((name) => !listed.has(name));
    if (missing.length === 0) return;
    // Once for each name, even where the new list lacks it too.
    this.#listed = new Set([...(listed ?? []), ...missing]);
    this.invalidate(missing);
  }

  /** A dataset does not exist any more, whatever results named it. */
  deleted(dataset: string): void {
    this.#named.delete(dataset);
    this.invalidate([dataset]);
  }

  /** Forgets the named datasets because they changed, or everything. */
  invalidate(datasets?: readonly string[]): void {
    const failed = [...this.#failedFields];
    this.#epoch += 1;
    this.#datasets = undefined;
    if (datasets === undefined) {
      this.#fields.clear();
      this.#named.clear();
      this.#listed = undefined;
    } else {
      for (const dataset of [...datasets, ...failed]) this.#fields.delete(dataset);
    }
    this.#failuresInRow = 0;
    this.#stopRetry();
    this.#setState({ kind: 'unknown' });
    this.#events.changed(datasets && [...new Set([...datasets, ...failed])]);
  }

  dispose(): void {
    this.#stopRetry();
  }

  #known(): Promise<KnownSchema | undefined> {
    this.#datasets ??= this.#fetchDatasets();
    return this.#datasets;
  }

  async #fetchDatasets(): Promise<KnownSchema | undefined> {
    const epoch = this.#epoch;
    this.#setState({ kind: 'loading' });
    const outcome = await this.#fetches.datasets();
    if (epoch !== this.#epoch) return outcome.ok ? outcome.value : undefined;
    if (!outcome.ok) {
      this.#setState({ kind: 'failed', failure: outcome.failure });
      this.#retryLater();
      return undefined;
    }
    const { datasets, incomplete } = outcome.value;
    this.#listed = new Set([...this.#named, ...datasets.map(({ name }) => name)]);
    this.#setState({ kind: 'known', fetchedAt: Date.now(), datasets: datasets.length });
    if (incomplete) this.#retryLater();
    else if (this.#failedFields.size === 0) this.#failuresInRow = 0;
    return outcome.value;
  }

  async #fetchFields(dataset: string): Promise<Outcome<KnownFields>> {
    const known = await this.#known();
    return this.#fetches.fields(dataset, known?.fields.get(dataset));
  }

  /** Forgets what failed after a delay, and notifies consumers to ask again. */
  #retryLater(): void {
    if (this.#retry !== undefined) return;
    const delays = this.#retryDelays;
    const delay = delays[Math.min(this.#failuresInRow, delays.length - 1)];
    this.#failuresInRow += 1;
    this.#retry = setTimeout(() => {
      const fields = [...this.#failedFields];
      this.#stopRetry();
      this.#epoch += 1;
      this.#datasets = undefined;
      for (const dataset of fields) this.#fields.delete(dataset);
      this.#events.changed(fields);
    }, delay);
    // A retry does not keep a process alive.
    this.#retry.unref();
  }

  #stopRetry(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#failedFields.clear();
  }

  #setState(state: SchemaState): void {
    this.#state = state;
    this.#events.stateChanged();
  }
}
