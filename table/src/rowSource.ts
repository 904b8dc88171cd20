/**
 * The rows that the writers in `export/` read, synchronously and in display order. A writer calls `pause` regularly, so
 * that other requests are served and a cancelled export ends.
 */
import type { AnswerField } from './answer.ts';
import type { Cell } from './result.ts';

export type SourceColumn = Pick<AnswerField, 'name' | 'type' | 'unit'>;

export interface RowSource {
  /** The answer's title, with the table's name if there are several tables. */
  readonly name: string;
  /** The columns in display order, without hidden columns if the request excludes them. */
  readonly columns: readonly SourceColumn[];
  readonly rowCount: number;
  /**
   * Returns the value at a valid row and column. Integers beyond 2^53 are bigint, times are strings, -0 is -0, and
   * dynamic values are arrays and objects.
   */
  cell(row: number, column: number): Cell;
  /**
   * Returns the value as exact text, or null for null. Numbers have the service's text, such as `-0.0` or `1e400`, even
   * if `cell` returns a rounded double. Dynamic values are JSON without spaces.
   */
  text(row: number, column: number): string | null;
}

export interface LongTask {
  /** Whether it is time to call `pause`. Cheap enough to read for every row. */
  readonly due: boolean;
  /** Reports progress, serves waiting requests, and throws `Cancelled` if the task was cancelled. */
  pause(done: number, total: number): Promise<void>;
}

/** Thrown when a task was cancelled. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
  constructor() {
    super('Cancelled.');
  }
}
