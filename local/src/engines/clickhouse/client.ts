/** Runs statements on ClickHouse, and repeats them while the server is unreachable or busy. */
import { createReadStream } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../store/storedJson.ts';
import type { ClickHouseOptions } from '../clickhouseOptions.ts';
import type { Driver, Settings } from './driver.ts';
import { answerOf, type FailureKind, kindOf, messageOf, queryError } from './failure.ts';

/** The time for which a statement is repeated. Clients wait for the answer meanwhile. */
const REPEAT_MS = 30_000;
const FIRST_PAUSE_MS = 50;
const PAUSE_MS_MAX = 2_000;

/** The maximum duration of a statement. */
const REQUEST_MS = 120_000;

const repeatable: ReadonlySet<FailureKind> = new Set(['unreachable', 'busy', 'unknown']);

interface RepeatOptions {
  readonly errorOf?: (error: unknown) => Error;
  /** Called with the error of the first attempt if there are more. */
  readonly onRepeat?: (error: unknown) => void;
}

function unusable(url: string, error: unknown): string {
  return `ClickHouse at ${url} cannot be used: ${messageOf(error)}. Check --clickhouse-url, CLICKHOUSE_USER and CLICKHOUSE_PASSWORD, and whether ClickHouse is running.`;
}

/** The time after the maximum duration of a query in which ClickHouse reports it. */
const GRACE_MS = 10_000;

/** Returns the settings of all queries, so that ClickHouse ends a query even if the process doesn't. */
function querySettingsOf({ queryMs, queryBytes }: ClickHouseOptions): Settings {
  return {
    // Queries read, and may change settings.
    readonly: 2,
    ...(queryMs !== undefined && { max_execution_time: queryMs / 1_000 }),
    ...(queryBytes !== undefined && { max_memory_usage: queryBytes }),
  };
}

export class ClickHouse {
  readonly #driver: Driver;
  readonly #repeatMs: number;
  readonly #querySettings: Settings;
  readonly #closing = new AbortController();

  private constructor(driver: Driver, options: ClickHouseOptions) {
    const { repeatMs = REPEAT_MS } = options;
    this.#driver = driver;
    this.#repeatMs = repeatMs;
    this.#querySettings = querySettingsOf(options);
  }

  /** Connects. Throws an Error that says what to check if ClickHouse doesn't answer, or not to this user. */
  static async open(options: ClickHouseOptions, log: Log): Promise<ClickHouse> {
    // Load the client only here, because it would make other deployments start more slowly.
    const { connect } = await import('./driver.ts');
    const { queryMs = 0 } = options;
    const clickhouse = new ClickHouse(
      connect(options, { requestMs: Math.max(REQUEST_MS, queryMs + GRACE_MS) }),
      options,
    );
    try {
      await clickhouse.#repeat(() => clickhouse.#driver.run('SELECT 1', {}), {
        errorOf: (error) => new Error(unusable(options.url, error)),
        onRepeat: (error) => log(`Waiting for ClickHouse at ${options.url}: ${messageOf(error)}.`),
      });
    } catch (error) {
      await clickhouse.close();
      throw error;
    }
    return clickhouse;
  }

  /** Returns the rows of a query. 64-bit integers are strings. */
  async rows<Row extends readonly unknown[]>(sql: string, settings: Settings = {}): Promise<Row[]> {
    const rows = await this.#repeat(() => this.#driver.rows(sql, settings));
    return rows as unknown[] as Row[];
  }

  /** Returns the rows of a translated query once. Throws an EngineError for an error of the query. */
  async query<Row extends readonly unknown[]>(
    sql: string,
    settings: Settings,
    signal?: AbortSignal,
  ): Promise<Row[]> {
    try {
      const all = { ...settings, ...this.#querySettings };
      return (await this.#driver.rows(sql, all, signal)) as unknown[] as Row[];
    } catch (error) {
      signal?.throwIfAborted();
      throw queryError(error);
    }
  }

  /** Yields the answer to a translated query with a FORMAT clause. Throws an EngineError for an error of the query. */
  async *bytes(
    sql: string,
    settings: Settings,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void> {
    try {
      yield* this.#driver.bytes(sql, { ...settings, ...this.#querySettings }, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw queryError(error);
    }
  }

  /** Runs a statement that may run twice without harm. */
  run(sql: string, settings: Settings = {}): Promise<void> {
    return this.#repeat(() => this.#driver.run(sql, settings));
  }

  /** Runs a statement once. Throws the error of the client. */
  runOnce(sql: string): Promise<void> {
    return this.#driver.run(sql, {});
  }

  /** Sends a file's rows. `settings` must contain a token that lets ClickHouse ignore repeated rows. */
  insert(sql: string, path: string, settings: Settings): Promise<void> {
    const send = async () => {
      const file = createReadStream(path, { highWaterMark: 1_048_576 });
      try {
        await this.#driver.insert(sql, file, settings);
      } finally {
        file.destroy();
      }
    };
    return this.#repeat(send, { errorOf: (error) => answerOf(error, true) });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#driver.close();
  }

  /** Throws the error of `errorOf`, by default an ApiError, if the statement still fails after the last attempt. */
  async #repeat<T>(
    attempt: () => Promise<T>,
    { errorOf = (error) => answerOf(error, false), onRepeat }: RepeatOptions = {},
  ): Promise<T> {
    const deadline = performance.now() + this.#repeatMs;
    let inDoubt: unknown;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
      try {
        return await attempt();
      } catch (error) {
        const kind = kindOf(error);
        // Once an attempt is in doubt, the statement may have run, whatever later attempts report.
        if (kind === 'unknown') inDoubt = error;
        const isOver = performance.now() + pauseMs > deadline || this.#closing.signal.aborted;
        if (!repeatable.has(kind) || isOver) throw errorOf(inDoubt ?? error);
        if (pauseMs === FIRST_PAUSE_MS) onRepeat?.(error);
      }
      await pause(pauseMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }
}
