/**
 * The order that a request asks for where its query states none: `defaultOrder`. It holds for the rows that the
 * query gives and for those that a limit takes the first of, by the columns that they have there. A field of the
 * events that a later stage leaves out still orders them.
 */
import type {
  BoundOperator,
  BoundSortKey,
  BoundStage,
  Columns,
} from '../../../language/src/index.ts';
import { keyed } from './operators/rows.ts';
import { withTies } from './paging.ts';
import type { OrderKey } from './relation.ts';
import type { Planning } from './scope.ts';
import type { Table } from './table.ts';

/** The code of the message about a field that the result does not have. */
export const unknownOrderCode = 'default_order_unknown_field';

/** The table in the order that the request asks for; as it is where the query orders it, or no field is known. */
export function withRequestOrder(table: Table, planning: Planning): Table {
  const { defaultOrder = [] } = planning.context;
  if (!table.implied) return table;
  const found: BoundSortKey[] = [];
  const order: OrderKey[] = [];
  let computed = table;
  for (const { field, desc } of defaultOrder) {
    const column = table.columns.find(({ name }) => name === field);
    const before = table.order.filter((key) => key.field === field);
    if (column !== undefined) found.push(keyOf(field, desc));
    if (column === undefined || before.at(-1)?.id === column.id) {
      order.push(...before);
    } else {
      computed = keyed([keyOf(field, desc)], computed, planning);
      order.push(...computed.order.map((key) => ({ ...key, field })));
    }
  }
  if (order.length === 0) return table;
  if (isStart(order, table.order)) return table;
  return withTies({ ...computed, order, implied: true, ...binsBehind(table, found) });
}

/** The fields of the request's order that it asks for in vain. */
export function unknownOrder(table: Table, { context }: Planning): readonly string[] {
  const known = new Set([
    ...table.columns.map(({ name }) => name),
    ...table.order.map((key) => key.field),
  ]);
  const wanted = table.implied ? (context.defaultOrder ?? []) : [];
  return [...new Set(wanted.map(({ field }) => field))].filter((field) => !known.has(field));
}

/** Whether the rows have the order already, be it with keys for ties. */
function isStart(order: readonly OrderKey[], of: readonly OrderKey[]): boolean {
  return (
    order.every((key, i) => key.id === of[i]?.id && key.desc === of[i].desc) &&
    of.every(({ field }, i) => field === order[i]?.field)
  );
}

function keyOf(field: string, desc: boolean): BoundSortKey {
  const place = { start: 0, end: 0 };
  const expression = { kind: 'column', name: field, type: 'unknown', ...place } as const;
  return { expression, direction: desc ? 'desc' : 'asc', ...place };
}

/** The totals of a time series, and the groups that a limit keeps, are in the same order as its bins. */
function binsBehind({ bin }: Table, keys: readonly BoundSortKey[]): Pick<Table, 'bin'> {
  if (bin === undefined) return {};
  const place = { start: 0, end: 0 };
  const operator: BoundOperator = { kind: 'sort', keys, keyword: place, ...place };
  const columns: Columns = { list: [], open: true };
  const stage: BoundStage = { operator, input: columns, output: columns, ...place };
  return { bin: { ...bin, stages: [...bin.stages, stage] } };
}
