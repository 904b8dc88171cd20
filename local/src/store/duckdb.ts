/**
 * The engine: the only file that imports DuckDB. It opens the database shut off from files and network,
 * lends connections so that statements run side by side, stops them when asked, and types the errors.
 */
import { DuckDBBlobValue, type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { macroCatalogSql } from '../planner/macros.ts';
import type { Prices } from '../planner/prices.ts';
import { Macros } from './macros.ts';
import { quoteText } from './sql.ts';

/** What a statement takes and gives: 64-bit integers are bigint, bytes are Uint8Array. */
export type SqlValue = string | number | bigint | boolean | null | Uint8Array;

export interface EngineOptions {
  /** The database file; made if it is not there. */
  readonly file: string;
  /** The only folder whose files statements may read. */
  readonly spool: string;
  /** Where DuckDB puts what does not fit in memory. */
  readonly temporary: string;
  /** As DuckDB writes sizes, such as `4GB`; half of the machine's memory if absent. */
  readonly memoryLimit: string;
  /** The deployment's own prices of models. */
  readonly prices?: Prices;
}

/** What went wrong in the engine, as far as callers act on it. */
export type EngineErrorKind =
  | 'interrupted'
  | 'memory'
  | 'input'
  | 'value'
  | 'statement'
  | 'transaction'
  | 'disk'
  /** Another process has the database open. */
  | 'locked'
  | 'fatal'
  | 'other';

// DuckDB's errors start with their class.
const KINDS: Readonly<Record<string, EngineErrorKind>> = {
  'INTERRUPT Error': 'interrupted',
  'Out of Memory Error': 'memory',
  'Invalid Input Error': 'input',
  'Conversion Error': 'value',
  'Out of Range Error': 'value',
  'Mismatch Type Error': 'value',
  'Binder Error': 'statement',
  'Catalog Error': 'statement',
  'Parser Error': 'statement',
  'Not implemented Error': 'statement',
  'TransactionContext Error': 'transaction',
  'IO Error': 'disk',
  'FATAL Error': 'fatal',
  'INTERNAL Error': 'fatal',
};

/**
 * Events that are stored and packed as one piece, a row group of DuckDB's. Half of its own size: what lots
 * of requests leave behind of a row group is less, and less work to put together afterwards.
 */
export const ROW_GROUP_EVENTS = 61_440;

export class EngineError extends Error {
  readonly kind: EngineErrorKind;

  constructor(message: string, kind: EngineErrorKind) {
    super(message);
    this.name = 'EngineError';
    this.kind = kind;
  }
}

function engineError(error: unknown): EngineError {
  const text = error instanceof Error ? error.message : String(error);
  const end = text.indexOf(': ');
  const kind = KINDS[text.slice(0, Math.max(end, 0))];
  if (kind === undefined) return new EngineError(text, 'other');
  const locked = kind === 'disk' && /set lock on file|used by another process/.test(text);
  return new EngineError(text.slice(end + 2), locked ? 'locked' : kind);
}

/** One connection, lent for a piece of work. */
export class Session {
  readonly #connection: DuckDBConnection;
  readonly #signal: AbortSignal | undefined;
  readonly #macros: Macros | undefined;

  /** Statements have the macros made that they name; without `macros` they are there already. */
  constructor(
    connection: DuckDBConnection,
    signal: AbortSignal | undefined,
    macros: Macros | undefined,
  ) {
    this.#connection = connection;
    this.#signal = signal;
    this.#macros = macros;
  }

  /** Runs a statement and gives the number of rows it changed. */
  async run(sql: string, values: readonly SqlValue[] = []): Promise<number> {
    return Number((await this.#execute(sql, values)).rowsChanged);
  }

  /** Runs a statement and gives all its rows. */
  async rows<Row extends readonly unknown[]>(
    sql: string,
    values: readonly SqlValue[] = [],
  ): Promise<Row[]> {
    const rows = await (await this.#execute(sql, values)).getRows();
    return rows.map((row) =>
      row.map((value) => (value instanceof DuckDBBlobValue ? value.bytes : value)),
    ) as unknown as Row[];
  }

  /** Runs `work` in a transaction: all of it is stored, or nothing. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.run('BEGIN');
    let result: T;
    try {
      result = await work();
    } catch (error) {
      await this.#rollback();
      throw error;
    }
    await this.run('COMMIT');
    return result;
  }

  async #rollback(): Promise<void> {
    try {
      await this.#connection.run('ROLLBACK');
    } catch {
      // Some errors end the transaction themselves; the error that led here is the one to tell.
    }
  }

  async #execute(sql: string, values: readonly SqlValue[]) {
    const signal = this.#signal;
    await this.#macros?.make(sql);
    signal?.throwIfAborted();
    // An interrupt that comes before the statement has begun is lost, so it is repeated.
    let repeat: NodeJS.Timeout | undefined;
    const interrupt = () => {
      this.#connection.interrupt();
      repeat = setInterval(() => this.#connection.interrupt(), INTERRUPT_EVERY_MS);
    };
    signal?.addEventListener('abort', interrupt, { once: true });
    try {
      return await (values.length === 0
        ? this.#connection.run(sql)
        : this.#connection.run(
            sql,
            values.map((value) =>
              value instanceof Uint8Array ? new DuckDBBlobValue(value) : value,
            ),
          ));
    } catch (error) {
      signal?.throwIfAborted();
      throw engineError(error);
    } finally {
      clearInterval(repeat);
      signal?.removeEventListener('abort', interrupt);
    }
  }
}

/** The database's name within DuckDB. */
const DATABASE = 'data';

/** What a new connection begins with: DuckDB keeps the database of a name for each of them. */
const USE = `USE ${DATABASE}`;

// Files in the newest form pack text by one method instead of the better of two, which saves a fifth of
// the work of ingest; older releases of DuckDB cannot read them.
const attachSql = (file: string) =>
  `ATTACH ${quoteText(file)} AS ${DATABASE} (STORAGE_VERSION 'latest', ROW_GROUP_SIZE ${ROW_GROUP_EVENTS})`;

const INTERRUPT_EVERY_MS = 20;

export class Engine {
  readonly #instance: DuckDBInstance;
  readonly #idle: DuckDBConnection[] = [];
  readonly #lent = new Set<DuckDBConnection>();
  readonly #macros: Macros;
  #closing = false;
  #written: NodeJS.Timeout | undefined;

  private constructor(instance: DuckDBInstance, ownPrices: Prices | undefined) {
    this.#instance = instance;
    const run = (sql: string) => this.#lend((session) => session.run(sql), undefined, undefined);
    this.#macros = new Macros(run, ownPrices);
  }

  /**
   * Opens the database. DuckDB starts while the options are still coming. Throws an EngineError when the file
   * is damaged or of a newer version.
   */
  static async open(coming: Promise<EngineOptions>): Promise<Engine> {
    const starting = DuckDBInstance.create(':memory:');
    const [instance, options] = await Promise.all([starting, coming]).catch(async (error) => {
      (await starting).closeSync();
      throw error;
    });
    const engine = new Engine(instance, options.prices);
    try {
      const connection = await instance.connect();
      const begin = [attachSql(options.file), USE, macroCatalogSql, ...settings(options)];
      await connection.run(begin.join(';\n'));
      engine.#idle.push(connection);
    } catch (error) {
      instance.closeSync();
      throw engineError(error);
    }
    return engine;
  }

  /**
   * Lends a connection to `work`. When `signal` aborts, the running statement stops and the signal's
   * reason is thrown.
   */
  async use<T>(work: (session: Session) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#closing) throw new EngineError('The database is closed.', 'interrupted');
    return this.#lend(work, signal, this.#macros);
  }

  async #lend<T>(
    work: (session: Session) => Promise<T>,
    signal: AbortSignal | undefined,
    macros: Macros | undefined,
  ): Promise<T> {
    const idle = this.#idle.pop();
    const connection = idle ?? (await this.#instance.connect());
    this.#lent.add(connection);
    let result: T;
    try {
      const session = new Session(connection, signal, macros);
      if (idle === undefined) await session.run(USE);
      result = await work(session);
    } catch (error) {
      // What the work left behind, such as temporary tables, goes with the connection.
      connection.closeSync();
      throw error;
    } finally {
      this.#lent.delete(connection);
    }
    this.#idle.push(connection);
    return result;
  }

  /** Notes that something was written: a checkpoint follows once nothing more is for a while. */
  noteWrite(): void {
    clearTimeout(this.#written);
    this.#written = setTimeout(() => {
      // It is only to keep the log short; one that fails, for example beside a writer, comes again.
      this.use((session) => session.run('CHECKPOINT')).catch(() => undefined);
    }, CHECKPOINT_AFTER_MS);
    this.#written.unref();
  }

  /** Breaks off what still runs, writes everything into the database file and closes it. */
  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    clearTimeout(this.#written);
    while (this.#lent.size > 0) {
      for (const connection of this.#lent) connection.interrupt();
      await new Promise((resolve) => setTimeout(resolve, INTERRUPT_EVERY_MS));
    }
    try {
      await this.#lend((session) => session.run('CHECKPOINT'), undefined, undefined);
    } finally {
      for (const connection of this.#idle.splice(0)) connection.closeSync();
      this.#instance.closeSync();
    }
  }
}

// The order counts: folders are allowed before access is shut, and the last line locks them all.
function settings(options: EngineOptions): string[] {
  return [
    `SET temp_directory = ${quoteText(options.temporary)}`,
    `SET memory_limit = ${quoteText(options.memoryLimit)}`,
    "SET GLOBAL TimeZone = 'UTC'",
    // Writers wait for a checkpoint, and it rewrites the last, unfilled row group, so it is put off: to
    // when nobody writes, or to the latest here. What is not yet in it is safe in the log.
    `SET wal_autocheckpoint = '${CHECKPOINT_LATEST}'`,
    // A row group is packed and written once it is full, and not five of them together, which would all be
    // held until then.
    'SET write_buffer_row_group_count = 1',
    // Files of the spool are written over, so what was read of one must not stand for the next.
    'SET enable_external_file_cache = false',
    'SET autoinstall_known_extensions = false',
    'SET autoload_known_extensions = false',
    `SET allowed_directories = [${quoteText(options.spool)}]`,
    'SET enable_external_access = false',
    'SET lock_configuration = true',
  ];
}

const CHECKPOINT_LATEST = '512MB';

/** How long nobody must have written before a checkpoint is made. */
const CHECKPOINT_AFTER_MS = 3_000;
