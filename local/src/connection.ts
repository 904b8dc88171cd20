/**
 * Decides whether to keep a connection alive after a response. If the request wasn't read completely, the response says
 * `Connection: close`, and the socket stays open until the client has read the response. Closing a socket with unread
 * bytes would reset the connection, which discards the response.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionLimits } from './limits.ts';

export async function drainBody(
  incoming: IncomingMessage,
  { drainBytes, drainMs }: ConnectionLimits,
): Promise<boolean> {
  if (incoming.complete || incoming.destroyed) return incoming.complete;
  // Listeners of an aborted reader would stop the data flow.
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
  // Keep reading, because a client may send its entire body before it reads the response.
  incoming.resume();
  return incoming.complete;
}

export class ClosingConnections {
  readonly #limits: ConnectionLimits;
  readonly #sockets = new Set<Socket>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  has(socket: Socket): boolean {
    return this.#sockets.has(socket);
  }

  add(socket: Socket): void {
    if (this.has(socket) || socket.destroyed) return;
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // node:http calls `destroySoon` after the response, which would reset a connection with unread bytes.
    socket.destroySoon = () => this.#linger(socket);
  }

  /** Ends the sending side, and reads until the client disconnects or the time limit is reached. */
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

  destroy(): void {
    for (const socket of this.#sockets) if (socket.writableFinished) socket.destroy();
  }
}
