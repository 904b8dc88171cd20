/** Finds the pipelines that a pipeline consists of: in its source, in its stages, and in their expressions. */
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

/** Returns the pipelines that a pipeline reads directly. */
export function allParts({ pipeline: { source, stages }, planning }: Part): readonly Part[] {
  return [
    ...sourceParts(source, planning),
    ...innerParts(source, planning),
    ...stages.flatMap((stage) => stageParts(stage, planning)),
  ];
}

/** Returns the pipelines that a stage reads in addition to its input. */
export function stageParts(stage: BoundStage, planning: Planning): readonly Part[] {
  return [...branchesOf(stage, planning), ...innerParts(stage.operator, planning)];
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
      return inputParts(source.inputs, planning);
    default:
      return [];
  }
}

/** Returns the pipelines whose rows a stage adds to its input. */
export function branchesOf({ operator }: BoundStage, planning: Planning): readonly Part[] {
  return operator.kind === 'union' ? inputParts(operator.inputs, planning) : [];
}

/** Returns the parts of a union, without omitted views. */
function inputParts(inputs: readonly BoundPipeline[], planning: Planning): readonly Part[] {
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
