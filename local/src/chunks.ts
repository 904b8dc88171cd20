/** Bytes in the pieces in which they came. They are put together only where somebody needs them whole. */
export class Chunks {
  readonly list: readonly Buffer[];
  /** Bytes in all. */
  readonly length: number;
  #whole: Buffer | undefined;

  constructor(list: readonly Buffer[]) {
    this.list = list;
    this.length = list.reduce((sum, chunk) => sum + chunk.length, 0);
  }

  /** All bytes; the same buffer each time. */
  whole(): Buffer {
    this.#whole ??= this.list.length === 1 ? this.list[0]! : Buffer.concat(this.list, this.length);
    return this.#whole;
  }
}
