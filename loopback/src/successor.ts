/**
 * How a process of the local deployment hands its listening socket to the one that replaces it. The socket is passed
 * over Node's channel between parent and child on every platform, so the port is never free in between.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:net';

/** What a process hands on along with the socket. */
export interface Restart {
  /** The times of recent restarts, in milliseconds since 1970. */
  readonly times: readonly number[];
}

/** The listening socket, in the form that `net.Server.listen` takes. */
export interface SocketHandle {
  readonly _handle: { close(): void };
}

/** Variables of the environment that tell a process how it was started. */
export const SUCCESSOR = 'APLOMB_LOCAL_SUCCESSOR';
export const SUPERVISED = 'APLOMB_LOCAL_SUPERVISED';

/** Messages without a socket. */
export const messages = {
  /** From the next process: it listens. */
  taken: 'taken',
  /** To the next process: the one before it has exited. */
  open: 'open',
  /** To the process: shut down. */
  end: 'end',
} as const;

/** Starts a process. One that is detached outlives this process. */
export function startProcess(
  program: string,
  args: readonly string[],
  variables: readonly string[],
  detached: boolean,
): ChildProcess {
  return fork(program, args, {
    ...{ detached, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] },
    ...(detached && { windowsHide: true }),
    env: { ...process.env, ...Object.fromEntries(variables.map((name) => [name, '1'])) },
  });
}

/** Hands the socket to the next process. Resolves once it listens, and ends it if that fails. */
export async function handOver(
  next: ChildProcess,
  restart: Restart,
  socket: SocketHandle,
): Promise<void> {
  const failed = new AbortController();
  const timer = setTimeout(() => failed.abort(new Error('It did not start in time')), TAKE_MS_MAX);
  const exited = () => failed.abort(new Error('It exited at startup'));
  next.once('exit', exited).once('error', exited);
  try {
    // A bare handle: a process that passes on a server would accept connections itself.
    next.send(restart, socket._handle as unknown as Server);
    await once(next, 'message', { signal: failed.signal });
  } catch (error) {
    next.kill('SIGKILL');
    throw failed.signal.aborted ? failed.signal.reason : error;
  } finally {
    clearTimeout(timer);
    next.off('exit', exited);
  }
}

const TAKE_MS_MAX = 30_000;
