/**
 * The rows that a writer of `export/` reads, cell by cell in display order. Reading is synchronous. A writer calls
 * `pause` regularly, so that other requests are served and a cancelled export ends.
 */
import type { AnswerField } from './answer.ts';
import type { Cell } from './result.ts';

export type SourceColumn = Pick<AnswerField, 'name' | 'type' | 'unit'>;

export interface RowSource {
  /** The title of the answer, with the table's name if it has several tables. */
  readonly name: string;
  /** In display order, without hidden columns if the request excludes them. */
  readonly columns: readonly SourceColumn[];
  readonly rowCount: number;
  /**
   * The value at a row and a column, both from 0 and in bounds. Integers beyond 2^53 are bigint, times are
   * text, -0 is -0, dynamic values are arrays and objects.
   */
  cell(row: number, column: number): Cell;
  /**
   * The same value as exact text, or null for null: numbers as the service wrote them (which is JSON),
   * such as `-0.0`, `1e400` or `0.12345678901234567890`, where `cell` has the nearest double; dynamic values
   * as JSON without spaces.
   */
  text(row: number, column: number): string | null;
}

export interface LongTask {
  /** Whether enough time has passed that `pause` should be called; cheap enough to ask for every row. */
  readonly due: boolean;
  /** Reports how far the task is, serves what waits, and throws `Cancelled` if the task was cancelled. */
  pause(done: number, total: number): Promise<void>;
}

/** Thrown when a task was cancelled. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
  constructor() {
    super('Cancelled.');
  }
}
