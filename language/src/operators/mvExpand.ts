/** The operator `mv-expand`, which returns a row for each element of an array or property of a bag. */
import { type Binder, define, type Scope } from '../binding/binder.ts';
import type { BoundExpression, Column, NamedExpression } from '../binding/bound.ts';
import type { Row } from '../binding/columns.ts';
import { Names } from '../binding/derivedNames.ts';
import { bindExpression } from '../binding/expressions.ts';
import { nameItem, retype } from '../binding/namedItems.ts';
import { checkWord, wordsOf } from '../binding/options.ts';
import { noRow } from '../binding/sources.ts';
import { scalarTypeNamed } from '../binding/typeNames.ts';
import type { ScalarType } from '../catalog/types.ts';
import { words } from '../catalog/words.ts';
import { rowCounts } from '../context/constants.ts';
import { defined } from '../defined.ts';
import { itemList, tightOption } from '../format/rules.ts';
import { spacing } from '../format/sheet.ts';
import type { Cursor } from '../syntax/cursor.ts';
import { assignment } from '../syntax/grammar/assignments.ts';
import { expression } from '../syntax/grammar/expressions.ts';
import { atAnyClause } from '../syntax/grammar/keywords.ts';
import { list } from '../syntax/grammar/lists.ts';
import { optWordOption } from '../syntax/grammar/properties.ts';
import { typeLiteral } from '../syntax/grammar/typedLiterals.ts';
import type { Assignment, Expression, Name, Node, TypeName } from '../syntax/tree.ts';
import type {
  BoundOperatorNode,
  OperatorCore,
  OperatorEditing,
  OperatorNode,
  Own,
} from './operator.ts';

export interface MvExpandOperator extends OperatorNode {
  readonly kind: 'MvExpandOperator';
  readonly expandKind?: Name;
  readonly itemIndex?: Name;
  readonly items: readonly MvExpandItem[];
  readonly limit?: Expression;
}

export interface MvExpandItem extends Node {
  readonly kind: 'MvExpandItem';
  readonly assignment: Assignment;
  readonly toType?: TypeName;
}

export interface BoundMvExpand extends BoundOperatorNode {
  readonly kind: 'mv-expand';
  /** The output for a bag's property: a bag with one key, or an array of key and value. */
  readonly bags: 'bag' | 'array';
  /** The column that receives the zero-based index of the element. */
  readonly itemIndex?: string;
  readonly items: readonly BoundExpansion[];
  readonly limit?: BoundExpression;
}

/** An array or bag to expand, and the type of its converted elements. */
export interface BoundExpansion {
  readonly item: NamedExpression;
  readonly toType?: ScalarType;
}

export const core: OperatorCore<MvExpandOperator, BoundMvExpand> = {
  row: {
    options: [
      {
        name: 'kind',
        summary: 'How to expand a bag.',
        type: 'word',
        values: words({
          array: 'Expand a bag into rows of [key, value]. The default.',
          bag: 'Expand a bag into rows of bags with one key each.',
        }),
        defaultValue: 'array',
      },
      {
        name: 'with_itemindex',
        summary: 'The column for the zero-based index of the element.',
        type: 'name',
      },
    ],
  },
  facts: { rows: 'expanded', order: 'kept', columns: 'added', namesWhatItReads: true },
  children: ['expandKind', 'itemIndex', 'items', 'limit'],
  operands: ['items', 'limit'],
  parse: mvExpandOperator,
  bind: bindMvExpand,
  items: (operator): readonly NamedExpression[] => operator.items.map(({ item }) => item),
};

const atLimit = (c: Cursor): boolean => c.at('limit');

function mvExpandOperator(c: Cursor): Own<MvExpandOperator> {
  let expandKind = kindOption(c);
  const itemIndex = optWordOption(c, 'with_itemindex');
  expandKind ??= kindOption(c);
  const items = list(c, mvExpandItem, { stop: atLimit });
  const limit = c.eat('limit') ? expression(c) : undefined;
  return { kind: 'MvExpandOperator', items, ...defined({ expandKind, itemIndex, limit }) };
}

/** Parses `kind=`. Also parses and reports `bagexpansion=`, the option's name in older Kusto queries. */
function kindOption(c: Cursor): Name | undefined {
  if (c.at('bagexpansion') && c.at('=', 1)) {
    c.report('foreign-operator', c.token, { found: c.found, instead: 'kind' });
    return optWordOption(c, 'bagexpansion');
  }
  return optWordOption(c, 'kind');
}

function mvExpandItem(c: Cursor): MvExpandItem {
  const found = assignment(c);
  let toType: TypeName | undefined;
  const swapped = atAnyClause(c) && c.at('typeof', 1);
  if (swapped && !c.at('to')) c.expected('expected-word', { word: 'to' });
  if (swapped || c.at('to')) {
    c.advance();
    if (c.at('typeof') && c.at('(', 1)) toType = typeLiteral(c).type;
    else c.expected('expected-word', { word: 'typeof(…)' });
  }
  return { kind: 'MvExpandItem', assignment: found, ...defined({ toType }), ...c.since(found) };
}

function bindMvExpand(node: MvExpandOperator, row: Row, binder: Binder): Own<BoundMvExpand> {
  const scope: Scope = { binder, row, aggregates: 'refused' };
  const names = new Names();
  const columns: Column[] = [];
  if (node.expandKind !== undefined) {
    checkWord('kind', wordsOf('mv-expand', 'kind'), node.expandKind.name, node.expandKind, binder);
  }
  const items = node.items.map(({ assignment, toType }): BoundExpansion => {
    const expression = bindExpression(assignment.expression, scope);
    const before = columns.length;
    const item = nameItem(assignment, expression, names, columns, binder);
    const type = toType === undefined ? undefined : scalarTypeNamed(toType, binder);
    retype(columns, before, type ?? 'dynamic');
    return { item, ...defined({ toType: type }) };
  });
  row.change(columns);
  const { itemIndex } = node;
  if (itemIndex !== undefined) {
    const { name } = itemIndex;
    const column: Column = { name, type: 'long', definition: itemIndex };
    define(binder, itemIndex, name, { kind: 'column', column });
    row.extend([column]);
  }
  const limit = node.limit === undefined ? undefined : bindExpression(node.limit, noRow(binder));
  const bags = node.expandKind?.name === 'bag' ? 'bag' : 'array';
  return { kind: 'mv-expand', bags, items, ...defined({ itemIndex: itemIndex?.name, limit }) };
}

export const editing: OperatorEditing = {
  slots: {
    first: 'items',
    clauses: { to: 'typed', limit: 'amount' },
    likely: { limit: rowCounts },
    opensHelp: true,
  },
  layout: {
    MvExpandOperator(sheet, node) {
      tightOption(sheet, node.expandKind);
      tightOption(sheet, node.itemIndex);
      itemList(sheet, sheet.at(node.start), node.items);
    },
    MvExpandItem(sheet, node) {
      if (node.toType === undefined) return;
      const type = sheet.at(node.toType.start);
      if (sheet.reads(type - 1, '(')) sheet.mark(type - 1, spacing.none);
    },
  },
  prose: {
    syntax: 'mv-expand kind=kind with_itemindex=name field to typeof(type), … limit count',
    summary: 'Expands an array or a bag into a row for each element or property.',
    example: 'logs | mv-expand tag = tags to typeof(string)',
    snippet: 'mv-expand ${1:field}',
    clauses: {
      to: 'The type to convert the elements to.',
      limit: 'The maximum number of rows for each array.',
    },
  },
};
