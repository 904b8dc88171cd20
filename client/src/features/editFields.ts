// Edit Fields…: opens a form for a dataset. A closed form keeps its unsaved changes.

import * as vscode from 'vscode';
import { counted, plural } from '../../../formats/src/counts.ts';
import type { Context } from '../context.ts';
import { askForMissingToken } from '../deployments/askToken.ts';
import { changeCount, type FieldChanges, noChanges } from '../fields/fieldsContract.ts';
import { FieldsHost } from '../fields/fieldsHost.ts';
import { type DatasetTarget, datasetTarget } from '../host/commandTargets.ts';
import { registerCommand } from '../ui/commands.ts';
import { createWebviewPanel } from '../ui/editorParts.ts';
import { showQuickPick } from '../ui/inputs.ts';
import { showWarningMessage } from '../ui/notifications.ts';
import { loadPage } from '../webview/webviewPage.ts';

interface OpenForm {
  readonly panel: vscode.WebviewPanel;
  readonly host: FieldsHost;
}

export function activate(context: Context): vscode.Disposable {
  const open = new Map<string, OpenForm>();
  const command = registerCommand('aplomb.editFields', async (target?: unknown) => {
    const place = datasetTarget(target) ?? (await askDataset(context));
    if (place === undefined) return;
    const profile = context.deployments.active;
    const key = JSON.stringify([profile.name, place.dataset]);
    let form = open.get(key);
    if (form === undefined) {
      await askForMissingToken(context.deployments, profile);
      form = openForm(context, key, place.dataset);
      open.set(key, form);
      form.panel.onDidDispose(() => open.delete(key));
    } else form.panel.reveal();
    if (place.field !== undefined) form.host.focus(place.field);
  });
  return vscode.Disposable.from(command, {
    dispose: () => {
      for (const { panel } of [...open.values()]) panel.dispose();
    },
  });
}

async function askDataset({ schema }: Context): Promise<DatasetTarget | undefined> {
  const names = schema.datasets().then((known) =>
    (known?.datasets ?? [])
      .filter(({ kind }) => kind === 'dataset')
      .map(({ name }) => name)
      .sort((one, other) => one.localeCompare(other)),
  );
  const about = { title: 'Edit Fields', placeHolder: 'Select a dataset' };
  const dataset = await showQuickPick(names, about);
  return dataset === undefined ? undefined : { dataset };
}

function openForm(context: Context, key: string, dataset: string): OpenForm {
  const { extension, deployments, schema, log } = context;
  const profile = deployments.active;
  const memory = extension.workspaceState;
  const draftKey = `aplomb.fieldsDraft ${key}`;
  const title = `Fields of ${dataset}`;
  const panel = createWebviewPanel('aplomb.fields', title, vscode.ViewColumn.Active);
  const host = new FieldsHost(
    {
      dataset,
      deployment: profile.name,
      local: profile.kind === 'local',
      service: () => deployments.service(profile),
      onSaved: () => schema.invalidate([dataset], profile.name),
      onDraft: (draft) =>
        void memory.update(draftKey, changeCount(draft) === 0 ? undefined : draft),
      onProblem: (problem) => log.warn(problem),
    },
    memory.get<FieldChanges>(draftKey, noChanges),
  );
  const pipe = loadPage(panel.webview, extension.extensionUri, { name: 'fields', title });
  const attached = host.attach(pipe);
  panel.onDidDispose(() => {
    attached.dispose();
    void warnOfDraft(host, dataset, () => memory.update(draftKey, undefined));
  });
  return { panel, host };
}

async function warnOfDraft(
  host: FieldsHost,
  dataset: string,
  discard: () => Thenable<void>,
): Promise<void> {
  const count = changeCount(host.draft);
  if (count === 0) return;
  const chosen = await showWarningMessage(
    `${counted(count, 'change')} to the fields of ${dataset} ${plural(count, 'is', 'are')} not saved.`,
    'Open Again',
    'Discard',
  );
  if (chosen === 'Open Again') await vscode.commands.executeCommand('aplomb.editFields', dataset);
  else if (chosen === 'Discard') await discard();
}
