/**
 * The frequent values of fields, which the client requests from the deployment when completion first needs them. They
 * stay in memory. After a minute they are requested again while the old ones are offered; the client decides whether
 * the deployment is queried for that.
 */
import type { FieldValuesParams, FieldValuesResult, SeenValue, ValueType } from './protocol.ts';

/** How long a completion waits for values after their request was sent. */
const longestWaitMs = 300;
/** The age at which values are requested again. */
const usualFreshMs = 60_000;
/** The maximum number of fields; the one requested first goes first. */
const maxFields = 500;

/** A field of a deployment; the active one if the client has not named it. */
export interface FieldOfDeployment {
  readonly deployment: string | undefined;
  readonly dataset: string;
  readonly field: string;
}

/** The types whose values are requested, by the name that the analysis gives them. */
const valueTypes: ReadonlySet<string> = new Set<ValueType>(['bool', 'long', 'real', 'string']);

/** Sends the request to the client. A rejection or null is a failure, which is not kept. */
type Request = (params: FieldValuesParams) => Promise<FieldValuesResult | null>;

interface Entry extends FieldOfDeployment {
  values: readonly SeenValue[];
  /** When the request was sent, in milliseconds. */
  requestedAt: number;
  /** Set until the result has come. */
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

  /** Returns the values that are known now, the most frequent first. */
  of(field: FieldOfDeployment): readonly SeenValue[] {
    return this.#entries.get(keyOf(field))?.values ?? [];
  }

  /**
   * Requests the values unless they are known, and waits for them for a moment if none are. Returns whether they are
   * still missing, so that the list is requested again with the next key.
   */
  async need(field: FieldOfDeployment, type: string): Promise<boolean> {
    if (!valueTypes.has(type)) return false;
    const entry = this.#ensure(field, type as ValueType);
    if (entry.pending === undefined || entry.values.length > 0) return false;
    await orLate(entry.pending, entry.requestedAt + longestWaitMs - performance.now());
    return entry.pending !== undefined;
  }

  /**
   * Forgets the values of a deployment, or of all. With datasets, their values are offered until the next request has
   * its result.
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

  /** Fills an entry. One that was forgotten meanwhile is not offered any more. */
  async #fetch(key: string, entry: Entry, type: ValueType): Promise<void> {
    const { deployment, dataset, field } = entry;
    const params = { ...(deployment !== undefined && { deployment }), dataset, field, type };
    const result = await this.#request(params).catch(() => null);
    entry.pending = undefined;
    if (result !== null) entry.values = result.values;
    // The client remembers failures, so the next completion may ask it again.
    else if (entry.values.length === 0 && this.#entries.get(key) === entry)
      this.#entries.delete(key);
  }
}

/** Waits for a promise, for a number of milliseconds at most. */
async function orLate(promise: Promise<void>, milliseconds: number): Promise<void> {
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
