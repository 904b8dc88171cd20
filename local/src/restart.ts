/**
 * Restarts the deployment on request, to apply new tokens, or to recover from a failure: a statement that doesn't stop,
 * memory that isn't released, or a failed engine. The new process gets the listening socket, so URL and token stay the
 * same and the port stays in use. Acknowledged changes are already in the database's log. If a supervisor started this
 * process, the supervisor also starts the new one; otherwise this process does.
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

/** Reports whether a connected parent has set a variable. Deletes the variable, so that no child inherits it. */
function takeVariable(variable: string): boolean {
  const value = process.env[variable];
  delete process.env[variable];
  return value !== undefined && process.channel !== undefined;
}

/** The process that this process replaces. */
export interface Predecessor extends Restart {
  readonly socket: SocketHandle;
  /** Resolves when the predecessor has exited, so that this process can open the data. */
  readonly exited: Promise<unknown>;
  /** Reports to the predecessor that this process is listening. */
  reportTaken(): void;
}

/** Receives the socket from the predecessor, if there is one. Must be called before anything is awaited. */
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
      // If the channel is closed, the predecessor has exited and needs no report.
      if (process.connected) process.send?.(messages.taken, () => undefined);
    },
  };
}

/** Calls `end` when the supervisor exits, or when it requests that this process exit. */
export function endWithSupervisor(end: (why: string) => void): void {
  if (!isSupervised) return;
  process.on('message', (message) => {
    if (message === messages.end) end('it was interrupted');
  });
  process.once('disconnect', () => end('the process that started it exited'));
  if (!process.connected) end('the process that started it exited');
}

/** Passes the socket to a new process. Resolves once that process listens. This process must then exit. */
export async function passSocketOn(socket: SocketHandle, restart: Restart): Promise<void> {
  if (isSupervised) {
    const ended = new Error('the process that started it exited');
    // Check the channel first, because sending on a closed channel would emit an unhandled error.
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

/** Reports whether a process may restart again, given the times of its earlier restarts. */
export function mayRestart(times: readonly number[], now: number): boolean {
  return times.filter((time) => now - time < PERIOD_MS).length < RESTARTS_MAX;
}

const RESTARTS_MAX = 10;
const PERIOD_MS = 60_000;

/** Kills the process at once. `process.exit` would wait for the engine's threads. */
export function endNow(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('The process is ending.');
}
