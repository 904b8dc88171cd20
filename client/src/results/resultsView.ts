/** The results view in VS Code: puts the page into its webview and lets it reach the clipboard and editors. */
import * as vscode from 'vscode';
import type { LanguageServer } from '../languageClient.ts';
import type { Log } from '../log.ts';
import { resultsTimeZone, setResultsTimeZone } from '../settings.ts';
import { loadPage } from '../webview/webviewPage.ts';
import { addFilterToQuery } from './addFilter.ts';
import { Arrangements } from './arrangements.ts';
import { CellDocuments } from './cellDocuments.ts';
import type { MenuPlace, PageAction } from './messages.ts';
import { type Effects, type HeldAnswers, ResultsHost } from './resultsHost.ts';
import type { ResultTab, ResultTabs } from './tabs.ts';

const STATUS_MESSAGE_MS = 3_000;

export interface ResultsViewParts {
  readonly extension: vscode.ExtensionContext;
  readonly answers: HeldAnswers;
  readonly tabs: ResultTabs;
  readonly language: LanguageServer;
  readonly log: Log;
  readonly cancel: (tab: ResultTab) => void;
  readonly loadMore?: Effects['loadMore'];
}

export class ResultsView implements vscode.WebviewViewProvider, vscode.Disposable {
  static readonly viewId = 'aplomb.results';

  readonly #parts: ResultsViewParts;
  readonly #documents = new CellDocuments();
  readonly #host: ResultsHost;
  readonly #subscriptions: vscode.Disposable;
  #view: vscode.WebviewView | undefined;
  #shown: ResultTab['state'] | undefined;

  constructor(parts: ResultsViewParts) {
    this.#parts = parts;
    const { extension, answers, tabs, log } = parts;
    this.#host = new ResultsHost({
      answers,
      tabs,
      arrangements: new Arrangements(extension.workspaceState),
      effects: this.#effects(),
      timeZone: resultsTimeZone,
      onProblem: (problem) => log.warn(problem),
    });
    this.#subscriptions = vscode.Disposable.from(
      this.#documents,
      this.#host,
      vscode.window.registerWebviewViewProvider(ResultsView.viewId, this),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('aplomb.results.timeZone')) this.#host.refresh();
      }),
      vscode.Disposable.from(
        tabs.onDidChange(({ changed }) => {
          this.#setContext();
          const { active } = tabs;
          // A run, its result or its failure brings the view forward; a new name or pin does not.
          if (active && changed.includes(active.id) && active.state !== this.#shown) this.reveal();
          this.#shown = active?.state;
        }),
      ),
    );
    this.#setContext();
  }

  /** Brings the view forward without taking the focus from the editor. */
  reveal(): void {
    if (this.#view !== undefined) return this.#view.show(true);
    void vscode.commands.executeCommand(`${ResultsView.viewId}.focus`, { preserveFocus: true });
  }

  /** Does what a command of a menu means. */
  act(action: PageAction, place: MenuPlace): void {
    this.#host.act(action, place);
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    const { extensionUri } = this.#parts.extension;
    const pipe = loadPage(view.webview, extensionUri, { name: 'results', title: 'APL Results' });
    const attached = this.#host.attach(pipe);
    view.onDidDispose(() => {
      attached.dispose();
      this.#view = undefined;
    });
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** Menus and keys depend on whether there is anything to work on. */
  #setContext(): void {
    const { active } = this.#parts.tabs;
    void vscode.commands.executeCommand(
      'setContext',
      'aplomb.hasResults',
      active?.state.kind === 'result',
    );
  }

  #effects(): Effects {
    const { language, log, cancel, loadMore } = this.#parts;
    return {
      copy: async (text) => vscode.env.clipboard.writeText(text),
      openDocument: (document, place) => this.#documents.open(document, place),
      openLink: (address) => void vscode.env.openExternal(vscode.Uri.parse(address, true)),
      runAction: ({ command, arguments: given = [] }) =>
        void vscode.commands.executeCommand(command, ...given),
      cancel,
      addFilter: (tab, condition) => addFilterToQuery(language, tab, condition),
      pathText: (name, path) => language.quotePath(name, path),
      setTimeZone: (timeZone) => {
        setResultsTimeZone(timeZone).catch((error: unknown) =>
          log.warn(`The time zone could not be stored: ${error}`),
        );
      },
      ...(loadMore && { loadMore }),
      inform: (message) => void vscode.window.setStatusBarMessage(message, STATUS_MESSAGE_MS),
      warn: (message) => void vscode.window.showWarningMessage(message),
    };
  }
}
