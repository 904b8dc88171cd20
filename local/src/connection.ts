/**
 * What becomes of a connection after an answer. Either nothing of the request is left on it, and the next
 * request follows, or the answer says `Connection: close` and the client can read it: closing a socket with
 * bytes unread resets the connection, which destroys what the client has not read yet.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionLimits } from './limits.ts';

/** Whether nothing is left of a request, after reading away the rest of its body if that is short. */
export async function drained(
  incoming: IncomingMessage,
  { drainBytes, drainMs }: ConnectionLimits,
): Promise<boolean> {
  if (incoming.complete || incoming.destroyed) return incoming.complete;
  // A reader that gave up may still listen, and nothing flows then.
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
  // What still arrives is dropped: paused, it would keep the answer from a client that sends first.
  incoming.resume();
  return incoming.complete;
}

/** The sockets that close after an answer. */
export class Closing {
  readonly #limits: ConnectionLimits;
  readonly #sockets = new Set<Socket>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Whether a socket closes: what still comes through it is not a request to serve. */
  has(socket: Socket): boolean {
    return this.#sockets.has(socket);
  }

  /** Has a socket close after the answer that is written next, so that the client can read it. */
  begin(socket: Socket): void {
    if (this.has(socket) || socket.destroyed) return;
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // What node:http calls once the answer is written. Its own resets the connection if bytes are unread.
    socket.destroySoon = () => this.#linger(socket);
  }

  /** Tells the client that no more comes, and reads on until it closes the socket, for a bounded time. */
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

  /** Closes at once those whose answer is written. */
  destroy(): void {
    for (const socket of this.#sockets) if (socket.writableFinished) socket.destroy();
  }
}
