/**
 * Provides the sources that queries can read: datasets with their virtual fields, and views. Views and virtual fields
 * are stored as APL, and are bound again after each change of the store. If one is invalid, only queries that use it
 * fail.
 */
import type { EdgeDeployment, View, VirtualField } from '../../api/src/index.ts';
import {
  analyzeQuery,
  type BoundQuery,
  bindQuery,
  type DatasetSchema,
  type NamedExpression,
  parseQuery,
  type Schema,
  wireTypeOf,
} from '../../language/src/index.ts';
import { Access, READ } from './access/access.ts';
import type { Capabilities } from './access/capabilities.ts';
import { defined } from './defined.ts';
import { edgeOf } from './edges.ts';
import type { ViewQuery } from './planner/plan.ts';
import type { DatasetLayout } from './store/layout.ts';
import type { Store } from './store/store.ts';
import {
  type BrokenFields,
  blameVirtualField,
  type FieldBase,
  readVirtualField,
  type UnusableField,
  type UsableField,
} from './virtualFields.ts';

export interface Sources {
  /** The schema with virtual fields and views. */
  readonly schema: Schema;
  readonly datasetNames: () => readonly string[];
  readonly layoutOf: (dataset: string) => DatasetLayout | undefined;
  readonly viewOf: (name: string) => ViewQuery | undefined;
  /** Virtual fields in the order of creation. Each may use earlier ones. */
  readonly virtualFieldsOf: (dataset: string) => readonly NamedExpression[];
  readonly brokenFieldsOf: (dataset: string) => BrokenFields;
}

export interface SourceData {
  /** The schema without virtual fields and views. */
  readonly stored: Schema;
  readonly layouts: ReadonlyMap<string, DatasetLayout>;
  readonly views: readonly View[];
  readonly virtualFields: readonly VirtualField[];
  /** The datasets and views that a query may use. Absent if it may use all. */
  readonly readable?: ReadonlySet<string>;
}

interface CachedSources {
  readonly stored: Schema;
  readonly resources: number;
  readonly sources: Sources;
}

/** Keys are IDs of edge deployments, or '' for all deployments. */
const cachedSources = new WeakMap<Store, Map<string, CachedSources>>();

export interface QueryAccess {
  readonly capabilities?: Capabilities;
  readonly edge?: EdgeDeployment;
}

/** Returns the sources that a query may read: the same object until a dataset, field or view changes. */
export function sourcesOf(store: Store, { capabilities, edge }: QueryAccess = {}): Sources {
  const sources = allSourcesOf(store, edge);
  const readable = capabilities && readableOf(store, sources, capabilities);
  return readable === undefined ? sources : restrictTo(sources, readable);
}

function allSourcesOf(store: Store, edge: EdgeDeployment | undefined): Sources {
  const stored = store.datasets.schema();
  const resources = store.resources.versionOf('view', 'virtual field');
  const ofStore = cachedSources.get(store) ?? new Map<string, CachedSources>();
  const last = ofStore.get(edge?.id ?? '');
  if (last?.stored === stored && last.resources === resources) return last.sources;
  const sources = makeSources(sourceDataOf(store, edge && { edge }));
  cachedSources.set(store, ofStore.set(edge?.id ?? '', { stored, resources, sources }));
  return sources;
}

/** `restrictedCache` contains sources with only the names that the caller may query. */
const readableCache = new WeakMap<Sources, WeakMap<Capabilities, ReadonlySet<string>>>();
const restrictedCache = new WeakMap<ReadonlySet<string>, Sources>();

/** Returns the names that the caller may query, or undefined if the caller may query all names. */
function readableOf(store: Store, sources: Sources, capabilities: Capabilities) {
  const access = new Access(store, capabilities);
  if (access.isFull) return undefined;
  const known = readableCache.get(sources) ?? new WeakMap<Capabilities, ReadonlySet<string>>();
  readableCache.set(sources, known);
  let readable = known.get(capabilities);
  if (readable === undefined) {
    const names = sources.schema.datasets.map(({ name }) => name);
    readable = new Set(names.filter((name) => access.mayUse(name, READ)));
    known.set(capabilities, readable);
  }
  return readable;
}

/** Returns `names` without the datasets that the caller may read only through a view. */
export function onlyReadable(
  names: readonly string[],
  store: Store,
  { capabilities }: QueryAccess,
): readonly string[] {
  if (capabilities === undefined) return names;
  const access = new Access(store, capabilities);
  return names.filter((name) => access.mayUse(name, READ));
}

/**
 * Returns the sources with only the readable names. A view still reads all of its datasets, because a view can be
 * shared with callers who may not read its datasets. Hides the errors of invalid views, which may contain names.
 */
function restrictTo(sources: Sources, readable: ReadonlySet<string>): Sources {
  let some = restrictedCache.get(readable);
  if (some === undefined) {
    const { schema } = sources;
    const names = sources.datasetNames().filter((name) => readable.has(name));
    some = {
      ...sources,
      schema: { ...schema, datasets: schema.datasets.filter(({ name }) => readable.has(name)) },
      datasetNames: () => names,
      viewOf: (name) => {
        const view = sources.viewOf(name);
        return view !== undefined && 'problem' in view ? { problem: HIDDEN_PROBLEM } : view;
      },
    };
    restrictedCache.set(readable, some);
  }
  return some;
}

const HIDDEN_PROBLEM =
  'Its query has an error. A token that may query all datasets gets the error.';

export function sourceDataOf(store: Store, { capabilities, edge }: QueryAccess = {}): SourceData {
  const stored = schemaOf(store, edge);
  const readable = capabilities && readableOf(store, allSourcesOf(store, edge), capabilities);
  return {
    stored,
    layouts: new Map(
      stored.datasets.flatMap(({ name }) => {
        const dataset = store.datasets.get(name);
        return dataset === undefined ? [] : [[name, dataset.layout]];
      }),
    ),
    views: store.resources.list<View>('view'),
    virtualFields: store.resources.list<VirtualField>('virtual field'),
    ...defined({ readable }),
  };
}

function schemaOf({ datasets }: Store, edge: EdgeDeployment | undefined): Schema {
  const all = datasets.schema();
  if (edge === undefined) return all;
  const isThere = (name: string) => {
    const dataset = datasets.get(name);
    return dataset !== undefined && edgeOf(dataset.document).id === edge.id;
  };
  return { ...all, datasets: all.datasets.filter(({ name }) => isThere(name)) };
}

export function makeSources(data: SourceData): Sources {
  const { stored, layouts } = data;
  const virtual = new Map<string, NamedExpression[]>();
  const broken = new Map<string, Map<string, string>>();
  const datasets = new Map(stored.datasets.map((dataset) => [dataset.name, dataset]));
  for (const field of data.virtualFields) {
    const dataset = datasets.get(field.dataset);
    const layout = layouts.get(field.dataset);
    if (dataset === undefined || layout === undefined) continue;
    const earlierFields = virtual.get(field.dataset) ?? [];
    const read = readStoredField(field, { schema: dataset, layout, earlierFields });
    // A virtual field hides a stored field with the same name, even if the virtual field is invalid.
    const fields = dataset.fields.filter(({ name }) => name !== field.name);
    if ('problem' in read) {
      const others = broken.get(field.dataset) ?? new Map<string, string>();
      broken.set(field.dataset, others.set(field.name, read.problem.message));
      datasets.set(field.dataset, { ...dataset, fields });
    } else {
      broken.get(field.dataset)?.delete(field.name);
      datasets.set(field.dataset, { ...dataset, fields: [...fields, read.schema] });
      virtual.set(field.dataset, [...earlierFields, read.item]);
    }
  }
  const brokenOf = (dataset: string): BrokenFields => broken.get(dataset) ?? noBrokenFields;
  const views = new Views(data.views, datasets, brokenOf);
  const sources: Sources = {
    schema: { complete: true, datasets: [...datasets.values(), ...views.schemas()] },
    datasetNames: () => stored.datasets.map(({ name }) => name),
    layoutOf: (name) => layouts.get(name),
    viewOf: (name) => views.query(name),
    virtualFieldsOf: (name) => virtual.get(name) ?? [],
    brokenFieldsOf: brokenOf,
  };
  return data.readable === undefined ? sources : restrictTo(sources, data.readable);
}

/** Returns the datasets and views that a query uses, directly or through views. */
export function datasetsIn(apl: string, sources: Sources): ReadonlySet<string> {
  const names = new Set<string>();
  const add = ({ references }: BoundQuery) => {
    for (const { meaning } of references) {
      if (meaning.kind !== 'dataset' || names.has(meaning.name)) continue;
      names.add(meaning.name);
      const view = sources.viewOf(meaning.name);
      if (view && 'bound' in view) add(view.bound);
    }
  };
  add(bindQuery(parseQuery(apl), sources.schema));
  return names;
}

const noBrokenFields: BrokenFields = new Map();

/** Reads a virtual field. Returns an invalid field as unusable, so that the other fields are still read. */
function readStoredField(field: VirtualField, base: FieldBase): UsableField | UnusableField {
  try {
    return readVirtualField(field, base);
  } catch {
    const message = 'Its expression cannot be read.';
    return { problem: { code: 'invalid-query', message, start: 0, end: 0 } };
  }
}

/** Binds each view on first use, after the views that it uses. */
class Views {
  readonly #views: ReadonlyMap<string, View>;
  readonly #datasets: ReadonlyMap<string, DatasetSchema>;
  readonly #brokenOf: (dataset: string) => BrokenFields;
  readonly #queries = new Map<string, ViewQuery>();
  readonly #binding = new Set<string>();

  constructor(
    all: readonly View[],
    datasets: ReadonlyMap<string, DatasetSchema>,
    brokenOf: (dataset: string) => BrokenFields,
  ) {
    this.#datasets = datasets;
    this.#brokenOf = brokenOf;
    // A dataset hides a view with the same name.
    const views = all.filter(({ name }) => !datasets.has(name));
    this.#views = new Map(views.map((view) => [view.name, view]));
  }

  query(name: string): ViewQuery | undefined {
    const view = this.#views.get(name);
    if (view === undefined) return undefined;
    const known = this.#queries.get(name);
    if (known !== undefined) return known;
    if (this.#binding.has(name)) return { problem: 'It refers to itself.' };
    this.#binding.add(name);
    const query = this.#bind(view);
    this.#binding.delete(name);
    this.#queries.set(name, query);
    return query;
  }

  schemas(): DatasetSchema[] {
    return [...this.#views.values()].map((view) => this.#schema(view));
  }

  #schema({ name, description }: View): DatasetSchema {
    const query = this.query(name);
    const columns = query && 'bound' in query ? query.bound.pipelines[0]?.columns : undefined;
    return {
      name,
      kind: 'view',
      ...defined({ description }),
      fields: (columns?.list ?? []).map((column) => ({
        name: column.name,
        type: column.wireType ?? wireTypeOf(column.type),
        ...defined({ unit: column.unit, description: column.description }),
      })),
      complete: columns !== undefined && !columns.open,
    };
  }

  #bind({ aplQuery }: Partial<View>): ViewQuery {
    // A view from another version may lack a query.
    if (aplQuery === undefined) return { problem: 'It has no query.' };
    // Bind without the views' columns to find the views that the query uses, and then with their columns.
    const names = [...this.#views.keys()];
    const open = names.map((name) => ({ name, fields: [], complete: false }));
    const first = analyzeQuery(aplQuery, this.#schemaWith(open));
    const used = new Set<string>();
    for (const { meaning } of first.bound.references) {
      if (meaning.kind === 'dataset' && this.#views.has(meaning.name)) used.add(meaning.name);
    }
    for (const name of used) {
      const query = this.query(name);
      if (query && 'problem' in query) return { problem: `The view ${name}: ${query.problem}` };
    }
    const views = [...used].map((name) => this.#schema(this.#views.get(name)!));
    const { bound, problems, silenced } = analyzeQuery(aplQuery, this.#schemaWith(views));
    const error = [...problems, ...silenced].find(({ severity }) => severity === 'error');
    if (error !== undefined) {
      return { problem: blameVirtualField(error, bound, this.#brokenOf).message };
    }
    return bound.pipelines.length === 1
      ? { bound }
      : { problem: 'It must contain exactly one query.' };
  }

  #schemaWith(views: readonly DatasetSchema[]): Schema {
    return { complete: true, datasets: [...this.#datasets.values(), ...views] };
  }
}
