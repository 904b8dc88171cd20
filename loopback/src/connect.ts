/**
 * Opens connections to the local deployment. A program that takes over its port must not see a token. Each new
 * connection therefore sends a nonce first, and is used only if the answer proves that the process knows the token.
 */
import { randomBytes } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { HEALTH_PATH, type Health, portOf, verifyHealth } from './health.ts';
import type { LocalAddress } from './lock.ts';

/** The port is in use by a program that doesn't know the local deployment's token. */
export class UnprovenServerError extends Error {
  readonly code = 'APLOMB_STRANGER';
}

export interface ProvenConnection {
  readonly socket: Socket;
  readonly health: Health;
}

/**
 * Connects and checks the proof. The returned socket is idle and can be used for HTTP requests.
 * @throws UnprovenServerError, or the connection's error
 */
export function connectProven({ url, token }: LocalAddress): Promise<ProvenConnection> {
  const port = portOf(new URL(url));
  const nonce = randomBytes(16).toString('base64url');
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...{ host: '127.0.0.1', port, noDelay: true, highWaterMark: 65_536 },
      ...{ keepAlive: true, keepAliveInitialDelay: 60_000 },
    });
    let client = '';
    let text = '';
    const fail = (error: Error) => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(
      () => fail(Object.assign(new Error('No answer in time'), { code: 'ETIMEDOUT' })),
      RESPONSE_MS_MAX,
    );
    const broken = () => fail(Object.assign(new Error('Closed early'), { code: 'ECONNRESET' }));
    const read = () => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) text += chunk;
      const body = text.length > RESPONSE_BYTES_MAX ? '' : bodyOf(text);
      if (body === undefined) return;
      const health = verifyHealth(token, { port, client }, nonce, body);
      if (health === undefined) {
        fail(new UnprovenServerError(`Another program uses port ${port}`));
        return;
      }
      clearTimeout(timer);
      socket.off('readable', read).off('end', broken).off('close', broken);
      resolve({ socket, health });
    };
    socket.once('connect', () => {
      client = `${socket.localAddress}:${socket.localPort}`;
      socket.write(
        `GET ${HEALTH_PATH}?nonce=${nonce} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: keep-alive\r\n\r\n`,
      );
    });
    // The error listener stays, because the socket may break before it is used.
    socket.on('error', fail).on('readable', read).on('end', broken).on('close', broken);
  });
}

/**
 * Returns the body of a complete response; undefined while it is incomplete. Empty if the response isn't a success that
 * keeps the connection open.
 */
function bodyOf(text: string): string | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const length = Number(/^content-length: *(\d+)\r?$/im.exec(head)?.[1] ?? Number.NaN);
  const isUsable = head.startsWith('HTTP/1.1 200 ') && !/^connection: *close/im.test(head);
  if (!isUsable || Number.isNaN(length)) return '';
  const body = text.slice(end + 4);
  if (body.length < length) return undefined;
  return body.length === length ? body : '';
}

const RESPONSE_MS_MAX = 10_000;
const RESPONSE_BYTES_MAX = 4_096;

/** Sends a request with the token over its own proven connection. Resolves with a response of any status. */
export async function requestProven(
  address: LocalAddress,
  method: string,
  path: string,
  body?: string,
  signal?: AbortSignal,
): Promise<IncomingMessage> {
  return requestOver((await connectProven(address)).socket, address, method, path, body, signal);
}

/** Sends a request with the token over a proven connection. */
export function requestOver(
  socket: Socket,
  { url, token }: LocalAddress,
  method: string,
  path: string,
  body?: string,
  signal?: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(new URL(path, url), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      // With any agent, even `false`, Node would open a new connection, which isn't proven.
      createConnection: () => socket,
      ...(signal && { signal }),
    });
    // The listener stays, because the response can break too.
    request.on('error', reject).once('response', resolve).end(body);
  });
}
