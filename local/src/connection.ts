/**
 * Decides whether to keep a connection alive after a response. If the request was read completely, the next request
 * follows. Otherwise, the response says `Connection: close`, and the socket stays open until the client has read the
 * response: closing a socket with unread bytes resets the connection, which discards the response.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionLimits } from './limits.ts';

/** Reads and drops the rest of a request's body if it is short. Reports whether the entire body was read. */
export async function drainBody(
  incoming: IncomingMessage,
  { drainBytes, drainMs }: ConnectionLimits,
): Promise<boolean> {
  if (incoming.complete || incoming.destroyed) return incoming.complete;
  // Remove the listeners that an aborted reader left behind, because they would stop the data flow.
  incoming.removeAllListeners('readable');
  let bytes = 0;
  const done = Promise.withResolvers<void>();
  const count = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > drainBytes) done.resolve();
  };
  incoming.on('data', count).once('end', done.resolve).once('close', done.resolve);
  incoming.resume();
  const timer = setTimeout(done.resolve, drainMs);
  await done.promise;
  clearTimeout(timer);
  incoming.off('data', count).off('end', done.resolve).off('close', done.resolve);
  // Keep dropping the bytes that still arrive. If the stream were paused, a client that sends its entire body before it
  // reads would never get the response.
  incoming.resume();
  return incoming.complete;
}

/** The connections to close once the client has read their current response. */
export class ClosingConnections {
  readonly #limits: ConnectionLimits;
  readonly #sockets = new Set<Socket>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Reports whether a socket is marked for closing, so that further requests on it are ignored. */
  has(socket: Socket): boolean {
    return this.#sockets.has(socket);
  }

  /** Marks a socket to be closed after its next response, once the client has read that response. */
  add(socket: Socket): void {
    if (this.has(socket) || socket.destroyed) return;
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // node:http calls `destroySoon` after the response. Replace the original, which resets the connection if bytes are
    // unread.
    socket.destroySoon = () => this.#linger(socket);
  }

  /** Ends the sending side, and keeps reading until the client closes the socket or the time limit is reached. */
  #linger(socket: Socket): void {
    const { lingerMs, lingerIdleMs } = this.#limits;
    const destroy = () => socket.destroy();
    const timer = setTimeout(destroy, lingerMs);
    socket.once('close', () => clearTimeout(timer));
    socket.setTimeout(lingerIdleMs, destroy);
    socket.end(() => {
      if (socket.readableEnded) destroy();
      else socket.once('end', destroy);
    });
  }

  /** Destroys the marked sockets whose response has been sent completely. */
  destroy(): void {
    for (const socket of this.#sockets) if (socket.writableFinished) socket.destroy();
  }
}
