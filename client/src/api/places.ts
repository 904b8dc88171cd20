// Which edge deployment stores which dataset, from the records of the datasets. The list is asked for with the
// first query that names a dataset, and again when a name is missing in it or it has become old.
import { EDGE_DEPLOYMENTS } from '../../../api/src/plain.ts';
import type { Service } from './service.ts';

const TIMEOUT_MS = 10_000;
const OLD_MS = 5 * 60_000;
/** A list in which a name is missing, or that was not given, is asked for again after so long at the earliest. */
const AGAIN_MS = 15_000;

/** An edge deployment, as a dataset's record names it. */
export interface Place {
  readonly id: string;
  /** The display name, or the identifier if there is none. */
  readonly name: string;
  /** Its address as the record has it, unchecked. */
  readonly url?: string;
}

export interface Stored {
  readonly dataset: string;
  readonly place: Place;
}

export class Places {
  readonly #now: () => number;
  #known: ReadonlyMap<string, Place> = new Map();
  #listing: Promise<void> | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Where the datasets are stored; those of which nothing is known are left out. Never fails. */
  async of(service: Service, datasets: readonly string[]): Promise<readonly Stored[]> {
    if (datasets.length === 0) return [];
    const age = this.#now() - this.#askedAt;
    const isMissing = datasets.some((dataset) => !this.#known.has(dataset));
    if (age > (isMissing ? AGAIN_MS : OLD_MS)) this.#listing ??= this.#list(service);
    await this.#listing;
    return datasets.flatMap((dataset) => {
      const place = this.#known.get(dataset);
      return place === undefined ? [] : { dataset, place };
    });
  }

  /** Has the list asked for again: a dataset was made, deleted, or is not where it was said to be. */
  forget(): void {
    this.#askedAt = Number.NEGATIVE_INFINITY;
  }

  async #list(service: Service): Promise<void> {
    this.#askedAt = this.#now();
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

/** The edge deployment of an identifier, such as `cloud.us-east-1.aws`. */
export function placeOf(id: string, url?: string): Place {
  const name = EDGE_DEPLOYMENTS.find((edge) => edge.id === id)?.name ?? id;
  return { id, name, ...(url && { url }) };
}
