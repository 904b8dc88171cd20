// What is known of the extents of the active deployment's datasets. They are asked for in the background,
// one after another, and forgotten with the schema.
import * as vscode from 'vscode';
import { allTimes, type Extent, fetchExtent, recentTimes } from '../api/extent.ts';
import type { Deployments } from '../deployments/deployments.ts';
import type { Log } from '../host/log.ts';
import type { SchemaSource } from './schemaSource.ts';

/** How many datasets are asked about without being expanded. */
const UNASKED_MAX = 100;

export class DatasetExtents implements vscode.Disposable {
  readonly #deployments: Deployments;
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<string>();
  readonly onDidChange = this.#changed.event;
  /** By dataset; undefined until it is known, null for one without events. */
  readonly #known = new Map<string, Extent | null | undefined>();
  #queue: Promise<void> = Promise.resolve();
  /** Grows when everything is forgotten. */
  #epoch = 0;
  readonly #subscription: vscode.Disposable;

  constructor(deployments: Deployments, schema: SchemaSource, log: Log) {
    this.#deployments = deployments;
    this.#log = log;
    this.#subscription = schema.onDidChangeData((datasets) => {
      this.#epoch += 1;
      if (datasets === undefined) this.#known.clear();
      else for (const dataset of datasets) this.#known.delete(dataset);
    });
  }

  get(dataset: string): Extent | null | undefined {
    return this.#known.get(dataset);
  }

  /** Asks for a listed dataset where that costs nothing: on this machine, and for a bounded number. */
  askIfFree(dataset: string): void {
    const free = this.#deployments.active.kind === 'local' && this.#known.size < UNASKED_MAX;
    if (free) this.ask(dataset);
  }

  ask(dataset: string): void {
    if (this.#known.has(dataset)) return;
    this.#known.set(dataset, undefined);
    const epoch = this.#epoch;
    // What fails for one dataset must not keep the others from being asked for.
    this.#queue = this.#queue
      .then(() => this.#fetch(dataset, epoch))
      .catch((error) => this.#log.error(`Counting the events of ${dataset}`, error));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  async #fetch(dataset: string, epoch: number): Promise<void> {
    // What the ingest changed meanwhile is asked for again by the tree, which was refreshed with it.
    if (epoch !== this.#epoch) return this.#forget(dataset);
    const service = await this.#deployments.service();
    const range = this.#deployments.active.kind === 'local' ? allTimes : recentTimes;
    const answer = service.ok ? await fetchExtent(service.value, [dataset], range) : service;
    if (epoch !== this.#epoch) return this.#forget(dataset);
    if (!answer.ok) {
      this.#log.warn(`The number of events of ${dataset} is not known. ${answer.failure.message}`);
      return;
    }
    this.#known.set(dataset, answer.value ?? null);
    this.#changed.fire(dataset);
  }

  /** Forgets that a dataset was asked for, and has the tree ask again. */
  #forget(dataset: string): void {
    if (this.#known.get(dataset) !== undefined || !this.#known.has(dataset)) return;
    this.#known.delete(dataset);
    this.#changed.fire(dataset);
  }
}
