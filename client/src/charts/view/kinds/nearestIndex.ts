/** Returns the index of the time nearest to `value`; with a nonzero `bin`, the index of the bin that contains it. */
export function nearestIndex(
  times: readonly number[],
  value: number,
  bin: number,
): number | undefined {
  if (times.length === 0) return undefined;
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((times[middle] as number) <= value) low = middle;
    else high = middle - 1;
  }
  if (bin > 0) return low;
  const next = times[low + 1];
  return next !== undefined && next - value < value - (times[low] as number) ? low + 1 : low;
}
