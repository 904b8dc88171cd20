/**
 * Speaks to ClickHouse with its official client, and parses YAML. This file is a separate bundle, which only deployments
 * on ClickHouse load, so it shares no classes with the main bundle. Errors are those of the libraries; see `failure.ts`.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { CORE_SCHEMA, load } from 'js-yaml';
import type { ClickHouseOptions } from '../clickhouseOptions.ts';

export type Settings = Readonly<Record<string, string | number>>;

export interface Driver {
  /** Returns the rows of a query. 64-bit integers are strings. If `signal` aborts, stops the query. */
  rows(sql: string, settings: Settings, signal?: AbortSignal): Promise<unknown[][]>;
  /** Yields the bytes of an answer. `sql` has a FORMAT clause. If `signal` aborts, stops the query. */
  bytes(sql: string, settings: Settings, signal: AbortSignal): AsyncGenerator<Uint8Array>;
  run(sql: string, settings: Settings): Promise<void>;
  /** Sends rows. `sql` is an INSERT statement with a FORMAT clause. */
  insert(sql: string, rows: Readable, settings: Settings): Promise<void>;
  close(): Promise<void>;
}

/** More than the names of all columns of a dataset. */
const STATEMENT_BYTES_MAX = 4 * 1_048_576;

async function* statementAndRows(sql: string, rows: Readable): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${sql}\n`);
  yield* rows;
}

export interface Timeouts {
  readonly requestMs: number;
}

export function connect(options: ClickHouseOptions, { requestMs }: Timeouts): Driver {
  const client = createClient({
    url: options.url,
    username: options.user ?? 'default',
    password: options.password ?? '',
    application: 'aplomb',
    request_timeout: requestMs,
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: {
      output_format_json_quote_64bit_integers: 1,
      max_query_size: String(STATEMENT_BYTES_MAX),
    },
  });
  /** Prepares a query that stops if `signal` aborts. Call `end` when the answer is read. */
  const stoppable = (query: string, settings: Settings, signal: AbortSignal | undefined) => {
    const query_id = randomUUID();
    const stop = () => {
      // A closed connection alone doesn't stop every query.
      void client
        .command({ query: `KILL QUERY WHERE query_id = '${query_id}' ASYNC` })
        .catch(() => undefined);
    };
    signal?.addEventListener('abort', stop, { once: true });
    return {
      params: {
        ...{ query, query_id, clickhouse_settings: { ...settings } },
        ...(signal && { abort_signal: signal }),
      },
      end: () => signal?.removeEventListener('abort', stop),
    };
  };
  return {
    rows: async (sql, settings, signal) => {
      const { params, end } = stoppable(sql, settings, signal);
      try {
        const result = await client.query({ ...params, format: 'JSONCompactEachRow' });
        return await result.json<unknown[]>();
      } finally {
        end();
      }
    },
    bytes: async function* (sql, settings, signal) {
      const { params, end } = stoppable(sql, settings, signal);
      try {
        const { stream } = await client.exec(params);
        const destroy = () => stream.destroy();
        signal.addEventListener('abort', destroy, { once: true });
        try {
          yield* stream;
        } finally {
          signal.removeEventListener('abort', destroy);
        }
      } finally {
        end();
      }
    },
    run: async (query, settings) => {
      await client.command({ query, clickhouse_settings: { ...settings } });
    },
    insert: async (sql, rows, settings) => {
      // Send the statement in the body, because the names of many columns are too long for a URL.
      const values = Readable.from(statementAndRows(sql, rows), { objectMode: false });
      const clickhouse_settings = { ...settings };
      const { stream } = await client.exec({ query: '', values, clickhouse_settings });
      // Read the empty body, so that the connection can be used again.
      for await (const _ of stream);
    },
    close: () => client.close(),
  };
}

/** Parses a document without references, which could make it very large. Throws a YAMLException. */
export function parseYaml(text: string): unknown {
  return load(text, { schema: CORE_SCHEMA, maxAliases: 0 });
}
