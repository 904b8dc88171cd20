// Finds each dataset's edge deployment in the list of datasets. The list is fetched with the first query that names a
// dataset, and again when a name is missing or the list is old.
import { EDGE_DEPLOYMENTS } from '../../../api/src/plain.ts';
import type { Service } from './service.ts';

const TIMEOUT_MS = 10_000;
const OLD_MS = 5 * 60_000;
/** The minimum time until a list is requested again after it lacked a name or its request failed. */
const AGAIN_MS = 15_000;

export interface Place {
  readonly id: string;
  readonly name: string;
  /** The address in the record, not validated. */
  readonly url?: string;
}

export interface Stored {
  readonly dataset: string;
  readonly place: Place;
}

export class Places {
  #known: ReadonlyMap<string, Place> = new Map();
  #listing: Promise<void> | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;

  /** Returns the datasets' edge deployments, without unknown ones. Never fails. */
  async of(service: Service, datasets: readonly string[]): Promise<readonly Stored[]> {
    if (datasets.length === 0) return [];
    const age = Date.now() - this.#askedAt;
    const isMissing = datasets.some((dataset) => !this.#known.has(dataset));
    if (age > (isMissing ? AGAIN_MS : OLD_MS)) this.#listing ??= this.#list(service);
    await this.#listing;
    return datasets.flatMap((dataset) => {
      const place = this.#known.get(dataset);
      return place === undefined ? [] : { dataset, place };
    });
  }

  /** Marks the list as outdated, because a dataset was created, deleted or not found. */
  forget(): void {
    this.#askedAt = Number.NEGATIVE_INFINITY;
  }

  async #list(service: Service): Promise<void> {
    this.#askedAt = Date.now();
    const answer = await service.call('listDatasets', { timeoutMs: TIMEOUT_MS });
    this.#listing = undefined;
    if (!answer.ok) return;
    this.#known = new Map(
      answer.value.typed.flatMap(({ name, edgeDeployment: id, edgeDeploymentUrl: url }) =>
        id ? [[name, placeOf(id, url ?? undefined)] as const] : [],
      ),
    );
  }
}

/** Returns the edge deployment with an identifier such as `cloud.us-east-1.aws`. */
export function placeOf(id: string, url?: string): Place {
  const name = EDGE_DEPLOYMENTS.find((edge) => edge.id === id)?.name ?? id;
  return { id, name, ...(url && { url }) };
}
