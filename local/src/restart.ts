/**
 * Restarts the process in place, for what only that cures: a statement that does not stop, memory that does
 * not come back, an engine that gave up. The program is loaded again under the same process id, address and
 * token, so whoever started it need not know. What was acknowledged is in the database's log.
 */
import { spawn } from 'node:child_process';

/** What a process hands on to the one that replaces it. */
export interface Restart {
  readonly port: number;
  /** When it was restarted before, in milliseconds since 1970. */
  readonly times: readonly number[];
}

/** The variable of the environment that hands it on. */
const VARIABLE = 'APLOMB_LOCAL_RESTART';

/** What the process before handed on, if this one replaces it. */
export function takeRestart(): Restart | undefined {
  const text = process.env[VARIABLE];
  delete process.env[VARIABLE];
  try {
    const { port, times } = JSON.parse(text ?? '') as Restart;
    return Number.isInteger(port) && Array.isArray(times) ? { port, times } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process that was restarted at these times may restart once more. */
export function mayRestart(times: readonly number[], now: number): boolean {
  return times.filter((time) => now - time < PERIOD_MS).length < RESTARTS_MAX;
}

const RESTARTS_MAX = 10;
const PERIOD_MS = 60_000;

/** Replaces the process. Whatever still runs in it ends; nothing is closed. */
export function replaceProcess(restart: Restart): never {
  const env = { ...process.env, [VARIABLE]: JSON.stringify(restart) };
  const args = [...process.execArgv, ...process.argv.slice(1)];
  try {
    process.execve?.(process.execPath, [process.execPath, ...args], env);
  } catch {
    // Not possible on this platform; a process of another id takes over.
  }
  spawn(process.execPath, args, {
    env,
    detached: true,
    windowsHide: true,
    stdio: 'inherit',
  }).unref();
  endNow();
}

/** Ends the process without waiting for threads that are in the engine, which `process.exit` does. */
export function endNow(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('The process is ending.');
}
