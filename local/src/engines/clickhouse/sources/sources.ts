/**
 * Keeps the views of datasets whose rows are those of tables that exist already. A view is the declaration, so it
 * survives a restart and all processes that use the database find it. The table is only read.
 */
import type { Dataset as DatasetDocument, DatasetSource } from '../../../../../api/src/index.ts';
import { DATASET_FIELDS_MAX } from '../../../../../api/src/index.ts';
import { ApiError } from '../../../errors.ts';
import type { FieldDetails } from '../../../store/datasetRecords.ts';
import { Semaphore } from '../../../store/locks.ts';
import type { Log } from '../../../store/storedJson.ts';
import type { ClickHouse } from '../client.ts';
import { kindOf, messageOf } from '../failure.ts';
import { quoteName, quoteText } from '../quotes.ts';
import type { Tables } from '../tables.ts';
import type { Translator } from '../translator.ts';
import { type FoundColumns, merged } from './found.ts';
import { keyOf, readColumns } from './tableColumns.ts';
import type { SourceTable, TableColumn } from './view.ts';

/** A dataset with a source, as its view has it. */
export interface Declaration {
  readonly document: DatasetDocument & { readonly source: DatasetSource };
  readonly found: FoundColumns;
  readonly detailsOf: (column: string) => FieldDetails | undefined;
}

/** How often rows are searched for new keys and paths. */
const SEARCH_MS = 60_000;

/** The maximum number of rows that are searched. They are from the last day that has rows. */
const SEARCHED_ROWS_MAX = 100_000;

/** The result of a search that takes longer is what it has found. */
const searchSettings = { max_execution_time: 10, timeout_overflow_mode: 'break' } as const;

export class Sources {
  readonly #clickhouse: ClickHouse;
  readonly #tables: Tables;
  readonly #translator: Translator;
  readonly #searchMs: number;
  /** The SQL of each dataset's view. */
  readonly #views = new Map<string, string>();
  readonly #searched = new Map<string, number>();
  readonly #problems = new Map<string, string>();
  readonly #changes = new Semaphore(1);

  constructor(
    clickhouse: ClickHouse,
    tables: Tables,
    translator: Translator,
    searchMs = SEARCH_MS,
  ) {
    this.#clickhouse = clickhouse;
    this.#tables = tables;
    this.#translator = translator;
    this.#searchMs = searchMs;
  }

  /** Runs a change of a view while no other one runs in this process. */
  change<T>(work: () => Promise<T>): Promise<T> {
    return this.#changes.run(work);
  }

  /** Returns the statement that creates a dataset. Throws an ApiError if the source can't be read. */
  async createSql(document: DatasetDocument, source: DatasetSource): Promise<string> {
    const { name } = document;
    const fail = (problem: string) => {
      const table = JSON.stringify(`${source.database}.${source.table}`);
      return new ApiError('source-unusable', { name: JSON.stringify(name), table, problem });
    };
    const columns = (await this.#columnsOf([source])).get(keyOf(source));
    if (columns === undefined) throw fail(MISSING);
    const table = this.#translator.readSource(source, columns);
    if (typeof table === 'string') throw fail(table);
    const found = await this.#search(source, table).catch((error: unknown) => {
      throw kindOf(error) === 'unreachable' ? error : fail(`${messageOf(error)}.`);
    });
    this.#searched.set(name, Date.now());
    const isKindGiven = document.kind !== undefined && document.kind !== DEFAULT_KIND;
    const kind = isKindGiven ? undefined : table.kind;
    const sql = this.#viewSql(
      {
        document: { ...document, source, ...(kind !== undefined && { kind }) },
        found,
        detailsOf: () => undefined,
      },
      table,
    );
    this.#views.set(name, sql);
    return `CREATE VIEW ${this.#viewName(name)} ${sql}`;
  }

  /**
   * Replaces views whose tables have new columns, or rows with new keys or paths. Fields stay if rows no longer have
   * them. Returns whether a view was replaced.
   */
  async refresh(
    declarations: readonly Declaration[],
    readAgain: (name: string) => Promise<Declaration | undefined>,
    log: Log,
  ): Promise<boolean> {
    if (declarations.length === 0) return false;
    const columnsOf = await this.#columnsOf(declarations.map(({ document }) => document.source));
    let isChanged = false;
    for (const { document } of declarations) {
      const { name, source } = document;
      const columns = columnsOf.get(keyOf(source));
      const table = columns === undefined ? MISSING : this.#translator.readSource(source, columns);
      const replaced =
        typeof table === 'string' ? table : await this.#refreshView(document, table, readAgain);
      if (typeof replaced === 'boolean') {
        isChanged ||= replaced;
        this.#problems.delete(name);
      } else if (this.#problems.get(name) !== replaced) {
        const of = JSON.stringify(`${source.database}.${source.table}`);
        log(
          `The dataset ${name} cannot follow changes of the table ${of} of ClickHouse: ${replaced}`,
        );
        this.#problems.set(name, replaced);
      }
    }
    return isChanged;
  }

  /** Returns whether the view was replaced, or why it can't be. The dataset then keeps the fields that it has. */
  async #refreshView(
    { name, source }: Declaration['document'],
    table: SourceTable,
    readAgain: (name: string) => Promise<Declaration | undefined>,
  ): Promise<boolean | string> {
    const found = await this.#searchAgain(name, source, table);
    const replace = async () => {
      const current = await readAgain(name);
      if (current === undefined || keyOf(current.document.source) !== keyOf(source)) return false;
      const all = { ...current, found: merged(current.found, found) };
      const sql = this.#viewSql(all, table);
      if (this.#views.get(name) === sql) return false;
      // Try once, because another process may delete the dataset and create a table of its name, which this replaces.
      await this.#clickhouse.runOnce(`CREATE OR REPLACE VIEW ${this.#viewName(name)} ${sql}`);
      this.#views.set(name, sql);
      return true;
    };
    return this.change(replace).catch((error: unknown) => `${messageOf(error)}.`);
  }

  forget(name: string): void {
    this.#views.delete(name);
  }

  #viewName(dataset: string): string {
    return `${this.#tables.nameOf(dataset)}${this.#tables.onCluster}`;
  }

  #viewSql({ document, found, detailsOf }: Declaration, table: SourceTable): string {
    const comment = this.#tables.commentOf(document);
    const options = { comment, detailsOf, fieldsMax: DATASET_FIELDS_MAX };
    return this.#translator.viewSql(document, table, found, options);
  }

  async #searchAgain(
    name: string,
    source: DatasetSource,
    table: SourceTable,
  ): Promise<FoundColumns> {
    const last = this.#searched.get(name);
    if (last !== undefined && Date.now() - last < this.#searchMs) return new Map();
    this.#searched.set(name, Date.now());
    return this.#search(source, table).catch(() => new Map());
  }

  /** Reads the keys and paths that rows have. */
  async #search(
    { database, table }: DatasetSource,
    { time, searched }: SourceTable,
  ): Promise<FoundColumns> {
    if (searched.length === 0) return new Map();
    const from = `${quoteName(database)}.${quoteName(table)} AS t`;
    const at = `t.${quoteName(time.name)}`;
    const names = searched.map(({ name }) => `t.${quoteName(name)} AS ${quoteName(name)}`);
    const items = searched.map(({ isMap, sql }) =>
      isMap
        ? `arraySort(groupUniqArrayArray(${DATASET_FIELDS_MAX * 8})(mapKeys(${sql})))`
        : `distinctJSONPathsAndTypes(${sql})`,
    );
    const [row] = await this.#clickhouse.rows<readonly unknown[]>(
      `SELECT ${items.join(', ')} FROM (
        SELECT ${names.join(', ')} FROM ${from}
        WHERE ${at} >= (SELECT max(${at}) - INTERVAL 1 DAY FROM ${from}) LIMIT ${SEARCHED_ROWS_MAX}
      ) AS t`,
      searchSettings,
    );
    return new Map(
      searched.map(({ name, isMap, isUseful }, i) => {
        const found = row![i]!;
        const paths = isMap
          ? (found as readonly string[]).map((key) => [key, []] as const)
          : Object.entries(found as Readonly<Record<string, readonly string[]>>);
        const useful = paths.filter(([path]) => isUseful(path));
        return [name, new Map(useful.slice(0, DATASET_FIELDS_MAX))];
      }),
    );
  }

  /** Returns the columns of tables that exist and aren't parts of datasets, by `keyOf`. */
  #columnsOf(
    sources: readonly DatasetSource[],
  ): Promise<ReadonlyMap<string, readonly TableColumn[]>> {
    const tables = sources.map(
      ({ database, table }) => `(${quoteText(database)}, ${quoteText(table)})`,
    );
    return readColumns(
      this.#clickhouse,
      `(database, table) IN (${tables.join(', ')})
       AND (database, table) NOT IN (SELECT database, name FROM system.tables WHERE ${this.#tables.isPartSql()})`,
    );
  }
}

const DEFAULT_KIND = 'axiom:events:v1';

const MISSING =
  'It does not exist, is a dataset of this deployment, or is hidden from the user of ClickHouse.';
