// Writes down what the extension says while the suite runs, into files next to the profile: its log, which is recorded
// where VS Code takes it over, and the messages and dialogs. Dialogs are answered, as a window under test shows none.
import { appendFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { format, inspect } from 'node:util';
import * as vscode from 'vscode';
import { context } from '../editing.ts';

export class Recorder {
  readonly folder: string;
  /** The button that the next dialogs are answered with; without one they are cancelled. */
  answer: string | undefined;
  readonly #restore: (() => void)[] = [];

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async start(folder: string): Promise<Recorder> {
    await mkdir(folder, { recursive: true });
    const recorder = new Recorder(folder);
    recorder.#recordLog();
    recorder.#recordMessages();
    return recorder;
  }

  /** Adds a line to a file of the folder. */
  write(file: string, text: string): void {
    appendFileSync(join(this.folder, file), `${text}\n`);
  }

  stop(): void {
    for (const restore of this.#restore) restore();
  }

  /** The language server's client writes to the same channel, and gets it from here with its first start. */
  #recordLog(): void {
    const { log } = context();
    const { channel } = log;
    const recorded = new Proxy(channel, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          this.write('log.txt', format(String(name), ...args));
          return Reflect.apply(value, target, args);
        };
      },
    });
    const holder = log as { channel: vscode.LogOutputChannel };
    holder.channel = recorded;
    this.#restore.push(() => {
      holder.channel = channel;
    });
  }

  #recordMessages(): void {
    const window = vscode.window as unknown as Record<string, (...args: unknown[]) => unknown>;
    for (const name of ['showErrorMessage', 'showWarningMessage', 'showInformationMessage']) {
      const real = window[name] as (...args: unknown[]) => unknown;
      window[name] = (text, ...rest) => {
        this.write('messages.txt', `${name} ${inspect([text, ...rest])}`);
        const [options, ...buttons] = rest;
        const { modal } = (options ?? {}) as vscode.MessageOptions;
        if (!modal) return real(text, ...rest);
        return Promise.resolve(buttons.find((button) => button === this.answer));
      };
      this.#restore.push(() => {
        window[name] = real;
      });
    }
  }
}
