// Commands that ingest files, folders, editors and the clipboard, and resume interrupted runs. They open the ingest
// page, unless the caller passes a dataset's name.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { extname } from 'node:path/posix';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { RunReport } from '../../../ingest/src/contract.ts';
import type { Context } from '../context.ts';
import { datasetTarget } from '../host/commandTargets.ts';
import { loadedLater } from '../host/loadedLater.ts';
import type { IngestUi } from '../ingest/host/ingestUi.ts';
import type { HandedFile } from '../ingest/host/inputs.ts';
import { ingestFolder, isJournal } from '../ingest/ingestFolder.ts';
import { ingestPanel } from '../ingest/ingestPanel.ts';
import { registerCommand } from '../ui/commands.ts';
import { registerPanelSerializer } from '../ui/editorParts.ts';
import { showInformationMessage } from '../ui/notifications.ts';

const LOOK_AGAIN_MS = 5_000;

export function activate(context: Context): vscode.Disposable {
  const ui = loadedLater(async () => {
    const { IngestUi } = await import('../ingest/host/ingestUi.ts');
    return new IngestUi(context);
  });
  const ended = new AbortController();
  void offerLeftBehind(context, ui.get, ended.signal);
  return vscode.Disposable.from(
    ui,
    new vscode.Disposable(() => ended.abort()),
    // The explorer passes the clicked and the selected files, the dataset tree passes an item, and a drop passes files
    // and an item. A caller that passes files and a dataset's name ingests them without a page.
    registerCommand(
      'aplomb.ingestFiles',
      async (target?: unknown, more?: unknown): Promise<RunReport[]> => {
        const files = await filesToIngest(target, more);
        if (files.length === 0) return [];
        if (typeof more === 'string') {
          const uris = files.filter((file) => file instanceof vscode.Uri);
          return (await ui.get()).ingestFiles(uris, more);
        }
        await (await ui.get()).openFiles(files, datasetOf(target) ?? datasetOf(more));
        return [];
      },
    ),
    registerCommand('aplomb.ingestSelection', async () => {
      const editor = vscode.window.activeTextEditor;
      if (editor) await (await ui.get()).openEditor(editor);
      else void showInformationMessage('Open a file, and select the events in it.');
    }),
    registerCommand('aplomb.ingestClipboard', async (target?: unknown) => {
      await (await ui.get()).openClipboard(datasetOf(target));
    }),
    registerCommand('aplomb.resumeIngest', async () => {
      await (await ui.get()).resume();
    }),
    registerPanelSerializer(ingestPanel, async (panel, kept) =>
      (await ui.get()).restore(panel, kept),
    ),
  );
}

/** Offers to resume runs of closed windows. Checks runs in progress again: a reloaded window's process ends late. */
async function offerLeftBehind(
  { extension }: Context,
  ui: () => Promise<IngestUi>,
  ended: AbortSignal,
): Promise<void> {
  const folder = ingestFolder(extension);
  const names = await readdir(folder).catch(() => []);
  let journals: readonly string[] = names.filter(isJournal).map((name) => join(folder, name));
  while (!ended.aborted && journals.length > 0) {
    journals = await (await ui()).offerToResume(journals);
    if (journals.length > 0) await sleep(LOOK_AGAIN_MS, undefined, { ref: false });
  }
}

const extensions = 'json ndjson jsonl ldjson csv tsv log logfmt txt gz zst'.split(' ');

function isHandedFile(value: unknown): value is HandedFile {
  return (
    value instanceof vscode.Uri ||
    typeof (value as vscode.DataTransferFile | null)?.data === 'function'
  );
}

/** Returns the files that a menu or another caller passes. Otherwise, shows a dialog. */
async function filesToIngest(target: unknown, more: unknown): Promise<HandedFile[]> {
  const given = [target, more].find(
    (value): value is HandedFile[] =>
      Array.isArray(value) && value.length > 0 && value.every(isHandedFile),
  );
  if (given) return given;
  if (target instanceof vscode.Uri) return [target];
  // Suggest the active file in the dialog, because the palette passes no file.
  const open = vscode.window.activeTextEditor?.document.uri;
  const isMeant = open?.scheme === 'file' && extensions.includes(extname(open.path).slice(1));
  const chosen = await vscode.window.showOpenDialog({
    title: 'Ingest Files',
    ...(isMeant && { defaultUri: open }),
    openLabel: 'Preview',
    canSelectMany: true,
    filters: {
      'Events (JSON, NDJSON, CSV, logs)': extensions,
      'All files': ['*'],
    },
  });
  return chosen ?? [];
}

function datasetOf(target: unknown): string | undefined {
  return typeof target === 'object' ? datasetTarget(target)?.dataset : undefined;
}
