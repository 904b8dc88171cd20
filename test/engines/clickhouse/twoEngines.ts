/** Runs plans on DuckDB and on ClickHouse, and compares the JSON of each cell. */
import { typeName } from '../../../local/src/engines/clickhouse/sql/types.ts';
import { quotedName, quotedText } from '../../../local/src/engines/clickhouse/sql/value.ts';
import { loadTranslator } from '../../../local/src/engines/clickhouse/translator.ts';
import { jsonOf } from '../../../local/src/engines/duckdb/json.ts';
import type { Plan, PlannedTable } from '../../../local/src/planner/plan.ts';
import type { DatasetLayout } from '../../../local/src/store/layout.ts';
import { canonical, isList, parsedJson } from '../../local/planner/evaluatorValues.ts';
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

/** A DuckDB whose rows have strings where their SQL is text. */
export interface Rows {
  rows(sql: string): Promise<readonly (readonly unknown[])[]>;
}

/** Copies the table of a dataset from DuckDB. Its columns are read through text, which has all digits. */
export async function copyTable(layout: DatasetLayout, duckdb: Rows, server: TestServer) {
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
  readonly #duckdb: Rows;
  readonly #server: TestServer;
  readonly #layouts: readonly DatasetLayout[];

  constructor(duckdb: Rows, server: TestServer, layouts: readonly DatasetLayout[]) {
    this.#duckdb = duckdb;
    this.#server = server;
    this.#layouts = layouts;
  }

  /** Compares the tables of a plan. `sameRows` compares the rows of the first one, by default in their order. */
  async compare({ main, totals }: Plan, sameRows: SameRows = inOrderOf(main)): Promise<Outcome> {
    const first = await this.#compareTable(main, sameRows);
    if (totals === undefined || !['equal', 'rounded'].includes(first.kind)) return first;
    const second = await this.#compareTable(totals, inOrderOf(totals));
    return second.kind === 'equal' ? first : second;
  }

  async #compareTable(table: PlannedTable, sameRows: SameRows): Promise<Outcome> {
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
    if (sameRows(expected, actual, (a, b) => a === b)) return { kind: 'equal' };
    if (sameRows(expected, actual, isRounded)) return { kind: 'rounded' };
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

  #duckdbRows({ sql, columns }: PlannedTable): Promise<readonly Row[]> {
    const names = columns.map((_, i) => `c${i}`);
    const cells = columns.map(({ type }, i) => jsonOf(type, `c${i}`));
    return this.#duckdb.rows(`SELECT ${cells.join(', ')} FROM (${sql}) AS t(${names.join(', ')})`);
  }

  async #clickhouseRows({ sql, columns }: PlannedTable): Promise<unknown[][]> {
    const names = columns.map((_, i) => `c${i}`);
    const cells = columns.map(({ type }, i) => `json_cell('${type}', c${i}) AS r${i}`);
    const written = `SELECT ${cells.join(', ')} FROM (${sql}) AS t(${names.join(', ')})`;
    const { sql: statement } = translateStatement(written, (name) => {
      const plain = (table: string) => table.replaceAll('"', '');
      const layout = this.#layouts.find(({ table }) => plain(table) === plain(name));
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

export type Row = readonly unknown[];
/** Returns whether two cells of a column, which are JSON, are the same. */
export type Same = (a: unknown, b: unknown, column: number) => boolean;
export type SameRows = (a: readonly Row[], b: readonly Row[], same: Same) => boolean;

/** Compares rows in order. Rows that are equal in the columns by which the table is sorted may be in any order. */
export function inOrderOf({ order, columns }: PlannedTable): SameRows {
  const keys = order.map(({ field }) => columns.findIndex(({ name }) => name === field));
  return (a, b, same) => {
    const keysOf = (row: Row) => keys.map((i) => row[i]);
    return (
      a.length === b.length &&
      a.every((row, i) => isSameRow(keysOf(row), keysOf(b[i]!), same)) &&
      isPartOf(a, b, same)
    );
  };
}

function isSameRow(a: Row, b: Row, same: Same): boolean {
  return a.every((cell, i) => same(cell, b[i], i));
}

/** Returns whether each row has a counterpart of its own among other rows, in any order. */
export function isPartOf(rows: readonly Row[], others: readonly Row[], same: Same): boolean {
  const left = [...others];
  return rows.every((row) => {
    const found = left.findIndex((other) => isSameRow(row, other, same));
    if (found >= 0) left.splice(found, 1);
    return found >= 0;
  });
}

/** Compares rows whose lists in some columns may have their items in any order. */
export function ignoringItemOrder(
  sameRows: SameRows,
  isLoose: (column: number) => boolean,
): SameRows {
  const sorted = (rows: readonly Row[]) =>
    rows.map((row) => row.map((cell, i) => (isLoose(i) ? withSortedItems(String(cell)) : cell)));
  return (a, b, same) => sameRows(sorted(a), sorted(b), same);
}

function withSortedItems(json: string): string {
  const list = parsedJson(json);
  return isList(list) ? `[${list.map(canonical).sort().join()}]` : json;
}

const number = /-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/gi;

/** Returns whether two cells are equal except for the last digits of their numbers. */
function isRounded(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const [x, y] = [String(a), String(b)];
  if (x.replace(number, '0') !== y.replace(number, '0')) return false;
  const others = y.match(number) ?? [];
  return (x.match(number) ?? []).every((text, i) => {
    const other = others[i] as string;
    // Integers have all digits.
    if (!/[.e]/i.test(text + other)) return text === other;
    const [p, q] = [Number(text), Number(other)];
    return Math.abs(p - q) <= Math.abs(p) * 1e-15;
  });
}
