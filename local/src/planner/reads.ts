/**
 * What a query reads, as the bound query says it: a dataset counts once for each place that it is read at, also
 * through a let or a view that is named twice.
 */
import type {
  BoundExpression,
  BoundPipeline,
  BoundSource,
  BoundStage,
} from '../../../language/src/index.ts';
import type { Planning } from './scope.ts';

/** A pipeline, and the planning that its names belong to. */
export interface Part {
  readonly pipeline: BoundPipeline;
  readonly planning: Planning;
}

/** What a pipeline reads, and what its rows are. */
export interface Reads {
  /** How often each dataset is read. */
  readonly datasets: ReadonlyMap<string, number>;
  /** Whether each row is one event of a dataset, whatever columns were computed. */
  readonly isEvents: boolean;
  /** Whether a filter has chosen among these events. */
  readonly isFiltered: boolean;
}

/** Stages that choose among events. */
const filters: ReadonlySet<string> = new Set(['where', 'search']);

/** Stages that make one row of each event that they keep. */
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
  /** A let or a view may be named many times, and is read once. */
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

  /** The pipeline up to the last of its leading filters and unions; undefined where its source gives no events. */
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

/** Adds numbers by their keys; they may double with each let, so they are bounded. */
export function addTimes<Key>(sum: Map<Key, number>, of: ReadonlyMap<Key, number>): void {
  for (const [key, times] of of) {
    sum.set(key, Math.min((sum.get(key) ?? 0) + times, Number.MAX_SAFE_INTEGER));
  }
}

/** The pipelines that a source takes its rows from; none for a stored dataset and for rows that the query writes. */
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

/** The pipelines whose rows a stage adds to those that it gets. */
export function branchesOf({ operator }: BoundStage, planning: Planning): readonly Part[] {
  if (operator.kind !== 'union') return [];
  return partsOf(operator.inputs, planning);
}

/** The parts of a union, without the views that it leaves out. */
function partsOf(inputs: readonly BoundPipeline[], planning: Planning): readonly Part[] {
  return inputs.flatMap((pipeline) =>
    isLeftOut(pipeline.source, planning) ? [] : { pipeline, planning },
  );
}

function isLeftOut(source: BoundSource, { context, leftOut, isView }: Planning): boolean {
  if (source.kind !== 'dataset' || source.matched === undefined) return false;
  if (context.layoutOf(source.name) !== undefined) return false;
  if (isView || leftOut.has(source.name)) return true;
  const view = context.viewOf?.(source.name);
  return view !== undefined && 'problem' in view;
}

/** The other pipelines of a source or an operator: the right side of a join, and tables inside expressions. */
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

/** The members that say which columns there are. */
const schemaMembers: ReadonlySet<string> = new Set(['column', 'columns']);

/** With these, the members whose rows a source or an operator passes on. */
const rowMembers: ReadonlySet<string> = new Set([...schemaMembers, 'inputs', 'pipeline']);

function addMembers(node: object, except: ReadonlySet<string>, to: object[]): void {
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === 'object' && value !== null && !except.has(name)) to.push(value);
  }
}
