/** Binds a pipeline: its source, then each stage against the columns of the preceding stage. */
import { none } from '../append.ts';
import { type OperatorOfKind, operatorNodes } from '../operators/index.ts';
import type * as syntax from '../syntax/tree.ts';
import { type Binder, reportUnknownOperator } from './binder.ts';
import type { BoundOperator, BoundPipeline, BoundSource } from './bound.ts';
import { ColumnList, Row } from './columns.ts';
import { bindSource } from './sources.ts';

export function bindPipeline(node: syntax.Pipeline, binder: Binder): BoundPipeline {
  const { start, end } = node;
  const source = bindSource(node.source, binder);
  if (node.stages.length === 0) return { ...sourceAlone(source), start, end };
  const row = new Row(ColumnList.from(source.columns));
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

export function sourceAlone(source: BoundSource): BoundPipeline {
  const { columns, start, end } = source;
  return { kind: 'pipeline', source, stages: none, columns, start, end };
}

function bindOperator<Kind extends syntax.Operator['kind']>(
  node: OperatorOfKind<Kind>,
  row: Row,
  binder: Binder,
): BoundOperator {
  if (node.misspelt !== undefined) reportUnknownOperator(node.misspelt, node.keyword, binder);
  const { keyword, start, end } = node;
  // Assign to the bound object, because a spread would evaluate its lazy getters.
  return Object.assign(operatorNodes[node.kind].bind(node, row, binder), { keyword, start, end });
}
