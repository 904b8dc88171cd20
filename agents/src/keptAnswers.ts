// Keeps the latest answers, so that their remaining rows can be read without another run.
import type { AnswerTable } from './context.ts';
import { KEPT_ANSWERS_MAX, KEPT_VALUES_MAX } from './limits.ts';
import { rowCountOf } from './tableText.ts';

export class KeptAnswers {
  readonly #tables = new Map<string, AnswerTable>();
  #count = 0;

  /** Keeps a table, and returns the handle of its rows from `nextRow` on. */
  keep(table: AnswerTable, nextRow: number): string {
    this.#count += 1;
    const key = `r${this.#count}`;
    this.#tables.set(key, table);
    const values = () =>
      [...this.#tables.values()].reduce((sum, one) => sum + one.fields.length * rowCountOf(one), 0);
    // The newest answer stays, however large it is.
    while (
      this.#tables.size > KEPT_ANSWERS_MAX ||
      (this.#tables.size > 1 && values() > KEPT_VALUES_MAX)
    ) {
      this.#tables.delete(this.#tables.keys().next().value as string);
    }
    return handleOf(key, nextRow);
  }

  /** Returns the table of a handle and its first row; undefined if it is no longer kept. */
  find(handle: string): { key: string; table: AnswerTable; firstRow: number } | undefined {
    const [, key = '', row = ''] = /^(r\d+):(\d{1,9})$/.exec(handle.trim()) ?? [];
    const table = this.#tables.get(key);
    const firstRow = Number(row);
    if (table === undefined || firstRow >= rowCountOf(table)) return undefined;
    return { key, table, firstRow };
  }
}

export function handleOf(key: string, nextRow: number): string {
  return `${key}:${nextRow}`;
}
