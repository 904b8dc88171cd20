// The schema of the active deployment for completion, diagnostics and the tree of datasets.
import * as vscode from 'vscode';
import type { DatasetsResult, FieldsResult, QueryFacts } from '../../server/src/protocol.ts';
import { type Failure, failed, type Outcome } from './api/failure.ts';
import { fetchDatasets, fetchFields } from './api/schema.ts';
import type { Service } from './api/service.ts';
import type { Deployments } from './deployments/deployments.ts';
import type { Profile } from './deployments/profiles.ts';
import type { Log } from './log.ts';
import type { AnswerAbout, AnswerHead } from './results/store/answer.ts';
import { statementsIn } from './schema/fromAnswer.ts';
import { SchemaFile, type SchemaPlace, type SchemaToKeep } from './schema/schemaFile.ts';
import { SchemaCache, type SchemaDisk, type SchemaState } from './schemaCache.ts';

const LOOK_FOR_OLD_MS = 60_000;

export class SchemaSource implements vscode.Disposable {
  readonly #deployments: Deployments;
  readonly #log: Log;
  readonly #folder: string;
  readonly #changed = new vscode.EventEmitter<readonly string[] | undefined>();
  /** Fields of the named datasets, or of all, may have changed, and so may the list of datasets. */
  readonly onDidChange = this.#changed.event;
  readonly #dataChanged = new vscode.EventEmitter<readonly string[] | undefined>();
  /** The same, but only where the data may have changed, and not where more is known of it. */
  readonly onDidChangeData = this.#dataChanged.event;
  readonly #stateChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeState = this.#stateChanged.event;
  #cache: SchemaCache;
  /** What is being written, so that none reads what was there before. */
  #writing: Promise<void> = Promise.resolve();
  readonly #subscriptions: vscode.Disposable;

  /** `folder` is where schemas are kept between windows. */
  constructor(deployments: Deployments, log: Log, folder: string) {
    this.#deployments = deployments;
    this.#log = log;
    this.#folder = folder;
    this.#cache = this.#newCache();
    const looking = setInterval(() => {
      if (vscode.window.state.focused) void this.#cache.refreshIfOld();
    }, LOOK_FOR_OLD_MS);
    looking.unref();
    this.#subscriptions = vscode.Disposable.from(
      { dispose: () => clearInterval(looking) },
      deployments.onDidChange(() => this.#startOver()),
      deployments.local.onDidChange((state) => {
        // A request that failed because the deployment was down succeeds now.
        if (state === 'running' && this.state.kind === 'failed') this.invalidate();
      }),
    );
  }

  get state(): SchemaState {
    return this.#cache.state;
  }

  /** The name of the deployment that the schema is of. */
  get deployment(): string {
    return this.#deployments.active.name;
  }

  /** The datasets and views as they are; null where they cannot be fetched. */
  datasets(): Promise<DatasetsResult | null> {
    return this.#cache.datasets();
  }

  /** The fields of a dataset as they are; null where they cannot be fetched. */
  fields(dataset: string): Promise<FieldsResult | null> {
    return this.#cache.fields(dataset);
  }

  /** The datasets and views that are known now, which may be out of date; null where nothing is known. */
  datasetsNow(): Promise<DatasetsResult | null> {
    return this.#cache.datasetsNow();
  }

  /** The fields of a dataset that are known now, which may be out of date; null where nothing is known. */
  fieldsNow(dataset: string): Promise<FieldsResult | null> {
    return this.#cache.fieldsNow(dataset);
  }

  /** Learns from an answer. `factsOf` is asked about its query. */
  async answered(
    { deployment, query, askedAt }: AnswerAbout,
    head: AnswerHead,
    factsOf: (query: string) => Promise<QueryFacts | undefined>,
  ): Promise<void> {
    if (deployment !== this.#deployments.active.name) return;
    const cache = this.#cache;
    cache.resultNamed(head.datasetNames);
    try {
      const facts = await factsOf(query);
      for (const { dataset, source, fields } of statementsIn(head, facts?.allFieldsOf)) {
        await cache.learn(dataset, source, askedAt, fields);
      }
    } catch (error) {
      this.#log.error('Learning fields from a result', error);
    }
  }

  /** A dataset of the active deployment does not exist any more. */
  deleted(dataset: string): void {
    this.#cache.deleted(dataset);
  }

  /** Has everything fetched again; with names, those datasets, because they changed. */
  invalidate(datasets?: readonly string[]): void {
    this.#cache.invalidate(datasets);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#cache.dispose();
    this.#changed.dispose();
    this.#dataChanged.dispose();
    this.#stateChanged.dispose();
  }

  /** Another deployment, token or folder may be in use: only the disk knows what was listed with it. */
  #startOver(): void {
    this.#cache.dispose();
    this.#cache = this.#newCache();
    this.#stateChanged.fire();
    this.#dataChanged.fire(undefined);
    this.#changed.fire(undefined);
  }

  #newCache(): SchemaCache {
    const profile = this.#deployments.active;
    const ifCurrent = (notify: () => void): void => {
      if (cache === this.#cache) notify();
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
          ifCurrent(() => {
            this.#dataChanged.fire(datasets);
            this.#changed.fire(datasets);
          }),
        learned: (datasets) => ifCurrent(() => this.#changed.fire(datasets)),
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
