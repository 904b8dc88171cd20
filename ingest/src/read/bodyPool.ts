// Pools the memory of sent bodies for reuse. Allocating and freeing megabytes per batch costs more than reading the
// file, and uncollected garbage accumulates.
const BUFFERS_MAX = 8;

export class BodyPool {
  readonly #buffers: ArrayBuffer[] = [];

  /** Returns pooled memory of at least `capacity` bytes, if there is any. */
  take(capacity: number): Buffer<ArrayBuffer> | undefined {
    const at = this.#buffers.findIndex(({ byteLength }) => byteLength >= capacity);
    const [buffer] = at < 0 ? [] : this.#buffers.splice(at, 1);
    return buffer && Buffer.from(buffer);
  }

  give(buffer: ArrayBuffer): void {
    if (this.#buffers.length < BUFFERS_MAX) this.#buffers.push(buffer);
  }
}
