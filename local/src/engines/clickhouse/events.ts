/** Stores events in a ClickHouse table per dataset. Nothing of a dataset is in the data folder. */
import type { Dataset as DatasetDocument } from '../../../../api/src/index.ts';
import { ApiError } from '../../errors.ts';
import {
  type Addition,
  type Dataset,
  type FieldDetails,
  inOrder,
  pickDetails,
  SYSTEM_FIELDS,
} from '../../store/datasetRecords.ts';
import type { DatasetLayout, StoredField } from '../../store/layout.ts';
import type { Log } from '../../store/storedJson.ts';
import type { ClickHouseOptions } from '../clickhouseOptions.ts';
import type { Engine } from '../duckdb/database/engine.ts';
import type { Session } from '../duckdb/database/session.ts';
import type {
  ComputedRows,
  DatasetSize,
  EventStore,
  NumberedRows,
  StoredSize,
  TrimResult,
} from '../events.ts';
import type { TimeBounds } from '../timeBounds.ts';
import { ClickHouse } from './client.ts';
import { columnOf, ROW_COLUMN, timeSql } from './columns.ts';
import type { Settings } from './driver.ts';
import { answerOf, codeOf, TABLE_EXISTS } from './failure.ts';
import { deleteFile, RowsFiles, sendRows } from './insert.ts';
import { quoteName, quoteText } from './quotes.ts';
import { RowNumbers } from './rowNumbers.ts';
import { readFound } from './sources/found.ts';
import { type Declaration, Sources } from './sources/sources.ts';
import { type ColumnRow, isOlderSql, readDataset, type TableRow, Tables } from './tables.ts';
import type { Translator } from './translator.ts';

/** The maximum number of events in the sample from which the size as JSON is estimated. */
const SAMPLED_EVENTS_MAX = 2_048;

/** ClickHouse protects tables and partitions of more than 50 GB by default. */
const ofAnySize = { max_table_size_to_drop: 0, max_partition_size_to_drop: 0 };

/** Wait until all replicas have run a change. */
const whenDone = { ...ofAnySize, alter_sync: 2, mutations_sync: 2, lightweight_deletes_sync: 2 };

export class ClickHouseEvents implements EventStore {
  readonly clickhouse: ClickHouse;
  readonly tables: Tables;
  readonly sources: Sources;
  readonly #engine: Engine;
  readonly #files: RowsFiles;
  readonly #numbers: RowNumbers;
  /** Messages about tables that are left out, which are the same at each load. */
  readonly #logged = new Set<string>();

  private constructor(
    clickhouse: ClickHouse,
    tables: Tables,
    sources: Sources,
    engine: Engine,
    spool: string,
  ) {
    this.clickhouse = clickhouse;
    this.tables = tables;
    this.sources = sources;
    this.#engine = engine;
    this.#files = new RowsFiles(spool);
    this.#numbers = new RowNumbers(async (table) => {
      const rows = await clickhouse.rows<[string]>(`SELECT max(${ROW_COLUMN}) FROM ${table}`);
      return BigInt(rows[0]![0]);
    });
  }

  /** Connects, and creates the database if it is missing. `spool` is a folder to which DuckDB can write. */
  static async open(
    options: ClickHouseOptions,
    engine: Engine,
    spool: string,
    log: Log,
    translator: Translator,
  ): Promise<ClickHouseEvents> {
    const clickhouse = await ClickHouse.open(options, log);
    const tables = new Tables(options);
    try {
      const found = await clickhouse.rows(
        `SELECT name FROM system.databases WHERE name = ${quoteText(options.database)}`,
      );
      // A user who may not create databases can still use an existing one.
      if (found.length === 0) await clickhouse.run(tables.createDatabaseSql());
    } catch (error) {
      await clickhouse.close();
      throw error;
    }
    const sources = new Sources(clickhouse, tables, translator, options.searchMs);
    return new ClickHouseEvents(clickhouse, tables, sources, engine, spool);
  }

  async load(log: Log): Promise<Dataset[]> {
    const listed = await this.#list();
    const declared = listed.flatMap(declarationOf);
    const readAgain = async (name: string) => (await this.#list(name)).flatMap(declarationOf)[0];
    const isChanged = await this.sources.refresh(declared, readAgain, log);
    return (isChanged ? await this.#list() : listed).flatMap(({ name, dataset }) => {
      if (typeof dataset !== 'string') return [dataset];
      const message = `The table ${name} of ClickHouse is left out, because ${dataset}.`;
      if (!this.#logged.has(message)) log(message);
      this.#logged.add(message);
      return [];
    });
  }

  /** Lists the datasets, or the one with a name. An unreadable one is the reason why it is. */
  async #list(name?: string): Promise<Listed[]> {
    const rows = await this.clickhouse.rows<TableRow>(this.tables.listSql(name));
    if (rows.length === 0) return [];
    const columns = await this.clickhouse.rows<ColumnRow>(this.tables.listColumnsSql(name));
    const columnsOf = Map.groupBy(columns, ([table]) => table);
    return rows.map((row) => {
      const own = columnsOf.get(row[0]) ?? [];
      return { name: row[0], columns: own, dataset: readDataset(this.tables, row, own) };
    });
  }

  async create(document: DatasetDocument): Promise<Dataset | undefined> {
    const { name, source } = document;
    if ((await this.reload(name)) !== undefined) return undefined;
    const statements =
      source === undefined
        ? this.tables.createSql(document)
        : [await this.sources.createSql(document, source)];
    for (const sql of statements) {
      try {
        await this.clickhouse.runOnce(sql);
      } catch (error) {
        if (codeOf(error) !== TABLE_EXISTS) throw answerOf(error, false);
        // Another process may have just created the dataset.
        if ((await this.reload(name)) !== undefined) return undefined;
        throw new ApiError('table-exists', { name });
      }
    }
    return this.reload(name);
  }

  /** The table that is the source of a dataset stays. */
  async delete({ layout: { name, table } }: Dataset, hide: () => void): Promise<void> {
    hide();
    await this.sources.change(async () => {
      for (const sql of this.tables.dropSql(name)) await this.clickhouse.run(sql, ofAnySize);
      this.sources.forget(name);
    });
    this.#numbers.forget(table);
    this.#engine.countWrite();
  }

  saveDocument({ document: before }: Dataset, document: DatasetDocument): Promise<void> {
    const statements = this.tables.saveSql(document, before);
    // ClickHouse computes a changed TTL for each part, which may take long for a large table.
    return this.sources.change(() => this.#runAll(statements, { ...whenDone, alter_sync: 0 }));
  }

  saveDetails(
    { layout }: Dataset,
    { variants }: StoredField,
    details: FieldDetails,
  ): Promise<void> {
    // All columns of the field get them, because a vacuum may drop some.
    const columns = variants.map(({ column }) => column);
    const sql = this.tables.saveDetailsSql(layout.name, columns, pickDetails(details));
    return this.sources.change(() => this.#runAll(sql));
  }

  async addColumns(
    _session: Session,
    { layout }: Dataset,
    additions: readonly Addition[],
  ): Promise<DatasetLayout> {
    const fields = new Map(layout.fields.map((field) => [field.name, field]));
    const columns: string[] = [];
    for (const { field: name, type } of additions) {
      const column = columnOf(name, type);
      columns.push(column);
      const field = fields.get(name);
      fields.set(name, {
        ...field,
        name,
        variants: [...(field?.variants ?? []), { type, column }],
      });
    }
    await this.#runAll(this.tables.addColumnsSql(layout.name, columns));
    return { ...layout, fields: inOrder([...fields.values()]) };
  }

  async dropUnused({ layout }: Dataset): Promise<ReadonlySet<string>> {
    const columns = layout.fields
      .filter(({ name }) => !SYSTEM_FIELDS.some((field) => field.name === name))
      .flatMap(({ variants }) => variants.map(({ column }) => column));
    if (columns.length === 0) return new Set();
    const counts = columns.map((column) => `count(${quoteName(column)}) > 0`);
    const [row] = await this.clickhouse.rows<number[]>(
      `SELECT ${counts.join(', ')} FROM ${layout.table}`,
    );
    const unused = columns.filter((_, index) => row![index] === 0);
    if (unused.length === 0) return new Set();
    await this.#runAll(this.tables.dropColumnsSql(layout.name, unused));
    this.#engine.countWrite();
    return new Set(unused);
  }

  /** Row numbers stay the same, so the dataset keeps its table and its numbering. */
  trim(
    _dataset: Dataset,
    before: bigint,
    exclusively: (work: (current: Dataset) => Promise<TrimResult>) => Promise<number>,
  ): Promise<number> {
    return exclusively(async ({ layout: { name, table } }) => {
      const where = isOlderSql(before);
      const [row] = await this.clickhouse.rows<[string]>(
        `SELECT count() FROM ${table} WHERE ${where}`,
      );
      const deleted = Number(row![0]);
      if (deleted === 0) return { deleted };
      // Drop only partitions that can't contain a later event, because other processes may be storing some.
      const partitions = await this.clickhouse.rows<[string]>(
        `SELECT DISTINCT partition_id FROM ${this.tables.partsOf(name)}
           AND toInt64OrZero(partition_id) < toYYYYMMDD(${timeSql(before)})`,
      );
      const ids = partitions.map(([id]) => id);
      await this.#runAll(this.tables.trimSql(name, ids, before));
      this.#engine.countWrite();
      return { deleted };
    });
  }

  async currentRows(numbered: NumberedRows): Promise<NumberedRows> {
    return numbered;
  }

  /** ClickHouse has no transactions. Columns are added before the rows, and stay if storing the rows fails. */
  transaction<T>(_session: Session, work: () => Promise<T>): Promise<T> {
    return work();
  }

  async insert(
    session: Session,
    layout: DatasetLayout,
    rows: ComputedRows,
    onRead?: (count: number) => void,
  ): Promise<number> {
    const { first, release } = await this.#numbers.reserve(layout.table, rows.countMax);
    try {
      const file = await this.#files.write(session, layout, rows, first);
      try {
        onRead?.(file.count);
        if (file.count > 0)
          await sendRows(this.clickhouse, this.tables, layout, rows.columns, file);
        return file.count;
      } finally {
        await deleteFile(file.path);
      }
    } finally {
      release();
    }
  }

  /** Returns the row number before which this process stores no more rows. Cursors of new pages must end there. */
  async endOfRows(layout: DatasetLayout): Promise<bigint> {
    // Row numbers don't show the order in which others store rows.
    if (layout.readOnly) return 2n ** 63n;
    return this.#numbers.end(layout.table);
  }

  async readStoredSize({ name, table }: DatasetLayout): Promise<StoredSize> {
    const [count] = await this.clickhouse.rows<[string]>(`SELECT count() FROM ${table}`);
    const [size] = await this.clickhouse.rows<[string]>(
      `SELECT sum(bytes_on_disk) FROM ${this.tables.partsOf(name)}`,
    );
    return { events: Number(count![0]), storedBytes: Number(size![0]) };
  }

  async readSize(layout: DatasetLayout): Promise<DatasetSize> {
    const stored = await this.readStoredSize(layout);
    const fields = layout.fields.flatMap(({ name, variants }) =>
      variants.map(({ type, column }) => sizeSql(name, type, quoteName(column))),
    );
    const [row] = await this.clickhouse.rows<[number | null]>(
      `SELECT avg(1 + ${fields.join(' + ')}) FROM (SELECT * FROM ${layout.table} LIMIT ${SAMPLED_EVENTS_MAX})`,
    );
    return { ...stored, inputBytes: Math.round(stored.events * (row![0] ?? 0)) };
  }

  async readBounds({ table }: DatasetLayout): Promise<TimeBounds | undefined> {
    const time = (sql: string) => `toUnixTimestamp64Nano(${sql}(_time))`;
    const [row] = await this.clickhouse.rows<[string, string, string]>(
      `SELECT count(), ${time('min')}, ${time('max')} FROM ${table}`,
    );
    const [count, oldest, newest] = row!;
    return count === '0' ? undefined : { oldest: BigInt(oldest), newest: BigInt(newest) };
  }

  async countBlocks({ name }: DatasetLayout): Promise<number> {
    const [row] = await this.clickhouse.rows<[string]>(
      `SELECT count() FROM ${this.tables.partsOf(name)}`,
    );
    return Number(row![0]);
  }

  close(): Promise<void> {
    return this.clickhouse.close();
  }

  async reload(name: string): Promise<Dataset | undefined> {
    const [found] = await this.#list(name);
    return typeof found?.dataset === 'string' ? undefined : found?.dataset;
  }

  async #runAll(statements: readonly string[], settings: Settings = whenDone): Promise<void> {
    for (const sql of statements) await this.clickhouse.run(sql, settings);
  }
}

interface Listed {
  readonly name: string;
  readonly columns: readonly ColumnRow[];
  readonly dataset: Dataset | string;
}

function declarationOf({ dataset, columns }: Listed): Declaration[] {
  if (typeof dataset === 'string' || dataset.document.source === undefined) return [];
  const { source } = dataset.document;
  const comments = new Map(columns.map(([, column, comment]) => [column, comment]));
  const details = new Map(
    dataset.layout.fields.flatMap((field) =>
      field.variants.map(({ column }) => [column, pickDetails(field)] as const),
    ),
  );
  return [
    {
      document: { ...dataset.document, source },
      found: readFound(comments.get(ROW_COLUMN) ?? ''),
      detailsOf: (column) => details.get(column),
    },
  ];
}

/** Returns SQL for the approximate size of a member in JSON: its quoted name, a colon, its value and a comma. */
function sizeSql(name: string, type: string, column: string): string {
  const quotes = type === 'string' || type === 'datetime' ? 2 : 0;
  const around = Buffer.byteLength(JSON.stringify(name)) + 2 + quotes;
  return `if(isNull(${column}), 0, ${around} + length(toString(ifNull(${column}, defaultValueOfArgumentType(assumeNotNull(${column}))))))`;
}
