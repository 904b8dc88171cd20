/**
 * `mv-expand`: a row for each element of an array, so none for an empty one. What is no array is one element,
 * null too. Several arrays go side by side, the shorter filled up with nulls.
 */
import type { BoundOperator } from '../../../../language/src/index.ts';
import { planExpression } from '../expressions.ts';
import type { Item, OrderKey } from '../relation.ts';
import { type Planning, scopeOf } from '../scope.ts';
import * as print from '../sql.ts';
import { sql } from '../sql.ts';
import { extended, Ids, type Table, type TableColumn } from '../table.ts';
import { as, convert, value, valueType } from '../values.ts';
import { countOf } from './rows.ts';

type MvExpand = Extract<BoundOperator, { kind: 'mv-expand' }>;

const macros = { bag: 'apl.elements_as_bags', array: 'apl.elements_as_pairs' } as const;

export function planMvExpand(operator: MvExpand, table: Table, planning: Planning): Table {
  const ids = new Ids(table.taken);
  const limit = operator.limit && print.bareLong(countOf(operator.limit, table, planning));
  const { input, wholes } = planWholes(operator, table, planning, ids);
  const elements = wholes.map((whole): Item => {
    const list = print.call(macros[operator.bags], whole);
    const cut = limit === undefined ? list : print.call('list_slice', list, sql`1`, limit);
    return { id: ids.free('elements'), sql: cut };
  });
  const lists = elements.map((list, i): Item => {
    const name = operator.items[i]?.item.name ?? 'column';
    return { id: ids.free(name), sql: print.column(list.id) };
  });
  const counts = operator.itemIndex !== undefined || table.order.length > 0;
  const place = counts ? { id: ids.free('element'), sql: placesOf(lists) } : undefined;
  const expanded: Table = {
    ...table,
    relation: {
      kind: 'expand',
      input: extended(input, elements, ids).relation,
      items: place === undefined ? lists : [...lists, place],
    },
    taken: ids.taken,
    order: place === undefined ? [] : withPlace(table.order, place.id),
  };
  const typed: Item[] = [];
  const made = new Map<string, TableColumn>();
  for (const [i, { item, toType }] of operator.items.entries()) {
    const { id } = lists[i] as Item;
    const type = valueType(toType ?? 'dynamic');
    if (type === 'dynamic') {
      made.set(item.name, { name: item.name, type, id });
      continue;
    }
    const typedId = ids.free(item.name);
    typed.push({ id: typedId, sql: convert(value(print.column(id), 'dynamic'), type).sql });
    made.set(item.name, { name: item.name, type, id: typedId });
  }
  const columns = replaced(table.columns, made);
  const result = extended(expanded, typed, ids);
  if (operator.itemIndex === undefined || place === undefined) return { ...result, columns };
  const index = { name: operator.itemIndex, type: 'long', id: place.id } as const;
  return { ...result, columns: [...columns.filter(({ name }) => name !== index.name), index] };
}

/**
 * The JSON of each item, over a table that has it as a column: what makes a list of it reads it many times.
 */
function planWholes(operator: MvExpand, table: Table, planning: Planning, ids: Ids) {
  const scope = scopeOf(table, planning);
  const computed: Item[] = [];
  const wholes = operator.items.map(({ item: { expression } }) => {
    const planned = planExpression(expression, scope);
    const whole = as(planned, 'dynamic');
    if (expression.kind === 'column' && planned.sql === whole) return whole;
    const id = ids.free('whole');
    computed.push({ id, sql: whole });
    return print.column(id);
  });
  return { input: extended(table, computed, ids), wholes };
}

/** The zero-based places of the longest list. */
function placesOf(lists: readonly Item[]): ReturnType<typeof sql> {
  const lengths = lists.map((list) => sql`len(${list.sql})`);
  return sql`range(${print.call('greatest', ...lengths)})`;
}

/** Elements of one row keep their order where the rows have one. */
function withPlace(order: readonly OrderKey[], id: string): readonly OrderKey[] {
  return order.length === 0 ? order : [...order, { id, desc: false, nullsFirst: true }];
}

/** Columns with those of the same names put in their places, and the others behind. */
function replaced(
  columns: readonly TableColumn[],
  made: ReadonlyMap<string, TableColumn>,
): readonly TableColumn[] {
  const kept = columns.map((column) => made.get(column.name) ?? column);
  const names = new Set(columns.map((column) => column.name));
  return [...kept, ...[...made.values()].filter((column) => !names.has(column.name))];
}
