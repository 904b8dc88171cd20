/**
 * ClickHouse's HTTP interface for tests: chdb, which is `clickhouse local` as a library, in a process of its own that
 * listens on 127.0.0.1 and keeps its data in a folder. Clients talk to it as to a server. It differs in this:
 *
 * - The body of a request is read to its end before the query starts, so a body that breaks off inserts nothing, where a
 *   server may have inserted whole blocks of it; and an INSERT takes as much memory as its body.
 * - `log_comment` has the id of the query: `query_id` is replaced by it in `KILL QUERY`, but `queryID()` and the column
 *   of `system.processes` have ids of chdb. `system.query_log` doesn't exist.
 * - Formats that can't be sent in blocks (`formats.ts`) are held in memory, like all of them with `wait_end_of_query`.
 * - Rows and bytes read, in the summary and in the formats with progress, are those up to the last look at the running
 *   query; they are 0 for formats that are held. Headers with the progress are not sent.
 * - Users, passwords and rights are those of `start`; CREATE USER and GRANT are refused, and system tables and engines
 *   need no right. No roles, no TLS, no bodies in
 *   ClickHouse's own compression (`compress=1`), no external tables.
 * - Settings of a request in a named session go back to the server's defaults afterwards, not to those of the session,
 *   and GET may change data in one.
 * - `Distributed` tables have one shard, this process (`config.xml`); `ReplicatedMergeTree`, ON CLUSTER and quorums need a
 *   Keeper, which chdb doesn't have. `formatQuery` checks the syntax of such statements.
 * - An INSERT is stored when it is answered, whatever `async_insert` says.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../house/sources.ts';

const installed = join(root, 'test', 'engines', 'node_modules', 'chdb', 'package.json');

/** How long the process may take to end by itself. */
const END_MS_MAX = 10_000;

/** How many statements run at once: each occupies a thread of libuv. */
const THREADS = 32;

export interface ServerOptions {
  /** Passwords by the names of users. The default is the user `default` without a password. */
  readonly users?: Readonly<Record<string, string>>;
  /** The port, for a server that comes back after its death. The default is a free one. */
  readonly port?: number;
  /** GRANT statements without a grantee, which are the only rights of all users. The default is all rights. */
  readonly grants?: readonly string[];
}

/** How a process ended: one of both is set. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export class ClickHouseServer {
  readonly #child: ChildProcess;
  readonly port: number;
  /** Resolves when the process has ended, however it did. */
  readonly exited: Promise<Exit>;

  private constructor(child: ChildProcess, port: number, exited: Promise<Exit>) {
    this.#child = child;
    this.port = port;
    this.exited = exited;
  }

  /** Opens the database in a folder, which is created if it is missing. Throws if the process ends before it listens. */
  static async start(folder: string, options: ServerOptions = {}): Promise<ClickHouseServer> {
    const users = JSON.stringify(options.users ?? { default: '' });
    const child = fork(
      join(import.meta.dirname, 'serverProcess.ts'),
      [installed, folder, users, String(options.port ?? 0), JSON.stringify(options.grants ?? null)],
      {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        env: { ...process.env, UV_THREADPOOL_SIZE: String(THREADS) },
      },
    );
    const exited = once(child, 'exit').then(([code, signal]): Exit => ({ code, signal }));
    const first = await Promise.race([once(child, 'message'), exited]);
    if (!Array.isArray(first)) {
      const cause = first.signal ?? `code ${first.code}`;
      throw new Error(
        `ClickHouse ended before it listened (${cause}). \`npm run engines:install\` installs it.`,
      );
    }
    return new ClickHouseServer(child, first[0].port, exited);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Runs a statement without the client as the user `default`, and returns what ClickHouse answers. */
  async run(sql: string): Promise<string> {
    const response = await fetch(this.url, { method: 'POST', body: sql });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return text;
  }

  /** Cancels what runs, closes the database and ends the process. */
  async stop(): Promise<Exit> {
    if (this.#child.connected) this.#child.send('end');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), END_MS_MAX);
    const exit = await this.exited;
    clearTimeout(timer);
    return exit;
  }

  /** Ends the process at once, as a power failure or the system would. */
  kill(): Promise<Exit> {
    this.#child.kill('SIGKILL');
    return this.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
