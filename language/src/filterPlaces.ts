/** Finds early positions for a filter on a result column, because a filter at the query's end would see all rows. */
import type {
  BoundExpression,
  BoundOperator,
  BoundQuery,
  NamedExpression,
} from './binding/bound.ts';
import { quoteName } from './names.ts';
import { factsOf, factsOfNode } from './operators/facts.ts';
import type { Operator, Pipeline } from './syntax/tree.ts';

/**
 * An insertion point for a filter stage. `at` is the index of the stage that will follow the filter. `name` is the
 * expression to filter by there: a column, or a path into a column's value.
 */
export interface FilterPlace {
  readonly at: number;
  readonly name: string;
}

/**
 * Returns whether a stage only orders or limits rows. At the end of a query, a filter goes before these stages, because
 * after a limit, the filter would search only the limited rows.
 */
function onlyOrdersOrLimits(operator: Operator): boolean {
  const { rows, columns } = factsOfNode(operator);
  return columns === 'kept' && (rows === 'all' || rows === 'limited');
}

/** Returns one or two places where a filter would keep exactly the matching rows, the better place first. */
export function filterPlaces(
  { stages }: Pipeline,
  { pipelines, tree }: BoundQuery,
  column: string,
): FilterPlace[] {
  const last = stages.findLastIndex(({ operator }) => !onlyOrdersOrLimits(operator)) + 1;
  const end = { at: last, name: quoteName(column) };
  const bound = pipelines.at(-1)?.stages ?? [];
  let best: FilterPlace | undefined;
  let name: string | undefined = column;
  for (let at = stages.length - 1; at >= 0 && name !== undefined; at--) {
    const operator: BoundOperator | undefined = bound[at]?.operator;
    const origin: Origin | undefined = operator && originOf(operator, name);
    if (operator === undefined || origin === undefined) break;
    name = origin.column;
    if (factsOf(operator).rows !== 'grouped') continue;
    best = {
      at,
      name:
        origin.column === undefined
          ? tree.text.slice(origin.path.start, origin.path.end)
          : quoteName(origin.column),
    };
  }
  return best === undefined ? [end] : [best, end];
}

/** The column or property of an operator's input from which an output column is copied. */
type Origin =
  | { readonly column: string }
  | { readonly column?: undefined; readonly path: BoundExpression };

/** Returns an output column's origin. Returns undefined if the operator may change the column. */
function originOf(operator: BoundOperator, column: string): Origin | undefined {
  const { rows, columns } = factsOf(operator);
  // Don't move a filter before a sample, because the filter would change which rows are sampled.
  if (columns === 'kept') return rows === 'sampled' ? undefined : { column };
  switch (operator.kind) {
    case 'extend':
      return operator.items.some((item) => namesOf(item).includes(column)) ? undefined : { column };
    case 'select':
      return { column: operator.columns.find(({ name }) => name === column)?.from ?? column };
    case 'distinct':
      if (operator.items.some(({ expression }) => expression.kind === 'star')) return { column };
      return originIn(operator.items, column);
    case 'project':
      return originIn(operator.items, column);
    case 'summarize':
    case 'make-series':
      return originIn(operator.groups, column);
    default:
      return undefined;
  }
}

function originIn(items: readonly NamedExpression[], column: string): Origin | undefined {
  const [item, another] = items.filter((one) => namesOf(one).includes(column));
  if (item === undefined || another !== undefined) return undefined;
  const { expression } = item;
  if (expression.kind === 'column') return { column: expression.name };
  return isPath(expression) ? { path: expression } : undefined;
}

const namesOf = ({ name, columns }: NamedExpression): readonly string[] => columns ?? [name];

function isPath(expression: BoundExpression): boolean {
  let target = expression;
  while (target.kind === 'member') {
    if (target.key.kind !== 'literal') return false;
    target = target.target;
  }
  return target.kind === 'column';
}
