/** The results view in VS Code: puts the page into its webview and lets it reach the clipboard and editors. */
import * as vscode from 'vscode';
import type { ResultTab, ResultTabs } from '../answers/tabs.ts';
import type { ChartEffects } from '../charts/host/chartEffects.ts';
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
  readonly answers: HeldAnswers;
  readonly tabs: ResultTabs;
  readonly language: LanguageServer;
  readonly log: Log;
  /** The view is shown for the first time in this window, or again after it was closed. */
  readonly onShown: () => void;
  readonly cancel: (tab: ResultTab) => void;
  readonly isProduction: (deployment: string) => boolean;
  readonly effects: Pick<Effects, 'addFilter' | 'topValues' | 'loadMore'>;
  readonly charts: ChartEffects;
  readonly follow: FollowEffects;
  readonly exports: ExportEffects;
}

const focusEditors = 'workbench.action.focusActiveEditorGroup';

/** Time to choose a command in the palette. */
const PALETTE_MS = 30_000;

export class ResultsView implements vscode.WebviewViewProvider, vscode.Disposable {
  static readonly viewId = 'aplomb.results';

  readonly #parts: ResultsViewParts;
  /** Values of results in editors, of notebooks too. */
  readonly documents = new CellDocuments();
  readonly #parameterForms = new ParameterForms();
  readonly #host: AnswersHost;
  readonly #subscriptions: vscode.Disposable;
  readonly #visibility = new vscode.EventEmitter<void>();
  /** Fires when the results may be seen, or not any more. */
  readonly onDidChangeVisibility = this.#visibility.event;
  readonly #actedInOutput = new vscode.EventEmitter<{
    readonly action: PageAction;
    readonly place: MenuPlace;
  }>();
  /** Fires for a command of a menu that was opened in an output of a notebook. */
  readonly onDidActInOutput = this.#actedInOutput.event;
  #view: vscode.WebviewView | undefined;
  /** The tab of the editor that shows the results where a setting says so. */
  #editor: vscode.WebviewPanel | undefined;
  #shown: ResultTab['state'] | undefined;
  #hasKeyboard = false;
  #leftForPaletteAt = Number.NEGATIVE_INFINITY;

  constructor(parts: ResultsViewParts) {
    this.#parts = parts;
    const { extension, answers, tabs, log } = parts;
    this.#host = new AnswersHost({
      answers,
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
    this.#subscriptions = vscode.Disposable.from(
      this.documents,
      this.#host,
      this.#actedInOutput,
      vscode.window.registerWebviewViewProvider(ResultsView.viewId, this),
      // After a reload of the window.
      registerPanelSerializer(ResultsView.viewId, (panel) => this.#resolveEditor(panel)),
      vscode.window.onDidChangeTextEditorSelection(() => this.#leavePalette()),
      vscode.window.onDidChangeActiveTextEditor(() => this.#leavePalette()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('aplomb.results')) this.#host.refresh();
      }),
      tabs.onDidChange(({ changed, byItself }) => {
        this.#setContext();
        const { active } = tabs;
        // A run, its result or its failure brings the view forward; a new name or pin does not.
        if (active && changed.includes(active.id) && active.state !== this.#shown && !byItself)
          this.reveal();
        this.#shown = active?.state;
      }),
    );
    this.#setContext();
  }

  /** Brings the view forward without taking the focus from the editor. */
  reveal(): void {
    const location = resultsLocation();
    if (location !== 'panel') return this.#revealEditor(location);
    if (this.#view !== undefined) return this.#view.show(true);
    void vscode.commands.executeCommand(`${ResultsView.viewId}.focus`, { preserveFocus: true });
  }

  /** Closes the panel if the results are what it shows. */
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

  /** Whether the Command Palette took the keyboard from the page. VS Code gives it to an editor afterwards. */
  get leftForPalette(): boolean {
    return Date.now() - this.#leftForPaletteAt < PALETTE_MS;
  }

  get isEditor(): boolean {
    return this.#editor !== undefined;
  }

  /** Gives the view the keyboard, where it is shown. */
  async focus(): Promise<void> {
    // Focusing it again would take the keyboard from the field in it for a moment.
    if (this.#hasKeyboard) return;
    const location = resultsLocation();
    if (location !== 'panel') {
      if (this.#editor === undefined) this.#revealEditor(location);
      return this.#editor?.reveal();
    }
    await vscode.commands.executeCommand(`${ResultsView.viewId}.focus`);
  }

  /** Asks for the parameters of a query by a form in the view, and gives the keyboard back to the editor it came from. */
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

  /** Does what a command of a menu means, in this view or in the output of a notebook. */
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
      // An editor that is covered cannot keep the focus.
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

  /** Loads the page into the webview of a view, and answers it until the view is disposed of. */
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

  dispose(): void {
    this.#editor?.dispose();
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
