/** Computes answers in ClickHouse, from the planner's SQL in translation. Each table of an answer is one statement. */
import {
  countColumn,
  cursorColumns,
  LAST_ROW,
  rowsSql,
  seriesPart,
  seriesSql,
} from '../../answers/shapes.ts';
import type { Plan, PlannedTable } from '../../planner/plan.ts';
import type { DatasetLayout } from '../../store/layout.ts';
import type {
  AnswerEngine,
  AnswerReader,
  AnswerSql,
  Computed,
  Ends,
  TableParts,
  TablesToCompute,
} from '../answers.ts';
import { AnswerRows } from './answerRows.ts';
import { ROW_COLUMN } from './columns.ts';
import type { ClickHouseEvents } from './events.ts';
import { readRows } from './native.ts';
import type { LayoutOf } from './status.ts';
import type { Translator } from './translator.ts';

export class ClickHouseAnswers implements AnswerEngine {
  readonly name = 'ClickHouse' as const;
  readonly #events: ClickHouseEvents;
  readonly #layoutOf: LayoutOf;
  readonly #translator: Translator;
  readonly #spool: string;

  /** `spool` is a folder for answers that are too long for the memory. */
  constructor(events: ClickHouseEvents, layoutOf: LayoutOf, translator: Translator, spool: string) {
    this.#events = events;
    this.#translator = translator;
    this.#layoutOf = layoutOf;
    this.#spool = spool;
  }

  async use<T>(
    _plan: Plan,
    work: (reader: AnswerReader) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const reader = new ClickHouseReader(this.#spool, {
      rows: (sql) => this.rows(sql, signal),
      bytes: (sql) => this.#bytes(sql, signal),
    });
    try {
      return await work(reader);
    } finally {
      await reader.close();
    }
  }

  async lastRowSql(layout: DatasetLayout): Promise<string> {
    return `${(await this.#events.endOfRows(layout)) - 1n}`;
  }

  async check({ main }: Plan): Promise<void> {
    await this.#events.clickhouse.query(
      `EXPLAIN ${this.#translated(main.sql)}`,
      this.#translator.querySettings,
    );
  }

  async explain({ main }: Plan, signal: AbortSignal): Promise<readonly string[]> {
    const sql = this.#translated(main.sql);
    const rows = await this.#events.clickhouse.query<[string]>(
      `EXPLAIN indexes = 1 ${sql}`,
      this.#translator.querySettings,
      signal,
    );
    return [...sql.split('\n'), '', ...rows.map(([line]) => line)];
  }

  #translated(sql: string): string {
    const columnsOf = (table: string) => {
      const layout = this.#layoutOf(table);
      return layout && this.#translator.columnsOfLayout(layout, ROW_COLUMN);
    };
    return this.#translator.translateStatement(sql, columnsOf).sql;
  }

  /** Returns the rows of the planner's SQL. */
  rows(sql: string, signal: AbortSignal): Promise<unknown[][]> {
    return this.#events.clickhouse.query(
      this.#translated(sql),
      this.#translator.querySettings,
      signal,
    );
  }

  /** Yields the rows of the planner's SQL in the format Native, once ClickHouse has all of them. */
  #bytes(sql: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
    const settings = { ...this.#translator.querySettings, wait_end_of_query: 1 };
    return this.#events.clickhouse.bytes(
      `${this.#translated(sql)}\nFORMAT Native`,
      settings,
      signal,
    );
  }
}

/** Runs the planner's SQL. */
interface Statements {
  rows(sql: string): Promise<unknown[][]>;
  /** Yields the rows in the format Native. */
  bytes(sql: string): AsyncIterable<Uint8Array>;
}

const clickhouseSql: AnswerSql = {
  cell: (wireType, column) => `json_cell('${wireType}', ${column})`,
  groupId: (key) => `group_id(${key})`,
};

interface StoredRows extends Computed {
  readonly rows: AnswerRows;
  readonly ends?: Ends | undefined;
}

class ClickHouseReader implements AnswerReader {
  readonly #spool: string;
  readonly #statements: Statements;
  readonly #open: AnswerRows[] = [];

  constructor(spool: string, statements: Statements) {
    this.#spool = spool;
    this.#statements = statements;
  }

  readonly sql = clickhouseSql;

  async computeTables({ main, totals }: TablesToCompute): Promise<readonly StoredRows[]> {
    const tables = totals === undefined ? [main] : [main, totals];
    const computed = await Promise.allSettled(tables.map((table) => this.#compute(table)));
    return computed.map((table) => {
      if (table.status === 'rejected') throw table.reason;
      return table.value;
    });
  }

  async computeSeries({ table, count }: StoredRows): Promise<StoredRows> {
    const { cut: _cut, ...whole } = table;
    const rows = `(${numbered(rowsSql(table))})`;
    const sql = seriesSql(table, rows, count, clickhouseSql);
    return this.#read({ table: whole, parts: [seriesPart] }, `SELECT c0 AS r0 FROM (${sql})`);
  }

  async readCount(sql: string): Promise<number> {
    const [row] = await this.#statements.rows(sql);
    return Number(row![0]);
  }

  async readEnds({ ends }: StoredRows): Promise<Ends> {
    if (ends === undefined) throw new Error('The ends were not computed.');
    return ends;
  }

  async *chunks({ parts, rows }: StoredRows): AsyncGenerator<Uint8Array> {
    for (const [i, { open, close }] of parts.entries()) {
      yield Buffer.from(open);
      let isFirst = true;
      for await (const bytes of rows.read(i)) {
        yield isFirst ? bytes.subarray(1) : bytes;
        isFirst = false;
      }
      yield Buffer.from(close);
    }
  }

  async drop(): Promise<void> {}

  async close(): Promise<void> {
    for (const rows of this.#open) await rows.close();
  }

  async #compute(shown: TableParts): Promise<StoredRows> {
    const { table, parts, hasEnds } = shown;
    if (table.isEmpty) {
      const rows = new AnswerRows(this.#spool, parts.length);
      return { table, parts, rows, count: 0, isCut: false };
    }
    const items = parts.map(({ row }) => row);
    if (hasEnds === true && table.cursor !== undefined) items.push(present(positionItem(table)));
    if (table.hasRowCount) items.push(present(`CAST(${countColumn(table)} AS VARCHAR)`));
    if (items.length === 0) items.push("''");
    const named = items.map((item, i) => `${item} AS r${i}`);
    const usesNumbers = parts.some(({ row }) => /\browid\b/.test(row));
    const source = usesNumbers ? numbered(rowsSql(table)) : rowsSql(table);
    return this.#read(shown, `SELECT ${named.join(', ')} FROM (${source})`);
  }

  /** Reads the rows of `sql`, which has the parts, then a position if the ends are needed, then a row count. */
  async #read({ table, parts, hasEnds }: TableParts, sql: string): Promise<StoredRows> {
    const rows = new AnswerRows(this.#spool, parts.length);
    this.#open.push(rows);
    const ends = hasEnds === true && table.cursor !== undefined ? new EndsOfRows() : undefined;
    let aggregated: number | undefined;
    const limit = table.cut?.limit ?? Number.POSITIVE_INFINITY;
    const all = await readRows(this.#statements.bytes(sql), limit, (column, bytes) => {
      if (column < parts.length) return rows.append(column, bytes);
      const values = Buffer.from(bytes).toString('latin1').split(',').slice(1);
      if (column === parts.length && ends !== undefined) ends.add(values);
      else aggregated ??= Number(values[0]);
      return undefined;
    });
    const counts = { count: Math.min(all, limit), isCut: all > limit, aggregated };
    return { ...{ table, parts, rows, ends: ends?.found }, ...counts };
  }
}

function numbered(sql: string): string {
  return `SELECT row_number() OVER () - 1 AS rowid, * FROM (${sql})`;
}

function present(text: string): string {
  return `coalesce(${text}, '')`;
}

/** Returns SQL for the time and row number of an event, and the last row number of its dataset, as one string. */
function positionItem(table: PlannedTable): string {
  const [time, row] = cursorColumns(table);
  const numbers = [`epoch_ns(${time})`, row, ...(table.lastRowSql === undefined ? [] : [LAST_ROW])];
  return `concat(${numbers.map((number) => `CAST(${number} AS VARCHAR)`).join(", ' ', ")})`;
}

/** Finds the ends of rows from their positions. */
class EndsOfRows {
  #found: Ends | undefined;

  get found(): Ends | undefined {
    return this.#found;
  }

  add(positions: readonly string[]): void {
    for (const position of positions) {
      const [time, row, last = null] = position.split(' ').map(BigInt) as [bigint, bigint, bigint?];
      let [oldest, leastRow, newest, greatestRow] = this.#found ?? [time, row, time, row];
      if (time < oldest || (time === oldest && row < leastRow)) [oldest, leastRow] = [time, row];
      if (time > newest || (time === newest && row > greatestRow))
        [newest, greatestRow] = [time, row];
      this.#found = [oldest, leastRow, newest, greatestRow, last];
    }
  }
}
