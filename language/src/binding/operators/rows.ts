/** Binds operators that filter, limit or sort rows without changing the columns. */
import type * as syntax from '../../syntax/tree.ts';
import { type Binder, report, type Scope } from '../binder.ts';
import type { BoundExpression, BoundOperator, BoundSortKey } from '../bound.ts';
import type { Row } from '../columns.ts';
import { bindExpression } from '../expressions.ts';
import { requireBool, requireNumber } from '../scalarOperators.ts';
import { noRow } from '../sources.ts';

export function bindWhere(node: syntax.WhereOperator, row: Row, binder: Binder): BoundOperator {
  const scope: Scope = { binder, row, aggregates: 'refused' };
  const predicate = bindExpression(node.predicate, scope);
  requireBool(predicate, scope);
  const { keyword, start, end } = node;
  return { kind: 'where', predicate, keyword, start, end };
}

export function bindSort(node: syntax.SortOperator, row: Row, binder: Binder): BoundOperator {
  const { keyword, start, end } = node;
  return { kind: 'sort', keys: bindKeys(node.keys, row, binder), keyword, start, end };
}

export function bindTop(node: syntax.TopOperator, row: Row, binder: Binder): BoundOperator {
  const count = bindExpression(node.count, noRow(binder));
  requireNumber(count, 'top', binder);
  const { keyword, start, end } = node;
  return { kind: 'top', count, keys: bindKeys(node.keys, row, binder), keyword, start, end };
}

/** Binds sort keys. The default direction is descending, as documented for `top` and as in Kusto's `sort`. */
function bindKeys(
  keys: readonly syntax.SortKey[],
  row: Row,
  binder: Binder,
): readonly BoundSortKey[] {
  const scope: Scope = { binder, row, aggregates: 'refused' };
  return keys.map(({ expression, direction, nulls, start, end }) => ({
    expression: bindExpression(expression, scope),
    direction: direction ?? 'desc',
    ...(nulls === undefined ? {} : { nulls }),
    start,
    end,
  }));
}

export function bindLimit(node: syntax.LimitOperator, binder: Binder): BoundOperator {
  const count = bindExpression(node.count, noRow(binder));
  requireNumber(count, node.word, binder);
  const { keyword, start, end } = node;
  return { kind: 'limit', count, keyword, start, end };
}

export function bindSample(node: syntax.SampleOperator, binder: Binder): BoundOperator {
  const ratio = bindExpression(node.ratio, noRow(binder));
  requireNumber(ratio, 'sample', binder);
  if (isRowCount(ratio)) {
    const value = String(ratio.value);
    report(binder, 'sample-ratio', ratio, { value });
  }
  const { keyword, start, end } = node;
  return { kind: 'sample', ratio, keyword, start, end };
}

function isRowCount(
  ratio: BoundExpression,
): ratio is BoundExpression & { kind: 'literal'; value: number | bigint } {
  if (ratio.kind !== 'literal') return false;
  return (typeof ratio.value === 'number' || typeof ratio.value === 'bigint') && ratio.value >= 1;
}
