/** Connects node:http to the API. Bodies are streamed in both directions. A disconnect aborts the request. */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { setTimeout as pause } from 'node:timers/promises';
import type { SocketHandle } from '../../loopback/src/successor.ts';
import { ClosingConnections, drainBody } from './connection.ts';
import { errorResponse } from './errorFormats.ts';
import { ApiError } from './errors.ts';
import { HttpHeaders, type HttpRequest, type HttpResponse } from './http.ts';
import { CONNECTION_LIMITS, type ConnectionLimits } from './limits.ts';

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Passes the listening socket to another process. Then rejects connections and closes idle ones. */
  handOver(pass: (socket: SocketHandle) => Promise<void>): Promise<void>;
  /** Waits up to `graceMs` for running requests, then closes all connections. The port stays in use. */
  drain(graceMs: number): Promise<void>;
  close(graceMs: number): Promise<void>;
}

export type Respond = (request: HttpRequest) => Promise<HttpResponse>;

const HOST = '127.0.0.1';

/** Listens on a loopback port (0: any free one) or, during a restart, on the previous process's socket. */
export async function listen(
  respond: Respond,
  portOrSocket: number | SocketHandle,
  limits: ConnectionLimits = CONNECTION_LIMITS,
): Promise<Listening> {
  const closing = new ClosingConnections(limits);
  const connections: Connections = { respond, limits, closing, answers: new WeakMap() };
  const server = createServer({
    keepAliveTimeout: 60_000,
    headersTimeout: limits.headMs,
    connectionsCheckingInterval: Math.min(5_000, limits.headMs),
    // A large body may take long, so bodies have a minimum speed instead.
    requestTimeout: 0,
    // Node's own rejection has no body, so `checkHost` checks the Host header instead.
    requireHostHeader: false,
  });
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    void respondTo(connections, incoming, outgoing, false);
  });
  // Send 100 Continue only when the handler starts to read the body.
  for (const event of ['checkContinue', 'checkExpectation']) {
    server.on(event, (incoming: IncomingMessage, outgoing: ServerResponse) => {
      void respondTo(connections, incoming, outgoing, true);
    });
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    void refuseConnection(connections, error, socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    const listening = () => {
      server.off('error', reject);
      resolve();
    };
    if (typeof portOrSocket === 'number') server.listen(portOrSocket, HOST, listening);
    else server.listen(portOrSocket, listening);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${HOST}:${actual}`,
    port: actual,
    handOver: async (give) => {
      await give(server as unknown as SocketHandle);
      server.close();
      server.closeIdleConnections();
      closing.destroy();
    },
    drain: (ms) => drain(server, closing, ms),
    close: async (ms) => {
      await drain(server, closing, ms);
      server.close();
    },
  };
}

interface Connections {
  readonly respond: Respond;
  readonly limits: ConnectionLimits;
  readonly closing: ClosingConnections;
  readonly answers: WeakMap<Socket, Set<ServerResponse>>;
}

async function respondTo(
  { respond, limits, closing, answers }: Connections,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  expectsContinue: boolean,
): Promise<void> {
  const { socket } = incoming;
  // A closing connection can't send a response.
  if (closing.has(socket)) return;
  const owed = answers.get(socket) ?? new Set();
  answers.set(socket, owed.add(outgoing));
  const abort = new AbortController();
  outgoing.on('close', () => {
    owed.delete(outgoing);
    if (!outgoing.writableFinished) abort.abort();
  });
  let mayBeSent = !expectsContinue;
  const body = () => {
    if (!mayBeSent) outgoing.writeContinue();
    mayBeSent = true;
    return incoming;
  };
  try {
    const request = toRequest(incoming, body, abort.signal);
    const response = request instanceof ApiError ? errorResponse(request) : await respond(request);
    // Without a 100 Continue, the client may send its next request instead of the body.
    const isDrained = mayBeSent && (await drainBody(incoming, limits));
    if (outgoing.destroyed || closing.has(socket)) return;
    const headers = Object.fromEntries(response.headers);
    const { body: content } = response;
    const isWhole = typeof content === 'string' || content instanceof Uint8Array;
    if (isWhole) headers['content-length'] = String(Buffer.byteLength(content));
    if (!isDrained) {
      headers['connection'] = 'close';
      closing.add(socket);
    }
    outgoing.writeHead(response.status, headers);
    if (content === null) {
      outgoing.end();
    } else if (isWhole) {
      outgoing.end(content);
    } else {
      await pipeline(Readable.fromWeb(content as NodeStream<Uint8Array>), outgoing);
    }
  } catch {
    // The request was aborted, or its response failed while being sent.
    outgoing.destroy();
  }
}

/** fetch rejects these methods as well. */
const NO_METHODS: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);

/** Returns an error if the request violates HTTP. */
function toRequest(
  incoming: IncomingMessage,
  source: () => Readable,
  signal: AbortSignal,
): HttpRequest | ApiError {
  const { method = 'GET', url: target, headers: sent } = incoming;
  const url = `http://${HOST}:${incoming.socket.localPort}${target?.startsWith('/') ? target : '/'}`;
  if (NO_METHODS.has(method) || !URL.canParse(url)) {
    return new ApiError('bad-http', { problem: 'its method or a header is not valid' });
  }
  const hosts = incoming.headersDistinct['host']?.length ?? 0;
  if (hosts > 1) return new ApiError('bad-http', { problem: 'it has more than one Host header' });
  if (hosts === 0 && incoming.httpVersion !== '1.0') {
    return new ApiError('bad-http', { problem: 'it has no Host header' });
  }
  const { expect } = sent;
  if (expect !== undefined && !/^100-continue$/i.test(expect)) {
    return new ApiError('unknown-expectation', { expectation: JSON.stringify(expect) });
  }
  const headers = new HttpHeaders(
    Object.entries(sent).map(([name, value]) => [name, [value ?? []].flat().join(', ')]),
  );
  const { remoteAddress, remotePort } = incoming.socket;
  const client = `${remoteAddress}:${remotePort}`;
  return { method, url, headers, client, signal, body: null, source };
}

async function refuseConnection(
  { closing, answers }: Connections,
  error: NodeJS.ErrnoException,
  socket: Socket,
): Promise<void> {
  // The remaining bytes cause more errors.
  if (closing.has(socket)) return;
  const [first, second] = answers.get(socket) ?? [];
  // An error must not be written inside another response, or before a pending one.
  const isOwed = second !== undefined || first?.headersSent === true;
  if (!socket.writable || error.code === 'ECONNRESET' || isOwed) {
    socket.destroy();
    return;
  }
  closing.add(socket);
  const response = errorResponse(connectionError(error));
  const text = await response.text();
  const head = [
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}`,
    ...[...response.headers].map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${text}`);
  socket.destroySoon();
}

function connectionError({ code, message }: NodeJS.ErrnoException): ApiError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('head-too-slow');
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('head-too-large');
    default:
      return new ApiError('bad-http', { problem: message.replace(/^Parse Error: /, '') });
  }
}

async function drain(server: Server, closing: ClosingConnections, graceMs: number): Promise<void> {
  const deadline = performance.now() + graceMs;
  for (;;) {
    // A connection becomes idle only after its response.
    server.closeIdleConnections();
    closing.destroy();
    const { promise, resolve } = Promise.withResolvers<number>();
    server.getConnections((_, count) => resolve(count));
    if ((await promise) === 0) return;
    if (performance.now() > deadline) break;
    await pause(CLOSE_IDLE_MS);
  }
  server.closeAllConnections();
}

const CLOSE_IDLE_MS = 20;
