/** A growing buffer of bytes. */
export class ByteSink {
  bytes: Uint8Array = new Uint8Array(256);
  length = 0;

  add(byte: number): void {
    if (this.length >= this.bytes.length) this.#grow(1);
    this.bytes[this.length++] = byte;
  }

  addRange(bytes: Uint8Array, from: number, to: number): void {
    const length = to - from;
    if (this.length + length > this.bytes.length) this.#grow(length);
    if (length > 48) this.bytes.set(bytes.subarray(from, to), this.length);
    else
      for (let at = from, target = this.length; at < to; at++)
        this.bytes[target++] = bytes[at] as number;
    this.length += length;
  }

  /** Removes the first `count` bytes. */
  drop(count: number): void {
    this.bytes.copyWithin(0, count, this.length);
    this.length -= count;
  }

  #grow(more: number): void {
    const larger = new Uint8Array(Math.max(this.length + more, this.bytes.length * 2));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}
