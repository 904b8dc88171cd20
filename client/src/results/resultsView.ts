/** The results view in VS Code. It loads the page into a webview and connects it to the clipboard and editors. */
import * as vscode from 'vscode';
import type { ResultTab, ResultTabs } from '../answers/tabs.ts';
import type { ChartEffects } from '../charts/host/chartEffects.ts';
import { Disposables } from '../host/disposables.ts';
import type { Log } from '../host/log.ts';
import { chartsFirst, resultsLocation, resultsTimeZone } from '../host/settings.ts';
import type { LanguageServer } from '../languageServer/languageClient.ts';
import { type AskForParameters, ParameterForms } from '../query/parameterForms.ts';
import { createWebviewPanel, registerPanelSerializer } from '../ui/editorParts.ts';
import { loadPage } from '../webview/webviewPage.ts';
import { Arrangements } from './arrangements.ts';
import { CellDocuments } from './cellDocuments.ts';
import { AnswersHost } from './host/answersHost.ts';
import type {
  Effects,
  ExportEffects,
  FollowEffects,
  HeldAnswers,
  StripParts,
} from './host/parts.ts';
import type { MenuPlace, PageAction } from './pageContent.ts';
import { viewEffects } from './viewEffects.ts';

interface ResultsViewParts {
  readonly extension: vscode.ExtensionContext;
  readonly store: HeldAnswers;
  readonly tabs: ResultTabs;
  readonly language: LanguageServer;
  readonly log: Log;
  /** Called when the view is shown for the first time, and again after it was closed and reopened. */
  readonly onShown: () => void;
  readonly cancel: (tab: ResultTab) => void;
  readonly isProduction: (deployment: string) => boolean;
  readonly effects: Pick<Effects, 'addFilter' | 'topValues' | 'loadMore'>;
  readonly charts: ChartEffects;
  readonly follow: FollowEffects;
  readonly exports: ExportEffects;
}

const focusEditors = 'workbench.action.focusActiveEditorGroup';

/** How long the user may take to choose a command in the palette, in milliseconds. */
const PALETTE_MS = 30_000;

export class ResultsView extends Disposables implements vscode.WebviewViewProvider {
  static readonly viewId = 'aplomb.results';

  readonly #parts: ResultsViewParts;
  /** Open editors with result values, including values of notebook outputs. */
  readonly documents = new CellDocuments();
  readonly #parameterForms = new ParameterForms();
  readonly #host: AnswersHost;
  readonly #visibility = new vscode.EventEmitter<void>();
  /** Fires when the results may have become visible or hidden. */
  readonly onDidChangeVisibility = this.#visibility.event;
  readonly #actedInOutput = new vscode.EventEmitter<{
    readonly action: PageAction;
    readonly place: MenuPlace;
  }>();
  /** Fires when a menu command is run in a notebook output. */
  readonly onDidActInOutput = this.#actedInOutput.event;
  #view: vscode.WebviewView | undefined;
  /** The editor tab that contains the results, if a setting places them there. */
  #editor: vscode.WebviewPanel | undefined;
  #shown: ResultTab['state'] | undefined;
  #hasKeyboard = false;
  #leftForPaletteAt = Number.NEGATIVE_INFINITY;

  constructor(parts: ResultsViewParts) {
    super();
    this.#parts = parts;
    const { extension, store, tabs, log } = parts;
    this.#host = new AnswersHost({
      store,
      tabs,
      strip: this.#strip(),
      arrangements: new Arrangements(extension.workspaceState),
      effects: { ...viewEffects(parts.language, log, this.documents), ...parts.effects },
      charts: parts.charts,
      runAgain: ({ id }) => ({
        label: 'Run Again',
        command: 'aplomb.runLastQuery',
        arguments: [id],
      }),
      chartsFirst,
      isProduction: parts.isProduction,
      timeZone: resultsTimeZone,
      onProblem: (problem) => log.warn(problem),
    });
    this.own(
      { dispose: () => this.#editor?.dispose() },
      this.documents,
      this.#host,
      this.#actedInOutput,
      vscode.window.registerWebviewViewProvider(ResultsView.viewId, this),
      // Restores the editor after the window reloads.
      registerPanelSerializer(ResultsView.viewId, (panel) => this.#resolveEditor(panel)),
      vscode.window.onDidChangeTextEditorSelection(() => this.#leavePalette()),
      vscode.window.onDidChangeActiveTextEditor(() => this.#leavePalette()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('aplomb.results')) this.#host.refresh();
      }),
      tabs.onDidChange(({ changed, byItself }) => {
        this.#setContext();
        const { active } = tabs;
        // Bring the view forward for a run and its outcome, but not for a new name or pin.
        if (active && changed.includes(active.id) && active.state !== this.#shown && !byItself)
          this.reveal();
        this.#shown = active?.state;
      }),
    );
    this.#setContext();
  }

  /** Brings the view forward and keeps the focus in the editor. */
  reveal(): void {
    const location = resultsLocation();
    if (location !== 'panel') return this.#revealEditor(location);
    if (this.#view !== undefined) return this.#view.show(true);
    void vscode.commands.executeCommand(`${ResultsView.viewId}.focus`, { preserveFocus: true });
  }

  /** Closes the panel if it shows the results. */
  async hide(): Promise<void> {
    if (this.#view?.visible === true && resultsLocation() === 'panel')
      await vscode.commands.executeCommand('workbench.action.closePanel');
  }

  get visible(): boolean {
    return this.#view?.visible === true || this.#editor?.visible === true;
  }

  get hasKeyboard(): boolean {
    return this.#hasKeyboard;
  }

  /** Whether the Command Palette took the focus from the page. Afterwards, VS Code gives the focus to an editor. */
  get leftForPalette(): boolean {
    return Date.now() - this.#leftForPaletteAt < PALETTE_MS;
  }

  get isEditor(): boolean {
    return this.#editor !== undefined;
  }

  /** Focuses the view, in the panel or an editor. */
  async focus(): Promise<void> {
    // Don't focus again, because that would briefly take the focus from the field that has it.
    if (this.#hasKeyboard) return;
    const location = resultsLocation();
    if (location !== 'panel') {
      if (this.#editor === undefined) this.#revealEditor(location);
      return this.#editor?.reveal();
    }
    await vscode.commands.executeCommand(`${ResultsView.viewId}.focus`);
  }

  /** Asks for a query's parameters in a form in the view, then returns the focus to the editor it came from. */
  readonly askForParameters: AskForParameters = async (...query) => {
    const isFromEditor = !this.#hasKeyboard;
    const editor = vscode.window.activeTextEditor;
    const notebook = vscode.window.activeNotebookEditor;
    const answer = this.#parameterForms.ask(...query);
    await this.focus();
    const texts = await answer;
    if (!isFromEditor) return texts;
    if (!this.isEditor) await vscode.commands.executeCommand(focusEditors);
    else if (notebook) {
      const { viewColumn } = notebook;
      await vscode.window.showNotebookDocument(notebook.notebook, {
        ...(viewColumn !== undefined && { viewColumn }),
      });
    } else if (editor) await vscode.window.showTextDocument(editor.document, editor.viewColumn);
    return texts;
  };

  act(action: PageAction, place: MenuPlace): void {
    if (place.output === undefined) this.#host.act(action, place);
    else this.#actedInOutput.fire({ action, place });
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    view.onDidChangeVisibility(() => this.#visibility.fire());
    this.#load(view, () => {
      this.#view = undefined;
    });
  }

  #revealEditor(location: 'beside' | 'editor'): void {
    const { Active, Beside } = vscode.ViewColumn;
    if (this.#editor !== undefined) {
      // If the results cover the editor, it can't keep the focus.
      const covers = this.#editor.viewColumn === vscode.window.activeTextEditor?.viewColumn;
      return this.#editor.reveal(undefined, !covers);
    }
    const column = location === 'beside' ? Beside : Active;
    const panel = createWebviewPanel(ResultsView.viewId, 'APL Results', {
      viewColumn: column,
      preserveFocus: column !== Active,
    });
    this.#resolveEditor(panel);
  }

  #resolveEditor(panel: vscode.WebviewPanel): void {
    this.#editor?.dispose();
    this.#editor = panel;
    panel.iconPath = vscode.Uri.joinPath(this.#parts.extension.extensionUri, 'media/results.svg');
    panel.onDidChangeViewState(() => this.#visibility.fire());
    this.#load(panel, () => {
      if (this.#editor === panel) this.#editor = undefined;
    });
  }

  /** Loads the page into a webview, and handles its messages until the view is disposed of. */
  #load(view: Pick<vscode.WebviewView, 'webview' | 'onDidDispose'>, onDisposed: () => void): void {
    this.#parts.onShown();
    const { extensionUri } = this.#parts.extension;
    const pipe = loadPage(view.webview, extensionUri, { name: 'results', title: 'APL Results' });
    const attached = this.#host.attach(pipe);
    this.#visibility.fire();
    view.onDidDispose(() => {
      attached.dispose();
      onDisposed();
      this.#visibility.fire();
    });
  }

  #leavePalette(): void {
    this.#leftForPaletteAt = Number.NEGATIVE_INFINITY;
  }

  /** Updates the context keys on which menus and key bindings depend. */
  #setContext(): void {
    const { active } = this.#parts.tabs;
    void vscode.commands.executeCommand(
      'setContext',
      'aplomb.hasResults',
      active?.state.kind === 'result',
    );
  }

  #strip(): StripParts {
    const { tabs, cancel, follow, exports } = this.#parts;
    return {
      tabs,
      cancel,
      follow,
      exports,
      parameterForms: this.#parameterForms,
      focused: (isFocused) => {
        this.#hasKeyboard = isFocused;
        this.#leavePalette();
        void vscode.commands.executeCommand('setContext', 'aplomb.resultsFocused', isFocused);
      },
      leftForPalette: () => {
        this.#leftForPaletteAt = Date.now();
      },
    };
  }
}
