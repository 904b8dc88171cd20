/**
 * chdb in this process. Its addon is used directly, because the package's `Session` puts off the end of a connection
 * until no statement of the process runs, so that the server would list ended queries, and `KILL QUERY … SYNC` would
 * wait for itself.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DividedInsert, divideInsert } from './statement.ts';

/** Opaque values of the addon. */
type NativeConnection = object;
type NativeStream = object;

/** The used part of the addon. The package's types aren't there unless it is installed. */
interface Addon {
  CreateConnection(folder: string, options?: readonly string[]): NativeConnection;
  CloseConnection(connection: NativeConnection): void;
  QueryAsyncConnection(
    connection: NativeConnection,
    sql: string,
    format: string,
  ): Promise<{ readonly bytes: Uint8Array }>;
  InsertRawAsyncConnection(
    connection: NativeConnection,
    sql: string,
    data: Uint8Array,
    countLines: boolean,
  ): Promise<Written>;
  StreamQuery(connection: NativeConnection, sql: string, format: string): NativeStream;
  StreamFetch(
    stream: NativeStream,
  ): Promise<{ readonly bytes: Uint8Array; readonly done: boolean }>;
  StreamCancel(stream: NativeStream): void;
}

export interface Written {
  readonly rowsWritten: number;
  readonly bytesWritten: number;
}

/** What a running query has examined until now. */
export interface Progress {
  readonly readRows: number;
  readonly readBytes: number;
  readonly totalRows: number;
  readonly memoryBytes: number;
}

/** Where a query's id is kept: chdb accepts none. */
export const ID_SETTING = 'log_comment';

/** Values of a server where those of `clickhouse local`, which chdb is, differ. */
const serverDefaults = { implicit_select: '0', allow_introspection_functions: '0' };

export class Engine {
  readonly #addon: Addon;
  readonly #folder: string;
  /** Holds the folder open, and looks up the queries of other connections. */
  readonly #own: Connection;

  /** Opens the database in a folder. `installed` is the path of the package's `package.json`, `config` of a file. */
  constructor(installed: string, folder: string, config: string) {
    const { loadNative } = createRequire(installed)('./dist/loader.js') as {
      readonly loadNative: () => Addon;
    };
    this.#addon = loadNative();
    this.#folder = folder;
    this.#own = new Connection(
      this.#addon,
      this.#addon.CreateConnection(folder, [`--config-file=${config}`]),
    );
  }

  /** Opens a connection, with settings and temporary tables of its own. It runs one statement at a time. */
  connect(): Connection {
    return new Connection(this.#addon, this.#addon.CreateConnection(this.#folder));
  }

  /** Looks up a query that runs. Its last numbers can't be known: chdb forgets a query when it ends. */
  async progress(queryId: string): Promise<Progress | undefined> {
    const [found] = await this.rows(
      `SELECT read_rows, read_bytes, total_rows_approx, memory_usage FROM system.processes WHERE ${idIs(queryId)}`,
    );
    if (found === undefined) return undefined;
    const [readRows, readBytes, totalRows, memoryBytes] = found.map(Number) as [
      number,
      number,
      number,
      number,
    ];
    return { readRows, readBytes, totalRows, memoryBytes };
  }

  /** Asks a query to stop. Its statement fails soon after. */
  async kill(queryId: string): Promise<void> {
    await this.#own.query(`KILL QUERY WHERE ${idIs(queryId)}`, 'Null');
  }

  async killAll(): Promise<void> {
    await this.#own.query('KILL QUERY WHERE 1', 'Null');
  }

  async rows(sql: string): Promise<unknown[][]> {
    const bytes = await this.#own.query(sql, 'JSONCompactEachRow');
    const lines = bytes.toString().split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  }

  close(): void {
    this.#own.close();
  }
}

export class Connection {
  readonly #addon: Addon;
  readonly #native: NativeConnection;

  constructor(addon: Addon, native: NativeConnection) {
    this.#addon = addon;
    this.#native = native;
  }

  /** Applies settings, and parameters under the names `param_…`. */
  async set(values: ReadonlyMap<string, string>): Promise<void> {
    const all = [...Object.entries(serverDefaults), ...values];
    const list = all.map(([name, value]) => `${settingName(name)} = ${literal(value)}`);
    await this.query(`SET ${list.join(', ')}`, 'Null');
  }

  /** Gives settings their defaults again. As any statement, it also ends a failed one, which is listed until then. */
  async reset(names: Iterable<string>): Promise<void> {
    for (const name of names) await this.query(`SET ${settingName(name)} = DEFAULT`, 'Null');
  }

  /** Runs a statement and gives its whole result. */
  async query(sql: string, format: string): Promise<Buffer> {
    const { bytes } = await this.#addon.QueryAsyncConnection(this.#native, sql, format);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Runs an INSERT with its data, which may have any bytes. The rows of data with a blank line are not counted. */
  async insert(sql: Buffer): Promise<Written> {
    // The addon takes a blank line for the end of the data.
    const divided = sql.includes('\n\n') ? divideInsert(sql) : undefined;
    if (divided !== undefined) {
      await this.#insertFile(divided);
      return { rowsWritten: 0, bytesWritten: divided.data.length };
    }
    return this.#addon.InsertRawAsyncConnection(this.#native, '', sql, false);
  }

  async #insertFile({ into, settingsAndFormat, data }: DividedInsert): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'clickhouse-insert-'));
    try {
      const file = join(folder, 'data');
      await writeFile(file, data);
      await this.query(`${into} FROM INFILE ${literal(file)} ${settingsAndFormat}`, 'Null');
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  /** Runs a SELECT and gives its blocks, each written as if it were the result. */
  async *blocks(sql: string, format: string): AsyncGenerator<Buffer> {
    const stream = this.#addon.StreamQuery(this.#native, sql, format);
    try {
      for (;;) {
        const { bytes, done } = await this.#addon.StreamFetch(stream);
        if (done) return;
        yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      }
    } finally {
      this.#addon.StreamCancel(stream);
    }
  }

  close(): void {
    this.#addon.CloseConnection(this.#native);
  }
}

export function literal(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function settingName(name: string): string {
  return `\`${name.replaceAll('`', '')}\``;
}

function idIs(queryId: string): string {
  return `Settings['${ID_SETTING}'] = ${literal(queryId)}`;
}
