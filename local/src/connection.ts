/**
 * Decides what happens to a connection after a response. Either the request was read completely and the next request
 * follows, or the response says `Connection: close` and the client can read it: closing a socket with unread bytes
 * resets the connection, which discards what the client has not read yet.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionLimits } from './limits.ts';

/** Reports whether a request was read completely, after draining the rest of its body if that is short. */
export async function drainBody(
  incoming: IncomingMessage,
  { drainBytes, drainMs }: ConnectionLimits,
): Promise<boolean> {
  if (incoming.complete || incoming.destroyed) return incoming.complete;
  // An aborted reader may still listen, which would stop the flow.
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
  // Drop what still arrives. Pausing would keep the response from a client that sends everything first.
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
    // node:http calls `destroySoon` after the response. Its own version resets the connection if bytes are unread.
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
