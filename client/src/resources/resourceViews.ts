// The views with resource trees: filters, pages, and states for failures.
import * as vscode from 'vscode';
import { grouped } from '../../../formats/src/counts.ts';
import {
  type KindName,
  kindNames,
  kinds,
  withAlert,
  withoutAlert,
} from '../../../resources/src/kinds.ts';
import type { Context } from '../context.ts';
import type { Failure } from '../service/failure.ts';
import { registerCommand } from '../ui/commands.ts';
import { showInputBox } from '../ui/inputs.ts';
import { showProgress } from '../ui/progress.ts';
import { createTreeView } from '../ui/trees.ts';
import { filterCommand, refreshCommand, viewOf } from './commands.ts';
import { listState } from './listState.ts';
import { readAlerts } from './monitorAlerts.ts';
import { inOrder, listResources, type Resource } from './resource.ts';
import { resourceItem } from './resourceItem.ts';

/** The number of items per page, because VS Code draws every item when the tree is refreshed. */
const PAGE = 500;

/** The number of monitors whose alerts are read after each refresh, because each takes a request. */
const ALERTS_MAX = 100;

/** The item that shows the next page. */
interface More {
  readonly hidden: number;
}

export function activate(context: Context): vscode.Disposable {
  const own = kindNames.filter((kind) => kinds[kind].tree === 'view');
  return vscode.Disposable.from(
    registerCommand('aplomb.showMore', (show: () => void) => show()),
    ...own.map((kind) => activateKind(context, kind)),
  );
}

function activateKind(context: Context, kind: KindName): vscode.Disposable {
  const provider = new ResourceTree(context, kind);
  const tree = createTreeView<Resource | More>(viewOf(kind), { treeDataProvider: provider });
  const describe = (): void => {
    const { filter, matching, total } = provider;
    const some = filter === '' ? grouped(total) : `${grouped(matching)} of ${grouped(total)}`;
    tree.description = total === 0 ? '' : some;
    const none = filter !== '' && total > 0 && matching === 0;
    const sentences = [none ? `No ${kinds[kind].plural} match '${filter}'.` : '', provider.problem];
    tree.message = sentences.filter(Boolean).join(' ');
  };
  return vscode.Disposable.from(
    tree,
    provider,
    provider.onDidList(describe),
    context.deployments.onDidChange(() => provider.refresh()),
    // Return the items, because tests use them.
    registerCommand(refreshCommand(kind) as string, async () => {
      if (!context.deployments.retry()) provider.refresh();
      return provider.read();
    }),
    registerCommand(filterCommand(kind), async (given?: unknown) => {
      const typed =
        typeof given === 'string'
          ? given
          : await showInputBox({
              title: `Filter ${kinds[kind].title}`,
              prompt: 'Part of the name, the description or the note. Leave empty to show all.',
              value: provider.filter,
            });
      if (typed === undefined) return undefined;
      provider.setFilter(typed.trim());
      return provider.filtered();
    }),
  );
}

class ResourceTree implements vscode.TreeDataProvider<Resource | More>, vscode.Disposable {
  readonly #context: Context;
  readonly #kind: KindName;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #listed = new vscode.EventEmitter<void>();
  readonly onDidList = this.#listed.event;
  #items: Promise<readonly Resource[]> | undefined;
  #listing = new AbortController();
  #shown = PAGE;
  /** The signal of the list for which alerts were requested. */
  #asked: AbortSignal | undefined;
  filter = '';
  /** The number of items, and the number of items that match the filter. */
  total = 0;
  matching = 0;
  problem = '';

  constructor(context: Context, kind: KindName) {
    this.#context = context;
    this.#kind = kind;
  }

  refresh(): void {
    this.#listing.abort();
    this.#listing = new AbortController();
    this.#items = undefined;
    this.#shown = PAGE;
    this.problem = '';
    this.#changed.fire();
  }

  setFilter(text: string): void {
    this.filter = text;
    this.#shown = PAGE;
    this.#changed.fire();
  }

  showMore(): void {
    this.#shown += PAGE;
    this.#changed.fire();
  }

  /** Returns all items, which are fetched once per refresh. */
  read(): Promise<readonly Resource[]> {
    this.#items ??= this.#fetch(this.#listing.signal);
    return this.#items;
  }

  async filtered(): Promise<readonly Resource[]> {
    const all = await this.read();
    const wanted = this.filter.toLowerCase();
    const matching =
      wanted === ''
        ? all
        : all.filter(({ name, note, about = '', detail = [] }) =>
            [name, note, about, ...detail].some((text) => text.toLowerCase().includes(wanted)),
          );
    this.total = all.length;
    this.matching = matching.length;
    this.#listed.fire();
    return matching;
  }

  async getChildren(parent?: Resource | More): Promise<(Resource | More)[]> {
    if (parent) return [];
    const { signal } = this.#listing;
    const matching = await this.filtered();
    if (this.#kind === 'monitors') void this.#askAlerts(matching, signal);
    const hidden = matching.length - this.#shown;
    if (hidden <= 0) return [...matching];
    return [...matching.slice(0, this.#shown), { hidden }];
  }

  getTreeItem(item: Resource | More): vscode.TreeItem {
    return 'hidden' in item ? this.#moreItem(item) : resourceItem(item);
  }

  dispose(): void {
    this.#listing.abort();
    this.#changed.dispose();
    this.#listed.dispose();
  }

  #moreItem({ hidden }: More): vscode.TreeItem {
    const item = new vscode.TreeItem(`Show ${Math.min(hidden, PAGE)} More`);
    item.description = `${grouped(hidden)} hidden`;
    item.iconPath = new vscode.ThemeIcon('more');
    const show = () => this.showMore();
    item.command = { title: 'Show More', command: 'aplomb.showMore', arguments: [show] };
    return item;
  }

  async #fetch(signal: AbortSignal): Promise<readonly Resource[]> {
    const { deployments } = this.#context;
    const location = { viewId: viewOf(this.#kind) };
    const answer = await showProgress({ location }, () =>
      deployments.call((service) => listResources(service, this.#kind, { signal })),
    );
    const items = answer.ok ? answer.value : [];
    // Keep the state if the list is outdated, because the newer list sets its own state.
    if (!signal.aborted) this.#setState(answer.ok ? undefined : answer.failure, items.length);
    return items;
  }

  /** Reads alerts, and moves monitors with an open alert to the top. Runs once per list, when the view is visible. */
  async #askAlerts(shown: readonly Resource[], signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#asked === signal) return;
    this.#asked = signal;
    const ids = shown.filter(({ state }) => state === 'enabled').map(({ id }) => id);
    if (ids.length === 0) return;
    const service = await this.#context.deployments.service();
    if (!service.ok) return;
    const about = { now: Date.now(), signal };
    const { alerts, failures } = await readAlerts(service.value, ids.slice(0, ALERTS_MAX), about);
    if (signal.aborted || alerts.size + failures.size === 0) return;
    const items = await this.read();
    const told = items.map((item) => {
      const [alert, failure] = [alerts.get(item.id), failures.get(item.id)];
      if (failure) return withoutAlert(item, reasonOf(failure));
      return alert === undefined ? item : withAlert(item, alert);
    });
    const inNewOrder = await inOrder(told);
    if (signal.aborted) return;
    this.problem = alertsProblem(told, failures);
    if (this.problem !== '') this.#context.log.warn(this.problem);
    this.#items = Promise.resolve(inNewOrder);
    this.#changed.fire();
  }

  #setState(failure: Failure | undefined, count: number): void {
    if (failure)
      this.#context.log.warn(`Cannot list ${kinds[this.#kind].plural}. ${failure.message}`);
    const state = listState(failure, count);
    void vscode.commands.executeCommand('setContext', viewOf(this.#kind), state);
  }
}

/** Returns a warning about unreadable alerts. Without the warning, their monitors would appear to have no alerts. */
function alertsProblem(
  monitors: readonly Resource[],
  failures: ReadonlyMap<string, Failure>,
): string {
  const [first] = failures;
  if (first === undefined) return '';
  const [id, failure] = first;
  const one = monitors.find((monitor) => monitor.id === id)?.name;
  const which = failures.size === 1 ? `${one} fires` : `${failures.size} monitors fire`;
  return `Cannot read whether ${which}. ${reasonOf(failure)}`;
}

function reasonOf({ status, message }: Failure): string {
  return status === 404 ? 'The service has no history.' : message;
}
