/**
 * Places the charts of a dashboard on its grid of 12 columns. A layout written by hand may overlap, leave charts out or
 * exceed the grid. Overlapping charts move down, and charts without a place come last.
 */

export const gridColumns = 12;
const rowsMax = 100;
/** The maximum row of a chart's top: enough for the service's maximum number of charts in one column. */
const topMax = 20_000;

export interface Place {
  /** The first column, from 0. */
  readonly x: number;
  /** The first row, from 0. */
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

interface Sized {
  readonly id: string;
  /** The size if the layout doesn't have the chart. */
  readonly size: { readonly w: number; readonly h: number };
}

/** Returns places without overlaps, by the ids of the charts. */
export function places(
  charts: readonly Sized[],
  layout: readonly LayoutItem[],
): ReadonlyMap<string, Place> {
  const items = new Map(layout.map((item) => [item.i, item]));
  const wanted = charts.map(({ id, size }, index) => {
    const item = items.get(id);
    const w = within(item?.w ?? size.w, 1, gridColumns);
    return {
      id,
      index,
      w,
      h: within(item?.h ?? size.h, 1, rowsMax),
      x: item?.x === undefined ? undefined : within(item.x, 0, gridColumns - w),
      y: item?.y == null ? undefined : within(item.y, 0, topMax),
    };
  });
  // Place charts from the top, and charts without a row last, in the order of the document.
  const last = Number.POSITIVE_INFINITY;
  wanted.sort(
    (a, b) => (a.y ?? last) - (b.y ?? last) || (a.x ?? 0) - (b.x ?? 0) || a.index - b.index,
  );
  const heights = new Array<number>(gridColumns).fill(0);
  const placed = new Map<string, Place>();
  for (const { id, x, y, w, h } of wanted) {
    const place = y === undefined ? freePlace(heights, w, h) : movedDown(heights, x ?? 0, y, w, h);
    for (let column = place.x; column < place.x + w; column += 1) {
      heights[column] = Math.max(heights[column] as number, place.y + h);
    }
    placed.set(id, place);
  }
  return placed;
}

function within(value: number, min: number, max: number): number {
  return Number.isFinite(value) ? Math.min(max, Math.max(min, Math.round(value))) : min;
}

function movedDown(heights: readonly number[], x: number, y: number, w: number, h: number): Place {
  const floor = Math.max(...heights.slice(x, x + w));
  return { x, y: Math.max(floor, y), w, h };
}

/** Returns the leftmost of the highest free places. */
function freePlace(heights: readonly number[], w: number, h: number): Place {
  let best: Place | undefined;
  for (let x = 0; x + w <= gridColumns; x += 1) {
    const y = Math.max(...heights.slice(x, x + w));
    if (best === undefined || y < best.y) best = { x, y, w, h };
  }
  return best as Place;
}

/** Returns the first row below all charts. */
export function bottomOf(layout: readonly LayoutItem[]): number {
  return Math.max(0, ...layout.map(({ y, h }) => (y ?? 0) + (h ?? 1)));
}
