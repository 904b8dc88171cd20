// Where completion and diagnostics get datasets and fields from: the active deployment, asked in the
// best way that the token allows, and remembered until something changes.
import * as vscode from 'vscode';
import type { DatasetsResult, FieldsResult } from '../../server/src/protocol.ts';
import type { Failure } from './api/failure.ts';
import { fetchDatasets, fetchFields, type KnownSchema } from './api/schema.ts';
import type { Deployments } from './deployments/deployments.ts';
import type { Log } from './log.ts';

/** How fresh the known datasets are. */
export type SchemaState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'known'; readonly fetchedAt: number; readonly datasets: number }
  | { readonly kind: 'failed'; readonly failure: Failure };

const nothing: FieldsResult = { fields: [], complete: false };

export class SchemaSource implements vscode.Disposable {
  readonly #deployments: Deployments;
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<readonly string[] | undefined>();
  /** Fields of the named datasets, or of all, may have changed. */
  readonly onDidChange = this.#changed.event;
  readonly #stateChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeState = this.#stateChanged.event;
  #state: SchemaState = { kind: 'unknown' };
  #datasets: Promise<KnownSchema | undefined> | undefined;
  #fields = new Map<string, Promise<FieldsResult>>();
  /** Grows when something is forgotten: a slow answer must not stand for what came after. */
  #epoch = 0;
  readonly #subscriptions: vscode.Disposable;

  constructor(deployments: Deployments, log: Log) {
    this.#deployments = deployments;
    this.#log = log;
    this.#subscriptions = vscode.Disposable.from(
      deployments.onDidChange(() => this.invalidate()),
      deployments.local.onDidChange((state) => {
        // What could not be asked while the deployment was down can be now.
        if (state === 'running' && this.#state.kind === 'failed') this.invalidate();
      }),
    );
  }

  get state(): SchemaState {
    return this.#state;
  }

  async datasets(): Promise<DatasetsResult> {
    const known = await this.#known();
    return known ? { datasets: [...known.datasets], complete: known.complete } : empty();
  }

  fields(dataset: string): Promise<FieldsResult> {
    let fields = this.#fields.get(dataset);
    if (fields === undefined) {
      fields = this.#fetchFields(dataset);
      this.#fields.set(dataset, fields);
    }
    return fields;
  }

  /** Forgets what is known; with names, because those datasets changed, otherwise everything. */
  invalidate(datasets?: readonly string[]): void {
    this.#epoch += 1;
    this.#datasets = undefined;
    if (datasets === undefined) this.#fields.clear();
    else for (const dataset of datasets) this.#fields.delete(dataset);
    this.#setState({ kind: 'unknown' });
    this.#changed.fire(datasets);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#changed.dispose();
    this.#stateChanged.dispose();
  }

  #known(): Promise<KnownSchema | undefined> {
    this.#datasets ??= this.#fetchDatasets();
    return this.#datasets;
  }

  async #fetchDatasets(): Promise<KnownSchema | undefined> {
    this.#setState({ kind: 'loading' });
    const epoch = this.#epoch;
    const service = await this.#deployments.service();
    const answer = service.ok ? await fetchDatasets(service.value) : service;
    const current = epoch === this.#epoch;
    if (!answer.ok) {
      this.#log.warn(`Datasets are not known. ${answer.failure.message}`);
      if (current) this.#setState({ kind: 'failed', failure: answer.failure });
      return undefined;
    }
    if (current) {
      const datasets = answer.value.datasets.length;
      this.#setState({ kind: 'known', fetchedAt: Date.now(), datasets });
    }
    return answer.value;
  }

  async #fetchFields(dataset: string): Promise<FieldsResult> {
    const known = await this.#known();
    const service = await this.#deployments.service();
    if (!service.ok) return nothing;
    const answer = await fetchFields(service.value, dataset, known?.fields.get(dataset));
    if (answer.ok) return answer.value;
    this.#log.warn(`The fields of ${dataset} are not known. ${answer.failure.message}`);
    return nothing;
  }

  #setState(state: SchemaState): void {
    this.#state = state;
    this.#stateChanged.fire();
  }
}

function empty(): DatasetsResult {
  return { datasets: [], complete: false };
}
