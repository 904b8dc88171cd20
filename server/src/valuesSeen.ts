/** Stores field values from results for completing comparisons, until the deployment's data may have changed. */
import { analyzeQuery, type Column, getOrCreate, type Schema } from '../../language/src/index.ts';
import type { SeenColumn, SeenValue, ValuesSeenParams } from './protocol.ts';

/** The maximum number of values kept per field. The latest values are kept. */
const maxValues = 100;
/** The maximum number of fields. The least recently seen fields are evicted first. */
const maxFields = 500;

export class ValuesSeen {
  /** Values by dataset and field. The most recently seen field is last. Within a field, the latest value is first. */
  readonly #fields = new Map<string, readonly SeenValue[]>();
  #epoch = 0;

  /** Returns a field's values, the most recent first. */
  of(dataset: string, field: string): readonly SeenValue[] {
    return this.#fields.get(keyOf(dataset, field)) ?? [];
  }

  /** Adds the result's values of stored fields. Skips computed columns, which may have the name of a stored field. */
  add({ query, columns }: ValuesSeenParams, schema: Schema): void {
    const { pipelines } = analyzeQuery(query, schema).bound;
    const made = new Map(pipelines.at(-1)?.columns.list.map((column) => [column.name, column]));
    for (const seen of columns) {
      const column = made.get(seen.name);
      if (column?.dataset !== undefined) this.#addTo(column, column.dataset, seen);
    }
  }

  /** The epoch, incremented when all values are cleared. Callers of `add` compare it to skip outdated values. */
  get epoch(): number {
    return this.#epoch;
  }

  clear(): void {
    this.#epoch++;
    this.#fields.clear();
  }

  #addTo({ name, field = name }: Column, dataset: string, { values }: SeenColumn): void {
    const key = keyOf(dataset, field);
    const merged = new Set([...values, ...(this.#fields.get(key) ?? [])]);
    this.#fields.delete(key);
    this.#fields.set(key, [...merged].slice(0, maxValues));
    for (const oldest of this.#fields.keys()) {
      if (this.#fields.size <= maxFields) break;
      this.#fields.delete(oldest);
    }
  }
}

export class DeploymentValues {
  readonly #values = new Map<string | undefined, ValuesSeen>();

  of(deployment: string | undefined): ValuesSeen {
    return getOrCreate(this.#values, deployment, () => new ValuesSeen());
  }

  clear(deployment: string | undefined): void {
    for (const [name, values] of this.#values) {
      if (deployment === undefined || name === deployment) values.clear();
    }
  }
}

function keyOf(dataset: string, field: string): string {
  return JSON.stringify([dataset, field]);
}
