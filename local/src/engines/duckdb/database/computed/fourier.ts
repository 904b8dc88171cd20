/**
 * Computes the discrete Fourier transform of a signal of any length in O(n log n). If the length is a power of two, it
 * uses radix 2. Otherwise it uses Bluestein's algorithm, which turns the transform into a convolution.
 */

/** A signal or its transform, modified in place. The real and imaginary parts have the same length. */
interface Signal {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** Returns the transform. The inverse changes the sign of the exponent in e^(-2πi·jk/n), and divides by n. */
export function fourier(re: Float64Array, im: Float64Array, inverse: boolean): Signal {
  const n = re.length;
  // Swapping the real and imaginary parts of the input and output computes the inverse.
  const signal = inverse ? { re: im.slice(), im: re.slice() } : { re: re.slice(), im: im.slice() };
  if ((n & (n - 1)) === 0) radix2(signal, twiddleFactors(n));
  else bluestein(signal);
  if (!inverse) return signal;
  const divided = (part: Float64Array) => part.map((x) => x / n);
  return { re: divided(signal.im), im: divided(signal.re) };
}

/** Returns the twiddle factors. Computes each one directly, so that errors don't accumulate. */
function twiddleFactors(n: number): Signal {
  const re = new Float64Array(n / 2);
  const im = new Float64Array(n / 2);
  for (let j = 0; j < n / 2; j++) {
    re[j] = Math.cos((2 * Math.PI * j) / n);
    im[j] = -Math.sin((2 * Math.PI * j) / n);
  }
  return { re, im };
}

/** Transforms a signal by the Cooley-Tukey algorithm. The length must be a power of two. `turn` has the factors. */
function radix2({ re, im }: Signal, turn: Signal): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      swap(re, i, j);
      swap(im, i, j);
    }
  }
  // Copy the factors of a pass to adjacent items, because reading them with a stride would miss the cache.
  const cos = new Float64Array(n / 2);
  const sin = new Float64Array(n / 2);
  for (let half = 1; half < n; half *= 2) {
    const step = n / (2 * half);
    for (let k = 0; k < half; k++) {
      cos[k] = turn.re[k * step] as number;
      sin[k] = turn.im[k * step] as number;
    }
    pass(re, im, half, cos, sin);
  }
}

function pass(
  re: Float64Array,
  im: Float64Array,
  half: number,
  cos: Float64Array,
  sin: Float64Array,
): void {
  for (let start = 0; start < re.length; start += 2 * half) {
    for (let k = 0; k < half; k++) {
      const a = start + k;
      const b = a + half;
      const c = cos[k] as number;
      const s = sin[k] as number;
      const x = re[b] as number;
      const y = im[b] as number;
      const turnedRe = x * c - y * s;
      const turnedIm = x * s + y * c;
      const aRe = re[a] as number;
      const aIm = im[a] as number;
      re[b] = aRe - turnedRe;
      im[b] = aIm - turnedIm;
      re[a] = aRe + turnedRe;
      im[a] = aIm + turnedIm;
    }
  }
}

function swap(list: Float64Array, i: number, j: number): void {
  const kept = list[i] as number;
  list[i] = list[j] as number;
  list[j] = kept;
}

/** Since jk = (j² + k² - (k - j)²) / 2, the transform is a convolution with a chirp, which radix 2 can compute. */
function bluestein({ re, im }: Signal): void {
  const n = re.length;
  let length = 1;
  while (length < 2 * n - 1) length *= 2;
  const turn = twiddleFactors(length);
  const cos = new Float64Array(n);
  const sin = new Float64Array(n);
  // Compute i² modulo 2n, because a small angle has an accurate sine and cosine.
  for (let i = 0, square = 0; i < n; i++) {
    cos[i] = Math.cos((Math.PI * square) / n);
    sin[i] = -Math.sin((Math.PI * square) / n);
    square = (square + 2 * i + 1) % (2 * n);
  }
  const a = zeros(length);
  const b = zeros(length);
  for (let i = 0; i < n; i++) {
    const c = cos[i] as number;
    const s = sin[i] as number;
    setProduct(a, i, re[i] as number, im[i] as number, c, s);
    for (const index of [i, i === 0 ? 0 : length - i]) {
      b.re[index] = c;
      b.im[index] = -s;
    }
  }
  radix2(a, turn);
  radix2(b, turn);
  // Swap the parts of the products, so that the forward transform computes the inverse.
  for (let i = 0; i < length; i++) {
    const x = a.re[i] as number;
    const y = a.im[i] as number;
    const u = b.re[i] as number;
    const v = b.im[i] as number;
    a.im[i] = (x * u - y * v) / length;
    a.re[i] = (x * v + y * u) / length;
  }
  radix2(a, turn);
  const result = { re, im };
  for (let i = 0; i < n; i++) {
    const [x, y] = [a.im[i] as number, a.re[i] as number];
    setProduct(result, i, x, y, cos[i] as number, sin[i] as number);
  }
}

function setProduct(to: Signal, i: number, x: number, y: number, c: number, s: number): void {
  to.re[i] = x * c - y * s;
  to.im[i] = x * s + y * c;
}

function zeros(n: number): Signal {
  return { re: new Float64Array(n), im: new Float64Array(n) };
}
