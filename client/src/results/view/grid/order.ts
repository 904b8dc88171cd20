/** Changes the sort order in response to header clicks and keys. */
import type { ColumnOrder } from '../../../../../table/src/viewState.ts';
import type { GridParts } from './options.ts';

type Order = readonly ColumnOrder[];

/** Cycles a column through ascending, descending and unsorted. `add` keeps the other sort columns. */
export function cycleOrder(parts: GridParts, column: number | undefined, add: boolean): void {
  if (column === undefined) return;
  const { order } = parts.open.view;
  const own = order.find((part) => part.column === column);
  const alone = add || order.length === 1;
  const next = own === undefined || !alone ? false : own.descending ? undefined : true;
  show(parts, withColumn(order, column, next, add));
}

/** Sorts by a column in a direction; stops sorting by it if it already has that direction. */
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

/** Shows the sort order immediately, so that a second click before the host's answer continues from it. */
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
