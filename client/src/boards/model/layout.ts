/** Places charts on a grid with 12 columns. Overlapping charts move down. Charts without a position come last. */

export const gridColumns = 12;
const rowsMax = 100;
/** The maximum `y` of a chart: enough for one column with the service's maximum number of charts. */
const topMax = 20_000;

export interface Place {
  /** The chart's first column, from 0. */
  readonly x: number;
  /** The chart's first row, from 0. */
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export interface LayoutItem {
  readonly i: string;
  readonly x?: number | undefined;
  readonly y?: number | null | undefined;
  readonly w?: number | undefined;
  readonly h?: number | undefined;
}

/** Returns positions without overlaps by chart ID. A chart that the layout lacks gets its default `size`. */
export function places(
  charts: readonly { readonly id: string; readonly size: Pick<Place, 'w' | 'h'> }[],
  layout: readonly LayoutItem[],
): ReadonlyMap<string, Place> {
  const items = new Map(layout.map((item) => [item.i, item]));
  const wanted = charts.map(({ id, size }) => {
    const item = items.get(id);
    const w = within(item?.w ?? size.w, 1, gridColumns);
    return {
      id,
      w,
      h: within(item?.h ?? size.h, 1, rowsMax),
      x: item?.x === undefined ? undefined : within(item.x, 0, gridColumns - w),
      y: item?.y == null ? undefined : within(item.y, 0, topMax),
    };
  });
  // Place charts from top to bottom, and charts without a row last, in document order.
  const last = Number.POSITIVE_INFINITY;
  wanted.sort((a, b) => (a.y ?? last) - (b.y ?? last) || (a.x ?? 0) - (b.x ?? 0));
  const heights = new Array<number>(gridColumns).fill(0);
  const placed = new Map<string, Place>();
  for (const { id, x, y, w, h } of wanted) {
    const left = y === undefined ? freeColumn(heights, w) : (x ?? 0);
    const top = Math.max(bottomAt(heights, left, w), y ?? 0);
    heights.fill(top + h, left, left + w);
    placed.set(id, { x: left, y: top, w, h });
  }
  return placed;
}

function within(value: number, min: number, max: number): number {
  return Number.isFinite(value) ? Math.min(max, Math.max(min, Math.round(value))) : min;
}

/** Returns the first column of the highest free position, or the leftmost of several equally high positions. */
function freeColumn(heights: readonly number[], w: number): number {
  const tops = Array.from({ length: gridColumns - w + 1 }, (_, x) => bottomAt(heights, x, w));
  return tops.indexOf(Math.min(...tops));
}

function bottomAt(heights: readonly number[], x: number, w: number): number {
  return Math.max(...heights.slice(x, x + w));
}

export function bottomOf(layout: readonly Omit<LayoutItem, 'i'>[]): number {
  return Math.max(0, ...layout.map(({ y, h }) => (y ?? 0) + (h ?? 1)));
}
