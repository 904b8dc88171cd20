/** Keeps a separate schema per deployment, so a schema change affects only that deployment's documents. */
import type { DatasetsResult, FieldsResult } from './protocol.ts';
import { SchemaStore } from './schemas.ts';

/** Requests schemas from the client. An undefined deployment is the active one, whose name isn't known yet. */
export interface DeploymentSource {
  datasets(deployment: string | undefined): Promise<DatasetsResult | null>;
  fields(dataset: string, deployment: string | undefined): Promise<FieldsResult | null>;
}

export class DeploymentSchemas {
  readonly #source: DeploymentSource;
  readonly #changed: (deployment: string | undefined) => void;
  readonly #stores = new Map<string | undefined, SchemaStore>();
  /** The name of the active deployment, for documents that name none. Undefined until the client has sent it. */
  active: string | undefined;

  constructor(
    source: DeploymentSource,
    changed: (deployment: string | undefined) => void = () => undefined,
  ) {
    this.#source = source;
    this.#changed = changed;
  }

  /**
   * Returns a deployment's schema store, by default the active deployment's. The store of an unknown deployment stays
   * empty.
   */
  of(deployment = this.active): SchemaStore {
    const known = this.#stores.get(deployment);
    if (known !== undefined) return known;
    const store = new SchemaStore(
      {
        datasets: () => this.#source.datasets(deployment),
        fields: (dataset) => this.#source.fields(dataset, deployment),
      },
      () => this.#changed(deployment),
    );
    // Remove empty stores, such as those for incomplete names that were sent while a user typed a deployment's name.
    for (const [name, other] of this.#stores) if (other.isEmpty) this.#stores.delete(name);
    this.#stores.set(deployment, store);
    return store;
  }

  /** Invalidates the schema of one deployment, or of all deployments if `deployment` is undefined. */
  invalidate(deployment: string | undefined, datasets: readonly string[] | undefined): void {
    const names = deployment === undefined ? [...this.#stores.keys()] : [deployment];
    for (const name of names) this.#stores.get(name)?.invalidate(datasets);
  }
}
