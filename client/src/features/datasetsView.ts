// The tree of datasets with their fields, and the commands on its items: write a query, copy a name.
import * as vscode from 'vscode';
import type { WireDataset, WireField } from '../../../server/src/protocol.ts';
import type { Context } from '../context.ts';
import { typeName } from '../fieldTypes.ts';
import { languageId } from '../languageClient.ts';
import { listState } from '../resources/listState.ts';

const viewId = 'aplomb.datasets';

type Node =
  | { readonly kind: 'dataset'; readonly dataset: WireDataset }
  | { readonly kind: 'field'; readonly dataset: string; readonly field: WireField };

export function activate(context: Context): vscode.Disposable {
  const provider = new DatasetTree(context);
  const tree = vscode.window.createTreeView(viewId, {
    treeDataProvider: provider,
    dragAndDropController: filesDropped,
    showCollapseAll: true,
  });
  return vscode.Disposable.from(
    tree,
    provider,
    context.schema.onDidChange(() => provider.refresh()),
    vscode.commands.registerCommand('aplomb.queryDataset', (target: unknown) =>
      writeQuery(context, datasetName(target)),
    ),
    vscode.commands.registerCommand('aplomb.copyName', async (node: Node) => {
      const name = node.kind === 'dataset' ? node.dataset.name : node.field.name;
      await vscode.env.clipboard.writeText(await context.language.quoteName(name));
    }),
  );
}

/** Files dropped on a dataset are ingested into it, those dropped beside it into one that is asked for. */
const filesDropped: vscode.TreeDragAndDropController<Node> = {
  dragMimeTypes: [],
  dropMimeTypes: ['text/uri-list'],
  async handleDrop(target, transfer) {
    const list = await transfer.get('text/uri-list')?.asString();
    const uris = (list ?? '')
      .split(/\r?\n/)
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => vscode.Uri.parse(line));
    const dataset = target?.kind === 'field' ? target.dataset : target?.dataset.name;
    if (uris.length > 0) await vscode.commands.executeCommand('aplomb.ingestFiles', uris, dataset);
  },
};

/** The name of a dataset given as such or as an item of the tree. */
function datasetName(target: unknown): string | undefined {
  if (typeof target === 'string') return target;
  const node = target as Partial<Extract<Node, { kind: 'dataset' }>> | undefined;
  return node?.dataset?.name;
}

/** Opens an unsaved document with the beginning of a query on a dataset. */
async function writeQuery(
  { language }: Context,
  name: string | undefined,
): Promise<vscode.TextEditor | undefined> {
  if (name === undefined) return undefined;
  const content = `${await language.quoteName(name)}\n| take 100\n`;
  const document = await vscode.workspace.openTextDocument({ language: languageId, content });
  const editor = await vscode.window.showTextDocument(document);
  const end = new vscode.Position(1, '| take 100'.length);
  editor.selection = new vscode.Selection(end, end);
  return editor;
}

class DatasetTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #context: Context;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(context: Context) {
    this.#context = context;
  }

  refresh(): void {
    this.#changed.fire();
  }

  async getChildren(parent?: Node): Promise<Node[]> {
    const { schema } = this.#context;
    if (parent?.kind === 'field') return [];
    if (parent) {
      const dataset = parent.dataset.name;
      const { fields } = await schema.fields(dataset);
      return fields
        .filter(({ hidden }) => !hidden)
        .map((field) => ({ kind: 'field', dataset, field }) as const);
    }
    const location = { viewId };
    const { datasets } = await vscode.window.withProgress({ location }, () => schema.datasets());
    // Views have a tree of their own.
    const own = datasets.filter(({ kind }) => kind === 'dataset');
    const failure = schema.state.kind === 'failed' ? schema.state.failure : undefined;
    const state = listState(failure, own.length);
    void vscode.commands.executeCommand('setContext', viewId, state);
    return own
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .map((dataset) => ({ kind: 'dataset', dataset }) as const);
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return node.kind === 'dataset' ? datasetItem(node.dataset) : fieldItem(node);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function datasetItem({ name, description }: WireDataset): vscode.TreeItem {
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `dataset/${name}`;
  item.contextValue = 'dataset';
  item.iconPath = new vscode.ThemeIcon('database');
  item.tooltip = description ? `${name}\n${description}` : name;
  return item;
}

/** Icons of VS Code's own for the types of fields; of several types the first counts. */
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

function fieldItem({ dataset, field }: Extract<Node, { kind: 'field' }>): vscode.TreeItem {
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
