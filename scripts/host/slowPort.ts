// A port that passes on what it is sent, late: the connection to a host far away.
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A port on the loopback that forwards to another. */
export interface SlowPort {
  readonly port: number;
  close(): Promise<void>;
}

/** Forwards to `target`, each way `delayMs` later and in order. */
export async function openSlowPort(target: number, delayMs: number): Promise<SlowPort> {
  const sockets = new Set<Socket>();
  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), delayMs));
    from.on('close', () => {
      sockets.delete(from);
      setTimeout(() => to.destroy(), delayMs);
    });
    // What is refused or reset ends with the close that follows.
    from.on('error', () => undefined);
  };
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    near.setNoDelay();
    far.setNoDelay();
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The port did not open.');
  return {
    port: address.port,
    close: async () => {
      // What is on its way still arrives, as when a window says that it is left.
      await sleep(2 * delayMs);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
