// Memory of bodies that were sent, to be written again. To get megabytes from the system for each batch and give
// them back costs more than to read the file, and what is not collected yet adds up.
const KEPT_MAX = 8;

export class BodyPool {
  readonly #kept: ArrayBuffer[] = [];

  /** Memory of at least that size, if there is some. */
  take(capacity: number): Buffer<ArrayBuffer> | undefined {
    const at = this.#kept.findIndex(({ byteLength }) => byteLength >= capacity);
    const [buffer] = at < 0 ? [] : this.#kept.splice(at, 1);
    return buffer && Buffer.from(buffer);
  }

  give(buffer: ArrayBuffer): void {
    if (this.#kept.length < KEPT_MAX) this.#kept.push(buffer);
  }
}
