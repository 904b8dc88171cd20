/**
 * What stands behind an operator's name, roughly, and which operators take the like: by this table, written
 * from the catalog's syntax and not from the parser, a swapped operator counts as right or wrong.
 */
import type { syntax } from '../../../language/src/index.ts';

/**
 * `nothing`; a `constant` number; `names` of columns alone; `renames` of columns; `items` with a name
 * somewhere; `values` without any; one `condition`; `keys` behind `by`; or a body of the operator's own.
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

/** Whether an operator takes a body; one that only orders differently takes what the other takes. */
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

/** The body of an operator as it stands in a query. */
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
