/**
 * Reads a result from ClickHouse as slices of JSON. ClickHouse writes each cell as JSON, separated by tabs and line
 * breaks, which JSON text escapes, so JavaScript only joins bytes and its memory doesn't grow with the answer.
 */

/** The format of the rows. ClickHouse appends it to the statement. */
export const ROWS_FORMAT = 'TSVRaw';

/** Consecutive rows of a result. */
export interface Slice {
  readonly count: number;
  /** The JSON of each column's cells, separated by commas. */
  readonly columns: readonly Uint8Array[];
}

const [TAB, LINE, COMMA] = [0x09, 0x0a, 0x2c];

/** Yields slices of about `size` rows. `chunks` are the bytes of the answer, and `width` is the number of columns. */
export async function* readSlices(
  chunks: AsyncIterable<Uint8Array>,
  width: number,
  size: number,
): AsyncGenerator<Slice> {
  let slice = new SliceWriter(width);
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; ) {
      from = slice.write(chunk, from);
      if (slice.count < size) continue;
      yield slice.end();
      slice = new SliceWriter(width);
    }
  }
  if (slice.count > 0) yield slice.end();
}

class SliceWriter {
  count = 0;
  readonly #columns: Uint8Array[][];
  #column = 0;

  constructor(width: number) {
    this.#columns = Array.from({ length: width }, () => []);
  }

  /** Writes a chunk up to the end of a cell, or of the chunk. Returns the offset of the next cell. */
  write(chunk: Uint8Array, from: number): number {
    const isLast = this.#column === this.#columns.length - 1;
    const found = chunk.indexOf(isLast ? LINE : TAB, from);
    const end = found < 0 ? chunk.length : found;
    const pieces = this.#columns[this.#column] as Uint8Array[];
    if (end > from) pieces.push(chunk.subarray(from, end));
    if (found < 0) return end;
    pieces.push(separator);
    this.#column = isLast ? 0 : this.#column + 1;
    if (isLast) this.count++;
    return end + 1;
  }

  end(): Slice {
    // Each cell is followed by a comma, so the last one is left out.
    const columns = this.#columns.map((pieces) => Buffer.concat(pieces.slice(0, -1)));
    return { count: this.count, columns };
  }
}

const separator = Uint8Array.of(COMMA);
