// A window's local deployment: started on first use, kept running while the window is open, and stopped, restarted or
// emptied on command.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { LocalAddress } from '../../../loopback/src/lock.ts';
import { accessWarning } from '../../../system/src/accessWarning.ts';
import type { Log } from '../host/log.ts';
import { localAllowExternal, localDataDirectory, localMemoryLimit } from '../host/settings.ts';
import { isServed, LocalHold, type LocalPlace } from './localHold.ts';
import { startLocalProcess } from './localProcess.ts';

/** Files that the process stores in its folder, except for its token. The folder may also contain other files. */
const storedNames = [
  'data.duckdb',
  'data.duckdb.wal',
  'data.duckdb.wal.checkpoint',
  'data.duckdb.wal.recovery',
  'data.duckdb.recovering',
  'data.duckdb.metadata',
  'deployment.json',
  'spool',
  'temporary',
];

const RESTART_LIMIT_MS = 15_000;
const RESTART_POLL_MS = 200;

type LocalState = 'stopped' | 'starting' | 'running';

export class LocalDeployment implements vscode.Disposable {
  readonly #extension: vscode.ExtensionContext;
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<LocalState>();
  readonly onDidChange = this.#changed.event;
  #state: LocalState = 'stopped';
  #stopping = false;
  /** Settles when the last stop has ended or failed. */
  #stop: Promise<void> = Promise.resolve();
  #deleting: Promise<void> = Promise.resolve();
  #disposed = false;
  #starting: Promise<LocalAddress> | undefined;
  #hold: LocalHold | undefined;
  /** Settles when a broken connection is restored, or the process has ended. */
  #restoring: Promise<void> = Promise.resolve();
  /** The folder of the running process. The setting may have changed since the process started. */
  #folder: string | undefined;

  constructor(extension: vscode.ExtensionContext, log: Log) {
    this.#extension = extension;
    this.#log = log;
  }

  get state(): LocalState {
    return this.#state;
  }

  /** Returns the folder that the next process will use. */
  get dataDirectory(): string {
    const chosen = localDataDirectory();
    return chosen === '' ? join(this.#extension.globalStorageUri.fsPath, 'local') : chosen;
  }

  /** Starts the process if needed and returns its address. Throws an Error with the reason. */
  async address(): Promise<LocalAddress> {
    await this.#stop;
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /** Ends the process for all windows. Throws an Error if it doesn't end. */
  stop(): Promise<void> {
    const stop = this.#end();
    this.#stop = stop.catch(() => undefined);
    return stop;
  }

  async #end(): Promise<void> {
    const started = await this.#starting?.catch(() => undefined);
    if (started === undefined) return;
    // Wait for a pending restart, because the new process has another ID.
    await this.#restoring;
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

  /** Replaces the tokens. With `all`, also deletes created tokens. All windows reconnect with the new token. */
  async rotateTokens(all: boolean): Promise<void> {
    await this.address();
    if (this.#hold === undefined) throw new Error('The process is restarting. Try again.');
    const ended = new Promise<void>((resolve) => {
      const subscription = this.onDidChange((state) => {
        if (state !== 'stopped') return;
        subscription.dispose();
        resolve();
      });
    });
    await this.#hold.rotateTokens(all);
    // Wait until the old connection has ended, because the restarted process doesn't accept its token.
    await ended;
    await this.address();
  }

  /** Ends the process and deletes only the files that it stored. */
  async deleteData(): Promise<void> {
    // Connect first, because only a connected window can end a process that another window may have started.
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
    // Wait for the deletion, because a new process would open files that are being deleted.
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
      const warning = accessWarning(folder);
      if (warning !== undefined) this.#log.warn(warning);
      const place = { ...address, folder };
      this.#hold = await LocalHold.take(place, () => this.#lost(place));
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

  #lost(place: LocalPlace): void {
    this.#hold = undefined;
    this.#restoring = this.#restore(place);
  }

  /** Reconnects to a process that restarts. If it has ended, the next use starts another one. */
  async #restore(place: LocalPlace): Promise<void> {
    const deadline = Date.now() + RESTART_LIMIT_MS;
    while (!this.#stopping && !this.#disposed && Date.now() < deadline && (await isServed(place))) {
      try {
        this.#hold = await LocalHold.take(place, () => this.#lost(place));
        this.#log.info('The local deployment restarted.');
        return;
      } catch {
        await sleep(RESTART_POLL_MS);
      }
    }
    // Don't report the end during `stop`, which reports it once the process is gone.
    if (!this.#stopping) this.#ended();
  }

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
