/**
 * What queries show of the datasets that they read: the names of fields, and of each field the kinds of
 * values that the query takes it for, with the texts and numbers it is compared with. Queries are bound
 * without a schema, so a column that no stage made is taken to be stored.
 */
import {
  aggregateNamed,
  analyzeQuery,
  type BoundExpression,
  type BoundPipeline,
  type BoundQuery,
  contains,
  functionNamed,
  type ParameterType,
  parameterAt,
  type ScalarType,
  type Span,
  takes,
} from '../../language/src/index.ts';

export type Kind = 'text' | 'whole' | 'real' | 'truth' | 'time' | 'list' | 'map' | 'talk';

export interface Use {
  /** How often the field is taken for a value of each kind. */
  readonly kinds: Map<Kind, number>;
  readonly texts: Set<string>;
  readonly numbers: Set<number>;
  /** What is read from inside of it, where it is a map. */
  readonly members: Map<string, Use>;
}

export type Uses = ReadonlyMap<string, ReadonlyMap<string, Use>>;

/** The fields of every dataset that the queries name, by dataset and name. */
export function usesOf(queries: readonly string[]): Uses {
  const datasets = new Map<string, Map<string, Use>>();
  for (const query of queries) {
    const { bound } = analyzeQuery(query);
    const reader = new Reader(bound, datasets);
    reader.read(bound);
    reader.readNames();
  }
  return datasets;
}

const kindsOfTypes: Readonly<Partial<Record<string, Kind>>> = {
  string: 'text',
  long: 'whole',
  // The events of a request hold durations as numbers of nanoseconds.
  timespan: 'whole',
  real: 'real',
  numeric: 'real',
  bool: 'truth',
  datetime: 'time',
  dynamic: 'map',
};

/** What the dynamic arguments of functions hold, by the area of the function; otherwise maps. */
const kindsOfAreas: Readonly<Partial<Record<string, Kind>>> = {
  array: 'list',
  'time-series': 'list',
  genai: 'talk',
};

const arithmetic = new Set(['+', '-', '*', '/', '%']);
const compared = new Set(['==', '!=', '<', '<=', '>', '>=']);
const logical = new Set(['and', 'or']);

class Reader {
  readonly #bound: BoundQuery;
  readonly #datasets: Map<string, Map<string, Use>>;
  readonly #pipelines: { readonly span: Span; readonly sources: readonly string[] }[] = [];
  /** The datasets that the columns at hand may be stored in. */
  #sources: readonly string[] = [];

  constructor(bound: BoundQuery, datasets: Map<string, Map<string, Use>>) {
    this.#bound = bound;
    this.#datasets = datasets;
  }

  /** Reads everything inside of a value of the bound query. */
  read(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) this.read(item);
    else if (typeof value === 'object' && value !== null) this.#readNode(value);
  }

  /** Notes the fields that stages only name, such as project-away; call it when all else is read. */
  readNames(): void {
    for (const { name, meaning, ...at } of this.#bound.references) {
      if (meaning.kind !== 'unknown') continue;
      // Those that stand inside others were found after them.
      const { sources = [] } =
        this.#pipelines.findLast(({ span }) => contains(span, at.start)) ?? {};
      for (const source of sources) useAt(this.#fieldsOf(source), name);
    }
  }

  #readNode(node: object): void {
    const { kind } = node as { kind?: unknown };
    if (kind === 'pipeline') {
      const outside = this.#sources;
      this.#sources = this.#sourcesOf(node as BoundPipeline);
      for (const name of this.#sources) this.#fieldsOf(name);
      this.#pipelines.push({ span: node as BoundPipeline, sources: this.#sources });
      const { source, stages } = node as BoundPipeline;
      this.read(source);
      for (const { operator } of stages) this.read(operator);
      this.#sources = outside;
      return;
    }
    if (kind === 'mv-expand') {
      const { items } = node as { items: { item: { expression: BoundExpression } }[] };
      for (const { item } of items) this.#take(item.expression, 'list');
    } else if (kind === 'parse' || kind === 'parse-kv') {
      this.#take((node as { subject: BoundExpression }).subject, 'text');
    } else if ('type' in node) {
      this.#readExpression(node as BoundExpression);
    }
    const inner = Object.entries(node).filter(
      ([key]) => !['tree', 'columns', 'column'].includes(key),
    );
    for (const [, value] of inner) this.read(value);
  }

  #readExpression(node: BoundExpression): void {
    switch (node.kind) {
      case 'column':
      case 'member':
        this.#useOf(node);
        return;
      case 'binary':
        this.#compare(node.left, node.right, node.operator);
        this.#compare(node.right, node.left, node.operator);
        return;
      case 'in':
        for (const item of node.items) this.#compare(node.left, item, '==');
        return;
      case 'between':
        this.#compare(node.left, node.low, '<');
        return;
      case 'call': {
        const row = functionNamed(node.name) ?? aggregateNamed(node.name);
        const given = node.arguments;
        const signature = row?.signatures.find((one) => takes(one, given.length));
        if (row === undefined || signature === undefined) return;
        const holds = kindsOfAreas[row.category] ?? 'map';
        given.forEach((argument, i) => {
          const kind = kindOf(parameterAt(signature, i, given.length)?.type);
          this.#take(argument, kind === 'map' ? holds : kind);
        });
      }
    }
  }

  /** Notes what `field` is, being compared or computed with `other`. */
  #compare(field: BoundExpression, other: BoundExpression, operator: string): void {
    const use = this.#useOf(field);
    if (other.kind === 'literal' && use !== undefined) {
      if (typeof other.value === 'string' && other.type === 'string') use.texts.add(other.value);
      if (other.type === 'long' || other.type === 'real') use.numbers.add(Number(other.value));
    }
    if (logical.has(operator)) this.#take(field, 'truth');
    else if (arithmetic.has(operator)) this.#take(field, kindOf(other.type) ?? 'real');
    else if (compared.has(operator)) this.#take(field, kindOf(other.type));
    else this.#take(field, 'text');
  }

  #take(field: BoundExpression, kind: Kind | undefined): void {
    const use = this.#useOf(field);
    if (use !== undefined && kind !== undefined) {
      use.kinds.set(kind, (use.kinds.get(kind) ?? 0) + 1);
    }
  }

  /** What is known of a stored field, or of a member of one; undefined for any other expression. */
  #useOf(of: BoundExpression): Use | undefined {
    if (of.kind === 'member') {
      const outer = this.#useOf(of.target);
      if (outer === undefined || of.key.kind !== 'literal') return undefined;
      if (typeof of.key.value !== 'string') return void increase(outer.kinds, 'list');
      increase(outer.kinds, 'map');
      return useAt(outer.members, of.key.value);
    }
    if (of.kind !== 'column' || (of.column !== undefined && of.column.dataset === undefined)) {
      return undefined;
    }
    const uses = this.#sources.map((source) => useAt(this.#fieldsOf(source), of.name));
    return uses[0];
  }

  #fieldsOf(dataset: string): Map<string, Use> {
    let fields = this.#datasets.get(dataset);
    if (fields === undefined) {
      fields = new Map();
      this.#datasets.set(dataset, fields);
    }
    return fields;
  }

  #sourcesOf({ source }: BoundPipeline): readonly string[] {
    switch (source.kind) {
      case 'dataset':
        return [source.name];
      case 'subquery':
        return this.#sourcesOf(source.pipeline);
      case 'union':
      case 'search':
        return source.inputs.flatMap((input) => this.#sourcesOf(input));
      case 'let': {
        const value = this.#bound.lets.find(({ name }) => name === source.name)?.value;
        return value?.kind === 'pipeline' ? this.#sourcesOf(value) : [];
      }
      default:
        return [];
    }
  }
}

function kindOf(type: ParameterType | ScalarType | undefined): Kind | undefined {
  if (type === undefined) return undefined;
  return kindsOfTypes[typeof type === 'string' ? type : (type[0] as string)];
}

function increase(kinds: Map<Kind, number>, kind: Kind): void {
  kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
}

function useAt(fields: Map<string, Use>, name: string): Use {
  let use = fields.get(name);
  if (use === undefined) {
    use = { kinds: new Map(), texts: new Set(), numbers: new Set(), members: new Map() };
    fields.set(name, use);
  }
  return use;
}
