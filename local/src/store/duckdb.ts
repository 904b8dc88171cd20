/**
 * The engine: the only file that imports DuckDB. It opens the database shut off from files and network,
 * lends connections so that statements run side by side, stops them when asked, and types the errors.
 */
import { link, open, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { DuckDBBlobValue, type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { removeFile } from '../../../system/src/replace.ts';
import { ApiError } from '../errors.ts';
import { macroCatalogSql } from '../planner/macros.ts';
import type { Prices } from '../planner/prices.ts';
import { Checkpoints, NO_OWN_CHECKPOINTS } from './checkpoints.ts';
import { callsComputed, registerComputed } from './computed/register.ts';
import { LogNames } from './logNames.ts';
import { Macros } from './macros.ts';
import { restoreMetadata } from './metadataCopy.ts';
import {
  checkFormat,
  DamagedError,
  damagedDatabase,
  isUnfinished,
  LOG_SUFFIXES,
  recoverLog,
} from './recovery.ts';
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
  /** Called when a statement that was told to stop still runs `stuckMs` later, `STUCK_MS` if absent. */
  readonly onStuck?: () => void;
  readonly stuckMs?: number;
}

/** What went wrong in the engine, as far as callers act on it. */
export type EngineErrorKind =
  | 'interrupted'
  | 'memory'
  | 'input'
  | 'value'
  | 'statement'
  /** A statement that is nested too deeply. */
  | 'depth'
  | 'transaction'
  | 'disk'
  /** Another process has the database open. */
  | 'locked'
  /** A file of the database is damaged; it was left as it is. */
  | 'damaged'
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

/** What an error of DuckDB's is, from the class and the words that its text starts with. */
export function engineError(error: unknown): EngineError {
  if (error instanceof DamagedError) return new EngineError(error.message, 'damaged');
  if (isInUse(error)) return new EngineError((error as Error).message, 'locked');
  const text = error instanceof Error ? error.message : String(error);
  const end = text.indexOf(': ');
  const kind = KINDS[text.slice(0, Math.max(end, 0))];
  if (/^[\w ]+: Max expression depth limit /.test(text)) return new EngineError(text, 'depth');
  if (kind === undefined) return new EngineError(text, 'other');
  const message = text.slice(end + 2);
  return new EngineError(message, CAUSES.find(([cause]) => cause.test(message))?.[1] ?? kind);
}

/** Reports whether the system refused to open a file because another process has it open, as Windows does. */
const isInUse = (error: unknown) => (error as NodeJS.ErrnoException | null)?.code === 'EBUSY';

/**
 * Returns the error of opening the database. DuckDB quotes the reason in the language of the system, so the file is
 * opened here to find out whether another process has it open.
 */
async function openingError(error: unknown, file: string): Promise<EngineError> {
  const found = engineError(error);
  if (found.kind !== 'disk') return found;
  const reason = await open(file).then(
    (handle) => handle.close(),
    (refusal: unknown) => refusal,
  );
  return isInUse(reason) ? new EngineError(found.message, 'locked') : found;
}

/** Messages that say more than the class of their error, the most serious first. */
const CAUSES: readonly (readonly [RegExp, EngineErrorKind])[] = [
  // A checkpoint that could not write leaves a database that answers nothing until it is opened again.
  [/has been invalidated/, 'fatal'],
  [/set lock on file|used by another process/, 'locked'],
  // A commit that could not write to the log is rolled back.
  [/^Failed to commit: Could not (?:write|sync|truncate)|No space left on device/, 'disk'],
  // So is one that finds no memory for its blocks, which has not the class of other errors of memory.
  [/^Failed to commit: (?:could not allocate|failed to (?:allocate|pin))/i, 'memory'],
];

/** What is called when a statement does not stop, and how long after it was told to. */
interface Stuck {
  readonly call: () => void;
  readonly afterMs: number;
}

/** The commits under way, until there are to be no more. */
class Commits {
  readonly #logNames: LogNames;
  readonly #checkpoints: Checkpoints;
  #running = 0;
  #ended = false;

  constructor(logNames: LogNames, checkpoints: Checkpoints) {
    this.#logNames = logNames;
    this.#checkpoints = checkpoints;
  }

  /** Waits until a transaction may begin. */
  ready(): Promise<void> {
    return this.#checkpoints.begun();
  }

  /** Commits; what was changed outlasts a loss of power. Throws an ApiError when there are to be no more commits. */
  async run(commit: () => Promise<unknown>): Promise<void> {
    if (this.#ended) throw new ApiError('restarting');
    this.#running += 1;
    try {
      await commit();
      // What failed to sync may be gone, and another sync would not report that.
      await this.#logNames.keep().catch((error: Error) => {
        throw new EngineError(`The data folder cannot be synced: ${error.message}`, 'fatal');
      });
    } finally {
      this.#running -= 1;
    }
    await this.#checkpoints.noteCommit();
  }

  async end(ms: number): Promise<void> {
    this.#ended = true;
    const deadline = performance.now() + ms;
    while (this.#running > 0 && performance.now() < deadline) await pause(COMMITS_EVERY_MS);
  }
}

const COMMITS_EVERY_MS = 10;

/** One connection, lent for a piece of work. */
export class Session {
  readonly #connection: DuckDBConnection;
  readonly #signal: AbortSignal | undefined;
  readonly #stuck: Stuck;
  readonly #interrupted: Set<number>;
  readonly #commits: Commits;

  constructor(
    connection: DuckDBConnection,
    signal: AbortSignal | undefined,
    stuck: Stuck,
    interrupted: Set<number>,
    commits: Commits,
  ) {
    this.#connection = connection;
    this.#signal = signal;
    this.#stuck = stuck;
    this.#interrupted = interrupted;
    this.#commits = commits;
  }

  /** Runs a statement and gives the number of rows it changed. What is to last is changed in a `transaction`. */
  async run(sql: string, values: readonly SqlValue[] = []): Promise<number> {
    return Number((await this.#execute(sql, values, this.#signal)).rowsChanged);
  }

  /** Runs a statement and gives all its rows. */
  async rows<Row extends readonly unknown[]>(
    sql: string,
    values: readonly SqlValue[] = [],
  ): Promise<Row[]> {
    const rows = await (await this.#execute(sql, values, this.#signal)).getRows();
    return rows.map((row) =>
      row.map((value) => (value instanceof DuckDBBlobValue ? value.bytes : value)),
    ) as unknown as Row[];
  }

  /** Makes the computed functions known to the database. */
  registerComputed(interrupted: (connectionId: number) => boolean): void {
    registerComputed(this.#connection, interrupted);
  }

  /** Runs `work` in a transaction: all of it is stored, and outlasts a loss of power, or nothing. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.#commits.ready();
    await this.run('BEGIN');
    let result: T;
    try {
      result = await work();
      this.#signal?.throwIfAborted();
    } catch (error) {
      await this.#rollback();
      throw error;
    }
    // Interrupted, it would be unknown whether it is stored.
    try {
      await this.#commits.run(() => this.#execute('COMMIT', [], undefined));
    } catch (error) {
      if (error instanceof ApiError) await this.#rollback();
      throw error;
    }
    return result;
  }

  async #rollback(): Promise<void> {
    try {
      await this.#connection.run('ROLLBACK');
    } catch {
      // Some errors end the transaction themselves; the error that led here is the one to tell.
    }
  }

  async #execute(sql: string, values: readonly SqlValue[], signal: AbortSignal | undefined) {
    signal?.throwIfAborted();
    // An interrupt that comes before the statement has begun is lost, so it is repeated.
    let repeat: NodeJS.Timeout | undefined;
    let stuck: NodeJS.Timeout | undefined;
    const interrupt = () => {
      this.#interrupted.add(this.#connection.clientContext.connectionId);
      this.#connection.interrupt();
      stuck = setTimeout(this.#stuck.call, this.#stuck.afterMs);
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
      clearTimeout(stuck);
      signal?.removeEventListener('abort', interrupt);
      if (stuck !== undefined)
        this.#interrupted.delete(this.#connection.clientContext.connectionId);
    }
  }
}

/** The database's name within DuckDB. */
const DATABASE = 'data';

/** What a new connection begins with: DuckDB keeps the database of a name for each of them. */
const USE = `USE ${DATABASE}`;

// The type is stated because DuckDB would otherwise look for an extension that reads a file of another format.
// Files in the newest form pack text by one method instead of the better of two, which saves a fifth of
// the work of ingest; older releases of DuckDB cannot read them.
const attachedSql = (file: string, name: string, more = '') =>
  `ATTACH ${quoteText(file)} AS ${name} (TYPE duckdb, STORAGE_VERSION 'latest', ROW_GROUP_SIZE ${ROW_GROUP_EVENTS}${more})`;

const attachSql = (file: string) => attachedSql(file, DATABASE);

/** Attaches a new database to copy to. It has no log, since what a checkpoint did not store of it is of no use. */
export const attachCopySql = (file: string, name: string) =>
  attachedSql(file, name, ", RECOVERY_MODE 'no_wal_writes'");

/** Opens the database file once its log is in order. */
async function attach(connection: DuckDBConnection, file: string): Promise<void> {
  await checkFormat(file);
  await restoreMetadata(file, () => refuseIfOpen(connection, file));
  await recoverLog(file, (work) => whileLocked(connection, file, work));
  try {
    await connection.run(attachSql(file));
  } catch (error) {
    const { message } = engineError(error);
    if (!isDamage(error)) throw error;
    // An unfinished file that is locked is being created.
    if (!(await isUnfinished(file))) throw damagedDatabase(file, message);
    await rm(file);
    await connection.run(attachSql(file));
  }
}

/** Whether DuckDB refused a damaged database file; its logs were checked before. */
function isDamage(error: unknown): boolean {
  const { kind, message } = engineError(error);
  return kind === 'disk' && DAMAGED.test(message);
}

const DAMAGED =
  /^Corrupt database file|not a valid DuckDB database file|Could not read enough bytes/;

/** Throws an error when another process has the database file open. DuckDB locks a file before it finds the damage. */
async function refuseIfOpen(connection: DuckDBConnection, file: string): Promise<void> {
  await whileLocked(connection, file, async () => undefined).catch((error: unknown) => {
    if (!isDamage(error)) throw error;
  });
}

/** Suffix of the second name of a database file. */
const RECOVERING = '.recovering';

/**
 * Runs `work` while this process has the database file locked, but not its log open: DuckDB looks for the log
 * under the name that a file is opened by, so it opens the file by a second name.
 */
async function whileLocked(
  connection: DuckDBConnection,
  file: string,
  work: () => Promise<void>,
): Promise<void> {
  const name = file + RECOVERING;
  await removeFile(name);
  // On a file system without links, reading locks it as well, but does not keep another reader out.
  const linked = await link(file, name).then(
    () => true,
    () => false,
  );
  try {
    await connection.run(
      linked
        ? `ATTACH ${quoteText(name)} AS recovering (TYPE duckdb)`
        : `ATTACH ${quoteText(file)} AS recovering (TYPE duckdb, READ_ONLY)`,
    );
    try {
      await work();
    } finally {
      await connection.run('DETACH recovering');
    }
  } finally {
    await removeFile(name);
  }
}

const INTERRUPT_EVERY_MS = 20;

/** How long a statement may take to stop. DuckDB looks for an interrupt between chunks of 2,048 rows only. */
export const STUCK_MS = 10_000;

export class Engine {
  readonly #instance: DuckDBInstance;
  readonly #idle: DuckDBConnection[] = [];
  readonly #lent = new Set<DuckDBConnection>();
  /** The connections whose statement is to stop, which computed functions look at. */
  readonly #interrupted = new Set<number>();
  readonly #macros: Macros;
  readonly #stuck: Stuck;
  readonly #logNames: LogNames;
  readonly #commits: Commits;
  readonly #checkpoints: Checkpoints;
  #closing = false;
  #writes = 0;
  #written: NodeJS.Timeout | undefined;

  private constructor(instance: DuckDBInstance, { prices, ...options }: EngineOptions) {
    this.#instance = instance;
    const { file, onStuck = () => undefined, stuckMs = STUCK_MS } = options;
    this.#logNames = new LogNames(file);
    this.#checkpoints = new Checkpoints(file, (work) => this.use(work));
    this.#commits = new Commits(this.#logNames, this.#checkpoints);
    this.#stuck = { call: onStuck, afterMs: stuckMs };
    let registered = false;
    const interrupted = (id: number) => this.#closing || this.#interrupted.has(id);
    const run = (sql: string) =>
      this.#lend((session) => {
        // The first registration takes about 10 ms, and few queries need one.
        if (!registered && callsComputed(sql)) session.registerComputed(interrupted);
        registered ||= callsComputed(sql);
        return session.run(sql);
      }, undefined);
    this.#macros = new Macros(run, prices);
  }

  /**
   * Opens the database. DuckDB starts while the options are still coming. Throws an EngineError when the file
   * is damaged or of a newer version.
   */
  static async open(coming: Promise<EngineOptions>): Promise<Engine> {
    const starting = DuckDBInstance.create(':memory:', NO_EXTENSIONS);
    const [instance, options] = await Promise.all([starting, coming]).catch(async (error) => {
      (await starting).closeSync();
      throw error;
    });
    const engine = new Engine(instance, options);
    try {
      const connection = await instance.connect();
      await connection.run(isolation(options).join(';\n'));
      await attach(connection, options.file);
      await connection.run([USE, macroCatalogSql, ...settings(options)].join(';\n'));
      engine.#idle.push(connection);
    } catch (error) {
      instance.closeSync();
      throw await openingError(error, options.file);
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
    return this.#lend(work, signal);
  }

  /** Makes the planner's macros of some names, where they are not there yet. Statements that name them come later. */
  makeMacros(names: readonly string[]): Promise<void> {
    return this.#macros.make(names);
  }

  async #lend<T>(
    work: (session: Session) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const idle = this.#idle.pop();
    const connection = idle ?? (await this.#instance.connect());
    this.#lent.add(connection);
    let result: T;
    try {
      const session = new Session(
        connection,
        signal,
        this.#stuck,
        this.#interrupted,
        this.#commits,
      );
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

  /** Refuses all later commits, and waits for those under way for at most `ms`. */
  endCommits(ms: number): Promise<void> {
    return this.#commits.end(ms);
  }

  /** Grows with every write of events, so that what was read of them can be kept until then. */
  get writes(): number {
    return this.#writes;
  }

  /** Notes that something was written: a checkpoint follows once nothing more is for a while. */
  noteWrite(): void {
    this.#writes++;
    clearTimeout(this.#written);
    this.#written = setTimeout(() => {
      // It is only to keep the log short; one that fails, for example beside a writer, comes again.
      this.use(async (session) => {
        await this.#checkpoints.write(session);
        this.#logNames.release();
      }).catch(() => undefined);
    }, CHECKPOINT_AFTER_MS);
    this.#written.unref();
  }

  /** Notes a write and writes a checkpoint at once, so that blocks without events are gone. */
  async settle(): Promise<void> {
    this.noteWrite();
    // One that fails, for example beside a writer, comes again.
    await this.use((session) => this.#checkpoints.write(session)).catch(() => undefined);
    this.#writes++;
  }

  /**
   * Breaks off what still runs, writes everything into the database file and closes it. Throws an EngineError
   * when a statement does not stop.
   */
  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    clearTimeout(this.#written);
    const deadline = performance.now() + this.#stuck.afterMs;
    while (this.#lent.size > 0) {
      if (performance.now() > deadline) {
        throw new EngineError('A statement does not stop.', 'interrupted');
      }
      for (const connection of this.#lent) connection.interrupt();
      await new Promise((resolve) => setTimeout(resolve, INTERRUPT_EVERY_MS));
    }
    let isWhole = false;
    try {
      await this.#lend((session) => this.#checkpoints.write(session), undefined);
      isWhole = true;
    } finally {
      for (const connection of this.#idle.splice(0)) connection.closeSync();
      this.#instance.closeSync();
      this.#logNames.release();
      await this.#checkpoints.close(isWhole);
    }
  }
}

// The order counts: folders are allowed before access is shut, and the last line locks them all.
/** Keeps DuckDB from loading native code, whatever a database file or a statement asks for. */
const NO_EXTENSIONS = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  allow_persistent_secrets: 'false',
};

/** Settings that come before the first database file is opened, which may be from anywhere: from a backup, for example. */
function isolation({ file, spool, temporary }: EngineOptions): string[] {
  const files = [file, file + RECOVERING].flatMap((name) =>
    ['', ...LOG_SUFFIXES].map((suffix) => quoteText(name + suffix)),
  );
  return [
    `SET temp_directory = ${quoteText(temporary)}`,
    `SET allowed_directories = [${quoteText(spool)}]`,
    `SET allowed_paths = [${files.join(', ')}]`,
    'SET enable_external_access = false',
    ...NO_OWN_CHECKPOINTS,
  ];
}

/** The other settings. They come once the database is open, and are final. */
function settings(options: EngineOptions): string[] {
  return [
    `SET memory_limit = ${quoteText(options.memoryLimit)}`,
    "SET GLOBAL TimeZone = 'UTC'",
    // A row group is packed and written once it is full, and not five of them together, which would all be
    // held until then.
    'SET write_buffer_row_group_count = 1',
    // Files of the spool are written over, so what was read of one must not stand for the next.
    'SET enable_external_file_cache = false',
    'SET lock_configuration = true',
  ];
}

/** How long nobody must have written before a checkpoint is made. */
const CHECKPOINT_AFTER_MS = 3_000;
