/** A heatmap's color scale. It is logarithmic if a few large values would make all other values look alike. */
import type { HeatmapData } from '../../../../../table/src/chart/chart.ts';

/**
 * The maximum ratio between the largest and the smallest positive value on a linear scale, unless there are negative
 * values.
 */
const linearMax = 100;

/** Returns the scale. `least` and `greatest` label its ends, and `placeOf` returns a position from 0 to 1. */
export function heatScale({ cells }: Pick<HeatmapData, 'cells'>) {
  let [least, greatest, leastPositive] = [0, 0, Number.POSITIVE_INFINITY];
  for (const [, , value] of cells) {
    if (value < least) least = value;
    if (value > greatest) greatest = value;
    if (value > 0 && value < leastPositive) leastPositive = value;
  }
  const isLogarithmic = least === 0 && greatest > linearMax * leastPositive;
  if (!isLogarithmic) {
    const span = greatest - least || 1;
    return { isLogarithmic, least, greatest, placeOf: (value: number) => (value - least) / span };
  }
  const hasZeros = cells.some(([, , value]) => value === 0);
  const decades = Math.log10(greatest / leastPositive);
  // Give zero a separate color below that of the smallest positive number.
  const first = hasZeros ? 0.1 : 0;
  return {
    isLogarithmic,
    least: hasZeros ? 0 : leastPositive,
    greatest,
    placeOf: (value: number) =>
      value === 0 ? 0 : first + ((1 - first) * Math.log10(value / leastPositive)) / decades,
  };
}
