/** The order that clicks on a header and keys lead to. */
import type { ColumnOrder } from '../../../../../table/src/viewState.ts';
import type { GridParts } from './options.ts';

type Order = readonly ColumnOrder[];

/** Ascending, then descending, then as the rows came. With `add` the other columns stay in the order. */
export function cycleOrder(parts: GridParts, column: number | undefined, add: boolean): void {
  if (column === undefined) return;
  const { order } = parts.open.view;
  const own = order.find((part) => part.column === column);
  const alone = add || order.length === 1;
  const next = own === undefined || !alone ? false : own.descending ? undefined : true;
  show(parts, withColumn(order, column, next, add));
}

/** In the direction; where the order has it already, the column is taken out. */
export function toggleOrder(
  parts: GridParts,
  column: number | undefined,
  descending: boolean,
  add: boolean,
): void {
  if (column === undefined) return;
  const { order } = parts.open.view;
  const own = order.find((part) => part.column === column);
  const again = own?.descending === descending && (add || order.length === 1);
  show(parts, withColumn(order, column, again ? undefined : descending, add));
}

/** Shows the order at once, so that a second click within the host's answer counts as a second one. */
function show({ grid, options }: GridParts, order: Order): void {
  grid.showOrder(order);
  options.onOrder(order);
}

function withColumn(
  order: Order,
  column: number,
  descending: boolean | undefined,
  add: boolean,
): Order {
  const before = add ? order : [];
  const own = descending === undefined ? [] : [{ column, descending }];
  const known = before.some((part) => part.column === column);
  return known
    ? before.flatMap((part) => (part.column === column ? own : [part]))
    : [...before, ...own];
}
