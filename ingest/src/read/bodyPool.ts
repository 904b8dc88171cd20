// Pools the memory of sent bodies for reuse. Allocating and freeing megabytes per batch costs more than reading the
// file, and uncollected garbage accumulates.
const KEPT_MAX = 8;

export class BodyPool {
  readonly #kept: ArrayBuffer[] = [];

  /** Returns pooled memory of at least `capacity` bytes, if there is any. */
  take(capacity: number): Buffer<ArrayBuffer> | undefined {
    const at = this.#kept.findIndex(({ byteLength }) => byteLength >= capacity);
    const [buffer] = at < 0 ? [] : this.#kept.splice(at, 1);
    return buffer && Buffer.from(buffer);
  }

  give(buffer: ArrayBuffer): void {
    if (this.#kept.length < KEPT_MAX) this.#kept.push(buffer);
  }
}
