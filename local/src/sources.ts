/**
 * What a query may start from: datasets with their virtual fields, and views. Views and virtual fields are
 * texts of APL, which are bound here once for each state of the store.
 */
import type { View, VirtualField } from '../../api/src/index.ts';
import {
  analyzeQuery,
  type DatasetSchema,
  type FieldSchema,
  type NamedExpression,
  quoteName,
  type Schema,
  wireTypeOf,
} from '../../language/src/index.ts';
import type { ViewQuery } from './planner/plan.ts';
import type { DatasetLayout } from './store/layout.ts';
import type { Store } from './store/store.ts';

export interface Sources {
  /** Datasets with their virtual fields, and views with their columns. */
  readonly schema: Schema;
  readonly datasetNames: () => readonly string[];
  readonly layoutOf: (dataset: string) => DatasetLayout | undefined;
  readonly viewOf: (name: string) => ViewQuery | undefined;
  /** In the order in which they were made; each may use those before it. */
  readonly virtualFieldsOf: (dataset: string) => readonly NamedExpression[];
}

interface Known {
  readonly stored: Schema;
  readonly resources: number;
  readonly sources: Sources;
}

const known = new WeakMap<Store, Known>();

/** The sources as the store is now; the same value until datasets, fields, views or virtual fields change. */
export function sourcesOf(store: Store): Sources {
  const stored = store.datasets.schema();
  const resources = store.resources.version;
  const last = known.get(store);
  if (last?.stored === stored && last.resources === resources) return last.sources;
  const sources = readSources(store, stored);
  known.set(store, { stored, resources, sources });
  return sources;
}

function readSources(store: Store, stored: Schema): Sources {
  const virtual = new Map<string, NamedExpression[]>();
  const datasets = new Map(stored.datasets.map((dataset) => [dataset.name, dataset]));
  for (const field of store.resources.list<VirtualField>('virtual field')) {
    const dataset = datasets.get(field.dataset);
    const bound = dataset && bindVirtualField(field, dataset);
    if (dataset === undefined || bound === undefined) continue;
    const fields = dataset.fields.filter(({ name }) => name !== field.name);
    datasets.set(field.dataset, { ...dataset, fields: [...fields, bound.schema] });
    virtual.set(field.dataset, [...(virtual.get(field.dataset) ?? []), bound.item]);
  }
  const views = new Views(store, datasets);
  return {
    schema: { complete: true, datasets: [...datasets.values(), ...views.schemas()] },
    datasetNames: () => stored.datasets.map(({ name }) => name),
    layoutOf: (name) => store.datasets.get(name)?.layout,
    viewOf: (name) => views.query(name),
    virtualFieldsOf: (name) => virtual.get(name) ?? [],
  };
}

/** A virtual field's expression over its dataset; undefined when it is not one expression that binds. */
function bindVirtualField(
  { name, expression, unit, description }: VirtualField,
  dataset: DatasetSchema,
): { readonly item: NamedExpression; readonly schema: FieldSchema } | undefined {
  const text = `${quoteName(dataset.name)}\n| extend ${quoteName(name)} = ${expression}\n`;
  const { bound, problems, silenced } = analyzeQuery(text, { complete: true, datasets: [dataset] });
  if ([...problems, ...silenced].some(({ severity }) => severity === 'error')) return undefined;
  const [pipeline, ...others] = bound.pipelines;
  const [stage, ...more] = pipeline?.stages ?? [];
  if (stage === undefined || more.length > 0 || others.length > 0) return undefined;
  if (stage.operator.kind !== 'extend' || stage.operator.items.length !== 1) return undefined;
  const item = stage.operator.items[0]!;
  const type = wireTypeOf(item.expression.type);
  const details = {
    ...(unit === undefined ? {} : { unit }),
    ...(description === undefined ? {} : { description }),
  };
  return { item, schema: { name, type, ...details } };
}

/** The views, each bound when it is first asked for, after those that it starts from. */
class Views {
  readonly #texts: ReadonlyMap<string, View>;
  readonly #datasets: ReadonlyMap<string, DatasetSchema>;
  readonly #queries = new Map<string, ViewQuery>();
  readonly #binding = new Set<string>();

  constructor(store: Store, datasets: ReadonlyMap<string, DatasetSchema>) {
    this.#datasets = datasets;
    // A dataset of the same name hides a view.
    const views = store.resources.list<View>('view').filter(({ name }) => !datasets.has(name));
    this.#texts = new Map(views.map((view) => [view.name, view]));
  }

  query(name: string): ViewQuery | undefined {
    const view = this.#texts.get(name);
    if (view === undefined) return undefined;
    const known = this.#queries.get(name);
    if (known !== undefined) return known;
    if (this.#binding.has(name)) return { problem: 'It starts from itself.' };
    this.#binding.add(name);
    const query = this.#bind(view);
    this.#binding.delete(name);
    this.#queries.set(name, query);
    return query;
  }

  schemas(): DatasetSchema[] {
    return [...this.#texts.values()].map((view) => this.#schema(view));
  }

  #schema({ name, description }: View): DatasetSchema {
    const query = this.query(name);
    const columns = query && 'bound' in query ? query.bound.pipelines[0]?.columns : undefined;
    return {
      name,
      kind: 'view',
      ...(description === undefined ? {} : { description }),
      fields: (columns?.list ?? []).map((column) => ({
        name: column.name,
        type: column.wireType ?? wireTypeOf(column.type),
        ...(column.unit === undefined ? {} : { unit: column.unit }),
        ...(column.description === undefined ? {} : { description: column.description }),
      })),
      complete: columns !== undefined && !columns.open,
    };
  }

  #bind({ aplQuery }: View): ViewQuery {
    // What the text starts from is found first, so that those views are bound before this one.
    const names = [...this.#texts.keys()];
    const open = names.map((name) => ({ name, fields: [], complete: false }));
    const first = analyzeQuery(aplQuery, this.#with(open));
    const used = new Set<string>();
    for (const { meaning } of first.bound.references) {
      if (meaning.kind === 'dataset' && this.#texts.has(meaning.name)) used.add(meaning.name);
    }
    for (const name of used) {
      const query = this.query(name);
      if (query && 'problem' in query) return { problem: `The view ${name}: ${query.problem}` };
    }
    const views = [...used].map((name) => this.#schema(this.#texts.get(name)!));
    const { bound, problems, silenced } = analyzeQuery(aplQuery, this.#with(views));
    const error = [...problems, ...silenced].find(({ severity }) => severity === 'error');
    if (error !== undefined) return { problem: error.message };
    return bound.pipelines.length === 1 ? { bound } : { problem: 'It is not one query.' };
  }

  #with(views: readonly DatasetSchema[]): Schema {
    return { complete: true, datasets: [...this.#datasets.values(), ...views] };
  }
}
