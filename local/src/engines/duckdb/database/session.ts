/** A connection to the engine. It runs statements and transactions, and interrupts statements. */
import { setTimeout as pause } from 'node:timers/promises';
import { DuckDBBlobValue, type DuckDBConnection } from '@duckdb/node-api';
import { ApiError } from '../../../errors.ts';
import { EngineError } from '../../engineError.ts';
import type { Checkpoints } from './checkpoints.ts';
import { registerComputed } from './computed/register.ts';
import { engineError } from './failure.ts';
import type { LogNames } from './logNames.ts';

/** A parameter or result of a statement. A 64-bit integer is a bigint, and bytes are a Uint8Array. */
type SqlValue = string | number | bigint | boolean | null | Uint8Array;

export interface SharedBySessions {
  /** Called if an interrupted statement doesn't stop within `afterMs`. */
  readonly stuck: { readonly call: () => void; readonly afterMs: number };
  readonly interrupted: Set<number>;
  readonly commits: Commits;
}

/** Runs commits. After `end`, new commits are refused. */
export class Commits {
  readonly #logNames: LogNames;
  readonly #checkpoints: Checkpoints;
  #running = 0;
  #ended = false;

  constructor(logNames: LogNames, checkpoints: Checkpoints) {
    this.#logNames = logNames;
    this.#checkpoints = checkpoints;
  }

  ready(): Promise<void> {
    return this.#checkpoints.ready();
  }

  /** Makes the changes of `commit` survive a power loss. After `end`, throws an ApiError instead. */
  async run(commit: () => Promise<unknown>): Promise<void> {
    if (this.#ended) throw new ApiError('restarting');
    this.#running += 1;
    try {
      await commit();
      // A failed sync is fatal, because the data may be lost and a second sync wouldn't report that.
      await this.#logNames.sync().catch((error: Error) => {
        throw new EngineError(`The data folder cannot be synced: ${error.message}`, 'fatal');
      });
    } finally {
      this.#running -= 1;
    }
    await this.#checkpoints.countCommit();
  }

  async end(ms: number): Promise<void> {
    this.#ended = true;
    const deadline = performance.now() + ms;
    while (this.#running > 0 && performance.now() < deadline) await pause(COMMITS_POLL_MS);
  }
}

const COMMITS_POLL_MS = 10;

/** A connection that is lent to one caller at a time. */
export class Session {
  readonly #connection: DuckDBConnection;
  readonly #signal: AbortSignal | undefined;
  readonly #shared: SharedBySessions;

  constructor(
    connection: DuckDBConnection,
    signal: AbortSignal | undefined,
    shared: SharedBySessions,
  ) {
    this.#connection = connection;
    this.#signal = signal;
    this.#shared = shared;
  }

  /** Runs a statement. Returns the number of changed rows. Changes that must be durable need `transaction`. */
  async run(sql: string, values: readonly SqlValue[] = []): Promise<number> {
    return Number((await this.#execute(sql, values, this.#signal)).rowsChanged);
  }

  async rows<Row extends readonly unknown[]>(
    sql: string,
    values: readonly SqlValue[] = [],
  ): Promise<Row[]> {
    const rows = await (await this.#execute(sql, values, this.#signal)).getRows();
    return rows.map((row) =>
      row.map((value) => (value instanceof DuckDBBlobValue ? value.bytes : value)),
    ) as unknown as Row[];
  }

  registerComputed(interrupted: (connectionId: number) => boolean): void {
    registerComputed(this.#connection, interrupted);
  }

  /** Runs `work` in a transaction. Either all of its changes are stored and survive a power loss, or none are. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    const { commits } = this.#shared;
    await commits.ready();
    await this.run('BEGIN');
    let result: T;
    try {
      result = await work();
      this.#signal?.throwIfAborted();
    } catch (error) {
      await this.#rollback();
      throw error;
    }
    // Don't let the signal interrupt a commit, because its outcome would be unknown.
    try {
      await commits.run(() => this.#execute('COMMIT', [], undefined));
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
      // Ignore a failed ROLLBACK: the original error, which the caller reports, may have ended the transaction.
    }
  }

  async #execute(sql: string, values: readonly SqlValue[], signal: AbortSignal | undefined) {
    const { interrupted, stuck } = this.#shared;
    signal?.throwIfAborted();
    // Repeat the interrupt, because DuckDB ignores one that precedes the start of the statement.
    let repeat: NodeJS.Timeout | undefined;
    let timeout: NodeJS.Timeout | undefined;
    const interrupt = () => {
      interrupted.add(this.#connection.clientContext.connectionId);
      this.#connection.interrupt();
      timeout = setTimeout(stuck.call, stuck.afterMs);
      repeat = setInterval(() => this.#connection.interrupt(), INTERRUPT_EVERY_MS);
    };
    signal?.addEventListener('abort', interrupt, { once: true });
    try {
      if (values.length === 0) return await this.#connection.run(sql);
      const parameters = values.map((value) =>
        value instanceof Uint8Array ? new DuckDBBlobValue(value) : value,
      );
      return await this.#connection.run(sql, parameters);
    } catch (error) {
      signal?.throwIfAborted();
      throw engineError(error);
    } finally {
      clearInterval(repeat);
      clearTimeout(timeout);
      signal?.removeEventListener('abort', interrupt);
      if (timeout !== undefined) interrupted.delete(this.#connection.clientContext.connectionId);
    }
  }
}

export const INTERRUPT_EVERY_MS = 20;
