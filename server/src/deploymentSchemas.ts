/**
 * One schema for each deployment that documents belong to. They do not know of one another: what changes in one
 * leaves the analyses of the others' documents valid.
 */
import type { DatasetsResult, FieldsResult } from './protocol.ts';
import { SchemaStore } from './schemas.ts';

/** As `SchemaSource`, of any deployment; of the active one where the client has not named it. */
export interface DeploymentSource {
  datasets(deployment: string | undefined): Promise<DatasetsResult | null>;
  fields(dataset: string, deployment: string | undefined): Promise<FieldsResult | null>;
}

export class DeploymentSchemas {
  readonly #source: DeploymentSource;
  readonly #changed: (deployment: string | undefined) => void;
  readonly #stores = new Map<string | undefined, SchemaStore>();
  #active: string | undefined;

  /** `changed` is called after the known schema of a deployment has changed. */
  constructor(
    source: DeploymentSource,
    changed: (deployment: string | undefined) => void = () => undefined,
  ) {
    this.#source = source;
    this.#changed = changed;
  }

  /** The name of the deployment of documents that belong to none; undefined where the client has not named it. */
  get active(): string | undefined {
    return this.#active;
  }

  set active(deployment: string | undefined) {
    this.#active = deployment;
  }

  /** What is known of a deployment, by default the active one. Of one that does not exist nothing ever is. */
  of(deployment = this.#active): SchemaStore {
    const known = this.#stores.get(deployment);
    if (known !== undefined) return known;
    const store = new SchemaStore(
      {
        datasets: () => this.#source.datasets(deployment),
        fields: (dataset) => this.#source.fields(dataset, deployment),
      },
      () => this.#changed(deployment),
    );
    // Each name that is typed on the way to another has one, and so have deployments that no document names any more.
    for (const [name, other] of this.#stores) if (other.isEmpty) this.#stores.delete(name);
    this.#stores.set(deployment, store);
    return store;
  }

  /** As `SchemaStore.invalidate`, of one deployment or of all. */
  invalidate(deployment: string | undefined, datasets: readonly string[] | undefined): void {
    const names = deployment === undefined ? [...this.#stores.keys()] : [deployment];
    for (const name of names) this.#stores.get(name)?.invalidate(datasets);
  }
}
