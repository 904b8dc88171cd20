/**
 * `mv-expand`: returns one row per array element or map member. An empty array or map returns no rows. Any other value,
 * including null, counts as one element. Several arrays are expanded in parallel, and the shorter ones are padded with
 * nulls.
 */
import type { BoundOperator } from '../../../../language/src/index.ts';
import { planExpression } from '../expressions.ts';
import type { Item, OrderKey } from '../relation.ts';
import { type Planning, scopeOf } from '../scope.ts';
import * as print from '../sql.ts';
import { type Sql, sql } from '../sql.ts';
import { addColumn, extended, Ids, type Table, type TableColumn, withColumns } from '../table.ts';
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
    const limited = limit === undefined ? list : print.call('list_slice', list, sql`1`, limit);
    return { id: ids.free('elements'), sql: limited };
  });
  const lists = elements.map((list, i): Item => {
    const name = operator.items[i]?.item.name ?? 'column';
    return { id: ids.free(name), sql: print.column(list.id) };
  });
  const needsIndex = operator.itemIndex !== undefined || table.order.length > 0;
  const elementIndex = needsIndex
    ? { id: ids.free('element'), sql: elementIndexes(lists) }
    : undefined;
  // Drop the time bin, because a bin can have several rows after the expansion.
  const { bin: _, ...unbinned } = table;
  const expanded: Table = {
    ...unbinned,
    relation: {
      kind: 'expand',
      input: extended(input, elements, ids).relation,
      items: elementIndex === undefined ? lists : [...lists, elementIndex],
    },
    taken: ids.taken,
    order: elementIndex === undefined ? [] : withElementOrder(table.order, elementIndex.id),
  };
  const typed: Item[] = [];
  const made = new Map<string, TableColumn>();
  for (const [i, { item, toType }] of operator.items.entries()) {
    const { id } = lists[i] as Item;
    const type = valueType(toType ?? 'dynamic');
    const element = value(print.column(id), 'dynamic');
    const column =
      type === 'dynamic'
        ? { name: item.name, type, id }
        : addColumn(item.name, convert(element, type), ids, typed);
    made.set(item.name, column);
  }
  const columns = replaced(table.columns, made);
  const result = extended(expanded, typed, ids);
  if (operator.itemIndex === undefined || elementIndex === undefined) return { ...result, columns };
  const index = { name: operator.itemIndex, type: 'long', id: elementIndex.id } as const;
  return { ...result, columns: withColumns(columns, [index]) };
}

/** Stores each item's JSON value in a column, because the expansion reads it many times. */
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

function elementIndexes(lists: readonly Item[]): Sql {
  const lengths = lists.map((list) => sql`len(${list.sql})`);
  return sql`range(${print.call('greatest', ...lengths)})`;
}

function withElementOrder(order: readonly OrderKey[], id: string): readonly OrderKey[] {
  return order.length === 0 ? order : [...order, { id, desc: false, nullsFirst: true }];
}

function replaced(
  columns: readonly TableColumn[],
  made: ReadonlyMap<string, TableColumn>,
): readonly TableColumn[] {
  const kept = columns.map((column) => made.get(column.name) ?? column);
  const names = new Set(columns.map((column) => column.name));
  return [...kept, ...[...made.values()].filter((column) => !names.has(column.name))];
}
