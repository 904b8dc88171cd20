/** Binds the keys of `sort` and `top`. */
import { defined } from '../defined.ts';
import type * as syntax from '../syntax/tree.ts';
import type { Binder, Scope } from './binder.ts';
import type { BoundSortKey } from './bound.ts';
import type { Row } from './columns.ts';
import { bindExpression } from './expressions.ts';

/** Binds sort keys. They are descending by default, as documented for `top` and as in Kusto's `sort`. */
export function bindKeys(
  keys: readonly syntax.SortKey[],
  row: Row,
  binder: Binder,
): readonly BoundSortKey[] {
  const scope: Scope = { binder, row, aggregates: 'refused' };
  return keys.map(({ expression, direction, nulls, start, end }) => ({
    expression: bindExpression(expression, scope),
    direction: direction ?? 'desc',
    ...defined({ nulls }),
    start,
    end,
  }));
}
