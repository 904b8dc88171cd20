/** Parses a `tabular-rows` answer as it arrives. Keeps the first rows as JSON, and only counts the later rows. */

export interface Column {
  readonly name: string;
  readonly type: string;
}

interface Head {
  readonly status: {
    /** Elapsed time in microseconds. */
    readonly elapsedTime?: number;
    readonly rowsExamined?: number;
    readonly rowsMatched?: number;
    readonly isPartial?: boolean;
    readonly messages?: readonly { readonly msg?: string; readonly message?: string }[];
  };
  readonly tables?: readonly { readonly name: string; readonly fields: readonly Column[] }[];
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The first rows, each a JSON array. */
  readonly rows: readonly string[];
  /** Number of all rows, including those that aren't kept. */
  readonly rowCount: number;
}

export interface Answer {
  readonly status: Head['status'];
  readonly tables: readonly Table[];
}

/** Maximum numbers of kept rows and characters, in total for all tables. */
const ROWS_MAX = 1_000;
const TEXT_MAX = 8_000_000;

const TABLES_DEPTH = 2;
const ROWS_DEPTH = 4;

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN = new Set([91, 123]);
const CLOSE = new Set([93, 125]);

export class RowReader {
  /** The answer's JSON with empty `rows` arrays. */
  #around = '';
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The last string that may be a member name, and its offset in `#around`. */
  #stringStart = 0;
  #lastString = '';
  #inTables = false;
  #inRows = false;
  /** The JSON of the current row so far, if the row is kept. */
  #row: string | undefined;
  readonly #tables: { rows: string[]; rowCount: number }[] = [];
  #keptRows = 0;
  #keptText = 0;

  push(text: string): void {
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (code === BACKSLASH) this.#escaped = true;
        else if (code === QUOTE) {
          this.#inString = false;
          if (this.#mayBeName()) {
            from = this.#takeAround(text, from, at + 1);
            this.#lastString = this.#around.slice(this.#stringStart, -1);
          }
        }
      } else if (code === QUOTE) {
        this.#inString = true;
        if (this.#mayBeName()) {
          from = this.#takeAround(text, from, at + 1);
          this.#stringStart = this.#around.length;
        }
      } else if (OPEN.has(code)) {
        from = this.#open(text, from, at);
      } else if (CLOSE.has(code)) {
        from = this.#close(text, from, at);
      }
    }
    if (!this.#inRows) this.#takeAround(text, from, text.length);
    else if (this.#depth > ROWS_DEPTH) this.#grow(text, from, text.length);
  }

  /** Returns the parsed answer after the last piece. Throws a SyntaxError if the answer is truncated. */
  end(): Answer {
    const { status, tables = [] } = JSON.parse(this.#around) as Head;
    return {
      status,
      tables: tables.map(({ name, fields }, i) => ({
        name,
        columns: fields,
        ...(this.#tables[i] ?? { rows: [], rowCount: 0 }),
      })),
    };
  }

  #mayBeName(): boolean {
    return !this.#inRows && (this.#depth === 1 || this.#depth === ROWS_DEPTH - 1);
  }

  #open(text: string, from: number, at: number): number {
    const before = this.#depth;
    this.#depth += 1;
    if (this.#inRows) {
      if (before !== ROWS_DEPTH) return from;
      this.#row = this.#keptRows < ROWS_MAX ? '' : undefined;
      return at;
    }
    if (before === 1) this.#inTables = this.#lastString === 'tables';
    if (!this.#inTables) return from;
    if (before === TABLES_DEPTH) this.#tables.push({ rows: [], rowCount: 0 });
    if (before !== ROWS_DEPTH - 1 || this.#lastString !== 'rows') return from;
    this.#inRows = true;
    this.#takeAround(text, from, at + 1);
    return at + 1;
  }

  #close(text: string, from: number, at: number): number {
    this.#depth -= 1;
    if (!this.#inRows) return from;
    if (this.#depth === ROWS_DEPTH) {
      this.#grow(text, from, at + 1);
      this.#endRow();
      return at + 1;
    }
    if (this.#depth > ROWS_DEPTH) return from;
    this.#inRows = false;
    return at;
  }

  #grow(text: string, from: number, to: number): void {
    if (this.#row === undefined) return;
    this.#keptText += to - from;
    this.#row = this.#keptText > TEXT_MAX ? undefined : this.#row + text.slice(from, to);
  }

  #endRow(): void {
    const table = this.#tables.at(-1)!;
    table.rowCount += 1;
    if (this.#row === undefined) return;
    table.rows.push(this.#row);
    this.#keptRows += 1;
    this.#row = undefined;
  }

  #takeAround(text: string, from: number, to: number): number {
    this.#around += text.slice(from, to);
    return to;
  }
}

export function cellsOf(row: string): string[] {
  const cells: string[] = [];
  let depth = 0;
  let inString = false;
  let from = 1;
  for (let at = 1; at < row.length; at += 1) {
    const code = row.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) {
      inString = true;
    } else if (OPEN.has(code)) {
      depth += 1;
    } else if (CLOSE.has(code) && depth > 0) {
      depth -= 1;
    } else if (depth === 0 && (code === COMMA || CLOSE.has(code))) {
      if (at > from) cells.push(row.slice(from, at));
      from = at + 1;
    }
  }
  return cells;
}

const COMMA = 44;
