// The state that the calls of a client share: the schema for a short time, the latest answers and the slots of runs.
import { analyzeQuery, type DatasetSchema, type Schema } from '../../language/src/index.ts';
import type { AgentContext, DatasetInfo, DatasetList, FieldList, Result } from './context.ts';
import { KeptAnswers } from './keptAnswers.ts';
import { RUNS_MAX, SCHEMA_MS_MAX } from './limits.ts';
import { RunSlots } from './runSlots.ts';

interface Cached<T> {
  readonly value: T;
  readonly at: number;
}

/** Maximum number of datasets whose fields are cached. */
const CACHED_DATASETS_MAX = 200;

export class AgentSession {
  readonly context: AgentContext;
  readonly answers = new KeptAnswers();
  readonly slots = new RunSlots(RUNS_MAX);
  #datasets: Cached<DatasetList> | undefined;
  readonly #fields = new Map<string, Cached<FieldList>>();

  constructor(context: AgentContext) {
    this.context = context;
  }

  async datasets(signal: AbortSignal): Promise<Result<DatasetList>> {
    if (isFresh(this.#datasets)) return { ok: true, value: this.#datasets.value };
    const found = await this.context.datasets(signal);
    if (found.ok) this.#datasets = { value: found.value, at: Date.now() };
    return found;
  }

  async fields(dataset: DatasetInfo, signal: AbortSignal): Promise<Result<FieldList>> {
    const cached = this.#fields.get(dataset.name);
    if (isFresh(cached)) return { ok: true, value: cached.value };
    const found = await this.context.fields(dataset, signal);
    if (found.ok) {
      this.#fields.delete(dataset.name);
      this.#fields.set(dataset.name, { value: found.value, at: Date.now() });
      if (this.#fields.size > CACHED_DATASETS_MAX) {
        this.#fields.delete(this.#fields.keys().next().value as string);
      }
    }
    return found;
  }

  /** Forgets the schema, after a query used an unknown name or events were stored. */
  forgetSchema(): void {
    this.#datasets = undefined;
    this.#fields.clear();
  }

  /**
   * Returns the known datasets, with the fields of those that a query reads. What can't be listed is left out, so that
   * it causes no error.
   */
  async schemaFor(query: string, signal: AbortSignal): Promise<Schema> {
    const list = await this.datasets(signal);
    if (!list.ok) return { datasets: [] };
    const names: Schema = {
      datasets: list.value.datasets.map((one) => schemaOf(one, undefined)),
      complete: list.value.complete,
    };
    const used = datasetsOf(query, names);
    const datasets = await Promise.all(
      list.value.datasets.map(async (one) => {
        if (!used.has(one.name)) return schemaOf(one, undefined);
        const fields = await this.fields(one, signal);
        return schemaOf(one, fields.ok ? fields.value : undefined);
      }),
    );
    return { datasets, complete: list.value.complete };
  }
}

/** Returns the names of the datasets that a query reads, with a misspelled name as the dataset that it resembles. */
export function datasetsOf(query: string, schema: Schema): ReadonlySet<string> {
  const { bound, problems } = analyzeQuery(query, schema);
  const used = bound.references.flatMap(({ meaning }) =>
    meaning.kind === 'dataset' ? [meaning.name] : [],
  );
  const meant = problems.flatMap(({ code, suggestion }) => {
    if (code !== 'unknown-dataset' || suggestion === undefined) return [];
    return schema.datasets.flatMap(({ name }) => (suggestion.includes(name) ? [name] : []));
  });
  return new Set([...used, ...meant]);
}

function isFresh<T>(cached: Cached<T> | undefined): cached is Cached<T> {
  return cached !== undefined && Date.now() - cached.at < SCHEMA_MS_MAX;
}

function schemaOf(
  { name, kind, description }: DatasetInfo,
  list: FieldList | undefined,
): DatasetSchema {
  return {
    name,
    kind,
    ...(description !== undefined && { description }),
    fields: list?.fields ?? [],
    complete: list?.complete ?? false,
  };
}
