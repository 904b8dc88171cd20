/** Parses the mv-expand operator, which returns one row per element of an array. */
import type { Span } from '../../text.ts';
import type { Cursor } from '../cursor.ts';
import type { MvExpandItem, MvExpandOperator, Name, TypeLiteral } from '../tree.ts';
import { assignment } from './assignments.ts';
import { expression } from './expressions.ts';
import { atAnyClause } from './keywords.ts';
import { list } from './lists.ts';
import { optWordOption } from './properties.ts';
import { typeLiteral } from './typedLiterals.ts';

const atLimit = (c: Cursor): boolean => c.at('limit');

export function mvExpandOperator(c: Cursor, keyword: Span): MvExpandOperator {
  let expandKind = kindOption(c);
  const itemIndex = optWordOption(c, 'with_itemindex');
  expandKind ??= kindOption(c);
  const items = list(c, mvExpandItem, { stop: atLimit });
  const limit = c.eat('limit') ? expression(c) : undefined;
  return {
    kind: 'MvExpandOperator',
    keyword,
    ...(expandKind === undefined ? {} : { expandKind }),
    ...(itemIndex === undefined ? {} : { itemIndex }),
    items,
    ...(limit === undefined ? {} : { limit }),
    start: keyword.start,
    end: c.lastEnd,
  };
}

/** Parses `kind=` or `bagexpansion=`, its equivalent in older Kusto queries. */
function kindOption(c: Cursor): Name | undefined {
  if (c.at('bagexpansion') && c.at('=', 1)) {
    c.report('foreign-operator', c.token, { found: c.found, instead: 'kind' });
    return optWordOption(c, 'bagexpansion');
  }
  return optWordOption(c, 'kind');
}

function mvExpandItem(c: Cursor): MvExpandItem {
  const found = assignment(c);
  let to: TypeLiteral | undefined;
  const swapped = atAnyClause(c) && c.at('typeof', 1);
  if (swapped && !c.at('to')) c.expected('expected-word', { word: 'to' });
  if (swapped || c.at('to')) {
    c.advance();
    if (c.at('typeof') && c.at('(', 1)) to = typeLiteral(c);
    else c.expected('expected-word', { word: 'typeof(…)' });
  }
  const { start } = found;
  return to === undefined
    ? { kind: 'MvExpandItem', assignment: found, start, end: c.lastEnd }
    : { kind: 'MvExpandItem', assignment: found, toType: to.type, start, end: c.lastEnd };
}
