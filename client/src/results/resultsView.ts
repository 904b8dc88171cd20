/**
 * The host side of the results view: holds the current result, answers the view's requests for rows,
 * and hides nothing in the page, so that the page can be thrown away while it is not seen.
 */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { cellDocument } from './cellDocument.ts';
import { CellDocuments } from './cellDocuments.ts';
import { resultsPage } from './html.ts';
import type { FromView, ToView } from './messages.ts';
import type { ResultAction, ResultState } from './result.ts';
import { TableRows } from './rows.ts';
import { viewState } from './viewState.ts';

/** The most cells put on the clipboard at once; more would freeze what is pasted into. */
const mostCopiedCells = 5_000_000;

const NULL_MESSAGE_MS = 3_000;

type Open = Extract<FromView, { type: 'open' }>;

export class ResultsViewProvider implements vscode.WebviewViewProvider, vscode.Disposable {
  static readonly viewId = 'aplomb.results';

  readonly #extensionUri: vscode.Uri;
  readonly #cancel = new vscode.EventEmitter<void>();
  /** Fires when the person cancels the running query from the view. */
  readonly onCancel = this.#cancel.event;
  readonly #documents = new CellDocuments();
  #view: vscode.WebviewView | undefined;
  #state: ResultState = { kind: 'empty' };
  #id = 0;
  #tables: TableRows[] = [];

  constructor(extensionUri: vscode.Uri) {
    this.#extensionUri = extensionUri;
  }

  get state(): ResultState {
    return this.#state;
  }

  /** Shows a state; a result or an error brings the view forward without taking the focus from the editor. */
  show(state: ResultState): void {
    this.#state = state;
    this.#id++;
    this.#tables =
      state.kind === 'result' ? state.result.tables.map((table) => new TableRows(table)) : [];
    this.#postState();
    if (state.kind === 'empty') return;
    if (this.#view === undefined)
      void vscode.commands.executeCommand(`${ResultsViewProvider.viewId}.focus`, {
        preserveFocus: true,
      });
    else this.#view.show(true);
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    const root = vscode.Uri.joinPath(this.#extensionUri, 'dist', 'view');
    view.webview.options = { enableScripts: true, localResourceRoots: [root] };
    view.webview.onDidReceiveMessage((message: FromView) => this.#receive(message));
    view.onDidDispose(() => {
      this.#view = undefined;
    });
    view.webview.html = resultsPage({
      scriptUri: view.webview.asWebviewUri(vscode.Uri.joinPath(root, 'results.js')).toString(),
      styleUri: view.webview.asWebviewUri(vscode.Uri.joinPath(root, 'results.css')).toString(),
      cspSource: view.webview.cspSource,
      nonce: randomBytes(18).toString('base64'),
    });
  }

  dispose(): void {
    this.#cancel.dispose();
    this.#documents.dispose();
  }

  #receive(message: FromView): void {
    switch (message.type) {
      case 'ready':
        return this.#postState();
      case 'cancel':
        return this.#cancel.fire();
      case 'command':
        return this.#runAction(message.command);
    }
    const rows = message.id === this.#id ? this.#tables[message.table] : undefined;
    if (rows === undefined) return;
    const { id, table } = message;
    switch (message.type) {
      case 'window':
        return this.#post({
          type: 'rows',
          id,
          table,
          from: message.from,
          rows: rows.window(message.from, message.to),
        });
      case 'sort':
        rows.sort(message.order);
        return this.#post({ type: 'sorted', id, table, order: rows.order });
      case 'copy':
        return void this.#copy(rows, message.range);
      case 'open':
        return void this.#open(rows, message);
    }
  }

  async #open(rows: TableRows, { id, table, row, column }: Open): Promise<void> {
    const name = rows.table.columns[column]?.name;
    if (name === undefined || row >= rows.table.rowCount) return;
    const cell = rows.cell(row, column);
    if (cell === null) {
      vscode.window.setStatusBarMessage('The value is null.', NULL_MESSAGE_MS);
      return;
    }
    const order = rows.order === null ? '' : `${rows.order.column},${rows.order.descending}`;
    const place = new URLSearchParams({
      result: `${id}`,
      table: `${table}`,
      order,
      column: `${column}`,
    });
    await this.#documents.open(cellDocument(name, row, cell), place.toString());
  }

  async #copy(rows: TableRows, range: Parameters<TableRows['copyText']>[0]): Promise<void> {
    const cells = (range.toRow - range.fromRow + 1) * (range.toColumn - range.fromColumn + 1);
    if (cells > mostCopiedCells) {
      void vscode.window.showWarningMessage(
        `The selection has ${cells.toLocaleString('en-US')} cells. At most ${mostCopiedCells.toLocaleString('en-US')} can be copied; select fewer rows or columns.`,
      );
      return;
    }
    await vscode.env.clipboard.writeText(rows.copyText(range));
  }

  /** Runs a command only when the shown state offers it: a page must not reach other commands. */
  #runAction(command: string): void {
    const action = actionsOf(this.#state).find((offered) => offered.command === command);
    if (action) void vscode.commands.executeCommand(command, ...(action.arguments ?? []));
  }

  #postState(): void {
    this.#post({ type: 'state', state: viewState(this.#state, this.#id, this.#tables) });
  }

  #post(message: ToView): void {
    void this.#view?.webview.postMessage(message);
  }
}

function actionsOf(state: ResultState): readonly ResultAction[] {
  if (state.kind === 'failed') return state.actions;
  return state.kind === 'result' && state.hint ? [state.hint.action] : [];
}
