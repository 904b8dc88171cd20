// The schemas of deployments for completion, diagnostics and the tree of datasets: that of the active one, and of each
// that an open document belongs to.
import * as vscode from 'vscode';
import type { DatasetsResult, FieldsResult, QueryFacts } from '../../../server/src/protocol.ts';
import { type Failure, failed, type Outcome } from '../api/failure.ts';
import { fetchDatasets, fetchFields } from '../api/schema.ts';
import type { Service } from '../api/service.ts';
import type { Deployments } from '../deployments/deployments.ts';
import { LOCAL_NAME, type Profile } from '../deployments/profiles.ts';
import type { Log } from '../host/log.ts';
import { deploymentsInUse } from '../query/fileDeployment.ts';
import type { AnswerAbout, AnswerHead } from '../results/store/answer.ts';
import { statementsIn } from './fromAnswer.ts';
import { SchemaCache, type SchemaDisk, type SchemaState } from './schemaCache.ts';
import { SchemaFile, type SchemaPlace, type SchemaToKeep } from './schemaFile.ts';

const LOOK_FOR_OLD_MS = 60_000;

/** Fields of the named datasets, or of all, may have changed, and so may the list of datasets. */
interface SchemaChange {
  /** All deployments where it is absent. */
  readonly deployment?: string;
  readonly datasets?: readonly string[] | undefined;
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
  readonly #changed = new vscode.EventEmitter<readonly string[] | undefined>();
  /** In the active deployment, fields of the named datasets, or of all, may have changed, and so may the list. */
  readonly onDidChange = this.#changed.event;
  readonly #dataChanged = new vscode.EventEmitter<readonly string[] | undefined>();
  /** The same, but only where the data may have changed, and not where more is known of it. */
  readonly onDidChangeData = this.#dataChanged.event;
  readonly #stateChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeState = this.#stateChanged.event;
  readonly #activeChanged = new vscode.EventEmitter<string>();
  /** Another deployment is active: its name. */
  readonly onDidChangeActive = this.#activeChanged.event;
  /** By the name of the deployment; made when something of it is first asked for. */
  readonly #caches = new Map<string, SchemaCache>();
  #active: string;
  /** The pending write, which reads wait for. */
  #writing: Promise<void> = Promise.resolve();
  readonly #subscriptions: vscode.Disposable;

  /** `folder` is where schemas are kept between windows. */
  constructor(deployments: Deployments, log: Log, folder: string) {
    this.#deployments = deployments;
    this.#log = log;
    this.#folder = folder;
    this.#active = deployments.active.name;
    const looking = setInterval(() => this.#lookForOld(), LOOK_FOR_OLD_MS);
    looking.unref();
    this.#subscriptions = vscode.Disposable.from(
      { dispose: () => clearInterval(looking) },
      deployments.onDidChange((names) => this.#deploymentsChanged(names)),
      deployments.local.onDidChange((state) => {
        if (state !== 'running') return;
        const { kind } = this.stateOf(LOCAL_NAME);
        // A request that failed because the deployment was down succeeds now.
        if (kind === 'failed') this.invalidate(undefined, LOCAL_NAME);
        // A process that starts again may have another folder. `Deployments` looks after the active one.
        else if (kind === 'known' && this.#active !== LOCAL_NAME) this.#startOver([LOCAL_NAME]);
      }),
    );
  }

  /** How fresh the schema of the active deployment is. */
  get state(): SchemaState {
    return this.stateOf(this.#active);
  }

  stateOf(deployment: string): SchemaState {
    return this.#caches.get(deployment)?.state ?? { kind: 'unknown' };
  }

  get deployment(): string {
    return this.#active;
  }

  /** The datasets and views as they are; null where they cannot be fetched. */
  datasets(): Promise<DatasetsResult | null> {
    return this.#activeCache().datasets();
  }

  /** The fields of a dataset as they are; null where they cannot be fetched. */
  fields(dataset: string): Promise<FieldsResult | null> {
    return this.#activeCache().fields(dataset);
  }

  /** Returns a deployment's known datasets and views, possibly out of date; null if nothing is known. */
  async datasetsNow(deployment = this.#active): Promise<DatasetsResult | null> {
    return this.#cacheOf(deployment)?.datasetsNow() ?? null;
  }

  /** The same of the fields of a dataset. */
  async fieldsNow(dataset: string, deployment = this.#active): Promise<FieldsResult | null> {
    return this.#cacheOf(deployment)?.fieldsNow(dataset) ?? null;
  }

  /** A question is being sent. What is given learns from its answer; `factsOf` is asked about the query. */
  asked({ deployment, query, askedAt }: AnswerAbout): Learn {
    const cache = this.#cacheOf(deployment);
    // By then another token may be in use, which is perhaps of another organization.
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

  /** Has everything of a deployment fetched again; with names, those datasets, because they changed. */
  invalidate(datasets?: readonly string[], deployment = this.#active): void {
    // Of what nobody has asked for, nothing is out of date.
    const cache = deployment === this.#active ? this.#activeCache() : this.#caches.get(deployment);
    cache?.invalidate(datasets);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    for (const cache of this.#caches.values()) cache.dispose();
    this.#changedAny.dispose();
    this.#changed.dispose();
    this.#dataChanged.dispose();
    this.#stateChanged.dispose();
    this.#activeChanged.dispose();
  }

  /** `names` as in `Deployments.onDidChange`. */
  #deploymentsChanged(names: readonly string[] | undefined): void {
    const { name } = this.#deployments.active;
    const isSwitched = name !== this.#active;
    this.#active = name;
    if (isSwitched) this.#activeChanged.fire(name);
    if (names === undefined || names.length > 0) this.#startOver(names);
    if (!isSwitched || names === undefined || names.includes(name)) return;
    // What is known of it is kept, and its list is fetched again.
    this.#stateChanged.fire();
    this.#dataChanged.fire(undefined);
    this.#changed.fire(undefined);
    this.#caches.get(name)?.invalidate([]);
  }

  /** Another token, address or folder may be in use: only the disk knows what was listed with it. */
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
    this.#dataChanged.fire(undefined);
    this.#changed.fire(undefined);
  }

  /** Refreshes what has become old, and forgets deployments that no open document belongs to. */
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

  /** Undefined for a deployment that the settings do not have. */
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
    const ifCurrent = (notify: (isActive: boolean) => void): void => {
      if (cache === this.#caches.get(deployment)) notify(deployment === this.#active);
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
        changed: (datasets) =>
          ifCurrent((isActive) => {
            this.#changedAny.fire({ deployment, datasets });
            if (!isActive) return;
            this.#dataChanged.fire(datasets);
            this.#changed.fire(datasets);
          }),
        learned: (datasets) =>
          ifCurrent((isActive) => {
            this.#changedAny.fire({ deployment, datasets });
            if (isActive) this.#changed.fire(datasets);
          }),
        stateChanged: () => ifCurrent(() => this.#stateChanged.fire()),
      },
      { disk: this.#disk(profile) },
    );
    return cache;
  }

  /** The file of a deployment with the token that it has when something is first needed. */
  #disk(profile: Profile): SchemaDisk {
    let opening: Promise<SchemaPlace | undefined> | undefined;
    const opened = () => {
      opening ??= this.#placeOf(profile);
      return opening;
    };
    const write = async (schema: SchemaToKeep): Promise<void> => {
      const [place, now] = await Promise.all([opened(), this.#placeOf(profile)]);
      // What was listed with a token that has just been replaced may belong to another organization.
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

  /** Undefined for a hosted deployment without a token, of which nothing can be known. */
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
    const service = await this.#deployments.service(profile);
    const outcome = service.ok ? await fetch(service.value) : failed(service.failure);
    const failure = outcome.ok ? outcome.value.incomplete : outcome.failure;
    if (failure) this.#log.warn(`${purpose} ${failure.message}`);
    return outcome;
  }
}
