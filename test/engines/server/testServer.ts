/** A server for the tests of a file, in a folder that is removed after them, and requests to it without the client. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { request } from 'undici';
import { ClickHouseServer, type ServerOptions } from './server.ts';

/** Counts the numbers of a range, so that a query runs for as long as it is told; at some 10^8 a second. */
export const endless = 'SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) % 7 = 1';

/** Fails after millions of rows. With one thread, the first of them are sent long before. */
export const failing =
  'SELECT throwIf(number = 3000000) FROM numbers(4000000) SETTINGS max_threads = 1';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

export interface PostOptions {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly method?: 'GET' | 'POST';
}

export class TestServer {
  readonly folder = mkdtempSync(join(tmpdir(), 'aplomb-clickhouse-'));
  #server: ClickHouseServer | undefined;

  get server(): ClickHouseServer {
    return this.#server!;
  }

  get url(): string {
    return this.server.url;
  }

  async start(options?: ServerOptions): Promise<void> {
    this.#server = await ClickHouseServer.start(this.folder, options);
  }

  async end(): Promise<void> {
    await this.#server?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async send({
    parameters = {},
    headers = {},
    body,
    method = 'POST',
  }: PostOptions): Promise<Reply> {
    const response = await request(`${this.url}/?${new URLSearchParams(parameters)}`, {
      method,
      headers,
      body: body ?? null,
    });
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string | undefined>,
      text: await response.body.text(),
    };
  }

  /** Sends a query and gives its answer. Throws the message of an error. */
  async run(sql: string, parameters?: Readonly<Record<string, string>>): Promise<string> {
    const { status, text } = await this.send({ body: sql, ...(parameters ? { parameters } : {}) });
    if (status !== 200) throw new Error(text);
    return text;
  }

  /** Waits until queries with an id are running, or are not. */
  async waitFor(queryId: string, isRunning: boolean): Promise<void> {
    const sql = `SELECT count() FROM system.processes WHERE Settings['log_comment'] = '${queryId}'`;
    while ((await this.run(sql)) !== (isRunning ? '1\n' : '0\n'));
  }
}

/** Starts a server before the tests of the file, and ends it after them. */
export function useServer(options?: ServerOptions): TestServer {
  const server = new TestServer();
  before(() => server.start(options));
  after(() => server.end());
  return server;
}
