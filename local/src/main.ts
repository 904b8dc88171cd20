/**
 * The process: reads its arguments, opens the store, listens, and prints one JSON line with address and
 * token on standard output when it is ready. All else goes to standard error.
 */
import './threads.ts';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { TOKEN_PREFIXES } from '../../api/src/index.ts';
import { createApp } from './app.ts';
import { type Arguments, readArguments, USAGE } from './arguments.ts';
import { Holds } from './holds.ts';
import { GRACE_MS, IDLE_END_MS, OTHER_START_MS } from './limits.ts';
import { listen, loadRequests } from './listen.ts';
import { findServing, type Lock, removeLock, waitForServing, writeLock } from './lock.ts';
import { ownPaths } from './ownPaths.ts';
import { EngineError } from './store/duckdb.ts';
import { openStore, type Store } from './store/store.ts';

function log(message: string): void {
  process.stderr.write(`${new Date().toISOString()} ${message}\n`);
}

/** Tells whoever started the process where the deployment is: this process, or the one that was first. */
function announce({ url, token }: Lock): void {
  process.stdout.write(`${JSON.stringify({ url, token })}\n`);
}

async function main(): Promise<void> {
  let args: Arguments;
  try {
    args = readArguments(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}\n`);
    process.exitCode = 2;
    return;
  }
  const folder = resolve(args.data);
  const serving = await findServing(folder);
  if (serving !== undefined) {
    announce(serving);
    return;
  }
  let store: Store;
  try {
    const opening = openStore({
      folder,
      ...(args.memoryLimit === undefined ? {} : { memoryLimit: args.memoryLimit }),
    });
    loadRequests();
    store = await opening;
  } catch (error) {
    await openFailed(error, folder);
    return;
  }
  await serve(store, folder, args);
}

async function openFailed(error: unknown, folder: string): Promise<void> {
  if (error instanceof EngineError && error.kind === 'locked') {
    const other = await waitForServing(folder, OTHER_START_MS);
    if (other !== undefined) {
      announce(other);
      return;
    }
    log(`Another process has ${folder} open and does not answer. End it, or use another folder.`);
  } else {
    log(`${folder} cannot be opened: ${error instanceof Error ? error.message : String(error)}`);
  }
  process.exitCode = 1;
}

async function serve(store: Store, folder: string, args: Arguments): Promise<void> {
  const token = TOKEN_PREFIXES.api + randomBytes(32).toString('base64url');
  let ending = false;
  const end = (why: string, exitCode = 0) => {
    if (!ending) void shutDown(why, exitCode);
    ending = true;
  };
  const holds = new Holds(IDLE_END_MS, () => {
    if (args.endWhenIdle) end('no window holds it');
  });
  const app = createApp({
    store,
    token,
    log,
    fatal: () => end('the database can no longer be used', 70),
    own: ownPaths(store, holds, () => end('it was asked to')),
  });
  const listening = await listen(app, args.port);
  const lock = { pid: process.pid, port: listening.port, url: listening.url, token };
  await writeLock(folder, lock);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => end(signal));
  }
  if (args.endWithInput) process.stdin.resume().on('close', () => end('its input closed'));
  if (args.endWhenIdle) holds.start();
  announce(lock);

  async function shutDown(why: string, exitCode: number): Promise<void> {
    log(`Ending: ${why}.`);
    await removeLock(folder).catch(() => undefined);
    holds.release();
    await listening.close(GRACE_MS);
    try {
      await store.close();
    } catch (error) {
      log(`The database did not close well: ${(error as Error).message}`);
    }
    process.exit(exitCode);
  }
}

main().catch((error: unknown) => {
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
});
