/** Runs plans on DuckDB and on ClickHouse, and compares the JSON of each cell. */
import { typeName } from '../../../local/src/engines/clickhouse/sql/types.ts';
import { quotedName, quotedText } from '../../../local/src/engines/clickhouse/sql/value.ts';
import { loadTranslator } from '../../../local/src/engines/clickhouse/translator.ts';
import { jsonOf } from '../../../local/src/engines/duckdb/json.ts';
import type { Plan, PlannedTable } from '../../../local/src/planner/plan.ts';
import type { DatasetLayout } from '../../../local/src/store/layout.ts';
import type { Engine } from '../../local/planner/engine.ts';
import type { TestServer } from '../server/testServer.ts';

const { columnsOfLayout, NotOnEngine, querySettings, translateStatement } = await loadTranslator();

/** The result of a comparison. `rounded` answers differ in the last digit of a number. */
export type Outcome =
  | { readonly kind: 'equal' | 'rounded' }
  /** ClickHouse has no equivalent of `feature`. */
  | { readonly kind: 'refused'; readonly feature: string }
  /** The statement refused a value that it read. */
  | { readonly kind: 'refusedValue'; readonly message: string }
  | { readonly kind: 'different'; readonly message: string };

const settings = Object.fromEntries(
  Object.entries(querySettings).map(([name, value]) => [name, String(value)]),
);

const ROW_COLUMN = '_row';

/** Copies the table of a dataset from DuckDB. Its columns are read through text, which has all digits. */
export async function copyTable(layout: DatasetLayout, duckdb: Engine, server: TestServer) {
  const columns = columnsOfLayout(layout, ROW_COLUMN);
  const types = columns.map(({ type }) => typeName(type));
  const names = columns.map(({ name, stored = name }) => quotedName(stored));
  const definitions = names.map((name, i) => `${name} ${types[i]}`);
  await server.run(`CREATE OR REPLACE TABLE ${layout.table} (${definitions.join(', ')})
    ENGINE = MergeTree ORDER BY tuple()`);
  const texts = columns.map(({ name }) => `CAST("${name.replaceAll('"', '""')}" AS VARCHAR)`);
  const rows = await duckdb.rows(`SELECT ${texts.join(', ')} FROM ${layout.table} ORDER BY rowid`);
  if (rows.length === 0) return;
  const tuples = rows.map((row) => {
    const cells = row.map((cell, i) =>
      cell === null ? 'NULL' : `CAST(${quotedText(String(cell))}, ${quotedText(types[i]!)})`,
    );
    return `(${cells.join(', ')})`;
  });
  await server.run(`INSERT INTO ${layout.table} VALUES ${tuples.join(', ')}`, settings);
}

export class TwoEngines {
  readonly #duckdb: Engine;
  readonly #server: TestServer;
  readonly #layouts: readonly DatasetLayout[];

  constructor(duckdb: Engine, server: TestServer, layouts: readonly DatasetLayout[]) {
    this.#duckdb = duckdb;
    this.#server = server;
    this.#layouts = layouts;
  }

  async compare({ main, totals }: Plan): Promise<Outcome> {
    const first = await this.#compareTable(main);
    return totals === undefined || first.kind !== 'equal' ? first : this.#compareTable(totals);
  }

  async #compareTable(table: PlannedTable): Promise<Outcome> {
    const expected = await this.#duckdbRows(table);
    let actual: unknown[][];
    try {
      actual = await this.#clickhouseRows(table);
    } catch (error) {
      if (error instanceof NotOnEngine) return { kind: 'refused', feature: error.feature };
      const { message } = error as Error;
      if (refusedValue.test(message)) return { kind: 'refusedValue', message };
      return { kind: 'different', message };
    }
    if (sameRows(table, expected, actual, (a, b) => a === b)) return { kind: 'equal' };
    if (sameRows(table, expected, actual, isRounded)) return { kind: 'rounded' };
    const text = (rows: readonly unknown[]) =>
      rows
        .slice(0, 20)
        .map((row) => JSON.stringify(row))
        .join('\n');
    return {
      kind: 'different',
      message: `DuckDB:\n${text(expected)}\nClickHouse:\n${text(actual)}`,
    };
  }

  async #duckdbRows({ sql, columns }: PlannedTable): Promise<unknown[][]> {
    const names = columns.map((_, i) => `c${i}`);
    const cells = columns.map(({ type }, i) => jsonOf(type, `c${i}`));
    return this.#duckdb.rows(
      `SELECT ${cells.join(', ')} FROM (${sql}) AS t(${names.join(', ')})`,
    ) as Promise<unknown[][]>;
  }

  async #clickhouseRows({ sql, columns }: PlannedTable): Promise<unknown[][]> {
    const names = columns.map((_, i) => `c${i}`);
    const cells = columns.map(({ type }, i) => `json_cell('${type}', c${i}) AS r${i}`);
    const written = `SELECT ${cells.join(', ')} FROM (${sql}) AS t(${names.join(', ')})`;
    const { sql: statement } = translateStatement(written, (name) => {
      const layout = this.#layouts.find(({ table }) => table === name);
      return layout && columnsOfLayout(layout, ROW_COLUMN);
    });
    const text = await this.#server.run(`${statement}\nFORMAT JSONCompactEachRow`, settings);
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }
}

const refusedValue =
  /ClickHouse (?:cannot|leaves out)|A regular expression of|not a valid re2 pattern|cannot compile re2/;

type Same = (a: unknown, b: unknown) => boolean;

/** Compares rows in order. Rows that are equal in the columns by which the table is sorted may be in any order. */
function sameRows(
  table: PlannedTable,
  a: readonly unknown[][],
  b: readonly unknown[][],
  same: Same,
): boolean {
  if (a.length !== b.length) return false;
  const isSame = (one: readonly unknown[], other: readonly unknown[]) =>
    one.every((cell, i) => same(cell, other[i]));
  if (a.every((row, i) => isSame(row, b[i]!))) return true;
  const keys = table.order.map(({ field }) =>
    table.columns.findIndex(({ name }) => name === field),
  );
  const keysOf = (row: readonly unknown[]) => keys.map((i) => row[i]);
  if (!a.every((row, i) => isSame(keysOf(row), keysOf(b[i]!)))) return false;
  const sorted = (rows: readonly unknown[][]) =>
    rows.map((row) => ({ row, key: JSON.stringify(row) })).sort((x, y) => (x.key < y.key ? -1 : 1));
  const [x, y] = [sorted(a), sorted(b)];
  return x.every(({ row }, i) => isSame(row, y[i]!.row));
}

const number = /-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/gi;

/** Returns whether two cells are equal except for the last digits of their numbers. */
function isRounded(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const [x, y] = [String(a), String(b)];
  if (x.replace(number, '0') !== y.replace(number, '0')) return false;
  const others = y.match(number) ?? [];
  return (x.match(number) ?? []).every((text, i) => {
    const [p, q] = [Number(text), Number(others[i])];
    return Math.abs(p - q) <= Math.abs(p) * 1e-15;
  });
}
