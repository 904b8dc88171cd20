/**
 * Determines the datasets that a bound query reads. A dataset counts once for each place that reads it, including
 * repeated uses of a let or a view.
 */
import type {
  BoundExpression,
  BoundPipeline,
  BoundSource,
  BoundStage,
} from '../../../language/src/index.ts';
import type { Planning } from './scope.ts';

/** A pipeline, and the planning that resolves its names. */
export interface Part {
  readonly pipeline: BoundPipeline;
  readonly planning: Planning;
}

/** The datasets that a pipeline reads, and the kind of its rows. */
export interface Reads {
  /** The number of times that each dataset is read. */
  readonly datasets: ReadonlyMap<string, number>;
  /** Whether each row is one event of a dataset, possibly with computed columns. */
  readonly isEvents: boolean;
  /** Whether the events were filtered. */
  readonly isFiltered: boolean;
}

/** Stages that filter events. */
const filters: ReadonlySet<string> = new Set(['where', 'search']);

/** Stages that output one row per kept event. */
const keepsEvents: ReadonlySet<string> = new Set([
  ...filters,
  'extend',
  'parse-kv',
  'project',
  'redact',
  'select',
  'sort',
]);

export class Reader {
  /** Cached, because a let or a view may be used many times. */
  readonly #known = new Map<BoundPipeline, Reads>();

  read({ pipeline, planning }: Part): Reads {
    const known = this.#known.get(pipeline);
    if (known !== undefined) return known;
    const start = this.#readSource(pipeline.source, planning);
    const found = pipeline.stages.reduce(
      (before, stage) => this.#readStage(stage, before, planning),
      start,
    );
    this.#known.set(pipeline, found);
    return found;
  }

  /** Returns the pipeline up to the last of its leading filters and unions; undefined if its source has no events. */
  eventsOf({ pipeline, planning }: Part): Part | undefined {
    const { source, stages } = pipeline;
    if (!this.#readSource(source, planning).isEvents) return undefined;
    const end = stages.findIndex((stage) => {
      if (filters.has(stage.operator.kind)) return false;
      const branches = branchesOf(stage, planning);
      return branches.length === 0 || !branches.every((part) => this.read(part).isEvents);
    });
    if (end < 0) return { pipeline, planning };
    return { pipeline: { ...pipeline, stages: stages.slice(0, end) }, planning };
  }

  #readStage(stage: BoundStage, before: Reads, planning: Planning): Reads {
    const { kind } = stage.operator;
    const branches = branchesOf(stage, planning).map((part) => this.read(part));
    const inner = innerParts(stage.operator, planning).map((part) => this.read(part));
    return {
      datasets: sumOf([before, ...branches, ...inner]),
      isEvents:
        before.isEvents &&
        (kind === 'union' ? branches.every(({ isEvents }) => isEvents) : keepsEvents.has(kind)),
      isFiltered:
        before.isFiltered || filters.has(kind) || branches.some(({ isFiltered }) => isFiltered),
    };
  }

  #readSource(source: BoundSource, planning: Planning): Reads {
    if (source.kind === 'dataset' && planning.context.layoutOf(source.name) !== undefined) {
      return { datasets: new Map([[source.name, 1]]), isEvents: true, isFiltered: false };
    }
    if (source.kind === 'search' && source.inputs.length === 0) {
      const datasets = new Map(planning.context.datasetNames().map((name) => [name, 1]));
      return { datasets, isEvents: true, isFiltered: true };
    }
    const parts = sourceParts(source, planning).map((part) => this.read(part));
    const inner = innerParts(source, planning).map((part) => this.read(part));
    return {
      datasets: sumOf([...parts, ...inner]),
      isEvents: parts.length > 0 && parts.every(({ isEvents }) => isEvents),
      isFiltered: source.kind === 'search' || parts.some(({ isFiltered }) => isFiltered),
    };
  }
}

function sumOf(reads: readonly Reads[]): ReadonlyMap<string, number> {
  const [first, ...others] = reads;
  if (others.length === 0) return first?.datasets ?? new Map();
  const sum = new Map<string, number>();
  for (const { datasets } of reads) addTimes(sum, datasets);
  return sum;
}

/** Adds numbers by key. They may double with each let, so they are capped. */
export function addTimes<Key>(sum: Map<Key, number>, of: ReadonlyMap<Key, number>): void {
  for (const [key, times] of of) {
    sum.set(key, Math.min((sum.get(key) ?? 0) + times, Number.MAX_SAFE_INTEGER));
  }
}

/** Returns the pipelines that provide a source's rows; none for a stored dataset or constant rows. */
export function sourceParts(source: BoundSource, planning: Planning): readonly Part[] {
  switch (source.kind) {
    case 'dataset': {
      const { context } = planning;
      const view = context.layoutOf(source.name) ? undefined : context.viewOf?.(source.name);
      if (view === undefined || 'problem' in view) return [];
      const [pipeline] = view.bound.pipelines;
      return pipeline === undefined ? [] : [{ pipeline, planning: planning.nested(view.bound) }];
    }
    case 'let': {
      const pipeline = planning.tableLets.get(source.name);
      return pipeline === undefined ? [] : [{ pipeline, planning }];
    }
    case 'subquery':
      return [{ pipeline: source.pipeline, planning }];
    case 'union':
    case 'search':
      return partsOf(source.inputs, planning);
    default:
      return [];
  }
}

/** Returns the pipelines whose rows a stage adds to its input. */
export function branchesOf({ operator }: BoundStage, planning: Planning): readonly Part[] {
  if (operator.kind !== 'union') return [];
  return partsOf(operator.inputs, planning);
}

/** Returns the parts of a union, without omitted views. */
function partsOf(inputs: readonly BoundPipeline[], planning: Planning): readonly Part[] {
  return inputs.flatMap((pipeline) =>
    isOmitted(pipeline.source, planning) ? [] : { pipeline, planning },
  );
}

function isOmitted(source: BoundSource, { context, omittedViews, isView }: Planning): boolean {
  if (source.kind !== 'dataset' || source.matched === undefined) return false;
  if (context.layoutOf(source.name) !== undefined) return false;
  if (isView || omittedViews.has(source.name)) return true;
  const view = context.viewOf?.(source.name);
  return view !== undefined && 'problem' in view;
}

/** Returns the other pipelines of a source or an operator: the right side of a join, and tables inside expressions. */
export function innerParts(
  root: BoundSource | BoundStage['operator'],
  planning: Planning,
): readonly Part[] {
  const found: Part[] = [];
  const lets = new Set<string>();
  const pending: object[] = [];
  addMembers(root, rowMembers, pending);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const node = next as Partial<BoundPipeline | BoundExpression>;
    if (node.kind === 'pipeline') {
      found.push({ pipeline: node as BoundPipeline, planning });
      continue;
    }
    if (node.kind === 'let') {
      const { name } = node as { readonly name: string };
      const value = lets.has(name) ? undefined : planning.expressionLets.get(name);
      lets.add(name);
      if (value !== undefined) pending.push(value);
    }
    if (node.kind !== 'literal') addMembers(node, schemaMembers, pending);
  }
  return found;
}

/** Members that describe columns. */
const schemaMembers: ReadonlySet<string> = new Set(['column', 'columns']);

/** Members that describe columns, or pipelines whose rows are passed on. */
const rowMembers: ReadonlySet<string> = new Set([...schemaMembers, 'inputs', 'pipeline']);

function addMembers(node: object, except: ReadonlySet<string>, to: object[]): void {
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === 'object' && value !== null && !except.has(name)) to.push(value);
  }
}
