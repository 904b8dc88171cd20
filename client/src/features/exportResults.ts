// Export Results: writes all rows of the result in view to a file, in a format and with options that are asked
// for, with progress and cancel.
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { askExport, type ExportChoice } from '../results/askExport.ts';
import { resultOf } from '../results/resultOf.ts';
import { StoreError } from '../results/store/storeError.ts';
import { initialTableViewState } from '../results/store/viewState.ts';
import { registerCommand } from '../ui/commands.ts';
import { showErrorMessage, showInformationMessage } from '../ui/messages.ts';
import { showProgress } from '../ui/progress.ts';

export function activate(context: Context): vscode.Disposable {
  return registerCommand('aplomb.exportResults', (place?: unknown) =>
    exportResults(context, (place as { aplombTab?: string } | undefined)?.aplombTab),
  );
}

/** Returns the file that was written. */
async function exportResults(context: Context, tabId?: string): Promise<vscode.Uri | undefined> {
  const { tabs, store, extension } = context;
  const found = resultOf(tabId === undefined ? tabs.active : tabs.tab(tabId), store);
  if (found === undefined) {
    void showInformationMessage('There is no result to export. Run a query first.');
    return undefined;
  }
  const { tab, answer } = found;
  const { table } = answer.viewState;
  const { order, filters, columnOrder, hidden } =
    answer.viewState.tables[table] ?? initialTableViewState;
  const all = answer.head.tables[table]?.fields.map((_, column) => column) ?? [];
  const ordered = columnOrder.length > 0 ? columnOrder : all;
  const choice = await askExport(extension.globalState, {
    isFiltered: filters.length > 0,
    hidesColumns: hidden.length > 0,
  });
  if (choice === undefined) return undefined;
  const target = await askTarget(tab.title, choice);
  if (target === undefined) return undefined;
  if (target.scheme !== 'file') {
    void showErrorMessage(
      `Results can only be exported to files, not to ${target.scheme}:. Choose a folder on this machine.`,
    );
    return undefined;
  }
  const request = {
    answer: answer.id,
    table,
    format: choice.format.id,
    options: { ...choice.options },
    path: target.fsPath,
    name: tab.title,
    columns: choice.everything ? all : ordered.filter((column) => !hidden.includes(column)),
    allRows: choice.everything,
  };
  return showProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: `Exporting to ${fileName(target)}`,
      cancellable: true,
    },
    async (progress, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      let reported = 0;
      const onProgress = (done: number, total: number): void => {
        const percent = total === 0 ? 100 : (100 * done) / total;
        const message = `${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} rows`;
        progress.report({ message, increment: percent - reported });
        reported = percent;
      };
      try {
        await store.restore(answer.id);
        const { signal } = controller;
        // The rows of a tab that was not in view since they came back from disk are as they came.
        if (!choice.everything && order.length + filters.length > 0) {
          await store.rows('arrange', { answer: answer.id, table, order, filters }, { signal });
        }
        const { rows, notices } = await store.rows('export', request, { signal, onProgress });
        void report(target, rows, notices);
        return target;
      } catch (error) {
        if (error instanceof StoreError && error.code === 'cancelled') return undefined;
        const why = error instanceof Error ? error.message : String(error);
        context.log.warn(`The result was not exported to ${target.fsPath}: ${why}`);
        void showErrorMessage(`The result was not exported. ${why}`);
        return undefined;
      }
    },
  );
}

async function askTarget(
  title: string,
  { format: { extension = 'txt', label } }: ExportChoice,
): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const name = title.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|[-.]+$/g, '');
  return vscode.window.showSaveDialog({
    title: 'Export Results',
    saveLabel: 'Export',
    defaultUri: vscode.Uri.joinPath(folder, `${name.slice(0, 80) || 'results'}.${extension}`),
    filters: { [label]: [extension] },
  });
}

async function report(
  target: vscode.Uri,
  rows: number,
  notices: readonly { readonly message: string }[],
): Promise<void> {
  const count = `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`;
  const sentences = [
    `Exported ${count} to ${fileName(target)}.`,
    ...notices.map(({ message }) => message),
  ];
  const [open, reveal] = ['Open', 'Show in Folder'];
  const chosen = await showInformationMessage(sentences.join(' '), open, reveal);
  if (chosen === open) await vscode.commands.executeCommand('vscode.open', target);
  else if (chosen === reveal) await vscode.commands.executeCommand('revealFileInOS', target);
}

function fileName(target: vscode.Uri): string {
  return target.path.slice(target.path.lastIndexOf('/') + 1);
}
