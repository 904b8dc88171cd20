// Starts the local deployment's process and reads its address and token. The detached process serves all windows. It
// uses the lock file to find a running process, and ends some time after the last window closes its connection.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fchmodSync, openSync, readFileSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { parsedJson } from '../../../api/src/plain.ts';
import type { LocalAddress } from '../../../loopback/src/lock.ts';
import { makePrivateFolder } from '../host/privateFolder.ts';

interface LocalStart {
  readonly program: string;
  readonly dataDirectory: string;
  /** The engine's memory limit, such as `4GB`; empty for the default. */
  readonly memoryLimit: string;
  /** The folders and addresses that the externaldata operator may read. */
  readonly allowExternal: readonly string[];
  /** The file for the process's output, because the process outlives the window. */
  readonly logFile: string;
  /** The folder for Node's compile cache, which shortens the next start by an eighth. */
  readonly compiledFolder: string;
}

const READY_LIMIT_MS = 30_000;
const LOG_BYTES_KEPT = 1_000_000;

/** Starts the process and resolves with its address. Throws an Error with the reason. */
export async function startLocalProcess(start: LocalStart): Promise<LocalAddress> {
  await mkdir(start.dataDirectory, { recursive: true, mode: 0o700 });
  await makePrivateFolder(dirname(start.logFile));
  const saidBefore = logSize(start.logFile);
  const log = openSync(start.logFile, saidBefore === 0 ? 'w' : 'a', 0o600);
  // Restrict the mode: an older version may have created the file so that all users can read it.
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
      // Make VS Code's runtime run as Node. Other runtimes ignore the variable.
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
    // Close the pipe, because the window must be able to close while the process runs.
    child.stdout?.destroy();
    child.unref();
  }
}

/** Returns the size of the log to append to; 0 if the log is too long, so that it is replaced. */
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

/** Returns the reason why a process ended before it was ready, found in its output. */
export function whyItEnded(said: string, code: number | null): string {
  if (/Cannot find module '@duckdb\//.test(said)) {
    return `This build of the extension does not include the local deployment for ${process.platform}-${process.arch}. Install the build for this platform, or connect to a hosted deployment.`;
  }
  const lines = said.split(/\r?\n/).filter((line) => line.trim() !== '');
  const error = lines.find((line) => /^(?:\w*Error\b|Uncaught\b)/.test(line)) ?? lines.at(-1);
  // Remove the time at the start of the line.
  const words = error?.replace(/^\d{4}-\d\d-\d\dT\S+\s+/, '').trim();
  return words
    ? `The process exited at startup: ${words}`
    : `The process exited at startup with code ${code}.`;
}

/** Returns the address in the process's ready line; undefined for other lines. */
export function readyLine(line: string): LocalAddress | undefined {
  const { url, token } = (parsedJson(line) ?? {}) as Partial<LocalAddress>;
  return typeof url === 'string' && typeof token === 'string' ? { url, token } : undefined;
}
