/** The order that clicks on a header and keys lead to. */
import type { ColumnOrder } from '../../../../../table/src/viewState.ts';

type Order = readonly ColumnOrder[];

/** Ascending, then descending, then as the rows came. With `add` the other columns stay in the order. */
export function cycledOrder(order: Order, column: number, add: boolean): Order {
  const own = order.find((part) => part.column === column);
  const alone = add || order.length === 1;
  const next = own === undefined || !alone ? false : own.descending ? undefined : true;
  return withColumn(order, column, next, add);
}

/** In the direction; where the order has it already, the column is taken out. */
export function toggledOrder(
  order: Order,
  column: number,
  descending: boolean,
  add: boolean,
): Order {
  const own = order.find((part) => part.column === column);
  const again = own !== undefined && own.descending === descending && (add || order.length === 1);
  return withColumn(order, column, again ? undefined : descending, add);
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
