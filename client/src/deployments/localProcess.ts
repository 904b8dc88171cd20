// Starts the local deployment's process and learns its address and token. The process is detached: it
// serves all windows, finds out by its lock file whether one is running already, and ends by itself
// some time after the last window has let go of it.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fchmodSync, openSync, readFileSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { LocalAddress } from '../../../loopback/src/lock.ts';
import { makePrivateFolder } from '../host/privateFolder.ts';

interface LocalStart {
  /** The bundle, dist/local.cjs. */
  readonly program: string;
  readonly dataDirectory: string;
  /** Memory that the engine may use, such as `4GB`; empty text means its own choice. */
  readonly memoryLimit: string;
  /** Folders and addresses that externaldata may read. */
  readonly allowExternal: readonly string[];
  /** The file for the process's output, since it outlives the window that started it. */
  readonly logFile: string;
  /** Where Node keeps the compiled program, so that the next start takes an eighth less. */
  readonly compiledFolder: string;
}

const READY_LIMIT_MS = 30_000;
const LOG_BYTES_KEPT = 1_000_000;

/** Starts the process and resolves with its address. Throws an Error that says why it did not start. */
export async function startLocalProcess(start: LocalStart): Promise<LocalAddress> {
  await mkdir(start.dataDirectory, { recursive: true, mode: 0o700 });
  await makePrivateFolder(dirname(start.logFile));
  const saidBefore = logSize(start.logFile);
  const log = openSync(start.logFile, saidBefore === 0 ? 'w' : 'a', 0o600);
  // One of an older version may be open to others.
  fchmodSync(log, 0o600);
  const child = spawn(
    process.execPath,
    [
      start.program,
      ...['--data', start.dataDirectory, '--port', '0', '--end-when-idle'],
      ...(start.memoryLimit === '' ? [] : ['--memory-limit', start.memoryLimit]),
      ...start.allowExternal.flatMap((entry) => ['--allow-external', entry]),
    ],
    {
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'pipe', log],
      // VS Code's own runtime is Node when it is told so; elsewhere the variable means nothing.
      env: {
        ...process.env,
        ELECTRON_RUN_AS_NODE: '1',
        NODE_COMPILE_CACHE: start.compiledFolder,
      },
    },
  );
  try {
    return await ready(child, () => readFileSync(start.logFile).subarray(saidBefore).toString());
  } finally {
    closeSync(log);
    // The window must be able to close while the process goes on.
    child.stdout?.destroy();
    child.unref();
  }
}

/** Bytes in the log that are kept; a log grown too long starts anew. */
function logSize(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return size > LOG_BYTES_KEPT ? 0 : size;
}

function ready(child: ChildProcess, said: () => string): Promise<LocalAddress> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill();
      reject(new Error(`The process was not ready within ${READY_LIMIT_MS / 1_000} s.`));
    }, READY_LIMIT_MS);
    const stop = (why: string): void => {
      clearTimeout(timer);
      reject(new Error(why));
    };
    child.on('error', (error) => stop(`The process cannot be started: ${error.message}`));
    child.on('close', (code) => stop(whyItEnded(said(), code)));
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = readyLine(line);
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
  });
}

/** Why a process ended before it was ready, from what it said on the way out. */
export function whyItEnded(said: string, code: number | null): string {
  if (/Cannot find module '@duckdb\//.test(said)) {
    return `This build of the extension does not include the local deployment for ${process.platform}-${process.arch}. Install the build for this platform, or connect to a hosted deployment.`;
  }
  const lines = said.split(/\r?\n/).filter((line) => line.trim() !== '');
  const error = lines.find((line) => /^(?:\w*Error\b|Uncaught\b)/.test(line)) ?? lines.at(-1);
  // The process begins its lines with the time.
  const words = error?.replace(/^\d{4}-\d\d-\d\dT\S+\s+/, '').trim();
  return words
    ? `The process exited at startup: ${words}`
    : `The process exited at startup with code ${code}.`;
}

/** The address in the line that the process prints when it is ready; undefined for any other line. */
export function readyLine(line: string): LocalAddress | undefined {
  try {
    const { url, token } = JSON.parse(line) as Partial<LocalAddress>;
    return typeof url === 'string' && typeof token === 'string' ? { url, token } : undefined;
  } catch {
    return undefined;
  }
}
