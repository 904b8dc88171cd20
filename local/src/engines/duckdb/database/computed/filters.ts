/** Applies signal filters to series and fills the gaps in series. A gap is NaN. */

/** Returns sums of `kernel` times the current and earlier items, divided by `gain`. */
export function fir(x: Float64Array, kernel: Float64Array, gain: number): Float64Array {
  return x.map((_, i) => weightedSum(x, kernel, i, 0) / gain);
}

/** Applies a recursive filter. `a` contains the divisor, followed by the weights of earlier outputs. */
export function iir(x: Float64Array, b: Float64Array, a: Float64Array): Float64Array {
  const y = new Float64Array(x.length);
  for (let i = 0; i < x.length; i++) {
    y[i] = (weightedSum(x, b, i, 0) - weightedSum(y, a, i, 1)) / (a[0] ?? Number.NaN);
  }
  return y;
}

function weightedSum(items: Float64Array, weights: Float64Array, i: number, from: number): number {
  let sum = weights.length === 0 ? Number.NaN : 0;
  const end = Math.min(weights.length, i + 1);
  for (let lag = from; lag < end; lag++)
    sum += (weights[lag] as number) * (items[i - lag] as number);
  return sum;
}

/** Functions that fill gaps in a series, by the last word of the APL function's name. */
export const fills: Readonly<Record<string, (x: Float64Array) => Float64Array>> = {
  // Gaps at the start get the first number, as in the documentation's example outputs.
  forward: (x) => fillBackward(fillForward(x)),
  backward: fillBackward,
  linear: interpolate,
};

function fillForward(x: Float64Array): Float64Array {
  const filled = x.slice();
  for (let i = 1; i < filled.length; i++) {
    if (Number.isNaN(filled[i])) filled[i] = filled[i - 1] as number;
  }
  return filled;
}

function fillBackward(x: Float64Array): Float64Array {
  return fillForward(x.slice().reverse()).reverse();
}

/** Interpolates gaps, and fills those at both ends with the nearest number. */
function interpolate(x: Float64Array): Float64Array {
  const filled = fillBackward(fillForward(x));
  let from = -1;
  for (let to = 0; to < x.length; to++) {
    if (Number.isNaN(x[to])) continue;
    const [a, b] = [x[from] as number, x[to] as number];
    for (let i = from + 1; from >= 0 && i < to; i++) {
      filled[i] = a + ((b - a) * (i - from)) / (to - from);
    }
    from = to;
  }
  return filled;
}
