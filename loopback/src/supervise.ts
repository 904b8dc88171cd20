/**
 * Runs the local deployment as a child process. This process keeps the terminal while the deployment restarts as
 * another process. Signals, the end of this process and the exit status are forwarded.
 */
import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import {
  handOver,
  messages,
  type Restart,
  type SocketHandle,
  SUCCESSOR,
  SUPERVISED,
  startProcess,
} from './successor.ts';

/** Runs a program with these arguments, and exits with its status. */
export function supervise(program: string, args: readonly string[]): void {
  let current = start([SUPERVISED]);
  let next: ChildProcess | undefined;
  let isEnding = false;

  function start(variables: readonly string[]): ChildProcess {
    const child = startProcess(program, args, variables, false);
    child.on('message', (message, handle) => {
      // A message without a socket comes from the next process and is awaited by `handOver`.
      if (handle !== undefined && child === current) {
        void replace(message as Restart, { _handle: handle as never });
      }
    });
    child.once('exit', (code, signal) => exited(child, code, signal));
    child.on('error', (error) => {
      process.stderr.write(`The local deployment cannot be started: ${error.message}\n`);
      process.exit(1);
    });
    return child;
  }

  async function replace(restart: Restart, socket: SocketHandle): Promise<void> {
    const old = current;
    next = start([SUPERVISED, SUCCESSOR]);
    try {
      await handOver(next, restart, socket);
      send(old, messages.taken);
    } catch {
      next = undefined;
      old.kill('SIGKILL');
    }
    socket._handle.close();
  }

  function exited(child: ChildProcess, code: number | null, signal: NodeJS.Signals | null): void {
    if (child === next) next = undefined;
    if (child !== current) return;
    if (next === undefined) process.exit(code ?? 128 + constants.signals[signal ?? 'SIGKILL']);
    current = next;
    next = undefined;
    send(current, messages.open);
    if (isEnding) send(current, messages.end);
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (isEnding) current.kill('SIGKILL');
      else send(current, messages.end);
      isEnding = true;
    });
  }
}

/** Sends a message to a process that may have exited. */
function send(child: ChildProcess, message: string): void {
  if (child.connected) child.send(message, () => undefined);
}
