/**
 * The program's entry point. Runs the given command, by default `serve`, which listens and opens the store. When ready,
 * `serve` prints one line of JSON with its URL and tokens on standard output. All other messages go to standard error.
 */
import './threads.ts';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { isMainThread } from 'node:worker_threads';
import { printableLines } from '../../language/src/index.ts';
import { requestProven } from '../../loopback/src/connect.ts';
import type { LocalAddress } from '../../loopback/src/lock.ts';
import { accessWarning } from '../../system/src/accessWarning.ts';
import { exits, wantsHelp } from '../../system/src/commandLine.ts';
import type { OwnTokens } from './access/callers.ts';
import { PageSessions } from './access/pageSessions.ts';
import { createApp } from './app.ts';
import { type Arguments, bytesOf, readArguments } from './arguments.ts';
import { type CommandName, help } from './commands/help.ts';
import { reportError, runCommand } from './commands/run.ts';
import { defined } from './defined.ts';
import type { ClickHouseOptions } from './engines/clickhouseOptions.ts';
import { EngineError } from './engines/engineError.ts';
import { discover } from './engines/open.ts';
import { makeDataFolder, makePrivate } from './folder.ts';
import { Gateway } from './gateway.ts';
import { Holds } from './holds.ts';
import { pageAddress } from './landing/landing.ts';
import { readLandingPage } from './landing/page.ts';
import {
  GRACE_MS,
  MEMORY_BEYOND_ENGINE,
  OTHER_START_MS,
  RESTART_GRACE_MS,
  STUCK_MS,
} from './limits.ts';
import { type Listening, listen } from './listen.ts';
import { findServing, maintainLock, removeLock, waitForServing, writeLock } from './lock.ts';
import { MemoryWatch } from './memoryWatch.ts';
import { ownPaths } from './ownPaths.ts';
import { Primary } from './primary/primary.ts';
import {
  endNow,
  endWithSupervisor,
  mayRestart,
  type Predecessor,
  passSocketOn,
  takeOver,
} from './restart.ts';
import { servePlans } from './servePlans.ts';
import { DATABASE_FILE, defaultMemoryLimit, openStore, type Store } from './store/store.ts';
import { loadTokens } from './token.ts';

function log(message: string): void {
  process.stderr.write(`${new Date().toISOString()} ${printableLines(message)}\n`);
}

/** Prints the deployment's URL and tokens. The deployment may be served by an earlier process. */
function announce({ url, token }: LocalAddress, personalToken: string, { primary }: Arguments) {
  const access = primary === undefined ? { token, personalToken } : { resources: primary.url };
  process.stdout.write(`${JSON.stringify({ url, ...access })}\n`);
}

/** Prints the landing page's URL. Adds a code only on a terminal, so that no log file contains one. */
async function announcePage(url: string, newCode: () => Promise<string | undefined> | string) {
  const code = process.stderr.isTTY ? await newCode() : undefined;
  const label = code === undefined ? 'Landing page' : 'Landing page, by a link that works once';
  log(`${label}: ${pageAddress(url, code)}`);
}

async function codeOf(serving: LocalAddress): Promise<string | undefined> {
  try {
    const response = await requestProven(serving, 'POST', '/_local/page-code');
    return ((await json(response)) as { readonly code?: string }).code;
  } catch {
    return undefined;
  }
}

async function main(): Promise<void> {
  const takingOver = takeOver();
  const [first = '', ...others] = process.argv.slice(2);
  const isNamed = Object.hasOwn(help, first);
  const command = isNamed ? (first as CommandName) : 'serve';
  const given = isNamed ? others : process.argv.slice(2);
  if (wantsHelp(given)) {
    process.stdout.write(help[command]);
    return;
  }
  if (command !== 'serve') process.exit(await runCommand(command, given));
  let args: Arguments;
  try {
    args = readArguments(given);
  } catch (error) {
    reportError('serve', error);
    process.exitCode = exits.error;
    return;
  }
  if (args.discover && args.clickhouse) {
    process.exitCode = await printProposal(args.clickhouse);
    return;
  }
  const folder = resolve(args.data);
  await makeDataFolder(folder);
  await makePrivate(folder);
  const predecessor = await takingOver;
  const serving = predecessor === undefined ? await findServing(folder) : undefined;
  if (serving === undefined) {
    const warning = accessWarning(folder);
    if (warning !== undefined) log(warning);
    await new Deployment(args, folder, predecessor).start();
    return;
  }
  announce(serving, (await loadTokens(folder)).personalToken, args);
  if (args.primary === undefined) await announcePage(serving.url, () => codeOf(serving));
}

async function printProposal(options: ClickHouseOptions): Promise<number> {
  try {
    process.stdout.write(await discover(options, log));
    return 0;
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

class Deployment {
  readonly #args: Arguments;
  readonly #folder: string;
  readonly #predecessor: Predecessor | undefined;
  readonly #holds: Holds;
  #tokens!: OwnTokens;
  #gateway!: Gateway;
  #listening!: Listening;
  #hasPort = false;
  readonly #sessions = new PageSessions();
  #store: Store | undefined;
  #ending = false;
  #unlock: () => void = () => undefined;

  constructor(args: Arguments, folder: string, predecessor: Predecessor | undefined) {
    this.#args = args;
    this.#folder = folder;
    this.#predecessor = predecessor;
    this.#holds = new Holds(() => {
      if (args.endWhenIdle) this.#end('no window holds it');
    });
  }

  async start(): Promise<void> {
    this.#tokens = await loadTokens(this.#folder);
    const { token } = this.#tokens;
    const opening = this.#open();
    // An unhandled rejection would crash the process before `opening` is awaited.
    opening.catch(() => undefined);
    this.#gateway = new Gateway(token);
    try {
      const { respond } = this.#gateway;
      this.#listening = await listen(respond, this.#predecessor?.socket ?? this.#args.port);
      this.#hasPort = true;
    } catch (error) {
      await this.#failed(listenError(error, this.#args.port));
      return;
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => (this.#ending ? endNow() : this.#end(signal)));
    }
    endWithSupervisor((why) => this.#end(why));
    if (this.#args.endWithInput) {
      // Files and devices emit `end` but not `close`.
      const end = () => this.#end('its input closed');
      process.stdin.resume().on('close', end).on('end', end);
    }
    try {
      // Write the lock before the predecessor exits, so that clients always find a process.
      if (this.#predecessor !== undefined) await this.#writeLock();
      this.#predecessor?.reportTaken();
      this.#store = await opening;
    } catch (error) {
      await this.#failed(error);
      return;
    }
    await this.#serve(this.#store, this.#tokens);
  }

  async #open(): Promise<Store> {
    await this.#predecessor?.exited;
    const { memoryLimit, queryTimeoutMs, allowExternal, clickhouse, primary } = this.#args;
    const slow = setTimeout(() => {
      // If the port failed, its error is logged instead.
      if (this.#hasPort) {
        log(`Opening the data in ${this.#folder}${logSize(this.#folder)}.`);
      }
    }, LOGGED_OPENING_MS);
    try {
      return await openStore({
        folder: this.#folder,
        allowExternal,
        clickhouse,
        resourcesUrl: primary?.url,
        log,
        onStuck: () => this.#restart('a query that was stopped does not end'),
        ...defined({ memoryLimit, queryTimeoutMs }),
      });
    } finally {
      clearTimeout(slow);
    }
  }

  #openPrimary({ resources }: Store): Primary | undefined {
    const { primary } = this.#args;
    return primary && new Primary(primary, resources);
  }

  async #writeLock(): Promise<void> {
    this.#unlock();
    const { port, url } = this.#listening;
    const lock = { pid: process.pid, port, url, token: this.#tokens.token };
    await writeLock(this.#folder, lock);
    this.#unlock = maintainLock(this.#folder, lock);
  }

  async #serve(store: Store, tokens: OwnTokens): Promise<void> {
    await this.#writeLock();
    const primary = this.#openPrimary(store);
    const page = await readLandingPage();
    // The page's sessions give access to data, which only the primary does.
    const landing = primary === undefined && { sessions: this.#sessions, ...(page && { page }) };
    this.#gateway.open(
      createApp({
        ...tokens,
        store,
        log,
        primary,
        ...(landing && { landing }),
        fatal: () => this.#restart('the database can no longer be used'),
        ownPaths: ownPaths(
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
    const { url } = this.#listening;
    if (this.#predecessor === undefined)
      announce({ url, token: tokens.token }, tokens.personalToken, this.#args);
    else log('Restarted.');
    if (landing && page) await announcePage(url, () => this.#sessions.newCode());
  }

  /** Reports an error at the start. If another process serves the folder, prints its URL instead. */
  async #failed(error: unknown): Promise<void> {
    process.exitCode = 1;
    const isTaken = error instanceof EngineError && error.kind === 'locked';
    if (isTaken || error instanceof PortInUse) {
      const other = await waitForServing(this.#folder, isTaken ? OTHER_START_MS : PORT_WAIT_MS);
      if (other !== undefined) {
        announce(other, this.#tokens.personalToken, this.#args);
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
    const times = [...(this.#predecessor?.times ?? []), Date.now()].slice(-RESTART_TIMES_MAX);
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
      async () => await this.#store?.engine.endCommits(COMMIT_WAIT_MS),
    );
    this.#unlock();
    try {
      await this.#listening.handOver((socket) => passSocketOn(socket, { times }));
    } catch (error) {
      await this.#shutDown(`the next process did not start (${(error as Error).message})`, 70);
    }
    await new Promise((resolve) => setTimeout(resolve, FLUSH_MS));
    endNow();
  }

  #end(why: string, exitCode = 0): void {
    if (this.#ending) return;
    this.#ending = true;
    void this.#shutDown(why, exitCode);
  }

  async #shutDown(why: string, exitCode: number): Promise<void> {
    log(`Ending: ${why}.`);
    this.#unlock();
    this.#gateway.end();
    this.#holds.release();
    // Exit even if a statement can't be interrupted. Acknowledged changes are already in the database's log.
    setTimeout(endNow, GRACE_MS + STUCK_MS).unref();
    await this.#listening.drain(GRACE_MS);
    try {
      await this.#store?.close();
    } catch (error) {
      log(`The database did not close well: ${(error as Error).message}`);
      endNow();
    }
    await removeLock(this.#folder).catch(() => undefined);
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

/** Describes the log that DuckDB replays when it opens the database. Returns '' for a short log. */
function logSize(folder: string): string {
  const bytes =
    statSync(join(folder, `${DATABASE_FILE}.wal`), { throwIfNoEntry: false })?.size ?? 0;
  const megabytes = Math.round(bytes / 1_048_576);
  return megabytes === 0 ? '' : `: recovering ${megabytes} MiB of changes`;
}

/** The duration above which opening the store is logged. */
const LOGGED_OPENING_MS = 300;

/**
 * Time to wait for the program that uses the port, because it may be another process that is about to serve the same
 * folder.
 */
const PORT_WAIT_MS = 1_000;

const FLUSH_MS = 100;

/** Time for requests to finish before a restart that frees memory. Memory may keep growing meanwhile. */
const MEMORY_GRACE_MS = 250;

/** Maximum time for running commits to finish before a restart. */
const COMMIT_WAIT_MS = 2_000;

const RESTART_TIMES_MAX = 20;

// The planning thread runs this bundle too.
if (!isMainThread) servePlans();
else
  main().catch((error: unknown) => {
    log(error instanceof Error ? error.message : String(error));
    process.exit(1);
  });
