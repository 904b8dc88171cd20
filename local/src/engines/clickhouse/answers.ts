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
import { ROW_COLUMN } from './columns.ts';
import type { ClickHouseEvents } from './events.ts';
import type { LayoutOf } from './status.ts';
import type { Translator } from './translator.ts';

export class ClickHouseAnswers implements AnswerEngine {
  readonly name = 'ClickHouse' as const;
  readonly #events: ClickHouseEvents;
  readonly #layoutOf: LayoutOf;
  readonly #translator: Translator;

  constructor(events: ClickHouseEvents, layoutOf: LayoutOf, translator: Translator) {
    this.#events = events;
    this.#translator = translator;
    this.#layoutOf = layoutOf;
  }

  use<T>(_plan: Plan, work: (reader: AnswerReader) => Promise<T>, signal: AbortSignal): Promise<T> {
    return work(new ClickHouseReader((sql) => this.rows(sql, signal)));
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
}

type ReadRows = (sql: string) => Promise<unknown[][]>;

const clickhouseSql: AnswerSql = {
  cell: (wireType, column) => `json_cell('${wireType}', ${column})`,
  groupId: (key) => `group_id(${key})`,
};

class ClickHouseReader implements AnswerReader {
  readonly #rows: ReadRows;

  constructor(rows: ReadRows) {
    this.#rows = rows;
  }

  readonly sql = clickhouseSql;

  async computeTables({ main, totals }: TablesToCompute): Promise<readonly Computed[]> {
    const tables = totals === undefined ? [main] : [main, totals];
    return Promise.all(tables.map((table) => this.#compute(table)));
  }

  async computeSeries({ table, count }: Computed): Promise<Computed> {
    const { cut: _cut, ...whole } = table;
    const rows = `(${numbered(rowsSql(table))})`;
    const found = await this.#rows(seriesSql(table, rows, count, clickhouseSql));
    const first = [joined(found.map(([text]) => text as string))];
    return { table: whole, parts: [seriesPart], count: found.length, isCut: false, first };
  }

  async readCount(sql: string): Promise<number> {
    const [row] = await this.#rows(sql);
    return Number(row![0]);
  }

  async readEnds(shown: Computed): Promise<Ends> {
    if (shown.rows !== undefined || shown.ends === undefined)
      throw new Error('The ends were not computed.');
    return shown.ends;
  }

  async *chunks({ parts, first }: Computed): AsyncGenerator<Uint8Array> {
    for (const [i, { open, close }] of parts.entries()) {
      yield Buffer.from(open);
      yield first[i]!;
      yield Buffer.from(close);
    }
  }

  async drop(): Promise<void> {}

  async #compute({ table, parts, hasEnds }: TableParts): Promise<Computed> {
    if (table.isEmpty) {
      return { table, parts, count: 0, isCut: false, first: parts.map(() => new Uint8Array()) };
    }
    const ends = hasEnds === true && table.cursor !== undefined ? endItems(table) : [];
    const items = [
      ...parts.map(({ row }) => row),
      ...ends,
      ...(table.hasRowCount ? [countColumn(table)] : []),
    ];
    const named = items.map((item, i) => `${item} AS r${i}`);
    if (named.length === 0) named.push('1 AS r0');
    const usesNumbers = parts.some(({ row }) => /\browid\b/.test(row));
    const source = usesNumbers ? numbered(rowsSql(table)) : rowsSql(table);
    const found = await this.#rows(`SELECT ${named.join(', ')} FROM (${source})`);
    const limit = table.cut?.limit ?? found.length;
    const shown = found.slice(0, limit);
    const last = parts.length + ends.length;
    const aggregated = table.hasRowCount && found.length > 0 ? Number(found[0]![last]) : undefined;
    return {
      ...{ table, parts, aggregated },
      count: shown.length,
      isCut: found.length > limit,
      first: parts.map((_, i) => joined(shown.map((row) => row[i] as string))),
      ...(ends.length > 0 && shown.length > 0 && { ends: endsOf(shown, parts.length) }),
    };
  }
}

function numbered(sql: string): string {
  return `SELECT row_number() OVER () - 1 AS rowid, * FROM (${sql})`;
}

function joined(texts: readonly string[]): Uint8Array {
  return Buffer.from(texts.join(','));
}

function endItems(table: PlannedTable): readonly string[] {
  const [time, row] = cursorColumns(table);
  const last = table.lastRowSql === undefined ? 'NULL::BIGINT' : LAST_ROW;
  return [`epoch_ns(${time})`, row, last];
}

/** Returns the ends of rows whose cells from `first` on are those of `endItems`. */
function endsOf(rows: readonly (readonly unknown[])[], first: number): Ends {
  const positions = rows.map((row) => {
    const [time, number] = row.slice(first, first + 2) as [string, string];
    return { time: BigInt(time), row: BigInt(number) };
  });
  const isBefore = (a: (typeof positions)[0], b: (typeof positions)[0]) =>
    a.time < b.time || (a.time === b.time && a.row < b.row);
  const oldest = positions.reduce((a, b) => (isBefore(b, a) ? b : a));
  const newest = positions.reduce((a, b) => (isBefore(a, b) ? b : a));
  const last = rows[0]![first + 2] as string | null;
  return [oldest.time, oldest.row, newest.time, newest.row, last === null ? null : BigInt(last)];
}
