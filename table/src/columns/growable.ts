/** Typed arrays that double in size as rows arrive and are trimmed afterwards. */

type NumberArray =
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Float64Array
  | BigInt64Array;

const capacityMin = 16;

export function resized<A extends NumberArray>(array: A, capacity: number): A {
  const Make = array.constructor as new (length: number) => A;
  const copy = new Make(capacity);
  const kept = capacity < array.length ? array.subarray(0, capacity) : array;
  (copy as Uint8Array).set(kept as Uint8Array);
  return copy;
}

/** Returns the array if an element fits at `index`, otherwise a copy with at least double the capacity. */
export function roomFor<A extends NumberArray>(array: A, index: number): A {
  if (index < array.length) return array;
  return resized(array, Math.max(capacityMin, index + 1, array.length * 2));
}

export function trimmed<A extends NumberArray>(array: A, length: number): A {
  return array.length === length ? array : resized(array, length);
}

/** Returns the numbers from 0 to `count - 1`, ten times as fast as `Uint32Array.from`. */
export function ascending(count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  for (let number = 0; number < count; number++) numbers[number] = number;
  return numbers;
}

/** A set of row numbers, one bit each. */
export class Bits {
  bytes = new Uint8Array(0);

  set(row: number): void {
    const byte = row >>> 3;
    if (byte >= this.bytes.length) this.bytes = roomFor(this.bytes, byte);
    this.bytes[byte] = (this.bytes[byte] as number) | (1 << (row & 7));
  }

  has(row: number): boolean {
    return (((this.bytes[row >>> 3] ?? 0) >>> (row & 7)) & 1) === 1;
  }

  /** Returns the rows `[from, length)`, renumbered from 0. */
  tail(from: number, length: number): Bits {
    const bits = new Bits();
    for (let row = from; row < length; row++) if (this.has(row)) bits.set(row - from);
    return bits;
  }

  /** Frees the unused capacity above the row count `length`. */
  trim(length: number): void {
    const bytes = (length + 7) >>> 3;
    if (bytes < this.bytes.length) this.bytes = resized(this.bytes, bytes);
  }
}
