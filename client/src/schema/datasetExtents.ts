// Event counts and time spans of the active deployment's datasets. They are fetched one after another in the
// background, and dropped with the schema.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { allTimes, type Extent, fetchExtent, recentTimes } from '../service/extent.ts';

type ExtentsParts = Pick<Context, 'deployments' | 'schema' | 'log'>;

/** The maximum number of datasets whose events are counted before the user expands them. */
const UNASKED_MAX = 100;

export class DatasetExtents implements vscode.Disposable {
  readonly #parts: ExtentsParts;
  readonly #changed = new vscode.EventEmitter<string>();
  readonly onDidChange = this.#changed.event;
  /** Extents by dataset. Undefined if not known yet, and null if the dataset has no events. */
  readonly #known = new Map<string, Extent | null | undefined>();
  #queue: Promise<void> = Promise.resolve();
  /** Increases when datasets are dropped, so that responses to older requests are ignored. */
  #epoch = 0;
  readonly #subscription: vscode.Disposable;

  constructor(parts: ExtentsParts) {
    this.#parts = parts;
    this.#subscription = parts.schema.onDidChange(({ datasets, isLearned }) => {
      if (isLearned) return;
      this.#epoch += 1;
      if (datasets === undefined) this.#known.clear();
      else for (const dataset of datasets) this.#known.delete(dataset);
    });
  }

  get(dataset: string): Extent | null | undefined {
    return this.#known.get(dataset);
  }

  /** Requests a dataset's extent if that is free: on the local deployment, for a limited number of datasets. */
  askIfFree(dataset: string): void {
    if (this.#isLocal && this.#known.size < UNASKED_MAX) this.ask(dataset);
  }

  ask(dataset: string): void {
    if (this.#known.has(dataset)) return;
    this.#known.set(dataset, undefined);
    const epoch = this.#epoch;
    // Catch errors, so that a failure for one dataset doesn't stop the others.
    this.#queue = this.#queue
      .then(() => this.#fetch(dataset, epoch))
      .catch((error) => this.#parts.log.error(`Counting the events of ${dataset}`, error));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  get #isLocal(): boolean {
    return this.#parts.deployments.active.kind === 'local';
  }

  async #fetch(dataset: string, epoch: number): Promise<void> {
    // Drop an outdated request. The tree requests its dataset again when it is refreshed.
    if (epoch !== this.#epoch) return this.#forget(dataset);
    const range = this.#isLocal ? allTimes : recentTimes;
    const answer = await this.#parts.deployments.call((service) =>
      fetchExtent(service, [dataset], range),
    );
    if (epoch !== this.#epoch) return this.#forget(dataset);
    if (!answer.ok) {
      this.#parts.log.warn(
        `The number of events of ${dataset} is not known. ${answer.failure.message}`,
      );
      return;
    }
    this.#known.set(dataset, answer.value ?? null);
    this.#changed.fire(dataset);
  }

  /** Drops a pending dataset and makes the tree request it again. */
  #forget(dataset: string): void {
    if (this.#known.get(dataset) !== undefined || !this.#known.has(dataset)) return;
    this.#known.delete(dataset);
    this.#changed.fire(dataset);
  }
}
