/** Binds a pipeline: its source, then each stage against the columns of the preceding one. */
import { none } from '../append.ts';
import { type OperatorOfKind, operatorNodes } from '../operators/index.ts';
import type * as syntax from '../syntax/tree.ts';
import { type Binder, reportUnknownOperator } from './binder.ts';
import type { BoundOperator, BoundPipeline } from './bound.ts';
import { Row } from './columns.ts';
import { bindSource } from './sources.ts';

export function bindPipeline(node: syntax.Pipeline, binder: Binder): BoundPipeline {
  const { start, end } = node;
  const { source, columns: first } = bindSource(node.source, binder);
  if (node.stages.length === 0)
    return { kind: 'pipeline', source, stages: none, columns: first, start, end };
  const row = new Row(first);
  const stages = node.stages.map(({ operator: written, start, end }) => {
    const input = row.columns;
    const operator = bindOperator(written, row, binder);
    row.endStage();
    const bound = { operator, input, output: row.columns, start, end };
    binder.stages.push(bound);
    return bound;
  });
  return { kind: 'pipeline', source, stages, columns: row.columns, start, end };
}

/** Binds an operator and updates the row to its output columns. */
function bindOperator<Kind extends syntax.Operator['kind']>(
  node: OperatorOfKind<Kind>,
  row: Row,
  binder: Binder,
): BoundOperator {
  if (node.misspelt !== undefined) reportUnknownOperator(node.misspelt, node.keyword, binder);
  return operatorNodes[node.kind].bind(node, row, binder);
}
