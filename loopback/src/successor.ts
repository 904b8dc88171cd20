/**
 * Hands a process's listening socket to its replacement. The socket is passed over Node's channel between parent and
 * child on every platform, so the port is never free in between.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:net';

/** The data handed over with the socket. */
export interface Restart {
  /** The times of recent restarts, in milliseconds since 1970. */
  readonly times: readonly number[];
}

/** The listening socket, in a form accepted by `net.Server.listen`. */
export interface SocketHandle {
  readonly _handle: { close(): void };
}

/** Environment variables that tell a process how it was started. */
export const SUCCESSOR = 'APLOMB_LOCAL_SUCCESSOR';
export const SUPERVISED = 'APLOMB_LOCAL_SUPERVISED';

/** Messages without a socket. */
export const messages = {
  /** From the next process, and forwarded to the previous one: the next process is listening. */
  taken: 'taken',
  /** To the next process: the previous one has exited. */
  open: 'open',
  /** To the process: shut down. */
  end: 'end',
} as const;

/** Starts a process. A detached process outlives this one. */
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

/** Hands the socket to the next process. Resolves once it is listening, and kills it if that fails. */
export async function handOver(
  next: ChildProcess,
  restart: Restart,
  socket: SocketHandle,
): Promise<void> {
  const failed = new AbortController();
  const timer = setTimeout(
    () => failed.abort(new Error('It did not start in time')),
    HANDOVER_MS_MAX,
  );
  const exited = () => failed.abort(new Error('It exited at startup'));
  next.once('exit', exited).once('error', exited);
  try {
    // Passes a bare handle, because a process that passes a server would accept connections itself.
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

const HANDOVER_MS_MAX = 30_000;
