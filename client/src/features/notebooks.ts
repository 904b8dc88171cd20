// Notebooks with APL and Markdown cells: files, runs, time ranges and deployments.
import * as vscode from 'vscode';
import { notebookType } from '../../../server/src/protocol.ts';
import type { Context } from '../context.ts';
import { querySettings } from '../deployments/querySettings.ts';
import { languageId } from '../host/languageId.ts';
import { resultsTimeZone } from '../host/settings.ts';
import { CellStatus } from '../notebook/cellStatus.ts';
import { NotebookRuns } from '../notebook/controller.ts';
import { writeSetting } from '../notebook/metadata.ts';
import { NotebookSerializer } from '../notebook/serializer.ts';
import { parseTimeRange } from '../time/parseTimeRange.ts';
import { pickTimeRange } from '../time/pickTimeRange.ts';
import { rangeText } from '../time/timeRange.ts';
import { registerCommand } from '../ui/commands.ts';
import { type PickItem, showQuickPick } from '../ui/inputs.ts';

type Place = vscode.NotebookDocument | vscode.NotebookCell;

export function activate(context: Context): vscode.Disposable {
  const runs = new NotebookRuns(context);
  const status = new CellStatus(context);
  const command = (
    id: string,
    run: (place: Place, value?: unknown) => unknown,
  ): vscode.Disposable =>
    registerCommand(id, (place?: unknown, value?: unknown) => {
      const notebook = notebookAt(place);
      return notebook && run(isCell(place) ? place : notebook, value);
    });
  const setTimeRange = (place: Place, text: unknown) => askForRange(context, place, text);
  const setDeployment = (place: Place, name: unknown) => askForDeployment(context, place, name);
  return vscode.Disposable.from(
    runs,
    status,
    vscode.workspace.registerNotebookSerializer(notebookType, new NotebookSerializer(), {
      transientOutputs: true,
    }),
    vscode.notebooks.registerNotebookCellStatusBarItemProvider(notebookType, status),
    registerCommand('aplomb.newNotebook', newNotebook),
    command('aplomb.notebook.runWithParameters', (place) => {
      const cell = isCell(place) ? place : activeCell();
      return cell && runs.runWithParameters(cell);
    }),
    command('aplomb.notebook.setTimeRange', setTimeRange),
    command('aplomb.notebook.setCellTimeRange', setTimeRange),
    command('aplomb.notebook.setDeployment', setDeployment),
    command('aplomb.notebook.setCellDeployment', setDeployment),
    command('aplomb.notebook.keepOutputs', (place) => runs.keepOutputs(notebookOf(place), true)),
    command('aplomb.notebook.dropOutputs', (place) => runs.keepOutputs(notebookOf(place), false)),
  );
}

async function newNotebook(): Promise<vscode.NotebookEditor> {
  const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, '', languageId);
  const data = new vscode.NotebookData([cell]);
  const notebook = await vscode.workspace.openNotebookDocument(notebookType, data);
  return vscode.window.showNotebookDocument(notebook, { preview: false });
}

/** Asks for a time range, unless a caller such as a key binding passes one as text. */
async function askForRange(
  { timeRange }: Context,
  place: Place,
  text: unknown,
): Promise<string | undefined> {
  const zone = resultsTimeZone();
  const own = querySettings(place.metadata).range;
  if (typeof text !== 'string' && own !== undefined) {
    const follows = await asksToFollow(place, `Time Range: ${own}`);
    if (follows === undefined) return undefined;
    if (follows) return changed(place, 'range', undefined);
  }
  const now = Date.now();
  const known = own === undefined ? timeRange.value : parseTimeRange(own, now, zone);
  const chosen =
    typeof text === 'string'
      ? parseTimeRange(text, now, zone)
      : await pickTimeRange(`Time Range of This ${isCell(place) ? 'Cell' : 'Notebook'}`, {
          value: typeof known === 'string' ? timeRange.value : known,
          recent: timeRange.recent,
        });
  if (typeof chosen === 'string') throw new Error(chosen);
  return chosen && changed(place, 'range', rangeText(chosen, zone));
}

/** Asks for a deployment, unless a caller such as a key binding passes a name. */
async function askForDeployment(
  { deployments }: Context,
  place: Place,
  name: unknown,
): Promise<string | undefined> {
  if (typeof name === 'string') {
    if (!deployments.find(name)) throw new Error(`The settings have no deployment '${name}'.`);
    return changed(place, 'deployment', name);
  }
  const own = querySettings(place.metadata).deployment;
  const items: (PickItem & { readonly name?: string })[] = [
    ...deployments.profiles.map((profile) => ({ label: profile.name, name: profile.name })),
    ...(own === undefined ? [] : [{ label: followLabel(place) }]),
  ];
  const chosen = await showQuickPick(items, {
    title: `Deployment of This ${isCell(place) ? 'Cell' : 'Notebook'}`,
    placeHolder: own === undefined ? 'Select a deployment' : `Current: ${own}`,
  });
  return chosen && changed(place, 'deployment', chosen.name);
}

async function changed<T extends string | undefined>(
  place: Place,
  key: 'range' | 'deployment',
  value: T,
): Promise<T> {
  if (!(await writeSetting(place, key, value))) throw new Error('The notebook cannot be changed.');
  return value;
}

/** Asks whether to inherit the notebook's or the window's setting. Returns undefined if the user cancels. */
async function asksToFollow(place: Place, title: string): Promise<boolean | undefined> {
  const change = 'Choose Another…';
  const chosen = await showQuickPick([change, followLabel(place)], { title });
  return chosen === undefined ? undefined : chosen !== change;
}

function followLabel(place: Place): string {
  return isCell(place) ? 'Follow the Notebook' : 'Follow the Window';
}

/** Returns the notebook that a cell or menu passes, or else the active notebook. */
function notebookAt(place: unknown): vscode.NotebookDocument | undefined {
  if (isCell(place)) return place.notebook;
  const { notebookEditor } = (place ?? {}) as { notebookEditor?: { notebookUri?: vscode.Uri } };
  const uri = (place instanceof vscode.Uri ? place : notebookEditor?.notebookUri)?.toString();
  const active = vscode.window.activeNotebookEditor?.notebook;
  const named = vscode.workspace.notebookDocuments.find((open) => open.uri.toString() === uri);
  const found = named ?? active;
  return found?.notebookType === notebookType ? found : undefined;
}

function activeCell(): vscode.NotebookCell | undefined {
  const editor = vscode.window.activeNotebookEditor;
  return editor === undefined || editor.selection.isEmpty
    ? undefined
    : editor.notebook.cellAt(editor.selection.start);
}

function notebookOf(place: Place): vscode.NotebookDocument {
  return isCell(place) ? place.notebook : place;
}

function isCell(place: unknown): place is vscode.NotebookCell {
  return typeof place === 'object' && place !== null && 'notebook' in place && 'document' in place;
}
