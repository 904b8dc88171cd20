// Generates seeded random numbers (sfc32) with the distributions typical of telemetry.

export class Random {
  #a = 0;
  #b = 0;
  #c = 0;
  #counter = 1;
  #spareNormal: number | undefined;

  /** Equal seeds give equal sequences. */
  constructor(...seeds: readonly number[]) {
    let state = 0x9e3779b9;
    const mixed = (seed: number) => {
      state = hash(state, seed);
      return state;
    };
    for (const seed of seeds) {
      // A seed may exceed 32 bits.
      mixed(seed);
      mixed(Math.floor(seed / 2 ** 32));
    }
    this.#a = mixed(1);
    this.#b = mixed(2);
    this.#c = mixed(3);
    for (let index = 0; index < 12; index += 1) this.bits();
  }

  /** Returns 32 random bits as a nonnegative integer. */
  bits(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    this.#c |= 0;
    return sum >>> 0;
  }

  /** Returns a number of at least 0 and less than 1. */
  unit(): number {
    return this.bits() / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.unit();
  }

  /** Returns an integer of at least 0 and less than `count`. */
  below(count: number): number {
    return Math.floor(this.unit() * count);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  normal(): number {
    if (this.#spareNormal !== undefined) {
      const spare = this.#spareNormal;
      this.#spareNormal = undefined;
      return spare;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - this.unit()));
    const angle = 2 * Math.PI * this.unit();
    this.#spareNormal = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }

  logNormal(median: number, sigma: number): number {
    return median * Math.exp(sigma * this.normal());
  }

  /** Returns an integer of at least 0 and less than `count`, small ones far more often than large ones. */
  rank(count: number): number {
    const unit = this.unit();
    return Math.floor(count * unit * unit * unit);
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}

/** Picks values by weight in constant time. */
export class Weighted<T> {
  readonly #weightedItems: readonly T[];

  constructor(items: readonly (readonly [value: T, weight: number])[]) {
    const total = items.reduce((sum, [, weight]) => sum + weight, 0);
    this.#weightedItems = items.flatMap(([value, weight]) =>
      new Array<T>(Math.max(1, Math.round((1_000 * weight) / total))).fill(value),
    );
  }

  pick(random: Random): T {
    return random.of(this.#weightedItems);
  }
}

/** Returns 32 bits derived from two integers. */
export function hash(a: number, b: number): number {
  let mixed = Math.imul(a ^ 0x85ebca6b, 0xcc9e2d51) ^ Math.imul(b | 0, 0x1b873593);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Returns a smooth curve between 0 and 1, determined by a key. It changes direction about once per unit of `at`. */
export function smoothNoise(key: number, at: number): number {
  const cell = Math.floor(at);
  const part = at - cell;
  const weight = part * part * (3 - 2 * part);
  const left = hash(key, cell) / 2 ** 32;
  const right = hash(key, cell + 1) / 2 ** 32;
  return left + (right - left) * weight;
}
