/**
 * Caches the frequent values of fields. Completion requests a field's values on first use. After a minute, it requests
 * them again, and offers the old values until the new ones arrive. The client decides whether to query the deployment.
 */
import type { FieldValuesParams, FieldValuesResult, SeenValue, ValueType } from './protocol.ts';

/** Maximum time that completion waits for values, measured from the time of the request. */
const longestWaitMs = 300;
/** The age at which values are requested again. */
const usualFreshMs = 60_000;
/** Maximum number of cached fields. The least recently requested field is evicted first. */
const maxFields = 500;

/** A field of a deployment. An undefined `deployment` is the active one, whose name isn't known yet. */
export interface FieldOfDeployment {
  readonly deployment: string | undefined;
  readonly dataset: string;
  readonly field: string;
}

/** The types whose values are requested, as named by the analysis. */
const valueTypes: ReadonlySet<string> = new Set<ValueType>(['bool', 'long', 'real', 'string']);

/** Sends the request to the client. A rejection or null is a failure and isn't cached. */
type Request = (params: FieldValuesParams) => Promise<FieldValuesResult | null>;

interface Entry extends FieldOfDeployment {
  values: readonly SeenValue[];
  /** Time when the request was sent, from `performance.now()`. `-Infinity` if the values were invalidated later. */
  requestedAt: number;
  pending: Promise<void> | undefined;
}

export class FrequentValues {
  readonly #request: Request;
  readonly #freshMs: number;
  readonly #entries = new Map<string, Entry>();

  constructor(request: Request, freshMs = usualFreshMs) {
    this.#request = request;
    this.#freshMs = freshMs;
  }

  of(field: FieldOfDeployment): readonly SeenValue[] {
    return this.#entries.get(keyOf(field))?.values ?? [];
  }

  /**
   * Requests a field's values if no recent values are cached. If no values are known, waits briefly. Returns true if
   * the values are still missing.
   */
  async need(field: FieldOfDeployment, type: string): Promise<boolean> {
    if (!valueTypes.has(type)) return false;
    const entry = this.#ensure(field, type as ValueType);
    if (entry.pending === undefined || entry.values.length > 0) return false;
    await orLate(entry.pending, entry.requestedAt + longestWaitMs - performance.now());
    return entry.pending !== undefined;
  }

  /**
   * Invalidates the values of one deployment or all deployments. If `datasets` is given, invalidates only the values of
   * these datasets, and keeps offering them until new values arrive.
   */
  invalidate(deployment: string | undefined, datasets: readonly string[] | undefined): void {
    for (const [key, entry] of this.#entries) {
      if (deployment !== undefined && entry.deployment !== deployment) continue;
      if (datasets === undefined) this.#entries.delete(key);
      else if (datasets.includes(entry.dataset)) entry.requestedAt = Number.NEGATIVE_INFINITY;
    }
  }

  #ensure(field: FieldOfDeployment, type: ValueType): Entry {
    const key = keyOf(field);
    const known = this.#entries.get(key);
    const now = performance.now();
    if (known && (known.pending || now - known.requestedAt < this.#freshMs)) return known;
    const { deployment, dataset, field: name } = field;
    const values = known?.values ?? [];
    const entry: Entry = {
      deployment,
      dataset,
      field: name,
      values,
      requestedAt: now,
      pending: undefined,
    };
    entry.pending = this.#fetch(key, entry, type);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= maxFields) break;
      this.#entries.delete(oldest);
    }
    return entry;
  }

  /** Requests an entry's values. Ignores the result if the entry has been evicted meanwhile. */
  async #fetch(key: string, entry: Entry, type: ValueType): Promise<void> {
    const { deployment, dataset, field } = entry;
    const params = { ...(deployment !== undefined && { deployment }), dataset, field, type };
    const result = await this.#request(params).catch(() => null);
    entry.pending = undefined;
    if (result !== null) entry.values = result.values;
    // After a failure, let the next completion request the values again. The client limits repeated failures.
    else if (entry.values.length === 0 && this.#entries.get(key) === entry)
      this.#entries.delete(key);
  }
}

export async function orLate(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  if (milliseconds <= 0) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}

function keyOf({ deployment, dataset, field }: FieldOfDeployment): string {
  return JSON.stringify([deployment, dataset, field]);
}
