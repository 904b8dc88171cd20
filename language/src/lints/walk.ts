/** Walks a bound query once and calls a visitor for each part. */
import { append } from '../append.ts';
import type { BoundExpression, BoundPipeline, BoundQuery } from '../binding/bound.ts';
import {
  addOperands,
  addSourceParts,
  addSubexpressions,
  type BoundNode,
} from '../binding/visit.ts';

export interface Visitor {
  expression(expression: BoundExpression): void;
  pipeline(pipeline: BoundPipeline): void;
}

/**
 * Visits every pipeline and expression once, except literals, datatable values and bare datasets. Uses an array instead
 * of recursion, because trees may be thousands of nodes deep.
 */
export function walkBound(query: BoundQuery, visitor: Visitor): void {
  const pending: BoundNode[] = query.lets.map(({ value }) => value);
  for (const { defaultValue } of query.parameters)
    if (defaultValue !== undefined) pending.push(defaultValue);
  append(pending, query.pipelines);
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === 'literal' || isDataset(node)) continue;
    if (node.kind === 'pipeline') {
      visitor.pipeline(node);
      // Skip the values of a datatable, because they are data and may be numerous.
      if (node.source.kind !== 'datatable') addSourceParts(node.source, pending);
      for (const { operator } of node.stages) addOperands(operator, pending);
    } else {
      visitor.expression(node);
      addSubexpressions(node, pending);
    }
  }
}

/** Returns whether a node is a bare dataset, which needs no checks. A wildcard can expand to many bare datasets. */
function isDataset(node: BoundNode): boolean {
  return node.kind === 'pipeline' && node.stages.length === 0 && node.source.kind === 'dataset';
}
