/**
 * Restarts the deployment in place, to recover from a statement that does not stop, memory that isn't released, or a
 * failed engine, to apply new tokens, or on request. Another process gets the listening socket, so address and token
 * stay and the port is never free. Acknowledged changes are in the database's log. The process that started this one
 * starts the next if it supervises; otherwise this one does.
 */
import { once } from 'node:events';
import {
  handOver,
  messages,
  type Restart,
  type SocketHandle,
  SUCCESSOR,
  SUPERVISED,
  startProcess,
} from '../../loopback/src/successor.ts';

const isSupervised = takeVariable(SUPERVISED);
const isSuccessor = takeVariable(SUCCESSOR);

/** Reads and removes an environment variable, so that child processes don't inherit it. */
function takeVariable(variable: string): boolean {
  const value = process.env[variable];
  delete process.env[variable];
  return value !== undefined && process.channel !== undefined;
}

/** The process that this one replaces. */
export interface Predecessor extends Restart {
  readonly socket: SocketHandle;
  /** Resolves when the predecessor has exited, so that its data can be opened. */
  readonly exited: Promise<unknown>;
  /** Notifies the predecessor that this process listens. */
  reportTaken(): void;
}

/** Takes the socket from the predecessor, if there is one. Call this before anything is awaited. */
export async function takeOver(): Promise<Predecessor | undefined> {
  if (!isSuccessor) return undefined;
  const gone = once(process, 'disconnect');
  const first = await Promise.race([once(process, 'message'), gone]);
  if (first.length === 0) process.exit(1);
  const [{ times }, handle] = first as [Restart, SocketHandle['_handle']];
  return {
    times,
    socket: { _handle: handle },
    exited: isSupervised ? once(process, 'message') : gone,
    reportTaken: () => {
      // If the predecessor has exited, this process already owns the socket, so no report is needed.
      if (process.connected) process.send?.(messages.taken, () => undefined);
    },
  };
}

/** Calls `end` when the supervising process requests it or exits. */
export function endWithSupervisor(end: (why: string) => void): void {
  if (!isSupervised) return;
  process.on('message', (message) => {
    if (message === messages.end) end('it was interrupted');
  });
  process.once('disconnect', () => end('the process that started it exited'));
  if (!process.connected) end('the process that started it exited');
}

/** Passes the socket to another process. Resolves once that listens; this one must then exit. Rejects without one. */
export async function passSocketOn(socket: SocketHandle, restart: Restart): Promise<void> {
  if (isSupervised) {
    const ended = new Error('the process that started it exited');
    // Sending over a closed channel would emit an error.
    if (!process.connected) throw ended;
    const gone = once(process, 'disconnect');
    process.send?.(restart, socket._handle as never, () => undefined);
    let answer: unknown;
    while (answer !== messages.taken) {
      if (!process.connected) throw ended;
      [answer] = await Promise.race([once(process, 'message'), gone]);
    }
    return;
  }
  const [, program = '', ...args] = process.argv;
  await handOver(startProcess(program, args, [SUCCESSOR], true), restart, socket);
}

/** Reports whether a process that was restarted at these times may restart once more. */
export function mayRestart(times: readonly number[], now: number): boolean {
  return times.filter((time) => now - time < PERIOD_MS).length < RESTARTS_MAX;
}

const RESTARTS_MAX = 10;
const PERIOD_MS = 60_000;

/** Kills the process without waiting for threads in the engine. `process.exit` would wait. */
export function endNow(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('The process is ending.');
}
