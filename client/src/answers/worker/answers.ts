/** The answers whose rows are stored in the worker. */
import type { AnswerHead } from '../../../../table/src/answer.ts';
import type { HeldTable } from '../../../../table/src/columns/heldTable.ts';
import type { Search } from '../../../../table/src/find.ts';
import type { Following } from '../../../../table/src/following.ts';
import { Invalid } from '../../../../table/src/invalid.ts';
import type { ColumnFilter, ColumnOrder } from '../../../../table/src/viewState.ts';
import type { AnswerId, TablePlace } from '../protocol.ts';
import { Gone } from './failures.ts';

/** A table with its latest filters, order and search. */
export class OpenTable {
  readonly table: HeldTable;
  filters: readonly ColumnFilter[] = [];
  order: readonly ColumnOrder[] = [];
  following: Following | undefined;
  search: Search | undefined;
  /** The numbers of the latest arrange and search requests. An earlier request that ends later is discarded. */
  arranging = 0;
  searching = 0;
  #readers = 0;
  #waiting: (() => void)[] = [];
  #writer: Promise<void> | undefined;

  constructor(table: HeldTable) {
    this.table = table;
  }

  /** Runs a task that reads rows over several time slices. No rows are appended until it ends. */
  async reading<T>(task: () => Promise<T>): Promise<T> {
    while (this.#writer !== undefined) await this.#writer;
    this.#readers++;
    try {
      return await task();
    } finally {
      this.#readers--;
      if (this.#readers === 0) for (const wake of this.#waiting.splice(0)) wake();
    }
  }

  /** Runs a task that appends rows once no other task is reading or appending. */
  async writing<T>(task: () => Promise<T>): Promise<T> {
    while (this.#writer !== undefined || this.#readers > 0)
      await (this.#writer ?? new Promise<void>((wake) => this.#waiting.push(wake)));
    const running = task();
    const ended = running.then(
      () => {},
      () => {},
    );
    this.#writer = ended.then(() => {
      this.#writer = undefined;
    });
    return await running;
  }
}

interface HeldRows {
  readonly head: AnswerHead;
  readonly tables: readonly OpenTable[];
}

export class Answers {
  readonly #held = new Map<AnswerId, HeldRows>();

  add(id: AnswerId, head: AnswerHead, tables: readonly HeldTable[]): number {
    this.#held.set(id, { head, tables: tables.map((table) => new OpenTable(table)) });
    return this.bytes(id);
  }

  get(id: AnswerId): HeldRows {
    const held = this.#held.get(id);
    if (held === undefined) throw new Gone();
    return held;
  }

  replaceHead(id: AnswerId, head: AnswerHead): void {
    this.#held.set(id, { ...this.get(id), head });
  }

  table({ answer, table }: TablePlace): OpenTable {
    const open = this.get(answer).tables[table];
    if (open === undefined) throw new Invalid(`There is no table ${table}.`);
    return open;
  }

  drop(id: AnswerId): void {
    this.#held.delete(id);
  }

  bytes(id: AnswerId): number {
    let bytes = 0;
    for (const { table } of this.#held.get(id)?.tables ?? []) bytes += table.bytes;
    return bytes;
  }
}
