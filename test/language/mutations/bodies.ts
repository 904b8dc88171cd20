/**
 * The kinds of operator bodies, and the operators that take each kind. The table follows the catalog's syntax,
 * not the parser, and decides whether a query with a swapped operator is still valid.
 */
import type { syntax } from '../../../language/src/index.ts';

/**
 * `nothing`; a `constant` number; only `names` of columns; `renames` of columns; `items` that may have names;
 * `values` that have none; one `condition`; `keys` after `by`; or a body that only one operator has.
 */
export type Body =
  | 'nothing'
  | 'constant'
  | 'names'
  | 'renames'
  | 'items'
  | 'values'
  | 'condition'
  | 'keys'
  | 'aggregates'
  | 'own';

const takers: Readonly<Record<Body, readonly string[]>> = {
  nothing: ['count', 'getschema'],
  constant: ['limit', 'take', 'sample', 'extend', 'extend-valid', 'project', 'distinct'],
  names: [
    ...['distinct', 'extend', 'extend-valid', 'project', 'project-away', 'project-keep'],
    ...['project-reorder', 'mv-expand'],
  ],
  renames: ['extend', 'extend-valid', 'project', 'project-rename', 'distinct', 'mv-expand'],
  items: ['extend', 'extend-valid', 'project', 'distinct', 'mv-expand'],
  values: ['extend', 'extend-valid', 'project', 'distinct', 'mv-expand'],
  condition: ['where', 'search', 'extend', 'extend-valid', 'project', 'distinct', 'mv-expand'],
  keys: ['sort', 'order', 'summarize'],
  aggregates: ['summarize'],
  own: [],
};

/**
 * Reports whether an operator takes a body. Operators with the same syntax take each other's bodies.
 */
export function takesBody(operator: string, body: Body, before: string): boolean {
  return (
    takers[body].includes(operator) ||
    twins.some((pair) => pair.includes(operator) && pair.includes(before))
  );
}

const twins: readonly (readonly string[])[] = [
  ['sort', 'order'],
  ['limit', 'take'],
  ['join', 'lookup'],
  ['parse', 'parse-where'],
  ['extend', 'extend-valid'],
  ['project-away', 'project-keep', 'project-reorder'],
];

/** Returns the kind of body that an operator has in a query. */
export function bodyOf(node: syntax.Operator): Body {
  switch (node.kind) {
    case 'CountOperator':
    case 'GetSchemaOperator':
      return 'nothing';
    case 'LimitOperator':
    case 'SampleOperator':
      return 'constant';
    case 'WhereOperator':
      return node.predicate.kind === 'NameReference' ? 'names' : 'condition';
    case 'SearchOperator':
      return node.tables.length === 0 && node.searchKind === undefined ? 'condition' : 'own';
    case 'ExtendOperator':
    case 'ProjectOperator':
    case 'ProjectRenameOperator':
    case 'DistinctOperator':
      return itemsOf(node.items);
    case 'ProjectByPatternOperator':
      return node.items.some(({ direction, wildcard }) => wildcard || direction !== undefined)
        ? 'own'
        : 'names';
    case 'MvExpandOperator': {
      const { items, expandKind, itemIndex, limit } = node;
      const plain = [expandKind, itemIndex, limit].every((part) => part === undefined);
      const untyped = items.every(({ toType }) => toType === undefined);
      return plain && untyped ? itemsOf(items.map(({ assignment }) => assignment)) : 'own';
    }
    case 'SummarizeOperator':
      if (node.aggregates.length > 0) return node.groups.length > 0 ? 'own' : 'aggregates';
      return 'keys';
    case 'SortOperator':
      return node.keys.some(
        ({ direction, nulls }) => direction !== undefined || nulls !== undefined,
      )
        ? 'own'
        : 'keys';
    default:
      return 'own';
  }
}

function itemsOf(items: readonly syntax.Assignment[]): Body {
  const isName = ({ expression }: syntax.Assignment) => expression.kind === 'NameReference';
  if (items.every(({ name }) => name === undefined)) {
    if (items.every(isName)) return 'names';
    return items.length === 1 && isCondition(items[0]?.expression) ? 'condition' : 'values';
  }
  return items.every((item) => item.name !== undefined && isName(item)) ? 'renames' : 'items';
}

function isCondition(node: syntax.Expression | undefined): boolean {
  return node?.kind === 'Binary' || node?.kind === 'InExpression' || node?.kind === 'Between';
}
