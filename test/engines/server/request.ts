/** Reads a request: the query from the URL and the body, settings, parameters, and how to answer. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import { ServerError } from './errors.ts';
import { multipartFields } from './multipart.ts';

export interface QueryRequest {
  /** The query of the URL, a line break, and the body, which has the data of an INSERT. */
  readonly sql: Buffer;
  readonly queryId: string;
  readonly database?: string;
  /** The format of a query without FORMAT. */
  readonly format?: string;
  readonly settings: ReadonlyMap<string, string>;
  /** Parameters by their names with `param_`. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly session?: NamedSession;
  /** Whether the answer starts only when the query has ended. */
  readonly waitsForEnd: boolean;
  readonly encoding?: Encoding;
  /** Whether the query is cancelled when the client goes away. */
  readonly cancelsOnClose: boolean;
  /** Whether it may change data: not with GET. */
  readonly mayWrite: boolean;
}

export interface NamedSession {
  readonly id: string;
  readonly timeoutMs: number;
  /** Whether it must exist. */
  readonly mustExist: boolean;
}

export type Encoding = 'gzip' | 'deflate' | 'br' | 'zstd';

const encodings: readonly Encoding[] = ['br', 'gzip', 'zstd', 'deflate'];

const decompressors: Readonly<Record<Encoding, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** Parameters of the URL that aren't settings. */
const reserved = new Set([
  ...['query', 'query_id', 'database', 'default_format', 'user', 'password', 'quota_key'],
  ...['session_id', 'session_timeout', 'session_check', 'close_session'],
  ...['wait_end_of_query', 'buffer_size', 'add_http_cors_header', 'stacktrace'],
  ...['client_protocol_version', 'compress', 'decompress', 'role'],
]);

/** Parameters that would change the answer, and are not implemented. */
const refused = ['compress', 'decompress', 'role'];

const SESSION_SECONDS = 60;
const SESSION_SECONDS_MAX = 3_600;

/** Reads the body too. Throws if the client ends the connection before its end. */
export async function readRequest(request: IncomingMessage, url: URL): Promise<QueryRequest> {
  const body = await readBody(request);
  const fields = multipartFields(body, request.headers['content-type']);
  const parameters = new Map([...url.searchParams, ...(fields ?? [])]);
  for (const name of refused) {
    if (isOn(parameters.get(name))) throw notImplemented(`The parameter ${name} is not supported.`);
  }
  const query = parameters.get('query') ?? '';
  const rest = fields === undefined ? body : Buffer.alloc(0);
  const format = header(request, 'x-clickhouse-format') ?? parameters.get('default_format');
  const database = header(request, 'x-clickhouse-database') ?? parameters.get('database');
  const session = sessionOf(parameters);
  const encoding = encodingOf(request, parameters);
  return {
    sql: query === '' ? rest : Buffer.concat([Buffer.from(`${query}\n`), rest]),
    queryId: parameters.get('query_id') || randomUUID(),
    settings: only(parameters, (name) => !reserved.has(name) && !name.startsWith('param_')),
    parameters: only(parameters, (name) => name.startsWith('param_')),
    waitsForEnd: ['wait_end_of_query', 'http_wait_end_of_query'].some((name) =>
      isOn(parameters.get(name)),
    ),
    cancelsOnClose: isOn(parameters.get('cancel_http_readonly_queries_on_client_close')),
    mayWrite: request.method !== 'GET' && request.method !== 'HEAD',
    ...(database ? { database } : {}),
    ...(format ? { format } : {}),
    ...(session ? { session } : {}),
    ...(encoding ? { encoding } : {}),
  };
}

/** Credentials in the order in which a server looks for them. Without any, the user is `default`. */
export function credentialsOf(
  request: IncomingMessage,
  url: URL,
): { user: string; password: string } {
  const user = header(request, 'x-clickhouse-user');
  if (user !== undefined) return { user, password: header(request, 'x-clickhouse-key') ?? '' };
  const [scheme, encoded = ''] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() === 'basic') {
    const [name = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':');
    return { user: name, password: password.join(':') };
  }
  return {
    user: url.searchParams.get('user') ?? 'default',
    password: url.searchParams.get('password') ?? '',
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  let stream: Readable = request;
  if (encoding !== undefined && encoding !== 'identity') {
    const decompressor = decompressors[encoding as Encoding];
    if (decompressor === undefined)
      throw notImplemented(`Unknown compression method of the body: ${encoding}.`);
    stream = request.pipe(decompressor()) as unknown as Readable;
    request.once('error', (error) => stream.destroy(error));
  }
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function sessionOf(parameters: ReadonlyMap<string, string>): NamedSession | undefined {
  const id = parameters.get('session_id');
  if (!id) return undefined;
  const text = parameters.get('session_timeout') ?? String(SESSION_SECONDS);
  const seconds = Number(text);
  if (!/^\d+$/.test(text) || seconds > SESSION_SECONDS_MAX)
    throw new ServerError(374, 'INVALID_SESSION_TIMEOUT', `Invalid session timeout: '${text}'.`);
  return { id, timeoutMs: seconds * 1_000, mustExist: isOn(parameters.get('session_check')) };
}

function encodingOf(request: IncomingMessage, parameters: ReadonlyMap<string, string>) {
  if (!isOn(parameters.get('enable_http_compression'))) return undefined;
  const accepted = header(request, 'accept-encoding') ?? '';
  return encodings.find((encoding) => accepted.includes(encoding));
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

function only(parameters: ReadonlyMap<string, string>, keeps: (name: string) => boolean) {
  return new Map([...parameters].filter(([name]) => keeps(name)));
}

function notImplemented(message: string): ServerError {
  return new ServerError(48, 'NOT_IMPLEMENTED', message);
}
