/**
 * Reads rows in ClickHouse's format Native: blocks of rows, which have the values of one column after those of another.
 * All columns are strings. See https://clickhouse.com/docs/interfaces/formats/Native
 */

const COMMA = 0x2c;

/** Takes whole values of a column, each after a comma. */
export type TakeValues = (column: number, values: Uint8Array) => Promise<void> | void;

/**
 * Passes the values of the first `limit` rows on as they arrive, and returns the number of all rows. Changes the chunks:
 * commas replace the lengths of the values.
 */
export async function readRows(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
  take: TakeValues,
): Promise<number> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    return await readBlocks(new Bytes(iterator), limit, take);
  } finally {
    await iterator.return?.();
  }
}

async function readBlocks(bytes: Bytes, limit: number, take: TakeValues): Promise<number> {
  let count = 0;
  while (!(await bytes.isAtEnd())) {
    const [columns, rows] = [await bytes.number(), await bytes.number()];
    const beyond = Math.max(0, rows - Math.max(0, limit - count));
    for (let column = 0; column < columns; column += 1) {
      const [name, type] = [await bytes.text(), await bytes.text()];
      if (type !== 'String') throw new Error(`The column ${name} has the type ${type}.`);
      for (let left = rows; left > 0; ) {
        const isTaken = left > beyond;
        const values = bytes.values(isTaken ? left - beyond : left);
        if (isTaken && values.count > 0) await take(column, values.bytes);
        left -= values.count;
        if (values.count === 0) await bytes.more();
      }
    }
    count += rows;
  }
  return count;
}

class Bytes {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #bytes: Uint8Array = new Uint8Array();
  #at = 0;
  /** The number of bytes from `#at` on that the next value needs. */
  #needed = 1;

  constructor(chunks: AsyncIterator<Uint8Array>) {
    this.#chunks = chunks;
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#at === this.#bytes.length) {
      const { value, done } = await this.#chunks.next();
      if (done) return true;
      [this.#bytes, this.#at] = [value, 0];
    }
    return false;
  }

  /** Adds chunks, at least until the next value is complete. */
  async more(): Promise<void> {
    const parts = [this.#bytes.subarray(this.#at)];
    let length = parts[0]!.length;
    do {
      const { value, done } = await this.#chunks.next();
      if (done) throw new Error('The rows of ClickHouse end early.');
      parts.push(value);
      length += value.length;
    } while (length < this.#needed);
    [this.#bytes, this.#at] = [Buffer.concat(parts), 0];
  }

  async number(): Promise<number> {
    for (;;) {
      const found = this.#numberAt(this.#at);
      if (found !== undefined) {
        this.#at = found.end;
        return found.value;
      }
      await this.more();
    }
  }

  async text(): Promise<string> {
    const length = await this.number();
    this.#needed = length;
    if (this.#at + length > this.#bytes.length) await this.more();
    this.#needed = 1;
    this.#at += length;
    return Buffer.from(this.#bytes.subarray(this.#at - length, this.#at)).toString();
  }

  /** Returns the values that are complete, at most `max`. */
  values(max: number): { readonly count: number; readonly bytes: Uint8Array } {
    const pieces: Uint8Array[] = [];
    let [start, at, count] = [this.#at, this.#at, 0];
    this.#needed = 1;
    while (count < max) {
      const length = this.#numberAt(at);
      if (length === undefined) break;
      const end = length.end + length.value;
      if (end > this.#bytes.length) {
        this.#needed = end - at;
        break;
      }
      if (length.end - at > 1) {
        // The comma takes the place of the last byte of the length.
        pieces.push(this.#bytes.subarray(start, at));
        start = length.end - 1;
      }
      this.#bytes[length.end - 1] = COMMA;
      at = end;
      count += 1;
    }
    this.#at = at;
    pieces.push(this.#bytes.subarray(start, at));
    return { count, bytes: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces) };
  }

  /** Reads a number in groups of 7 bits, the lowest first. Returns undefined if it isn't complete. */
  #numberAt(at: number): { readonly value: number; readonly end: number } | undefined {
    let [value, factor] = [0, 1];
    for (let end = at; end < this.#bytes.length; ) {
      const byte = this.#bytes[end++]!;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return { value, end };
      factor *= 0x80;
    }
    return undefined;
  }
}
