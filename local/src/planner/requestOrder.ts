/**
 * Applies the request's `defaultOrder` to a query that doesn't sort. Sorts each dataset, the result and the input of
 * each limit by the requested fields that exist there. Rows stay sorted by a field even if a later stage removes it.
 */
import type {
  BoundOperator,
  BoundSortKey,
  BoundStage,
  Columns,
} from '../../../language/src/index.ts';
import { withSortKeys } from './operators/rows.ts';
import { withTies } from './paging.ts';
import type { OrderKey } from './relation.ts';
import type { Planning } from './scope.ts';
import type { Table } from './table.ts';

export const unknownOrderCode = 'default_order_unknown_field';

/** Sorts a table as requested. Returns the table unchanged if it is sorted or has none of the requested fields. */
export function withRequestOrder(table: Table, planning: Planning): Table {
  const { defaultOrder = [] } = planning.context;
  if (!table.implied) return table;
  const found: BoundSortKey[] = [];
  const order: OrderKey[] = [];
  let computed = table;
  for (const { field, desc } of defaultOrder) {
    const column = table.columns.find(({ name }) => name === field);
    const before = table.order.filter((key) => key.field === field);
    if (column !== undefined) found.push(sortKeyFor(field, desc));
    if (column === undefined || before.at(-1)?.id === column.id) {
      order.push(...before);
    } else {
      computed = withSortKeys([sortKeyFor(field, desc)], computed, planning);
      order.push(...computed.order.map((key) => ({ ...key, field })));
    }
  }
  if (order.length === 0) return table;
  if (startsWith(order, table.order)) return table;
  return withTies({ ...computed, order, implied: true, ...withSortStage(table, found) });
}

export function unknownOrder(table: Table, { context }: Planning): readonly string[] {
  const known = new Set([
    ...table.columns.map(({ name }) => name),
    ...table.order.map((key) => key.field),
  ]);
  const wanted = table.implied ? (context.defaultOrder ?? []) : [];
  return [...new Set(wanted.map(({ field }) => field))].filter((field) => !known.has(field));
}

/** Returns whether `of` starts with the keys in `order`. `of` may have additional keys that break ties. */
function startsWith(order: readonly OrderKey[], of: readonly OrderKey[]): boolean {
  return (
    order.every((key, i) => key.id === of[i]?.id && key.desc === of[i].desc) &&
    of.every(({ field }, i) => field === order[i]?.field)
  );
}

function sortKeyFor(field: string, desc: boolean): BoundSortKey {
  const span = { start: 0, end: 0 };
  const expression = { kind: 'column', name: field, type: 'unknown', ...span } as const;
  return { expression, direction: desc ? 'desc' : 'asc', ...span };
}

/** Adds the sort to a time series' stages, so that it also orders the totals. */
function withSortStage({ bin }: Table, keys: readonly BoundSortKey[]): Pick<Table, 'bin'> {
  if (bin === undefined) return {};
  const span = { start: 0, end: 0 };
  const operator: BoundOperator = { kind: 'sort', keys, keyword: span, ...span };
  const columns: Columns = { list: [], open: true };
  const stage: BoundStage = { operator, input: columns, output: columns, ...span };
  return { bin: { ...bin, stages: [...bin.stages, stage] } };
}
