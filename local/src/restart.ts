/**
 * Restarts the deployment to apply new tokens, or to recover from a failure: a statement that doesn't stop, memory that
 * isn't released, or a failed engine. The new process gets the listening socket, so the URL and token stay the same.
 * Acknowledged changes are already in the database's log. The new process is started by the supervisor if there is one,
 * and by this process otherwise.
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

/** Whether a parent process set the variable. Deletes it, so that no child inherits it. */
function takeVariable(variable: string): boolean {
  const value = process.env[variable];
  delete process.env[variable];
  return value !== undefined && process.channel !== undefined;
}

export interface Predecessor extends Restart {
  readonly socket: SocketHandle;
  /** Resolves when the predecessor has exited, so that the data can be opened. */
  readonly exited: Promise<unknown>;
  reportTaken(): void;
}

/** Receives the predecessor's socket, if any. Must be called before anything is awaited. */
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
      // If the channel is closed, the predecessor has exited.
      if (process.connected) process.send?.(messages.taken, () => undefined);
    },
  };
}

/** Calls `end` when the supervisor exits or asks this process to exit. */
export function endWithSupervisor(end: (why: string) => void): void {
  if (!isSupervised) return;
  process.on('message', (message) => {
    if (message === messages.end) end('it was interrupted');
  });
  process.once('disconnect', () => end('the process that started it exited'));
  if (!process.connected) end('the process that started it exited');
}

/** Resolves once the new process listens. This process must then exit. */
export async function passSocketOn(socket: SocketHandle, restart: Restart): Promise<void> {
  if (isSupervised) {
    const ended = new Error('the process that started it exited');
    // Sending on a closed channel would emit an unhandled error.
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

export function mayRestart(times: readonly number[], now: number): boolean {
  return times.filter((time) => now - time < PERIOD_MS).length < RESTARTS_MAX;
}

const RESTARTS_MAX = 10;
const PERIOD_MS = 60_000;

/** `process.exit` would wait for the engine's threads. */
export function endNow(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('The process is ending.');
}
