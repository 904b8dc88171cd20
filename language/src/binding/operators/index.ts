/** Binds one operator of a pipeline and updates the row to its output columns. */

import { kustoOperators } from '../../catalog/kusto.ts';
import { operatorNodes } from '../../operators/index.ts';
import { transformNames } from '../../operators/names.ts';
import { didYouMean } from '../../problems.ts';
import type * as syntax from '../../syntax/tree.ts';
import type { Span } from '../../text.ts';
import { type Binder, hintFor, report } from '../binder.ts';
import type { BoundOperator } from '../bound.ts';
import { ColumnList, type Row } from '../columns.ts';
import { bindJoin } from './join.ts';
import { bindParse, bindParseKv, bindRedact } from './parse.ts';
import { bindByPattern, bindDistinct, bindExtend, bindProject, bindRename } from './project.ts';
import { bindLimit, bindSample, bindSort, bindTop, bindWhere } from './rows.ts';
import { bindSearchStage } from './search.ts';
import { bindMakeSeries } from './series.ts';
import { bindSummarize } from './summarize.ts';
import { bindUnionStage } from './union.ts';

export function bindOperator(node: syntax.Operator, row: Row, binder: Binder): BoundOperator {
  if (node.misspelt !== undefined) reportUnknownOperator(node.misspelt, node.keyword, binder);
  switch (node.kind) {
    case 'WhereOperator':
      return bindWhere(node, row, binder);
    case 'ExtendOperator':
      return bindExtend(node, row, binder);
    case 'ProjectOperator':
      return bindProject(node, row, binder);
    case 'ProjectByPatternOperator':
      return bindByPattern(node, row, binder);
    case 'ProjectRenameOperator':
      return bindRename(node, row, binder);
    case 'SummarizeOperator':
      return bindSummarize(node, row, binder);
    case 'MakeSeriesOperator':
      return bindMakeSeries(node, row, binder);
    case 'SortOperator':
      return bindSort(node, row, binder);
    case 'TopOperator':
      return bindTop(node, row, binder);
    case 'LimitOperator':
      return bindLimit(node, binder);
    case 'SampleOperator':
      return bindSample(node, binder);
    case 'CountOperator': {
      const { keyword, start, end } = node;
      const column = { name: 'count', type: 'long' as const, definition: keyword };
      row.replace(ColumnList.of([column], false), 'count');
      return { kind: 'count', keyword, start, end };
    }
    case 'DistinctOperator':
      return bindDistinct(node, row, binder);
    case 'GetSchemaOperator': {
      const { keyword, start, end } = node;
      row.replace(schemaColumns, 'getschema');
      return { kind: 'getschema', keyword, start, end };
    }
    case 'JoinOperator':
    case 'LookupOperator':
      return bindJoin(node, row, binder);
    case 'UnionOperator':
      return bindUnionStage(node, row, binder);
    case 'SearchOperator':
      return bindSearchStage(node, row, binder);
    case 'MvExpandOperator':
      return operatorNodes.MvExpandOperator.bind(node, row, binder);
    case 'ParseOperator':
      return bindParse(node, row, binder);
    case 'ParseKvOperator':
      return bindParseKv(node, row, binder);
    case 'RedactOperator':
      return bindRedact(node, row, binder);
    case 'UnknownOperator':
      return bindUnknown(node, row, binder);
  }
}

const schemaColumns = ColumnList.of(
  [
    { name: 'ColumnName', type: 'string' },
    { name: 'ColumnOrdinal', type: 'long' },
    { name: 'DataType', type: 'string' },
    { name: 'ColumnType', type: 'string' },
  ],
  false,
);

/**
 * Binds an unknown operator. Keeps its input columns, and marks them as incomplete because the operator may add others.
 */
function bindUnknown(node: syntax.UnknownOperator, row: Row, binder: Binder): BoundOperator {
  const { name, keyword, start, end } = node;
  row.openUp();
  reportUnknownOperator(name, keyword, binder);
  return { kind: 'unknown', name, keyword, start, end };
}

/** Reports an unknown word where an operator is expected. */
export function reportUnknownOperator(name: string, keyword: Span, binder: Binder): void {
  // The parser reports a pipe with nothing after it.
  if (name === '') return;
  const instead = kustoOperators.get(name);
  if (instead !== undefined) {
    report(binder, 'kusto-operator', keyword, { name, instead });
    return;
  }
  const hint = hintFor(binder, name, transformNames);
  report(binder, 'unknown-operator', keyword, { name, hint: didYouMean(hint) }, hint);
}
