/** Computes answers in DuckDB. Rows that may not fit in one slice are stored in a temporary table. */
import type { ExportFormat } from '../../answers/exportFormats.ts';
import { seriesPart, seriesSql } from '../../answers/shapes.ts';
import type { Plan } from '../../planner/plan.ts';
import type { DatasetLayout } from '../../store/layout.ts';
import type { AnswerEngine, AnswerReader, AnswerSql, Ends, TablesToCompute } from '../answers.ts';
import type { Engine } from './database/engine.ts';
import type { Session } from './database/session.ts';
import { exportSql } from './exportSql.ts';
import { jsonOf } from './json.ts';
import { type DuckDBRows, drop, materializeSql, readCount, readEnds } from './resultTable.ts';
import { partChunks } from './slices.ts';
import { computeTables } from './tables.ts';

export class DuckDBAnswers implements AnswerEngine {
  readonly name = 'DuckDB' as const;
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  use<T>(plan: Plan, work: (reader: AnswerReader) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#withMacros(plan, (session) => work(new DuckDBReader(session)), signal);
  }

  async lastRowSql({ table }: DatasetLayout): Promise<string> {
    return `SELECT max(rowid) FROM ${table}`;
  }

  async export(plan: Plan, format: ExportFormat, path: string, signal: AbortSignal): Promise<void> {
    const sql = exportSql(plan.main, format, path, duckdbSql);
    await this.#withMacros(plan, (session) => session.run(sql), signal);
  }

  async check(plan: Plan): Promise<void> {
    await this.#withMacros(plan, (session) => session.rows(`EXPLAIN ${plan.main.sql}`));
  }

  async explain(plan: Plan, signal: AbortSignal): Promise<readonly string[]> {
    const explain = 'EXPLAIN ANALYZE ';
    const sql = `${explain}${plan.main.sql}`;
    const rows = await this.#withMacros(
      plan,
      (session) => session.rows<[string, string]>(sql),
      signal,
    );
    return rows.flatMap(([, text]) => {
      const all = text.trimEnd().split('\n');
      // The plan already contains the title and the statement.
      return all.slice(all.findIndex((line) => line.startsWith(explain)) + 1);
    });
  }

  async #withMacros<T>(
    { macros }: Plan,
    work: (session: Session) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    await this.#engine.createMacros(macros);
    return this.#engine.use(work, signal);
  }
}

const duckdbSql: AnswerSql = {
  cell: jsonOf,
  // Half of the hash is exact in a double.
  groupId: (key) => `hash(${key}) // 4294967296`,
};

class DuckDBReader implements AnswerReader {
  readonly sql = duckdbSql;
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  computeTables(tables: TablesToCompute): Promise<readonly DuckDBRows[]> {
    return computeTables(this.#session, tables);
  }

  async computeSeries(shown: DuckDBRows): Promise<DuckDBRows> {
    if (shown.rows === undefined) throw new Error('The rows of a series are read twice.');
    const { cut: _cut, ...whole } = shown.table;
    const sql = seriesSql(shown.table, shown.rows, shown.count, duckdbSql);
    return materializeSql(this.#session, 'series', sql, { table: whole, parts: [seriesPart] });
  }

  readCount(sql: string): Promise<number> {
    return readCount(this.#session, sql);
  }

  async readEnds(shown: DuckDBRows): Promise<Ends> {
    return shown.rows === undefined ? shown.ends! : readEnds(this.#session, shown);
  }

  async *chunks({ rows, count, parts, first }: DuckDBRows): AsyncGenerator<Uint8Array> {
    for (const [i, part] of parts.entries()) {
      yield* partChunks(this.#session, rows, count, part, first[i]!);
    }
  }

  drop(tables: readonly DuckDBRows[]): Promise<void> {
    return drop(this.#session, tables);
  }
}
