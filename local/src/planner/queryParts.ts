/** Finds the pipelines inside a pipeline: those in its source, its stages and their expressions. */
import {
  addOperands,
  addSourceParts,
  addSubexpressions,
  type BoundNode,
  type BoundPipeline,
  type BoundSource,
  type BoundStage,
} from '../../../language/src/index.ts';
import type { Planning } from './scope.ts';

/** A pipeline and the planning context in which its names are resolved. */
export interface Part {
  readonly pipeline: BoundPipeline;
  readonly planning: Planning;
}

/** Returns the pipelines from which a source reads its rows. */
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

/** Returns the pipelines in a source's expressions. */
export function innerSourceParts(source: BoundSource, planning: Planning): readonly Part[] {
  const nodes: BoundNode[] = [];
  addSourceParts(source, nodes);
  return partsIn(nodes.filter(isExpression), planning);
}

/** Returns a stage's pipelines that add no rows: the right side of a join, and tables in expressions. */
export function innerParts({ operator }: BoundStage, planning: Planning): readonly Part[] {
  const nodes: BoundNode[] = [];
  addOperands(operator, nodes);
  return partsIn(operator.kind === 'join' ? nodes : nodes.filter(isExpression), planning);
}

function isExpression(node: BoundNode): boolean {
  return node.kind !== 'pipeline';
}

function partsIn(nodes: readonly BoundNode[], planning: Planning): readonly Part[] {
  const found: Part[] = [];
  const lets = new Set<string>();
  const pending = [...nodes];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind === 'pipeline') {
      found.push({ pipeline: next, planning });
      continue;
    }
    if (next.kind === 'let' && !lets.has(next.name)) {
      lets.add(next.name);
      const value = planning.expressionLets.get(next.name);
      if (value !== undefined) pending.push(value);
    }
    addSubexpressions(next, pending);
  }
  return found;
}
