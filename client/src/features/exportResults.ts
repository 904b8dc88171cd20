// Export Results: the results page asks for a format and options, then the rows are written to a file.

import { homedir } from 'node:os';
import { basename } from 'node:path/posix';
import * as vscode from 'vscode';
import { counted, grouped } from '../../../formats/src/counts.ts';
import { formatOf } from '../../../table/src/export/formats.ts';
import { initialTableViewState } from '../../../table/src/viewState.ts';
import type { TaskProgress } from '../answers/protocol.ts';
import { StoreError } from '../answers/storeError.ts';
import type { TabId } from '../answers/tabs.ts';
import type { Context } from '../context.ts';
import { showWithActions } from '../host/notify.ts';
import { type ExportChoice, exportForm, rememberExport } from '../results/exportForm.ts';
import type { ExportEffects } from '../results/host/parts.ts';
import { resultOf, type TabResult } from '../results/resultOf.ts';
import { registerCommand } from '../ui/commands.ts';
import { showErrorMessage, showInformationMessage } from '../ui/notifications.ts';
import { showCancellable } from '../ui/progress.ts';
import { errorMessage } from '../words/errors.ts';

type Parts = Pick<Context, 'extension' | 'tabs' | 'store' | 'log'>;

export function activate({ tabs, store, results }: Context): vscode.Disposable {
  return registerCommand('aplomb.exportResults', async (place?: unknown) => {
    const { aplombTab } = (place ?? {}) as { aplombTab?: TabId };
    const found = resultOf(aplombTab === undefined ? tabs.active : tabs.tab(aplombTab), store);
    if (found === undefined) return void tellNoResult();
    await results.focus();
    results.act('exportResult', { tab: found.tab.id });
  });
}

export function exportEffects(parts: Parts): ExportEffects {
  const { tabs, store, extension } = parts;
  return {
    form: (tab) => {
      const found = resultOf(tabs.tab(tab), store);
      return found && exportForm(found, extension.globalState);
    },
    write: async (tab, choice) => {
      const found = resultOf(tabs.tab(tab), store);
      if (found === undefined) return tellNoResult();
      await rememberExport(extension.globalState, choice);
      return writeResult(parts, found, choice);
    },
  };
}

function tellNoResult(): unknown {
  return showInformationMessage(
    'There is no result to export. Run a query, and wait until its rows have arrived.',
  );
}

async function writeResult(
  { store, log }: Parts,
  { tab, answer }: TabResult,
  choice: ExportChoice,
): Promise<void> {
  const { table } = answer.viewState;
  const { order, filters, columnOrder, hidden } =
    answer.viewState.tables[table] ?? initialTableViewState;
  const all = answer.head.tables[table]?.fields.map((_, column) => column) ?? [];
  const ordered = columnOrder.length > 0 ? columnOrder : all;
  const target = await askTarget(tab.title, choice);
  if (target === undefined) return;
  if (target.scheme !== 'file')
    return void showErrorMessage(
      `Results can only be exported to files, not to ${target.scheme}:. Choose a folder on this machine.`,
    );
  const request = {
    answer: answer.id,
    table,
    format: choice.format,
    options: { ...choice.options },
    path: target.fsPath,
    name: tab.title,
    columns: choice.everything ? all : ordered.filter((column) => !hidden.includes(column)),
    allRows: choice.everything,
  };
  await showCancellable(`Exporting to ${basename(target.path)}`, async (signal, progress) => {
    let reported = 0;
    const onProgress = ({ done, total }: TaskProgress): void => {
      const percent = total === 0 ? 100 : (100 * done) / total;
      const message = `${grouped(done)} of ${grouped(total)} rows`;
      progress.report({ message, increment: percent - reported });
      reported = percent;
    };
    try {
      await store.restore(answer.id);
      // Sort and filter the rows now, because rows restored from disk are only arranged when their tab is shown.
      if (!choice.everything && order.length + filters.length > 0) {
        await store.rows('arrange', { answer: answer.id, table, order, filters }, { signal });
      }
      const { rows, notices } = await store.rows('export', request, { signal, onProgress });
      report(target, rows, notices);
    } catch (error) {
      if (error instanceof StoreError && error.code === 'cancelled') return;
      const why = errorMessage(error);
      log.warn(`The result was not exported to ${target.fsPath}: ${why}`);
      void showErrorMessage(`The result was not exported. ${why}`);
    }
  });
}

async function askTarget(title: string, { format }: ExportChoice): Promise<vscode.Uri | undefined> {
  const { extension = 'txt', label = format } = formatOf(format) ?? {};
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const name = title.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|[-.]+$/g, '');
  return vscode.window.showSaveDialog({
    title: 'Export Results',
    saveLabel: 'Export',
    defaultUri: vscode.Uri.joinPath(folder, `${name.slice(0, 80) || 'results'}.${extension}`),
    filters: { [label]: [extension] },
  });
}

function report(
  target: vscode.Uri,
  rows: number,
  notices: readonly { readonly message: string }[],
): void {
  const count = counted(rows, 'row');
  const sentences = [
    `Exported ${count} to ${basename(target.path)}.`,
    ...notices.map(({ message }) => message),
  ];
  const actions = [
    { label: 'Open', command: 'vscode.open', arguments: [target] },
    { label: 'Show in Folder', command: 'revealFileInOS', arguments: [target] },
  ];
  showWithActions(sentences.join(' '), actions, showInformationMessage);
}
