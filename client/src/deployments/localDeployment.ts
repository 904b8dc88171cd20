// The life of the local deployment as a window sees it: started on first use, held while the window is
// open, stopped, restarted or emptied on command.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Log } from '../log.ts';
import { localAllowExternal, localDataDirectory, localMemoryLimit } from '../settings.ts';
import { LocalHold } from './localHold.ts';
import { type LocalAddress, startLocalProcess } from './localProcess.ts';

/** What the process stores in its folder, except its token; a person may have chosen one that holds more. */
const storedNames = [
  'data.duckdb',
  'data.duckdb.wal',
  'data.duckdb.wal.checkpoint',
  'data.duckdb.wal.recovery',
  'data.duckdb.recovering',
  'data.duckdb.recovering',
  'deployment.json',
  'spool',
  'temporary',
];

/** How long a process that restarts may take to answer again. */
const RESTART_LIMIT_MS = 15_000;
const RESTART_POLL_MS = 200;

export type LocalState = 'stopped' | 'starting' | 'running';

export class LocalDeployment implements vscode.Disposable {
  readonly #extension: vscode.ExtensionContext;
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<LocalState>();
  readonly onDidChange = this.#changed.event;
  #state: LocalState = 'stopped';
  #stopping = false;
  #deleting: Promise<void> = Promise.resolve();
  #disposed = false;
  #starting: Promise<LocalAddress> | undefined;
  #hold: LocalHold | undefined;
  /** The folder that the present process was started with; the setting may have changed since. */
  #folder: string | undefined;

  constructor(extension: vscode.ExtensionContext, log: Log) {
    this.#extension = extension;
    this.#log = log;
  }

  get state(): LocalState {
    return this.#state;
  }

  /** The folder that holds the data of the process that starts next. */
  get dataDirectory(): string {
    const chosen = localDataDirectory();
    return chosen === '' ? join(this.#extension.globalStorageUri.fsPath, 'local') : chosen;
  }

  /** The address, after starting the process if it is not running. Throws an Error with the reason. */
  address(): Promise<LocalAddress> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /** Ends the process, for all windows. Throws an Error if it does not end. */
  async stop(): Promise<void> {
    const starting = this.#starting;
    if (starting === undefined) return;
    // A process that did not start need not be ended.
    const started = await starting.then(
      () => true,
      () => false,
    );
    if (!started) return;
    this.#stopping = true;
    try {
      await this.#hold?.stop();
      this.#ended();
    } finally {
      this.#stopping = false;
    }
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.address();
  }

  /** Ends the process and deletes all that it stored, and nothing else. */
  async deleteData(): Promise<void> {
    // Another window may have started the process; only who holds it can end it.
    await this.address();
    const deleting = this.#endAndDelete(this.#folder ?? this.dataDirectory);
    this.#deleting = deleting.catch(() => undefined);
    await deleting;
  }

  async #endAndDelete(folder: string): Promise<void> {
    await this.stop();
    for (const name of storedNames) {
      await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#hold?.release();
    this.#changed.dispose();
  }

  async #start(): Promise<LocalAddress> {
    this.#setState('starting');
    // A process that starts meanwhile would open what is being deleted.
    await this.#deleting;
    const folder = this.dataDirectory;
    this.#folder = folder;
    try {
      const address = await startLocalProcess({
        program: this.#extension.asAbsolutePath(join('dist', 'local.cjs')),
        dataDirectory: folder,
        memoryLimit: localMemoryLimit(),
        allowExternal: localAllowExternal(),
        logFile: join(this.#extension.globalStorageUri.fsPath, 'local.log'),
        compiledFolder: join(this.#extension.globalStorageUri.fsPath, 'compiled'),
      });
      this.#log.keepSecret(address.token);
      this.#hold = await LocalHold.take(address, () => this.#lost(address));
      this.#log.info(`The local deployment listens at ${address.url}, with data in ${folder}.`);
      this.#setState('running');
      return address;
    } catch (error) {
      this.#starting = undefined;
      this.#setState('stopped');
      this.#log.error('The local deployment did not start', error);
      throw error;
    }
  }

  /** The connection is gone. A process that restarts is held again; the next use starts one that has ended. */
  async #lost(address: LocalAddress): Promise<void> {
    const lost = this.#hold;
    this.#hold = undefined;
    const deadline = Date.now() + RESTART_LIMIT_MS;
    while (lost?.isAlive && !this.#stopping && !this.#disposed && Date.now() < deadline) {
      try {
        this.#hold = await LocalHold.take(address, () => this.#lost(address));
        this.#log.info('The local deployment restarted.');
        return;
      } catch {
        // It does not answer yet.
        await sleep(RESTART_POLL_MS);
      }
    }
    // A stop reports the end itself, once the process is gone.
    if (!this.#stopping) this.#ended();
  }

  /** The next use starts the process again. */
  #ended(): void {
    this.#hold = undefined;
    this.#starting = undefined;
    this.#setState('stopped');
  }

  #setState(state: LocalState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#changed.fire(state);
  }
}
