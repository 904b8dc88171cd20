// Edit Fields…: opens the form of a dataset's fields in an editor, one for each dataset. What is changed and
// not saved is kept until the form is opened again.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { askForMissingToken } from '../deployments/askToken.ts';
import { changeCount, type FieldChanges, noChanges } from '../fields/contract.ts';
import { FieldsHost } from '../fields/fieldsHost.ts';
import { registerCommand } from '../ui/commands.ts';
import { createWebviewPanel } from '../ui/editorParts.ts';
import { showQuickPick } from '../ui/inputs.ts';
import { showWarningMessage } from '../ui/messages.ts';
import { loadPage } from '../webview/webviewPage.ts';
import { counted, plural } from '../words/counts.ts';

interface OpenForm {
  readonly panel: vscode.WebviewPanel;
  readonly host: FieldsHost;
}

export function activate(context: Context): vscode.Disposable {
  const open = new Map<string, OpenForm>();
  const command = registerCommand('aplomb.editFields', async (target?: unknown) => {
    const place = placeIn(target) ?? (await askDataset(context));
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

interface Place {
  readonly dataset: string;
  readonly field?: string;
}

/** The dataset and field of a tree item or of a name. */
function placeIn(target: unknown): Place | undefined {
  if (typeof target === 'string') return { dataset: target };
  const { dataset, field } = (target ?? {}) as {
    dataset?: string | { name?: unknown };
    field?: { name?: unknown };
  };
  if (typeof dataset === 'string') {
    return { dataset, ...(typeof field?.name === 'string' && { field: field.name }) };
  }
  return typeof dataset?.name === 'string' ? { dataset: dataset.name } : undefined;
}

async function askDataset({ schema }: Context): Promise<Place | undefined> {
  const names = schema.datasets().then((known) =>
    (known?.datasets ?? [])
      .filter(({ kind }) => kind === 'dataset')
      .map(({ name }) => name)
      .sort((one, other) => one.localeCompare(other)),
  );
  const dataset = await showQuickPick(names, {
    title: 'Edit Fields',
    placeHolder: 'Select a dataset',
  });
  return dataset === undefined ? undefined : { dataset };
}

function openForm(context: Context, key: string, dataset: string): OpenForm {
  const { extension, deployments, schema, log } = context;
  const profile = deployments.active;
  const memory = extension.workspaceState;
  const draftKey = `aplomb.fieldsDraft ${key}`;
  const panel = createWebviewPanel(
    'aplomb.fields',
    `Fields of ${dataset}`,
    vscode.ViewColumn.Active,
  );
  const host = new FieldsHost(
    {
      dataset,
      deployment: profile.name,
      local: profile.kind === 'local',
      service: () => deployments.service(profile),
      onSaved: () => {
        schema.invalidate([dataset], profile.name);
      },
      onDraft: (draft) =>
        void memory.update(draftKey, changeCount(draft) === 0 ? undefined : draft),
      onProblem: (problem) => log.warn(problem),
    },
    memory.get<FieldChanges>(draftKey, noChanges),
  );
  const pipe = loadPage(panel.webview, extension.extensionUri, {
    name: 'fields',
    title: `Fields of ${dataset}`,
  });
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
