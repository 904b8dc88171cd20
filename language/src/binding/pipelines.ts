/** A pipeline: its source, then stage after stage, each bound against the columns the one before leaves. */
import type * as syntax from '../syntax/tree.ts';
import type { Binder } from './binder.ts';
import type { BoundPipeline, BoundStage } from './bound.ts';
import { Row } from './columns.ts';
import { bindOperator } from './operators/index.ts';
import { bindSource } from './sources.ts';

export function bindPipeline(node: syntax.Pipeline, binder: Binder): BoundPipeline {
  const { source, columns: first } = bindSource(node.source, binder);
  const row = new Row(first);
  const stages: BoundStage[] = [];
  for (const stage of node.stages) {
    const input = row.columns;
    const operator = bindOperator(stage.operator, row, binder);
    row.endStage();
    const { start, end } = stage;
    const bound = { operator, input, output: row.columns, start, end };
    stages.push(bound);
    binder.stages.push(bound);
  }
  const { start, end } = node;
  return { kind: 'pipeline', source, stages, columns: row.columns, start, end };
}
