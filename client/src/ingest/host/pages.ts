// A window's ingest pages, each with a session and a tab. A run continues when its tab is hidden or closed, and shows
// its progress in a notification.
import * as vscode from 'vscode';
import { createWebviewPanel } from '../../ui/editorParts.ts';
import {
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../ui/notifications.ts';
import { showCancellable } from '../../ui/progress.ts';
import { loadPage } from '../../webview/webviewPage.ts';
import { ingestPanel } from '../ingestPanel.ts';
import { fractionOf, hasArrived, progressAmounts, queryArrived } from '../reportText.ts';
import { reportNotice } from './reportNotice.ts';
import type { IngestSession } from './session.ts';

export class IngestTab implements vscode.Disposable {
  readonly session: IngestSession;
  readonly #extension: vscode.ExtensionContext;
  readonly #title: string;
  readonly #onDisposed: () => void;
  readonly #subscription: { dispose(): void };
  #panel: vscode.WebviewPanel | undefined;
  #isTelling = false;
  #wasRunning = false;
  #disposed = false;

  /** Creates a tab without a panel, which `reveal` or `show` adds. */
  constructor(
    extension: vscode.ExtensionContext,
    session: IngestSession,
    title: string,
    onDisposed: () => void,
  ) {
    this.#extension = extension;
    this.#title = title;
    this.#onDisposed = onDisposed;
    this.session = session;
    this.#subscription = this.session.onDidChange(() => this.#changed());
  }

  get visible(): boolean {
    return this.#panel?.visible === true;
  }

  reveal(): void {
    if (this.#panel !== undefined) return this.#panel.reveal();
    this.show(createWebviewPanel(ingestPanel, this.#title, vscode.ViewColumn.Active));
  }

  show(panel: vscode.WebviewPanel): void {
    this.#panel = panel;
    const { extensionUri } = this.#extension;
    const icon = (theme: string) => vscode.Uri.joinPath(extensionUri, `media/ingest-${theme}.svg`);
    panel.iconPath = { light: icon('light'), dark: icon('dark') };
    const pipe = loadPage(panel.webview, extensionUri, { name: 'ingest', title: 'Ingest' });
    const attached = this.session.attach(pipe);
    panel.onDidChangeViewState(() => this.#changed());
    panel.onDidDispose(() => {
      attached.dispose();
      this.#panel = undefined;
      this.#changed();
      if (this.session.state.phase !== 'running') this.dispose();
    });
  }

  /** Closes the page. The focus stays in the editor area, even if no other editor is open. */
  close(): void {
    if (this.#panel === undefined) return;
    // Waits for the tab to close, because VS Code disposes of the page first.
    const closing = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      if (closed.length === 0) return;
      closing.dispose();
      void vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    });
    this.#panel.dispose();
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#subscription.dispose();
    this.#onDisposed();
    this.session.dispose();
    this.#panel?.dispose();
  }

  #changed(): void {
    const { phase } = this.session.state;
    const isRunning = phase === 'running';
    const ended = this.#wasRunning && !isRunning;
    this.#wasRunning = isRunning;
    if (this.visible || this.#disposed) return;
    if (isRunning) void this.#showProgress();
    else if (ended) void this.#showReport();
  }

  /** Shows the progress in a notification until the page is visible. */
  async #showProgress(): Promise<void> {
    if (this.#isTelling) return;
    this.#isTelling = true;
    const { dataset, mode } = this.session.state;
    const title = mode === 'check' ? 'Checking files' : `Ingesting into '${dataset}'`;
    await showCancellable(title, (signal, progress) => {
      let percent = 0;
      const subscriptions: { dispose(): void }[] = [];
      signal.addEventListener('abort', () => this.session.cancel());
      return new Promise<void>((done) => {
        const report = () => {
          const { phase, progress: now } = this.session.state;
          if (phase !== 'running' || this.visible || this.#disposed) {
            for (const subscription of subscriptions) subscription.dispose();
            return done();
          }
          if (now === undefined) return;
          const next = 100 * fractionOf(now);
          const { bytes, events, left } = progressAmounts(now);
          const rest = now.state === 'paused' ? 'paused' : left;
          const message = [now.file, bytes, events, rest].filter(Boolean).join(', ');
          progress.report({ message, increment: next - percent });
          percent = next;
        };
        subscriptions.push(this.session.onDidChange(report));
        const view = this.#panel?.onDidChangeViewState(report);
        if (view) subscriptions.push(view);
        report();
      });
    });
    this.#isTelling = false;
  }

  async #showReport(): Promise<void> {
    const { report } = this.session.state;
    if (report === undefined) return;
    const show = 'Show Report';
    const { severity, message, actions } = reportNotice(report);
    const buttons = [
      show,
      ...(hasArrived(report) ? [queryArrived] : []),
      ...actions.map(({ label }) => label),
    ];
    const tell = {
      success: showInformationMessage,
      warning: showWarningMessage,
      error: showErrorMessage,
    }[severity];
    const chosen = await tell(message, ...buttons);
    const action = actions.find(({ label }) => label === chosen);
    if (chosen === show) this.reveal();
    else if (chosen === queryArrived) await this.session.queryArrived();
    else if (action !== undefined) this.session.runAction(action.command);
    // End the session, because the user closed the page and didn't ask for the report.
    if (chosen !== show && this.#panel === undefined) this.dispose();
  }
}
