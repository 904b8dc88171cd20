/**
 * DuckDB, which opens the database of the data folder without access to other files or the network, and lends
 * connections for concurrent statements. Only the files in this folder import its package.
 */
import { link, rm } from 'node:fs/promises';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { removeFile } from '../../../../../system/src/replace.ts';
import { STUCK_MS } from '../../../limits.ts';
import { macroCatalogSql } from '../../../planner/macros.ts';
import type { Prices } from '../../../planner/prices.ts';
import { MAX_LATE_ROWS } from '../../../planner/print.ts';
import { quoteText } from '../../../store/sql.ts';
import { EngineError } from '../../engineError.ts';
import { Checkpoints, NO_OWN_CHECKPOINTS } from './checkpoints.ts';
import { callsComputed } from './computed/register.ts';
import { engineError, isDamage, openingError } from './failure.ts';
import { LogNames } from './logNames.ts';
import { Macros } from './macros.ts';
import { restoreMetadata } from './metadataCopy.ts';
import {
  checkFormat,
  damagedDatabaseError,
  isNewAndEmpty,
  LOG_SUFFIXES,
  recoverLog,
} from './recovery.ts';
import { Commits, INTERRUPT_EVERY_MS, Session, type SharedBySessions } from './session.ts';

export interface EngineOptions {
  readonly file: string;
  /** The only folder from which statements may read files, such as ingest bodies. */
  readonly spool: string;
  readonly temporary: string;
  /** The memory limit in DuckDB's format, such as `4GB`. */
  readonly memoryLimit: string;
  readonly prices?: Prices | undefined;
  /** Called if an interrupted statement is still running after `stuckMs`, by default `STUCK_MS`. */
  readonly onStuck?: (() => void) | undefined;
  readonly stuckMs?: number | undefined;
}

/**
 * The number of events in a DuckDB row group. This is half of DuckDB's default, because small requests leave unfilled
 * row groups, and smaller row groups take less work to merge.
 */
export const ROW_GROUP_EVENTS = 61_440;

const DATABASE_NAME = 'data';

/** The first statement of each new connection, because the current database is a setting of the connection. */
const USE_DATABASE = `USE ${DATABASE_NAME}`;

// The explicit type stops DuckDB from looking for an extension if the file has another format. The newest storage
// version tries only one compression method for strings, which saves a fifth of the ingest work, but older DuckDB
// releases can't read the file.
const attachedSql = (file: string, name: string, more = '') =>
  `ATTACH ${quoteText(file)} AS ${name} (TYPE duckdb, STORAGE_VERSION 'latest', ROW_GROUP_SIZE ${ROW_GROUP_EVENTS}${more})`;

const attachSql = (file: string) => attachedSql(file, DATABASE_NAME);

/** Attaches a new database without a log, because an unfinished copy needn't be recovered. */
export const attachCopySql = (file: string, name: string) =>
  attachedSql(file, name, ", RECOVERY_MODE 'no_wal_writes'");

async function attach(connection: DuckDBConnection, file: string): Promise<void> {
  await checkFormat(file);
  await restoreMetadata(file, () => refuseIfOpen(connection, file));
  await recoverLog(file, (work) => whileLocked(connection, file, work));
  try {
    await connection.run(attachSql(file));
  } catch (error) {
    const { message } = engineError(error);
    if (!isDamage(error)) throw error;
    // Replace an unfinished file. No other process can still be creating it, because it would have locked the file.
    if (!(await isNewAndEmpty(file))) throw damagedDatabaseError(file, message);
    await rm(file);
    await connection.run(attachSql(file));
  }
}

/** Throws if another process has the file open. Ignores damage, because DuckDB locks the file first. */
async function refuseIfOpen(connection: DuckDBConnection, file: string): Promise<void> {
  await whileLocked(connection, file, async () => undefined).catch((error: unknown) => {
    if (!isDamage(error)) throw error;
  });
}

/** A hard link with this suffix is a second name of the database file, for which DuckDB finds no log. */
const RECOVERING_SUFFIX = '.recovering';

/** Runs `work` with the database locked but its log closed, by opening the database under a second name. */
async function whileLocked(
  connection: DuckDBConnection,
  file: string,
  work: () => Promise<void>,
): Promise<void> {
  const name = file + RECOVERING_SUFFIX;
  await removeFile(name);
  // Without hard links, open the file read-only, which keeps out writers, but not other readers.
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

export class Engine {
  readonly #instance: DuckDBInstance;
  readonly #idle: DuckDBConnection[] = [];
  readonly #lent = new Set<DuckDBConnection>();
  /** The IDs of connections with an interrupted statement. The functions in `computed` check them and end early. */
  readonly #interrupted = new Set<number>();
  readonly #macros: Macros;
  readonly #shared: SharedBySessions;
  readonly #logNames: LogNames;
  readonly #checkpoints: Checkpoints;
  #closing = false;
  #writes = 0;
  #checkpointTimer: NodeJS.Timeout | undefined;

  private constructor(instance: DuckDBInstance, { prices, ...options }: EngineOptions) {
    this.#instance = instance;
    const { file, onStuck = () => undefined, stuckMs = STUCK_MS } = options;
    const stuck = { call: onStuck, afterMs: stuckMs };
    this.#logNames = new LogNames(file);
    this.#checkpoints = new Checkpoints(file, (work) => this.use(work));
    const commits = new Commits(this.#logNames, this.#checkpoints);
    this.#shared = { stuck, interrupted: this.#interrupted, commits };
    let registered = false;
    const interrupted = (id: number) => this.#closing || this.#interrupted.has(id);
    const run = (sql: string) =>
      this.#withSession((session) => {
        // Register the JavaScript functions on first use, because this takes about 10 ms and few queries need them.
        if (!registered && callsComputed(sql)) session.registerComputed(interrupted);
        registered ||= callsComputed(sql);
        return session.run(sql);
      }, undefined);
    this.#macros = new Macros(run, prices);
  }

  /** Starts DuckDB without waiting for the options. Throws an EngineError on failure. */
  static async open(pendingOptions: Promise<EngineOptions>): Promise<Engine> {
    const starting = DuckDBInstance.create(':memory:', NO_EXTENSIONS);
    const [instance, options] = await Promise.all([starting, pendingOptions]).catch(
      async (error) => {
        (await starting).closeSync();
        throw error;
      },
    );
    const engine = new Engine(instance, options);
    try {
      const connection = await instance.connect();
      await connection.run(isolationSettings(options).join(';\n'));
      await attach(connection, options.file);
      await connection.run([USE_DATABASE, macroCatalogSql, ...settings(options)].join(';\n'));
      engine.#idle.push(connection);
    } catch (error) {
      instance.closeSync();
      throw await openingError(error, options.file);
    }
    return engine;
  }

  /** Runs `work` with a session. If `signal` aborts, interrupts the statement and throws the signal's reason. */
  async use<T>(work: (session: Session) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#closing) throw new EngineError('The database is closed.', 'interrupted');
    return this.#withSession(work, signal);
  }

  /** Runs `work` in a transaction. Either all of its changes are stored and survive a power loss, or none are. */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.use((session) => session.transaction(() => work(session)));
  }

  /** Creates the planner macros with these names if they are missing, so that subsequent statements can use them. */
  createMacros(names: readonly string[]): Promise<void> {
    return this.#macros.create(names);
  }

  async #withSession<T>(
    work: (session: Session) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const idle = this.#idle.pop();
    const connection = idle ?? (await this.#instance.connect());
    this.#lent.add(connection);
    let result: T;
    try {
      const session = new Session(connection, signal, this.#shared);
      if (idle === undefined) await session.run(USE_DATABASE);
      result = await work(session);
    } catch (error) {
      // Close the connection, which drops leftovers such as temporary tables.
      connection.closeSync();
      throw error;
    } finally {
      this.#lent.delete(connection);
    }
    this.#idle.push(connection);
    return result;
  }

  /** Rejects new commits, and waits at most `ms` milliseconds for running commits. */
  endCommits(ms: number): Promise<void> {
    return this.#shared.commits.end(ms);
  }

  /** The number of ingests, trims and vacuums so far. Cached results stay valid until it changes. */
  get writes(): number {
    return this.#writes;
  }

  /** Counts a write, and schedules a checkpoint for the next pause in writes. */
  countWrite(): void {
    this.#writes++;
    clearTimeout(this.#checkpointTimer);
    this.#checkpointTimer = setTimeout(() => {
      // Ignore a failure, for example due to a concurrent writer: a later checkpoint will shorten the log too.
      this.use(async (session) => {
        await this.#checkpoints.write(session);
        this.#logNames.release();
      }).catch(() => undefined);
    }, CHECKPOINT_AFTER_MS);
    this.#checkpointTimer.unref();
  }

  /** Writes a checkpoint now, which frees blocks that contain no events. Counts a write before and after it. */
  async checkpointNow(): Promise<void> {
    this.countWrite();
    // If the checkpoint fails, for example due to a concurrent writer, it is retried later.
    await this.use((session) => this.#checkpoints.write(session)).catch(() => undefined);
    this.#writes++;
  }

  /** Closes the database. Throws an EngineError if a statement doesn't stop. */
  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    clearTimeout(this.#checkpointTimer);
    const deadline = performance.now() + this.#shared.stuck.afterMs;
    while (this.#lent.size > 0) {
      if (performance.now() > deadline) {
        throw new EngineError('A statement does not stop.', 'interrupted');
      }
      for (const connection of this.#lent) connection.interrupt();
      await new Promise((resolve) => setTimeout(resolve, INTERRUPT_EVERY_MS));
    }
    let isCheckpointed = false;
    try {
      await this.#withSession((session) => this.#checkpoints.write(session), undefined);
      isCheckpointed = true;
    } finally {
      for (const connection of this.#idle.splice(0)) connection.closeSync();
      this.#instance.closeSync();
      this.#logNames.release();
      await this.#checkpoints.close(isCheckpointed);
    }
  }
}

/** Settings that keep DuckDB from loading extensions, which are native code, and from reading stored secrets. */
const NO_EXTENSIONS = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  allow_persistent_secrets: 'false',
};

/** Returns settings that restrict access to files. The folders must be allowed before other access is disabled. */
function isolationSettings({ file, spool, temporary }: EngineOptions): string[] {
  const files = [file, file + RECOVERING_SUFFIX].flatMap((name) =>
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

function settings(options: EngineOptions): string[] {
  return [
    `SET memory_limit = ${quoteText(options.memoryLimit)}`,
    "SET GLOBAL TimeZone = 'UTC'",
    // Compress and write each full row group immediately, instead of holding five of them in memory.
    'SET write_buffer_row_group_count = 1',
    // Disable this cache, because spool files are overwritten.
    'SET enable_external_file_cache = false',
    `SET GLOBAL late_materialization_max_rows = ${MAX_LATE_ROWS}`,
    'SET lock_configuration = true',
  ];
}

const CHECKPOINT_AFTER_MS = 3_000;
