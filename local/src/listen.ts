/** node:http to Request and Response and back: bodies stream both ways, and a lost client aborts. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { withBody } from './body.ts';

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Takes no more requests, waits for running ones up to `graceMs`, then breaks them off. */
  close(graceMs: number): Promise<void>;
}

export type Respond = (request: Request) => Promise<Response>;

const HOST = '127.0.0.1';

/**
 * Has Node load what makes a Request, which it does at the first one. That takes some 30 ms, about as long as
 * DuckDB takes to start, so it can pass while something else is waited for.
 */
export function loadRequests(): void {
  new Request(`http://${HOST}/`);
}

/** Listens on the loopback address. Port 0 means any free one. */
export async function listen(respond: Respond, port: number): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    void answer(respond, incoming, outgoing);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: actual } = server.address() as AddressInfo;
  return { url: `http://${HOST}:${actual}`, port: actual, close: (ms) => close(server, ms) };
}

async function answer(
  respond: Respond,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const abort = new AbortController();
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) abort.abort();
  });
  try {
    const response = await respond(toRequest(incoming, abort.signal));
    if (outgoing.destroyed) return;
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body === null) {
      outgoing.end();
    } else {
      await pipeline(Readable.fromWeb(response.body as NodeStream<Uint8Array>), outgoing);
    }
  } catch {
    // The client is gone, the request was no HTTP, or the answer broke off after its head.
    outgoing.destroy();
  }
  // What is left of a refused body would be taken for the next request.
  if (!incoming.complete) {
    outgoing.once('finish', () => incoming.destroy());
    if (outgoing.writableFinished) incoming.destroy();
  }
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const each of [value ?? []].flat()) headers.append(name, each);
  }
  const method = incoming.method ?? 'GET';
  const url = `http://${HOST}${incoming.url?.startsWith('/') ? incoming.url : '/'}`;
  return withBody(new Request(url, { method, headers, signal }), incoming);
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that has just been answered is kept alive, so the idle ones are closed again and again.
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
  const all = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(all);
}

const CLOSE_IDLE_MS = 20;
