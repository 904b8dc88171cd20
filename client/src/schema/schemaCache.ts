// A deployment's datasets and fields, learned from requests, responses to queries and the disk. Outdated data is
// returned as incomplete while it is fetched again, and consumers are notified of changes. Failures are retried later.
import type { DatasetsResult, FieldsResult } from '../../../server/src/protocol.ts';
import { concurrently } from '../host/concurrently.ts';
import type { Outcome } from '../service/failure.ts';
import type {
  FetchedFields,
  FieldsHint,
  KnownDataset,
  KnownField,
  KnownSchema,
} from '../service/schema.ts';
import { FieldStore, type SchemaDisk } from './fieldStore.ts';
import type { FetchedList, SchemaState } from './freshness.ts';
import { type FieldSource, mergeFields } from './mergeFields.ts';
import { type SchemaTimes, usualTimes } from './schemaTimes.ts';

interface SchemaFetches {
  datasets(): Promise<Outcome<KnownSchema>>;
  fields(dataset: string, hint: FieldsHint): Promise<Outcome<FetchedFields>>;
}

interface SchemaEvents {
  /** Called when the named datasets must be requested again; undefined for all. */
  changed(datasets: readonly string[] | undefined): void;
  /**
   * Called when more became known about data that hasn't changed on the deployment, so that consumers request it again.
   */
  learned(datasets: readonly string[]): void;
  stateChanged(): void;
}

const REFRESHED_AT_ONCE = 4;

interface List {
  readonly at: number;
  readonly datasets: readonly KnownDataset[];
  readonly complete: boolean;
  readonly fields: ReadonlyMap<string, readonly KnownField[]>;
}

class Entry {
  /** Whether the fields were fetched and are still current. */
  isFresh = false;
  /** Whether the fields are complete, provided that they are current. */
  complete = false;
  fetching: Promise<void> | undefined;
  /** The last returned result; undefined if there was no request after the last notification. */
  given: FieldsResult | null | undefined;
}

export class SchemaCache {
  readonly #fetches: SchemaFetches;
  readonly #events: SchemaEvents;
  readonly #times: SchemaTimes;
  readonly #store: FieldStore;
  #state: SchemaState = { kind: 'unknown' };
  #loading: Promise<void> | undefined;
  #list: List | undefined;
  #isListFresh = false;
  /** Whether the last request for the list succeeded. */
  #isAnswering = false;
  #listing: Promise<void> | undefined;
  /** The last returned list; undefined if there was no request after the last notification. */
  #givenList: DatasetsResult | null | undefined;
  /** Datasets named in responses, which exist even if the list lacks them. */
  #named = new Set<string>();
  /** Datasets whose absence from the list has already caused a fetch of the list. */
  #missed = new Set<string>();
  #entries = new Map<string, Entry>();
  #failuresInRow = 0;
  #retry: NodeJS.Timeout | undefined;
  #failedFields = new Set<string>();
  #isDisposed = false;

  constructor(
    fetches: SchemaFetches,
    events: SchemaEvents,
    { disk, ...times }: Partial<SchemaTimes> & { readonly disk?: SchemaDisk } = {},
  ) {
    this.#fetches = fetches;
    this.#events = events;
    this.#times = { ...usualTimes, ...times };
    this.#store = new FieldStore(disk, this.#times.writeAfter);
  }

  get state(): SchemaState {
    return this.#state;
  }

  /** Returns the current datasets and views; null if they cannot be fetched. */
  async datasets(): Promise<DatasetsResult | null> {
    await this.#load();
    // Waits again if the fetch was replaced, because a replaced fetch has no result.
    for (let own: unknown; own === undefined || own !== this.#listing; ) {
      own = this.#ensureList();
      await own;
    }
    return this.#isListFresh ? this.#datasetsResult() : null;
  }

  /** Returns the known datasets and views, possibly outdated; null if there are none. */
  async datasetsNow(): Promise<DatasetsResult | null> {
    await this.#load();
    const listing = this.#ensureList();
    await (this.#list === undefined ? listing : this.#soon(listing));
    const result = this.#datasetsResult();
    this.#givenList = result;
    return result;
  }

  /** Returns a dataset's current fields; null if they cannot be fetched. */
  async fields(dataset: string): Promise<FieldsResult | null> {
    await this.#load();
    const entry = this.#entry(dataset);
    for (let own: unknown; own === undefined || own !== entry.fetching; ) {
      own = this.#ensureFields(dataset, entry);
      await own;
    }
    return entry.isFresh ? this.#fieldsResult(dataset, entry) : null;
  }

  /** Returns a dataset's known fields, possibly outdated; null if there are none. */
  async fieldsNow(dataset: string): Promise<FieldsResult | null> {
    await this.#load();
    const entry = this.#entry(dataset);
    const fetching = this.#ensureFields(dataset, entry);
    const isKnown = mergeFields(this.#store.evidence(dataset)).length > 0;
    await (isKnown ? this.#soon(fetching) : fetching);
    const result = this.#fieldsResult(dataset, entry);
    entry.given = result;
    return result;
  }

  /** Adds fields from a response. `at` is the time of the request in milliseconds since 1970. */
  async learn(
    dataset: string,
    source: FieldSource,
    at: number,
    fields: readonly KnownField[],
  ): Promise<void> {
    await this.#load();
    this.#store.add(dataset, source, { at, fields });
    this.#tellFields([dataset]);
  }

  /** Adds the datasets named in a response. If the list lacks one, the list is outdated and is fetched again. */
  resultNamed(datasets: readonly string[]): void {
    for (const name of datasets) this.#named.add(name);
    if (this.#isListFresh) {
      const listed = new Set(this.#list?.datasets.map(({ name }) => name));
      // Fetch the list only once per name, because the new list may also lack it.
      const missing = datasets.filter((name) => !listed.has(name) && !this.#missed.has(name));
      for (const name of missing) this.#missed.add(name);
      if (missing.length > 0) return this.invalidate(missing);
    }
    this.#tellList();
  }

  deleted(dataset: string): void {
    this.#named.delete(dataset);
    this.#entries.delete(dataset);
    this.#store.delete(dataset);
    if (this.#list) {
      const datasets = this.#list.datasets.filter(({ name }) => name !== dataset);
      this.#list = { ...this.#list, datasets };
    }
    this.invalidate([dataset]);
  }

  /** Marks the named datasets, or all data, as outdated, so that they are fetched again. */
  invalidate(datasets?: readonly string[]): void {
    const failed = [...this.#failedFields];
    this.#listing = undefined;
    this.#isListFresh = false;
    const stale = datasets && [...new Set([...datasets, ...failed])];
    for (const dataset of stale ?? this.#entries.keys()) this.#forgetFetch(dataset);
    if (datasets === undefined) {
      this.#named.clear();
      this.#missed.clear();
    }
    this.#failuresInRow = 0;
    this.#stopRetry();
    this.#setState({ kind: 'unknown' });
    this.#events.changed(stale);
  }

  /** Fetches requested data again if it is old. The old data remains available until then. */
  async refreshIfOld(): Promise<void> {
    const old = (this.#list?.at ?? 0) < Date.now() - this.#times.refreshAfter;
    if (!this.#isListFresh || !old) return;
    this.#listing = this.#fetchList();
    await this.#listing;
    const requested = [...this.#entries].filter(([, { fetching }]) => fetching !== undefined);
    await concurrently(requested.reverse(), REFRESHED_AT_ONCE, async ([dataset, entry]) => {
      entry.fetching = this.#fetchFields(dataset, entry);
      await entry.fetching;
    });
  }

  flush(): Promise<void> {
    return this.#store.flush();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#stopRetry();
    this.#store.dispose();
  }

  #load(): Promise<void> {
    this.#loading ??= this.#store.load().then((list) => {
      if (list) this.#list ??= { ...list, complete: false, fields: new Map() };
    });
    return this.#loading;
  }

  #ensureList(): Promise<void> {
    this.#listing ??= this.#fetchList();
    return this.#listing;
  }

  async #fetchList(): Promise<void> {
    const at = Date.now();
    // Wait until `#listing` is assigned, because it identifies this fetch.
    await Promise.resolve();
    const own = this.#listing;
    if (!this.#isListFresh) this.#setState({ kind: 'loading', ...this.#earlier() });
    const outcome = await this.#fetches.datasets();
    if (own !== this.#listing) return;
    if (!outcome.ok) {
      this.#isListFresh = false;
      this.#isAnswering = false;
      this.#setState({ kind: 'failed', failure: outcome.failure, ...this.#earlier() });
      this.#retryLater();
      return this.#tellAll();
    }
    const { datasets, complete, fields, incomplete } = outcome.value;
    this.#list = { at, datasets, complete, fields };
    this.#isListFresh = true;
    this.#isAnswering = true;
    for (const name of this.#named) this.#missed.add(name);
    for (const [dataset, listed] of fields) {
      this.#store.add(dataset, 'list', { at, fields: listed });
    }
    this.#store.keepList({ at, datasets });
    this.#setState({ kind: 'known', fetchedAt: at, datasets: datasets.length });
    if (incomplete) this.#retryLater();
    else if (this.#failedFields.size === 0) this.#failuresInRow = 0;
    this.#tellAll();
  }

  #ensureFields(dataset: string, entry: Entry): Promise<void> {
    entry.fetching ??= this.#fetchFields(dataset, entry);
    return entry.fetching;
  }

  async #fetchFields(dataset: string, entry: Entry): Promise<void> {
    await Promise.resolve();
    const own = entry.fetching;
    await this.#ensureList();
    if (own !== entry.fetching) return;
    const at = Date.now();
    const kind = this.#list?.datasets.find(({ name }) => name === dataset)?.kind;
    const listed = this.#isListFresh ? this.#list?.fields.get(dataset) : undefined;
    const outcome = await this.#fetches.fields(dataset, { ...(kind && { kind }), listed });
    if (own !== entry.fetching) return;
    entry.isFresh = outcome.ok;
    if (outcome.ok) {
      const { sources, complete } = outcome.value;
      entry.complete = complete;
      for (const [source, fields] of Object.entries(sources)) {
        // Skip the list's fields, which were already added with the list's time.
        if (source === 'list' && listed) continue;
        this.#store.add(dataset, source as FieldSource, { at, fields });
      }
    }
    if (!outcome.ok || outcome.value.incomplete !== undefined) {
      this.#failedFields.add(dataset);
      this.#retryLater();
    }
    this.#tellFields([dataset]);
  }

  /** Waits for current data up to a time limit. */
  async #soon(fetching: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      const { patience, patienceAnswering } = this.#times;
      timer = setTimeout(resolve, this.#isAnswering ? patienceAnswering : patience);
    });
    await Promise.race([fetching, late]);
    clearTimeout(timer);
  }

  /** Drops failed requests after a delay, and notifies consumers to repeat them. */
  #retryLater(): void {
    if (this.#retry !== undefined || this.#isDisposed) return;
    const delays = this.#times.retryDelays;
    const delay = delays[Math.min(this.#failuresInRow, delays.length - 1)];
    this.#failuresInRow += 1;
    this.#retry = setTimeout(() => {
      const fields = [...this.#failedFields];
      this.#stopRetry();
      this.#listing = undefined;
      for (const dataset of fields) this.#forgetFetch(dataset);
      this.#events.changed(fields);
    }, delay);
    // Unref the timer, because a pending retry must not keep the process running.
    this.#retry.unref();
  }

  #stopRetry(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#failedFields.clear();
  }

  #forgetFetch(dataset: string): void {
    const entry = this.#entries.get(dataset);
    if (entry === undefined) return;
    entry.fetching = undefined;
    entry.isFresh = false;
  }

  #entry(dataset: string): Entry {
    const entry = this.#entries.get(dataset) ?? new Entry();
    this.#entries.set(dataset, entry);
    return entry;
  }

  /** Returns null if neither a list nor a name is known. */
  #datasetsResult(): DatasetsResult | null {
    const listed = this.#list?.datasets ?? [];
    const known = new Set(listed.map(({ name }) => name));
    const seen = this.#list === undefined ? this.#store.names : [];
    const others = [...new Set([...this.#named, ...seen])].filter((name) => !known.has(name));
    if (this.#list === undefined && others.length === 0) return null;
    return {
      datasets: [...listed, ...others.map((name) => ({ name, kind: 'dataset' as const }))],
      complete: this.#isListFresh && this.#list?.complete === true,
    };
  }

  #fieldsResult(dataset: string, entry: Entry): FieldsResult | null {
    const fields = mergeFields(this.#store.evidence(dataset));
    if (fields.length === 0 && !entry.isFresh) return null;
    return { fields, complete: entry.isFresh && this.#isListFresh && entry.complete };
  }

  #earlier(): { readonly earlier?: FetchedList } {
    if (this.#list === undefined) return {};
    return { earlier: { fetchedAt: this.#list.at, datasets: this.#list.datasets.length } };
  }

  #tellAll(): void {
    const given = [...this.#entries].filter(([, entry]) => entry.given !== undefined);
    this.#tellFields(given.map(([dataset]) => dataset));
    this.#tellList();
  }

  #tellList(): void {
    if (this.#givenList === undefined) return;
    const now = this.#datasetsResult();
    if (JSON.stringify(now) === JSON.stringify(this.#givenList)) return;
    this.#givenList = undefined;
    this.#events.learned([]);
  }

  /** Notifies consumers of datasets whose fields have changed. */
  #tellFields(datasets: readonly string[]): void {
    const changed = datasets.filter((dataset) => {
      const entry = this.#entry(dataset);
      if (entry.given === undefined) return false;
      const now = this.#fieldsResult(dataset, entry);
      return JSON.stringify(now) !== JSON.stringify(entry.given);
    });
    for (const dataset of changed) this.#entry(dataset).given = undefined;
    if (changed.length > 0) this.#events.learned(changed);
  }

  #setState(state: SchemaState): void {
    this.#state = state;
    this.#events.stateChanged();
  }
}
