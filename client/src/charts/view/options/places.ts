/** Divides a plot into one cell for each statistic. */

export interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Returns a grid of equal cells, preferably wider than high. */
export function places(count: number, width: number, height: number): Place[] {
  let columns = 1;
  while (
    columns < count &&
    width / (columns + 1) >= 150 &&
    width / columns > (height / Math.ceil(count / columns)) * 1.6
  )
    columns += 1;
  const rows = Math.ceil(count / columns);
  return Array.from({ length: count }, (_, index) => ({
    left: ((index % columns) * width) / columns,
    top: (Math.floor(index / columns) * height) / rows,
    width: width / columns,
    height: height / rows,
  }));
}
