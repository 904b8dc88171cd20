/**
 * The process: reads its arguments, listens, opens the store, and prints one JSON line with address and
 * tokens on standard output when it is ready. Everything else goes to standard error.
 */
import './threads.ts';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import type { OwnTokens } from './access/callers.ts';
import { PageSessions } from './access/pageSessions.ts';
import { createApp } from './app.ts';
import { type Arguments, bytesOf, readArguments } from './arguments.ts';
import { help, isCommand } from './commands/help.ts';
import { runCommand } from './commands/run.ts';
import {
  DOORKEEPER_ARGUMENT,
  dismissDoorkeeper,
  KEEP_MS_MAX,
  keepDoor,
  postDoorkeeper,
} from './doorkeeper.ts';
import { makeDataFolder, makePrivate } from './folder.ts';
import { Gateway } from './gateway.ts';
import { Holds } from './holds.ts';
import { pageAddress } from './landing/landing.ts';
import { readLandingPage } from './landing/page.ts';
import {
  GRACE_MS,
  IDLE_END_MS,
  MEMORY_BEYOND_ENGINE,
  OTHER_START_MS,
  RESTART_GRACE_MS,
} from './limits.ts';
import { type Listening, listen } from './listen.ts';
import { findServing, keepLock, type Lock, removeLock, waitForServing, writeLock } from './lock.ts';
import { MemoryWatch } from './memoryWatch.ts';
import { ownPaths } from './ownPaths.ts';
import { endNow, mayRestart, type Restart, replaceProcess, takeRestart } from './restart.ts';
import { servePlans } from './servePlans.ts';
import { EngineError, STUCK_MS } from './store/duckdb.ts';
import { DATABASE_FILE, defaultMemoryLimit, openStore, type Store } from './store/store.ts';
import { keptTokens } from './token.ts';

function log(message: string): void {
  process.stderr.write(`${new Date().toISOString()} ${message}\n`);
}

/** Prints where the deployment is: this process, or the one that was first. */
function announce({ url, token }: Lock, personalToken: string): void {
  process.stdout.write(`${JSON.stringify({ url, token, personalToken })}\n`);
}

/** Tells a person where the page is. A code is for the eyes at a terminal, and not for the file of a log. */
async function announcePage(
  url: string,
  newCode: () => Promise<string | undefined> | string,
): Promise<void> {
  const code = process.stderr.isTTY ? await newCode() : undefined;
  const words = code === undefined ? 'Landing page' : 'Landing page, by a link that works once';
  log(`${words}: ${pageAddress(url, code)}`);
}

/** A code for the page of another process; undefined where it does not give one. */
async function codeOf({ url, token }: Lock): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/_local/page-code`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(PORT_MS),
    });
    return ((await response.json()) as { readonly code?: string }).code;
  } catch {
    return undefined;
  }
}

async function main(): Promise<void> {
  const [first, ...others] = process.argv.slice(2);
  const command = isCommand(first) ? first : 'serve';
  const given = isCommand(first) ? others : process.argv.slice(2);
  if (given.includes('--help') || given.includes('-h')) {
    process.stdout.write(help[command]);
    return;
  }
  if (command !== 'serve') {
    process.exit(await runCommand(command, given));
  }
  let args: Arguments;
  try {
    args = readArguments(given);
  } catch (error) {
    const { message } = error as Error;
    process.stderr.write(`aplomb: ${message}\nRun aplomb serve --help for usage.\n`);
    process.exitCode = 2;
    return;
  }
  const folder = resolve(args.data);
  await makeDataFolder(folder);
  await makePrivate(folder);
  const restarted = takeRestart();
  const serving = restarted === undefined ? await findServing(folder) : undefined;
  if (serving === undefined) {
    await new Deployment(args, folder, restarted).start();
    return;
  }
  announce(serving, (await keptTokens(folder)).personalToken);
  await announcePage(serving.url, () => codeOf(serving));
}

/** A deployment from the moment it listens until the process ends. */
class Deployment {
  readonly #args: Arguments;
  readonly #folder: string;
  readonly #restarted: Restart | undefined;
  readonly #holds: Holds;
  #tokens!: OwnTokens;
  #gateway!: Gateway;
  #listening!: Listening;
  #hasPort = false;
  readonly #sessions = new PageSessions();
  #store: Store | undefined;
  #ending = false;
  #unlock: () => void = () => undefined;

  constructor(args: Arguments, folder: string, restarted: Restart | undefined) {
    this.#args = args;
    this.#folder = folder;
    this.#restarted = restarted;
    this.#holds = new Holds(IDLE_END_MS, () => {
      if (args.endWhenIdle) this.#end('no window holds it');
    });
  }

  async start(): Promise<void> {
    this.#tokens = await keptTokens(this.#folder);
    const { token } = this.#tokens;
    const opening = this.#open();
    // Awaited below; until then a failure must not end the process.
    opening.catch(() => undefined);
    this.#gateway = new Gateway(token);
    try {
      this.#listening = await this.#listen(token);
      this.#hasPort = true;
    } catch (error) {
      await this.#failed(listenError(error, this.#args.port));
      return;
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => (this.#ending ? endNow() : this.#end(signal)));
    }
    if (this.#args.endWithInput) {
      // A file or a device ends without closing.
      const end = () => this.#end('its input closed');
      process.stdin.resume().on('close', end).on('end', end);
    }
    try {
      this.#store = await opening;
    } catch (error) {
      await this.#failed(error);
      return;
    }
    await this.#serve(this.#store, this.#tokens);
  }

  async #listen(token: string): Promise<Listening> {
    const { respond } = this.#gateway;
    if (this.#restarted === undefined) return listen(respond, this.#args.port);
    const { port } = this.#restarted;
    const listening = new AbortController();
    void dismissDoorkeeper(port, token, listening.signal);
    const deadline = performance.now() + KEEP_MS_MAX + PORT_MS;
    try {
      for (;;) {
        try {
          return await listen(respond, port);
        } catch (error) {
          // The doorkeeper still has the port. Each moment between it and this process is one of refusals.
          if (performance.now() > deadline) throw error;
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      }
    } finally {
      listening.abort();
    }
  }

  async #open(): Promise<Store> {
    const { memoryLimit, queryTimeoutMs, allowExternal } = this.#args;
    const slow = setTimeout(() => {
      // A start that has no port ends with that message alone.
      if (this.#hasPort) {
        log(`Opening the data in ${this.#folder}${logSize(this.#folder)}.`);
      }
    }, SLOW_MS);
    try {
      return await openStore({
        folder: this.#folder,
        allowExternal,
        log,
        onStuck: () => this.#restart('a query that was stopped does not end'),
        ...(memoryLimit === undefined ? {} : { memoryLimit }),
        ...(queryTimeoutMs === undefined ? {} : { queryTimeoutMs }),
      });
    } finally {
      clearTimeout(slow);
    }
  }

  async #serve(store: Store, tokens: OwnTokens): Promise<void> {
    const { token, personalToken } = tokens;
    const { port, url } = this.#listening;
    const lock = { pid: process.pid, port, url, token };
    await writeLock(this.#folder, lock);
    this.#unlock = keepLock(this.#folder, lock);
    const page = await readLandingPage();
    this.#gateway.open(
      createApp({
        ...tokens,
        store,
        log,
        landing: { sessions: this.#sessions, ...(page && { page }) },
        fatal: () => this.#restart('the database can no longer be used'),
        own: ownPaths(
          store,
          this.#folder,
          this.#holds,
          this.#sessions,
          () => this.#end('it was asked to'),
          () => this.#restart('it was asked to'),
        ),
      }),
    );
    const limitBytes =
      bytesOf(this.#args.memoryLimit ?? defaultMemoryLimit()) + MEMORY_BEYOND_ENGINE;
    new MemoryWatch({
      queries: store.queries,
      limitBytes,
      restartBytes: limitBytes + MEMORY_BEYOND_ENGINE,
      log,
      restart: (why) => this.#restart(why, MEMORY_GRACE_MS),
    });
    if (this.#args.endWhenIdle) this.#holds.start();
    if (this.#restarted === undefined) announce(lock, personalToken);
    else log('Restarted.');
    if (page !== undefined) await announcePage(url, () => this.#sessions.newCode());
  }

  /** What keeps the store from opening or the port from listening: often another process that came first. */
  async #failed(error: unknown): Promise<void> {
    process.exitCode = 1;
    const isTaken = error instanceof EngineError && error.kind === 'locked';
    if (isTaken || error instanceof PortInUse) {
      const other = await waitForServing(this.#folder, isTaken ? OTHER_START_MS : PORT_MS);
      if (other !== undefined) {
        announce(other, this.#tokens.personalToken);
        process.exit(0);
      }
    }
    log(this.#problem(error, isTaken));
    process.exit();
  }

  #problem(error: unknown, isTaken: boolean): string {
    if (isTaken) {
      return `Another process has ${this.#folder} open and does not answer. End it, or use another folder.`;
    }
    const message = error instanceof Error ? error.message : String(error);
    return error instanceof EngineError
      ? `The data in ${this.#folder} cannot be opened: ${message.split('\n', 1)[0]}`
      : message;
  }

  #restart(why: string, graceMs = RESTART_GRACE_MS): void {
    if (this.#ending) return;
    const times = [...(this.#restarted?.times ?? []), Date.now()].slice(-RESTARTS_KEPT);
    if (!mayRestart(times, Date.now())) {
      this.#end(`${why}, again after several restarts`, 70);
      return;
    }
    this.#ending = true;
    log(`Restarting: ${why}.`);
    void this.#replace(times, graceMs);
  }

  async #replace(times: readonly number[], graceMs: number): Promise<void> {
    await this.#gateway.restart(
      graceMs,
      async () => await this.#store?.engine.endCommits(COMMITS_MS),
    );
    await this.#listening.handOver((server) => postDoorkeeper(server, this.#tokens.token));
    // Until what was answered has gone out.
    await new Promise((resolve) => setTimeout(resolve, FLUSH_MS));
    replaceProcess({ port: this.#listening.port, times });
  }

  #end(why: string, exitCode = 0): void {
    if (this.#ending) return;
    this.#ending = true;
    void this.#shutDown(why, exitCode);
  }

  async #shutDown(why: string, exitCode: number): Promise<void> {
    log(`Ending: ${why}.`);
    this.#unlock();
    await removeLock(this.#folder).catch(() => undefined);
    this.#holds.release();
    // A statement in the engine cannot be broken off from here; what was acknowledged is in its log.
    setTimeout(endNow, GRACE_MS + STUCK_MS).unref();
    await this.#listening.close(GRACE_MS);
    try {
      await this.#store?.close();
    } catch (error) {
      log(`The database did not close well: ${(error as Error).message}`);
      endNow();
    }
    process.exit(exitCode);
  }
}

class PortInUse extends Error {}

function listenError(error: unknown, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new PortInUse(
      `Another program uses port ${port}. Choose another one with --port, or 0 for any free one.`,
    );
  }
  return code === 'EACCES' ? new Error(`You do not have permission to use port ${port}.`) : error;
}

/** What opening has to recover, as words; empty where there is little. */
function logSize(folder: string): string {
  const bytes =
    statSync(join(folder, `${DATABASE_FILE}.wal`), { throwIfNoEntry: false })?.size ?? 0;
  const megabytes = Math.round(bytes / 1_048_576);
  return megabytes === 0 ? '' : `: recovering ${megabytes} MiB of changes`;
}

/** An opening that takes longer is reported. */
const SLOW_MS = 300;

/** How long to wait for a process that has the port: the doorkeeper, or another start on the same folder. */
const PORT_MS = 1_000;

const FLUSH_MS = 100;

/** What requests get to be answered before a restart for memory, which grows meanwhile. */
const MEMORY_GRACE_MS = 250;

/** How long commits that are under way at a restart may take. */
const COMMITS_MS = 2_000;

const RESTARTS_KEPT = 20;

// The bundle is one file, which the planning thread and the doorkeeper start from, too.
if (!isMainThread) servePlans();
else if (process.argv[2] === DOORKEEPER_ARGUMENT) keepDoor();
else
  main().catch((error: unknown) => {
    log(error instanceof Error ? error.message : String(error));
    process.exit(1);
  });
