// The schema of the active deployment for completion, diagnostics and the tree of datasets.
import * as vscode from 'vscode';
import type { DatasetsResult, FieldsResult } from '../../server/src/protocol.ts';
import { type Failure, failed, type Outcome } from './api/failure.ts';
import { fetchDatasets, fetchFields } from './api/schema.ts';
import type { Service } from './api/service.ts';
import type { Deployments } from './deployments/deployments.ts';
import type { Log } from './log.ts';
import { SchemaCache, type SchemaState } from './schemaCache.ts';

export class SchemaSource implements vscode.Disposable {
  readonly #deployments: Deployments;
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<readonly string[] | undefined>();
  /** Fields of the named datasets, or of all, may have changed, and so may the list of datasets. */
  readonly onDidChange = this.#changed.event;
  readonly #stateChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeState = this.#stateChanged.event;
  readonly #cache: SchemaCache;
  readonly #subscriptions: vscode.Disposable;

  constructor(deployments: Deployments, log: Log) {
    this.#deployments = deployments;
    this.#log = log;
    this.#cache = new SchemaCache(
      {
        datasets: () => this.#ask('Cannot list datasets.', fetchDatasets),
        fields: (dataset, listed) =>
          this.#ask(`Cannot list the fields of ${dataset}.`, (service) =>
            fetchFields(service, dataset, listed),
          ),
      },
      {
        changed: (datasets) => this.#changed.fire(datasets),
        stateChanged: () => this.#stateChanged.fire(),
      },
    );
    this.#subscriptions = vscode.Disposable.from(
      deployments.onDidChange(() => this.invalidate()),
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

  /** The datasets and views; null where they cannot be fetched. */
  datasets(): Promise<DatasetsResult | null> {
    return this.#cache.datasets();
  }

  /** The fields of a dataset; null where they cannot be fetched. */
  fields(dataset: string): Promise<FieldsResult | null> {
    return this.#cache.fields(dataset);
  }

  /** A result of a deployment named these datasets, so they exist. */
  resultNamed(deployment: string, datasets: readonly string[]): void {
    if (deployment === this.#deployments.active.name) this.#cache.resultNamed(datasets);
  }

  /** A dataset of the active deployment does not exist any more. */
  deleted(dataset: string): void {
    this.#cache.deleted(dataset);
  }

  /** Forgets what is known; with names, because those datasets changed, otherwise everything. */
  invalidate(datasets?: readonly string[]): void {
    this.#cache.invalidate(datasets);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#cache.dispose();
    this.#changed.dispose();
    this.#stateChanged.dispose();
  }

  async #ask<T extends { readonly incomplete?: Failure }>(
    purpose: string,
    fetch: (service: Service) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    const service = await this.#deployments.service();
    const outcome = service.ok ? await fetch(service.value) : failed(service.failure);
    const failure = outcome.ok ? outcome.value.incomplete : outcome.failure;
    if (failure) this.#log.warn(`${purpose} ${failure.message}`);
    return outcome;
  }
}
