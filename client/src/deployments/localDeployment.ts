// The life of the local deployment as a window sees it: started on first use, held while the window is
// open, stopped, restarted or emptied on command.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Log } from '../log.ts';
import { localDataDirectory, localMemoryLimit } from '../settings.ts';
import { LocalHold } from './localHold.ts';
import { type LocalAddress, startLocalProcess } from './localProcess.ts';

/** What the process stores in its folder; a person may have chosen one that holds more than that. */
const storedNames = ['data.duckdb', 'data.duckdb.wal', 'deployment.json', 'spool', 'temporary'];

export type LocalState = 'stopped' | 'starting' | 'running';

export class LocalDeployment implements vscode.Disposable {
  readonly #extension: vscode.ExtensionContext;
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<LocalState>();
  readonly onDidChange = this.#changed.event;
  #state: LocalState = 'stopped';
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

  /** The address, after starting the process if none runs. Throws an Error saying why it cannot. */
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
    if (started) await this.#hold?.stop();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.address();
  }

  /** Ends the process and deletes all that it stored, and nothing else. */
  async deleteData(): Promise<void> {
    // Another window may have started the process; only who holds it can end it.
    await this.address();
    const folder = this.#folder ?? this.dataDirectory;
    await this.stop();
    for (const name of storedNames) {
      await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
    }
  }

  dispose(): void {
    this.#hold?.release();
    this.#changed.dispose();
  }

  async #start(): Promise<LocalAddress> {
    this.#setState('starting');
    const folder = this.dataDirectory;
    this.#folder = folder;
    try {
      const address = await startLocalProcess({
        program: this.#extension.asAbsolutePath(join('dist', 'local.cjs')),
        dataDirectory: folder,
        memoryLimit: localMemoryLimit(),
        logFile: join(this.#extension.globalStorageUri.fsPath, 'local.log'),
      });
      this.#log.keepSecret(address.token);
      this.#hold = await LocalHold.take(address, () => this.#ended());
      this.#log.info(`The local deployment answers at ${address.url}, with data in ${folder}.`);
      this.#setState('running');
      return address;
    } catch (error) {
      this.#starting = undefined;
      this.#setState('stopped');
      this.#log.error('The local deployment did not start', error);
      throw error;
    }
  }

  /** The process is gone, by itself or on another window's command. The next use starts it again. */
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
