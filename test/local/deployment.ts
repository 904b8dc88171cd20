// A local deployment without a socket: its app over a real store in its own folder, with concise
// methods for requests.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkStrict, IngestResponse, TabularResult } from '../../api/src/index.ts';
import { type App, createApp } from '../../local/src/app.ts';
import type { ClickHouseOptions } from '../../local/src/engines/clickhouseOptions.ts';
import type { HttpHeaders } from '../../local/src/http.ts';
import { openStore, type Store } from '../../local/src/store/store.ts';

export const TOKEN = 'xaat-test';
export const PERSONAL_TOKEN = 'xapt-test';

export interface Answer {
  readonly status: number;
  readonly headers: HttpHeaders;
  /** The body as a string. */
  readonly text: string;
  readonly bytes: Uint8Array;
  /** The parsed body, if it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  readonly body: any;
}

export interface CallOptions {
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface DeploymentOptions {
  /** The data folder, or a temporary one if absent. It is removed when the deployment closes. */
  readonly folder?: string;
  readonly memoryLimit?: string;
  readonly queryTimeoutMs?: number;
  readonly stuckMs?: number;
  /** Called if the deployment's process would restart because a statement does not stop. */
  readonly onStuck?: () => void;
  readonly allowExternal?: readonly string[];
  /** The ClickHouse server that stores the events. */
  readonly clickhouse?: ClickHouseOptions;
}

type RequestBody = string | Uint8Array | object | undefined;

export class Deployment {
  readonly folder: string;
  readonly logged: string[] = [];
  /** Documents that the store reported as skipped. */
  readonly reported: string[] = [];
  readonly #options: DeploymentOptions;
  #store!: Store;
  #app!: App;

  private constructor(folder: string, options: DeploymentOptions) {
    this.folder = folder;
    this.#options = options;
  }

  static async open({ folder, ...options }: DeploymentOptions = {}): Promise<Deployment> {
    const opened = folder ?? (await mkdtemp(join(tmpdir(), 'aplomb-local-')));
    const local = new Deployment(opened, options);
    await local.#open();
    return local;
  }

  async #open(): Promise<void> {
    const log = (message: string) => void this.reported.push(message);
    this.#store = await openStore({ folder: this.folder, log, ...this.#options });
    this.#app = this.#createApp();
  }

  #createApp(): App {
    return createApp({
      store: this.#store,
      token: TOKEN,
      personalToken: PERSONAL_TOKEN,
      log: (message) => this.logged.push(message),
      fatal: () => this.logged.push('fatal'),
    });
  }

  get app(): App {
    return this.#app;
  }

  get store(): Store {
    return this.#store;
  }

  /** Closes the store and reopens it from its folder. */
  async reopen(): Promise<void> {
    await this.#store.close();
    await this.#open();
  }

  async close(): Promise<void> {
    await this.#store.close();
    await rm(this.folder, { recursive: true, force: true });
    assert.deepEqual(this.logged, []);
  }

  async call(
    method: string,
    path: string,
    body?: RequestBody,
    options: CallOptions = {},
  ): Promise<Answer> {
    const isBytes = typeof body === 'string' || body instanceof Uint8Array;
    const response = await this.#app(
      new Request(`http://127.0.0.1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${TOKEN}`,
          ...(body === undefined ? {} : { 'content-type': options.type ?? 'application/json' }),
          ...options.headers,
        },
        ...(body === undefined
          ? {}
          : { body: isBytes ? (body as BodyInit) : JSON.stringify(body) }),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      }),
    );
    const bytes = await response.bytes();
    const text = Buffer.from(bytes).toString();
    return { status: response.status, headers: response.headers, text, bytes, body: parsed(text) };
  }

  async dataset(name: string): Promise<string> {
    const { status, text } = await this.call('POST', '/v2/datasets', { name });
    assert.equal(status, 200, text);
    return name;
  }

  /** Ingests events. Sends an array as NDJSON lines. */
  ingest(name: string, body: string | Uint8Array | readonly object[], options: CallOptions = {}) {
    const isList = Array.isArray(body);
    const bytes = isList ? body.map((event) => JSON.stringify(event)).join('\n') : body;
    return this.call('POST', `/v1/ingest/${name}`, bytes as string, {
      type: 'application/x-ndjson',
      ...options,
    });
  }

  /** Ingests events and asserts that all are stored. */
  async stored(
    name: string,
    body: string | Uint8Array | readonly object[],
    options: CallOptions = {},
  ): Promise<void> {
    const answer = await this.ingest(name, body, options);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(checkStrict(IngestResponse, answer.body), []);
    assert.equal(answer.body.failed, 0, answer.text);
  }

  query(apl: string, members: object = {}, options: CallOptions = {}): Promise<Answer> {
    return this.call('POST', '/v1/query/_apl?format=tabular', { apl, ...members }, options);
  }

  /** Runs a query without a time limit. Returns its first table as rows by column name. */
  async rows(apl: string, members: object = {}): Promise<Record<string, unknown>[]> {
    const answer = await this.query(apl, { ...ALL_TIMES, ...members });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(checkStrict(TabularResult, answer.body), []);
    return rowsOf(answer.body.tables[0]);
  }

  /** Returns a dataset's fields as `name: type`, without the two time fields. */
  async fields(name: string): Promise<Record<string, string>> {
    const { body } = await this.call('GET', `/v2/datasets/${name}/fields`);
    const own = (body as { name: string; type: string }[]).slice(2);
    return Object.fromEntries(own.map((field) => [field.name, field.type]));
  }
}

export const ALL_TIMES = { startTime: '1678-01-01T00:00:00Z', endTime: '2262-01-01T00:00:00Z' };

interface WireTable {
  readonly fields: readonly { readonly name: string }[];
  readonly columns: readonly (readonly unknown[])[];
}

export function rowsOf({ fields, columns }: WireTable): Record<string, unknown>[] {
  return (columns[0] ?? []).map((_, row) =>
    Object.fromEntries(fields.map(({ name }, column) => [name, columns[column]![row]])),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
