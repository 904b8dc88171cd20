/**
 * Decides what happens to a connection after a response. If the request was read completely, the next request follows.
 * Otherwise, the response says `Connection: close`, and the socket stays open until the client has read it: closing a
 * socket with unread bytes resets the connection, which discards the response.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionLimits } from './limits.ts';

/** Drains the rest of a request's body if it is short. Reports whether the request was then read completely. */
export async function drainBody(
  incoming: IncomingMessage,
  { drainBytes, drainMs }: ConnectionLimits,
): Promise<boolean> {
  if (incoming.complete || incoming.destroyed) return incoming.complete;
  // Remove the listeners of an aborted reader, which would stop the flow.
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
  // Drop the bytes that still arrive. Pausing would withhold the response from a client that sends its entire body
  // first.
  incoming.resume();
  return incoming.complete;
}

/** The sockets to close after a response. */
export class ClosingConnections {
  readonly #limits: ConnectionLimits;
  readonly #sockets = new Set<Socket>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Reports whether a socket is closing. Later requests on it are not served. */
  has(socket: Socket): boolean {
    return this.#sockets.has(socket);
  }

  /** Closes a socket after the next response, so that the client can read it. */
  add(socket: Socket): void {
    if (this.has(socket) || socket.destroyed) return;
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // Replace the method that node:http calls after the response. The original resets the connection if bytes are
    // unread.
    socket.destroySoon = () => this.#linger(socket);
  }

  /** Ends the sending side, and reads on until the client closes the socket, for a limited time. */
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

  /** Closes the sockets whose response is written. */
  destroy(): void {
    for (const socket of this.#sockets) if (socket.writableFinished) socket.destroy();
  }
}
