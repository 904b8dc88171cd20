// The trees of monitors, dashboards, views and annotations: what the active deployment holds, with a
// state of its own for nothing there, no access, and not reachable.
import * as vscode from 'vscode';
import { kinds as rows } from '../../../resources/src/kinds.ts';
import type { Failure } from '../api/failure.ts';
import type { Context } from '../context.ts';
import { type ListState, listState } from '../resources/listState.ts';
import { listResources, type Resource } from '../resources/resource.ts';

type ViewKind = 'monitors' | 'dashboards' | 'views' | 'annotations';

/** The view and the refresh command of each kind. */
const views: Readonly<Record<ViewKind, { readonly view: string; readonly refresh: string }>> = {
  monitors: { view: 'aplomb.monitors', refresh: 'aplomb.refreshMonitors' },
  dashboards: { view: 'aplomb.dashboards', refresh: 'aplomb.refreshDashboards' },
  views: { view: 'aplomb.views', refresh: 'aplomb.refreshViews' },
  annotations: { view: 'aplomb.annotations', refresh: 'aplomb.refreshAnnotations' },
};

export function activate(context: Context): vscode.Disposable {
  const kinds = Object.keys(views) as ViewKind[];
  return vscode.Disposable.from(...kinds.map((kind) => activateKind(context, kind)));
}

function activateKind(context: Context, kind: ViewKind): vscode.Disposable {
  const { view, refresh } = views[kind];
  const provider = new ResourceTree(context, kind);
  const tree = vscode.window.createTreeView(view, { treeDataProvider: provider });
  return vscode.Disposable.from(
    tree,
    provider,
    context.deployments.onDidChange(() => provider.refresh()),
    // Returns the items of the tree after the refresh.
    vscode.commands.registerCommand(refresh, async () => {
      if (!context.deployments.retry()) provider.refresh();
      return provider.read();
    }),
  );
}

class ResourceTree implements vscode.TreeDataProvider<Resource>, vscode.Disposable {
  readonly #context: Context;
  readonly #kind: ViewKind;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  #items: Promise<readonly Resource[]> | undefined;
  state: ListState = 'loading';

  constructor(context: Context, kind: ViewKind) {
    this.#context = context;
    this.#kind = kind;
  }

  refresh(): void {
    this.#items = undefined;
    this.#changed.fire();
  }

  /** The items, asked for once until the next refresh. */
  read(): Promise<readonly Resource[]> {
    this.#items ??= this.#fetch();
    return this.#items;
  }

  async getChildren(parent?: Resource): Promise<Resource[]> {
    return parent ? [] : [...(await this.read())];
  }

  getTreeItem(resource: Resource): vscode.TreeItem {
    const item = new vscode.TreeItem(resource.name);
    const row = rows[this.#kind];
    item.id = `${this.#kind}/${resource.id}`;
    item.description = resource.note;
    item.tooltip = [resource.name, resource.about, resource.note].filter(Boolean).join('\n');
    item.iconPath = new vscode.ThemeIcon(resource.icon ?? row.icon);
    item.contextValue = resource.apl === undefined ? row.noun : `${row.noun} query`;
    item.command = { title: 'Open', command: 'aplomb.openResource', arguments: [resource] };
    return item;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #fetch(): Promise<readonly Resource[]> {
    const { deployments } = this.#context;
    const location = { viewId: views[this.#kind].view };
    const answer = await vscode.window.withProgress({ location }, async () => {
      const service = await deployments.service();
      return service.ok ? listResources(service.value, this.#kind) : service;
    });
    const items = answer.ok ? answer.value : [];
    this.#setState(answer.ok ? undefined : answer.failure, items.length);
    return items;
  }

  #setState(failure: Failure | undefined, count: number): void {
    if (failure) this.#context.log.warn(`Cannot list ${this.#kind}. ${failure.message}`);
    this.state = listState(failure, count);
    void vscode.commands.executeCommand('setContext', views[this.#kind].view, this.state);
  }
}
