// The schemas of the active deployment and of deployments that open documents use.
import * as vscode from 'vscode';
import type { DatasetsResult, FieldsResult, QueryFacts } from '../../../server/src/protocol.ts';
import type { AnswerAbout, AnswerHead } from '../../../table/src/answer.ts';
import type { Deployments } from '../deployments/deployments.ts';
import { deploymentsInUse } from '../deployments/fileDeployment.ts';
import { LOCAL_NAME, type Profile } from '../deployments/profiles.ts';
import type { Log } from '../host/log.ts';
import type { Failure, Outcome } from '../service/failure.ts';
import { fetchDatasets, fetchFields } from '../service/schema.ts';
import type { Service } from '../service/service.ts';
import type { SchemaDisk } from './fieldStore.ts';
import type { SchemaState } from './freshness.ts';
import { statementsIn } from './fromAnswer.ts';
import { SchemaCache } from './schemaCache.ts';
import { SchemaFile, type SchemaPlace, type SchemaToKeep } from './schemaFile.ts';

const LOOK_FOR_OLD_MS = 60_000;

/** A possible change to a deployment's list of datasets, and to fields of the named datasets or of all datasets. */
interface SchemaChange {
  /** The changed deployment; absent if all deployments may have changed. */
  readonly deployment?: string;
  readonly datasets?: readonly string[] | undefined;
}

interface ActiveChange {
  readonly datasets: readonly string[] | undefined;
  /** Whether nothing changed on the deployment, but more became known about its data. */
  readonly isLearned: boolean;
}

type Learn = (
  head: AnswerHead,
  factsOf: (query: string) => Promise<QueryFacts | undefined>,
) => Promise<void>;

export class SchemaSource implements vscode.Disposable {
  readonly #deployments: Deployments;
  readonly #log: Log;
  readonly #folder: string;
  readonly #changedAny = new vscode.EventEmitter<SchemaChange>();
  readonly onDidChangeAny = this.#changedAny.event;
  readonly #changed = new vscode.EventEmitter<ActiveChange>();
  /** Fires when the active deployment's list, or fields of the named datasets or of all, may have changed. */
  readonly onDidChange = this.#changed.event;
  readonly #stateChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeState = this.#stateChanged.event;
  readonly #activeChanged = new vscode.EventEmitter<string>();
  readonly onDidChangeActive = this.#activeChanged.event;
  /** Caches by deployment name, created on first use. */
  readonly #caches = new Map<string, SchemaCache>();
  #active: string;
  /** The pending write. Reads wait for it. */
  #writing: Promise<void> = Promise.resolve();
  readonly #subscriptions: vscode.Disposable;

  /** `folder` contains the schema files that windows share. */
  constructor(deployments: Deployments, log: Log, folder: string) {
    this.#deployments = deployments;
    this.#log = log;
    this.#folder = folder;
    this.#active = deployments.active.name;
    const looking = setInterval(() => this.#lookForOld(), LOOK_FOR_OLD_MS);
    looking.unref();
    this.#subscriptions = vscode.Disposable.from(
      this.#changedAny,
      this.#changed,
      this.#stateChanged,
      this.#activeChanged,
      { dispose: () => clearInterval(looking) },
      deployments.onDidChange((names) => this.#deploymentsChanged(names)),
      deployments.local.onDidChange((state) => {
        if (state !== 'running') return;
        const { kind } = this.stateOf(LOCAL_NAME);
        // Invalidate the schema, because a request that failed while the deployment was stopped can succeed now.
        if (kind === 'failed') this.invalidate(undefined, LOCAL_NAME);
        // Start over, because a restarted process may use another folder. `Deployments` handles the active deployment.
        else if (kind === 'known' && this.#active !== LOCAL_NAME) this.#startOver([LOCAL_NAME]);
      }),
    );
  }

  get state(): SchemaState {
    return this.stateOf(this.#active);
  }

  stateOf(deployment: string): SchemaState {
    return this.#caches.get(deployment)?.state ?? { kind: 'unknown' };
  }

  get deployment(): string {
    return this.#active;
  }

  datasets(): Promise<DatasetsResult | null> {
    return this.#activeCache().datasets();
  }

  fields(dataset: string): Promise<FieldsResult | null> {
    return this.#activeCache().fields(dataset);
  }

  async datasetsNow(deployment = this.#active): Promise<DatasetsResult | null> {
    return this.#cacheOf(deployment)?.datasetsNow() ?? null;
  }

  async fieldsNow(dataset: string, deployment = this.#active): Promise<FieldsResult | null> {
    return this.#cacheOf(deployment)?.fieldsNow(dataset) ?? null;
  }

  /**
   * Returns a function that adds the fields in a query's response to the cached schema. Called when the query is sent.
   * `factsOf` analyzes the query.
   */
  asked({ deployment, query, askedAt }: AnswerAbout): Learn {
    const cache = this.#cacheOf(deployment);
    // Check the cache: the token may have been replaced since then, perhaps with one of another organization.
    const isCurrent = () => cache !== undefined && cache === this.#caches.get(deployment);
    return async (head, factsOf) => {
      if (cache === undefined || !isCurrent()) return;
      cache.resultNamed(head.datasetNames);
      try {
        const facts = await factsOf(query);
        for (const { dataset, source, fields } of statementsIn(head, facts?.allFieldsOf)) {
          if (isCurrent()) await cache.learn(dataset, source, askedAt, fields);
        }
      } catch (error) {
        this.#log.error('Learning fields from a result', error);
      }
    };
  }

  deleted(dataset: string, deployment = this.#active): void {
    this.#cacheOf(deployment)?.deleted(dataset);
  }

  /** Marks the named datasets of a deployment, or all of them, as outdated, so that they are fetched again. */
  invalidate(datasets?: readonly string[], deployment = this.#active): void {
    // Do nothing without a cache, because then nothing is outdated.
    const cache = deployment === this.#active ? this.#activeCache() : this.#caches.get(deployment);
    cache?.invalidate(datasets);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    for (const cache of this.#caches.values()) cache.dispose();
  }

  #deploymentsChanged(names: readonly string[] | undefined): void {
    const { name } = this.#deployments.active;
    const isSwitched = name !== this.#active;
    this.#active = name;
    if (isSwitched) this.#activeChanged.fire(name);
    if (names === undefined || names.length > 0) this.#startOver(names);
    if (!isSwitched || names === undefined || names.includes(name)) return;
    // Keep the cached data, and fetch the list again.
    this.#stateChanged.fire();
    this.#changed.fire({ datasets: undefined, isLearned: false });
    this.#caches.get(name)?.invalidate([]);
  }

  /** Drops data that was fetched with another token, address or folder. The disk may have data for the new one. */
  #startOver(names: readonly string[] | undefined): void {
    for (const [name, cache] of this.#caches) {
      if (names !== undefined && !names.includes(name)) continue;
      cache.dispose();
      this.#caches.delete(name);
    }
    this.#stateChanged.fire();
    for (const deployment of names ?? [undefined]) {
      this.#changedAny.fire({ ...(deployment !== undefined && { deployment }) });
    }
    if (names !== undefined && !names.includes(this.#active)) return;
    this.#changed.fire({ datasets: undefined, isLearned: false });
  }

  /** Refreshes old data, and drops deployments that no open document uses. */
  #lookForOld(): void {
    const used = new Set([this.#active, ...deploymentsInUse()]);
    const unused = [...this.#caches.keys()].filter((name) => !used.has(name));
    if (unused.length > 0) this.#startOver(unused);
    if (!vscode.window.state.focused) return;
    for (const cache of this.#caches.values()) void cache.refreshIfOld();
  }

  #activeCache(): SchemaCache {
    return this.#ownCache(this.#deployments.active);
  }

  #cacheOf(deployment: string): SchemaCache | undefined {
    const profile = this.#deployments.find(deployment);
    return profile && this.#ownCache(profile);
  }

  #ownCache(profile: Profile): SchemaCache {
    const cache = this.#caches.get(profile.name) ?? this.#newCache(profile);
    this.#caches.set(profile.name, cache);
    return cache;
  }

  #newCache(profile: Profile): SchemaCache {
    const { name: deployment } = profile;
    const isCurrent = () => cache === this.#caches.get(deployment);
    const fireIfCurrent = (isLearned: boolean) => (datasets: readonly string[] | undefined) => {
      if (!isCurrent()) return;
      this.#changedAny.fire({ deployment, datasets });
      if (deployment === this.#active) this.#changed.fire({ datasets, isLearned });
    };
    const cache: SchemaCache = new SchemaCache(
      {
        datasets: () => this.#ask(profile, 'Cannot list datasets.', fetchDatasets),
        fields: (dataset, hint) =>
          this.#ask(profile, `Cannot list the fields of ${dataset}.`, (service) =>
            fetchFields(service, dataset, hint),
          ),
      },
      {
        changed: fireIfCurrent(false),
        learned: fireIfCurrent(true),
        stateChanged: () => isCurrent() && this.#stateChanged.fire(),
      },
      { disk: this.#disk(profile) },
    );
    return cache;
  }

  /** Returns the storage for a deployment's schema, with the token that was used first. */
  #disk(profile: Profile): SchemaDisk {
    let opening: Promise<SchemaPlace | undefined> | undefined;
    const opened = () => (opening ??= this.#placeOf(profile));
    const write = async (schema: SchemaToKeep): Promise<void> => {
      const [place, now] = await Promise.all([opened(), this.#placeOf(profile)]);
      // Skip the write after a token was replaced, because the data may belong to another organization.
      if (place === undefined || place.token !== now?.token) return;
      await new SchemaFile(this.#folder, place).write(schema);
    };
    return {
      read: async () => {
        try {
          await this.#writing;
          const place = await opened();
          return place && (await new SchemaFile(this.#folder, place).read());
        } catch (error) {
          this.#log.error('Reading the schema from disk', error);
          return undefined;
        }
      },
      write: (schema) => {
        this.#writing = this.#writing
          .then(() => write(schema))
          .catch((error) => this.#log.error('Keeping the schema on disk', error));
        return this.#writing;
      },
    };
  }

  /** Identifies a deployment. Returns undefined for a hosted deployment without a token. */
  async #placeOf(profile: Profile): Promise<SchemaPlace | undefined> {
    if (profile.kind === 'local') {
      const folder = this.#deployments.local.dataDirectory;
      return { name: profile.name, general: folder, edge: folder };
    }
    const { name, general, edge, organization } = profile;
    const token = await this.#deployments.credentials.token(new URL(general).origin, name);
    return token === undefined ? undefined : { name, general, edge, organization, token };
  }

  async #ask<T extends { readonly incomplete?: Failure }>(
    profile: Profile,
    purpose: string,
    fetch: (service: Service) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    const outcome = await this.#deployments.call(fetch, profile);
    const failure = outcome.ok ? outcome.value.incomplete : outcome.failure;
    if (failure) this.#log.warn(`${purpose} ${failure.message}`);
    return outcome;
  }
}
