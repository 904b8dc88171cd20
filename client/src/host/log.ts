// The extension's log. It removes the tokens in use, because library errors may contain them, and shows control
// characters as symbols.
import * as vscode from 'vscode';
import { visibleLines } from '../../../table/src/visibleText.ts';
import { withoutSecret } from '../service/withoutSecret.ts';

export class Log implements vscode.Disposable {
  readonly channel: vscode.LogOutputChannel;
  readonly #secrets = new Set<string>();

  constructor() {
    this.channel = vscode.window.createOutputChannel('APL', { log: true });
  }

  keepSecret(text: string): void {
    this.#secrets.add(text);
  }

  info(message: string): void {
    this.channel.info(this.#clean(message));
  }

  warn(message: string): void {
    this.channel.warn(this.#clean(message));
  }

  error(doing: string, error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.channel.error(this.#clean(`${doing}: ${text}`));
  }

  show(): void {
    this.channel.show(true);
  }

  dispose(): void {
    this.channel.dispose();
  }

  #clean(text: string): string {
    let clean = text;
    for (const secret of this.#secrets) clean = withoutSecret(clean, secret);
    return visibleLines(clean);
  }
}
