// The dataset tree with its fields, and the commands that copy or insert their names.
import * as vscode from 'vscode';
import { counted } from '../../../formats/src/counts.ts';
import { type KindName, kindNames, kinds } from '../../../resources/src/kinds.ts';
import type { WireDataset } from '../../../server/src/protocol.ts';
import type { Context } from '../context.ts';
import { resultsTimeZone } from '../host/settings.ts';
import { typeName } from '../schema/fieldTypes.ts';
import { asOf } from '../schema/freshness.ts';
import type { Extent } from '../service/extent.ts';
import { daysInWords, extentInWords } from '../time/extentWords.ts';
import { registerCommand } from '../ui/commands.ts';
import { showInformationMessage } from '../ui/notifications.ts';
import { showProgress } from '../ui/progress.ts';
import { createTreeView } from '../ui/trees.ts';
import type { DatasetNode } from './datasetNode.ts';
import { type ListState, listState } from './listState.ts';
import { listResources } from './resource.ts';
import { resourceItem } from './resourceItem.ts';

const viewId = 'aplomb.datasets';

export function activate(context: Context): vscode.Disposable {
  const provider = new DatasetTree(context, (message) => {
    // An empty message hides the message area, so that it takes no space.
    tree.message = message ?? '';
  });
  const tree: vscode.TreeView<DatasetNode> = createTreeView(viewId, {
    treeDataProvider: provider,
    dragAndDropController: dragAndDrop(context),
    canSelectMany: true,
    showCollapseAll: true,
  });
  const { deployments } = context;
  // Name the tree's deployment, because it may differ from the one in the status bar, which follows the active editor.
  const describe = () => {
    tree.description = deployments.profiles.length > 1 ? deployments.active.name : '';
  };
  describe();
  return vscode.Disposable.from(
    tree,
    provider,
    deployments.onDidChange(describe),
    context.schema.onDidChange(() => provider.refresh()),
    context.extents.onDidChange((dataset) => provider.update(dataset)),
    registerCommand('aplomb.copyName', async (node: DatasetNode) => {
      const name = nameOf(node);
      if (name !== undefined) {
        await vscode.env.clipboard.writeText(await context.language.quoteName(name));
      }
    }),
    registerCommand('aplomb.insertName', async (node: DatasetNode) => {
      const name = nameOf(node);
      const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
      if (name === undefined) return;
      if (editor === undefined)
        return void showInformationMessage('Open a query to insert the name into.');
      const quoted = await context.language.quoteName(name);
      await editor.edit((edit) => {
        for (const selection of editor.selections) {
          edit.replace(selection, `${gapBefore(editor.document, selection.start)}${quoted}`);
        }
      });
      await vscode.window.showTextDocument(editor.document, editor.viewColumn);
    }),
  );
}

/** Returns a space if the inserted name would otherwise continue a word. */
function gapBefore(document: vscode.TextDocument, { line, character }: vscode.Position): string {
  return /[\w\])]$/.test(document.lineAt(line).text.slice(0, character)) ? ' ' : '';
}

function nameOf(node: DatasetNode): string | undefined {
  if (node.kind === 'dataset') return node.dataset.name;
  return node.kind === 'field' ? node.field.name : undefined;
}

/** Ingests dropped files into the dataset below the pointer, or else into a new dataset. */
const dragAndDrop = ({ language }: Context): vscode.TreeDragAndDropController<DatasetNode> => ({
  dragMimeTypes: ['text/plain'],
  dropMimeTypes: ['text/uri-list', 'files'],
  // Add the names as text, quoted as in queries, so that a drop on an editor inserts them.
  async handleDrag(nodes, transfer) {
    const names = nodes.map(nameOf).filter((name) => name !== undefined);
    const quoted = await Promise.all(names.map((name) => language.quoteName(name)));
    if (quoted.length > 0)
      transfer.set('text/plain', new vscode.DataTransferItem(quoted.join(', ')));
  },
  async handleDrop(target, transfer) {
    const list = await transfer.get('text/uri-list')?.asString();
    const uris = (list ?? '')
      .split(/\r?\n/)
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => vscode.Uri.parse(line));
    // Read files without a URI too: in a browser, files from outside VS Code have none.
    const files = [...transfer].flatMap(([, item]) => item.asFile() ?? []);
    const dropped = uris.length > 0 ? uris : files;
    if (dropped.length > 0)
      await vscode.commands.executeCommand('aplomb.ingestFiles', dropped, target);
  },
});

class DatasetTree implements vscode.TreeDataProvider<DatasetNode>, vscode.Disposable {
  readonly #context: Context;
  readonly #say: (message: string | undefined) => void;
  readonly #changed = new vscode.EventEmitter<DatasetNode | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  #shown: ReadonlyMap<string, DatasetNode> = new Map();

  constructor(context: Context, say: (message: string | undefined) => void) {
    this.#context = context;
    this.#say = say;
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  update(dataset: string): void {
    const node = this.#shown.get(dataset);
    if (node) this.#changed.fire(node);
  }

  async getChildren(parent?: DatasetNode): Promise<DatasetNode[]> {
    const { schema, extents, deployments } = this.#context;
    if (parent?.kind === 'group') return this.#resources(parent.of, parent.dataset);
    if (parent !== undefined && parent.kind !== 'dataset') return [];
    if (parent) {
      const dataset = parent.dataset.name;
      extents.ask(dataset);
      const current = await schema.fields(dataset);
      // Mark outdated fields with a note, unless the message above the tree already explains them.
      const known = current ?? (await schema.fieldsNow(dataset));
      const isOld = current === null && schema.state.kind === 'known';
      const fields = (known?.fields ?? [])
        .filter(({ hidden }) => !hidden)
        .map((field) => ({ kind: 'field', dataset, field }) as const);
      const note = known ? 'Not refreshed; may be out of date' : 'The fields cannot be listed';
      const notes: DatasetNode[] = isOld ? [{ kind: 'note', text: note }] : [];
      return [...notes, ...fields, ...belowDataset(dataset)];
    }
    const location = { viewId };
    const known = await showProgress({ location }, () => schema.datasets());
    const failure = schema.state.kind === 'failed' ? schema.state.failure : undefined;
    const earlier = await this.#known(listState(failure, 0));
    // Exclude views, because they have a separate tree.
    const listed = known?.datasets ?? earlier?.datasets ?? [];
    const own = listed.filter(({ kind }) => kind === 'dataset');
    // Show no message without datasets, because it would hide the welcome text.
    this.#say(own.length > 0 ? earlier?.message : undefined);
    const state = earlier && own.length > 0 ? 'listed' : listState(failure, own.length);
    // Show another welcome text for an empty hosted deployment, because sample data is for the local deployment.
    const isHosted = deployments.active.kind === 'hosted';
    const shown = state === 'empty' && isHosted ? 'emptyHosted' : state;
    void vscode.commands.executeCommand('setContext', viewId, shown);
    const nodes = own
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .map((dataset) => ({ kind: 'dataset', dataset }) as const);
    this.#shown = new Map(nodes.map((node) => [node.dataset.name, node]));
    return nodes;
  }

  getTreeItem(node: DatasetNode): vscode.TreeItem {
    switch (node.kind) {
      case 'field':
        return fieldItem(node);
      case 'group':
        return groupItem(node);
      case 'resource':
        return resourceItem(node.resource);
      case 'note':
        return new vscode.TreeItem(node.text);
    }
    const { extents, deployments } = this.#context;
    const { name } = node.dataset;
    extents.askIfFree(name);
    return datasetItem(node.dataset, extents.get(name), deployments.active.kind === 'hosted');
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Returns the last known datasets of an unavailable deployment, with a message; undefined if none are known. */
  async #known(
    listed: ListState,
  ): Promise<{ datasets: readonly WireDataset[]; message: string } | undefined> {
    const { schema } = this.#context;
    const { state, deployment } = schema;
    if (state.kind !== 'failed' || listed === 'noToken' || listed === 'rejected') return undefined;
    const known = await schema.datasetsNow();
    if (known === null) return undefined;
    const what =
      listed === 'unreachable'
        ? `${deployment} cannot be reached.`
        : listed === 'noAccess'
          ? 'The token lacks the capability to list datasets.'
          : state.failure.message;
    const which = state.earlier
      ? `Datasets ${asOf(state.earlier.fetchedAt, resultsTimeZone())}.`
      : 'Only datasets that you have queried are listed.';
    return { datasets: known.datasets, message: `${what} ${which}` };
  }

  async #resources(kind: KindName, dataset: string): Promise<DatasetNode[]> {
    const { deployments } = this.#context;
    const answer = await deployments.call((service) => listResources(service, kind, { dataset }));
    const { plural, requiredAccess } = kinds[kind];
    if (!answer.ok) {
      const { status, message } = answer.failure;
      return [
        { kind: 'note', text: status === 403 ? `The token needs ${requiredAccess}.` : message },
      ];
    }
    if (answer.value.length === 0) return [{ kind: 'note', text: `No ${plural}` }];
    return answer.value.map((resource) => ({ kind: 'resource', resource }));
  }
}

/** Returns the nodes below a dataset other than fields: for each kind, a group or its only resource. */
function belowDataset(dataset: string): DatasetNode[] {
  return kindNames
    .filter((kind) => kinds[kind].tree === 'dataset')
    .map((kind) => {
      const { title, endpoints } = kinds[kind];
      if (endpoints.list !== undefined) return { kind: 'group', of: kind, dataset } as const;
      const resource = { kind, id: dataset, name: title, note: '' };
      return { kind: 'resource', resource } as const;
    });
}

function groupItem({ of, dataset }: Extract<DatasetNode, { kind: 'group' }>): vscode.TreeItem {
  const { Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(kinds[of].title, Collapsed);
  item.id = `group/${of}/${dataset}`;
  item.iconPath = new vscode.ThemeIcon(kinds[of].icon);
  item.contextValue = `group ${of}`;
  return item;
}

function datasetItem(
  { name, description }: WireDataset,
  extent: Extent | null | undefined,
  recent: boolean,
): vscode.TreeItem {
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `dataset/${name}`;
  item.contextValue = 'dataset';
  item.iconPath = new vscode.ThemeIcon('database');
  // On hosted deployments, only recent events are counted.
  const when = recent ? ' in the last 90 days' : '';
  const events = extent === null ? `No events${when}` : extent && `${extentInWords(extent)}${when}`;
  if (extent === null) item.description = 'no events';
  else if (extent) item.description = `${shortCount(extent.events)} · ${daysInWords(extent)}`;
  item.tooltip = [name, description, events].filter(Boolean).join('\n');
  return item;
}

/** Formats a count: `9,999 events`, `1.2M events`. The tooltip has the exact number. */
function shortCount(events: number): string {
  if (events < 10_000) return counted(events, 'event');
  const short = events.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 1 });
  return `${short} events`;
}

/** Icons by type. A field with several types has the icon of the first. */
const typeIcons: Readonly<Record<string, string>> = {
  string: 'symbol-string',
  integer: 'symbol-number',
  float: 'symbol-number',
  boolean: 'symbol-boolean',
  bool: 'symbol-boolean',
  datetime: 'calendar',
  timespan: 'watch',
  array: 'symbol-array',
  map: 'symbol-object',
  dictionary: 'symbol-object',
};

function fieldItem({ dataset, field }: Extract<DatasetNode, { kind: 'field' }>): vscode.TreeItem {
  const item = new vscode.TreeItem(field.name);
  const [first = ''] = field.type.split('|');
  item.id = `field/${dataset}/${field.name}`;
  item.contextValue = 'field';
  const type = typeName(field.type);
  item.description = field.unit ? `${type}, ${field.unit}` : type;
  item.iconPath = new vscode.ThemeIcon(typeIcons[first] ?? 'symbol-field');
  item.tooltip = [field.name, field.description].filter(Boolean).join('\n');
  return item;
}
