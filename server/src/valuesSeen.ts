/**
 * Values of fields that were seen in results, to offer where a query compares a field with a value. They
 * stay in memory, in bounds, and go when everything in their deployment may have changed.
 */
import { analyzeQuery, type Column, type Schema } from '../../language/src/index.ts';
import type { SeenColumn, SeenValue, ValuesSeenParams } from './protocol.ts';

/** How many values of one field are kept; the latest stay. */
const mostValues = 100;
/** How many fields have values kept; those seen longest ago go first. */
const mostFields = 500;

export class ValuesSeen {
  /** By dataset and field, the one seen last at the end; values with the latest first. */
  readonly #fields = new Map<string, readonly SeenValue[]>();
  #epoch = 0;

  /** The values seen of a field, those seen last first. */
  of(dataset: string, field: string): readonly SeenValue[] {
    return this.#fields.get(keyOf(dataset, field)) ?? [];
  }

  /**
   * Takes over the values of a result, for those of its columns that are fields of a dataset as the
   * query's own binding says: a computed column of a field's name tells nothing of the field.
   */
  add({ query, columns }: ValuesSeenParams, schema: Schema): void {
    const { pipelines } = analyzeQuery(query, schema).bound;
    const made = new Map(pipelines.at(-1)?.columns.list.map((column) => [column.name, column]));
    for (const seen of columns) {
      const column = made.get(seen.name);
      if (column?.dataset !== undefined) this.#addTo(column, column.dataset, seen);
    }
  }

  /** How often everything was forgotten, so that what was on its way then is not added afterwards. */
  get epoch(): number {
    return this.#epoch;
  }

  clear(): void {
    this.#epoch++;
    this.#fields.clear();
  }

  #addTo({ name }: Column, dataset: string, { values }: SeenColumn): void {
    const key = keyOf(dataset, name);
    const merged = new Set([...values, ...(this.#fields.get(key) ?? [])]);
    this.#fields.delete(key);
    this.#fields.set(key, [...merged].slice(0, mostValues));
    for (const oldest of this.#fields.keys()) {
      if (this.#fields.size <= mostFields) break;
      this.#fields.delete(oldest);
    }
  }
}

/** The values seen in each deployment. */
export class DeploymentValues {
  readonly #values = new Map<string | undefined, ValuesSeen>();

  of(deployment: string | undefined): ValuesSeen {
    const known = this.#values.get(deployment) ?? new ValuesSeen();
    this.#values.set(deployment, known);
    return known;
  }

  /** Forgets those of one deployment, or all. */
  clear(deployment: string | undefined): void {
    for (const [name, values] of this.#values) {
      if (deployment === undefined || name === deployment) values.clear();
    }
  }
}

function keyOf(dataset: string, field: string): string {
  return JSON.stringify([dataset, field]);
}
