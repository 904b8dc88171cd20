// The history tree: the active deployment's saved queries, and past runs by day.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { languageId } from '../host/languageId.ts';
import { historySize, resultsTimeZone } from '../host/settings.ts';
import type { Resource } from '../resources/resource.ts';
import { resourceItem } from '../resources/resourceItem.ts';
import { listSavedQueries, type SavedQuery } from '../savedQueries/savedQueries.ts';
import type { Outcome } from '../service/failure.ts';
import { paragraphs } from '../ui/hovers.ts';
import { showProgress } from '../ui/progress.ts';
import type { HistoryEntry } from './entry.ts';
import { entryWords, historyDays, outcomeOf } from './entryText.ts';
import type { History } from './history.ts';

type Node =
  | { readonly kind: 'saved folder' }
  | { readonly kind: 'saved'; readonly saved: SavedQuery; readonly resource: Resource }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'day'; readonly label: string; readonly entries: readonly HistoryEntry[] }
  | { readonly kind: 'entry'; readonly entry: HistoryEntry };

const savedFolder: Node = { kind: 'saved folder' };

const noSavedQueries: Node = {
  kind: 'note',
  text: 'No saved queries. "APL: Save Query…" saves the one at the cursor.',
};

const icons: Readonly<Record<HistoryEntry['outcome'], string>> = {
  result: 'history',
  failed: 'error',
  cancelled: 'circle-slash',
};

export class HistoryTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  static readonly viewId = 'aplomb.history';

  readonly #context: Context;
  readonly #history: History;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  #saved: Thenable<Outcome<readonly SavedQuery[]>> | undefined;

  constructor(context: Context, history: History) {
    this.#context = context;
    this.#history = history;
  }

  /** Reloads the runs and, if `saved`, also the saved queries. */
  refresh(saved = false): void {
    const listing = saved ? this.#saved : undefined;
    if (saved) this.#saved = undefined;
    this.#changed.fire();
    // Redraw once more when the pending list of saved queries arrives.
    void listing?.then(() => this.#changed.fire());
  }

  async getChildren(parent?: Node): Promise<Node[]> {
    if (parent?.kind === 'saved folder') return this.#savedNodes();
    if (parent?.kind === 'day') return parent.entries.map((entry) => ({ kind: 'entry', entry }));
    if (parent !== undefined) return [];
    const entries = await this.#entries();
    const days = historyDays(entries, Date.now(), resultsTimeZone());
    if (days.length === 0) return [savedFolder, { kind: 'note', text: emptyText() }];
    return [savedFolder, ...days.map((day) => ({ kind: 'day' as const, ...day }))];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    switch (node.kind) {
      case 'saved folder': {
        const item = new vscode.TreeItem('Saved Queries', Collapsed);
        item.id = 'saved';
        item.iconPath = new vscode.ThemeIcon('star-empty');
        item.contextValue = 'savedQueries';
        return item;
      }
      case 'saved':
        return savedItem(node);
      case 'note':
        return new vscode.TreeItem(node.text);
      case 'day': {
        const item = new vscode.TreeItem(node.label, node.label === 'Today' ? Expanded : Collapsed);
        item.id = `day/${node.label}`;
        return item;
      }
      case 'entry':
        return entryItem(node, node.entry, this.#context.deployments.active.name);
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #entries(): Promise<readonly HistoryEntry[]> {
    try {
      return await this.#history.entries();
    } catch (error) {
      this.#context.log.error('Reading the history', error);
      return [];
    }
  }

  async #savedNodes(): Promise<Node[]> {
    this.#saved ??= showProgress({ location: { viewId: HistoryTree.viewId } }, () =>
      this.#context.deployments.call(listSavedQueries),
    );
    const answer = await this.#saved;
    if (!answer.ok) {
      this.#saved = undefined;
      this.#context.log.warn(`Cannot list the saved queries. ${answer.failure.message}`);
      return [{ kind: 'note', text: answer.failure.message }];
    }
    if (answer.value.length === 0) return [noSavedQueries];
    return answer.value.map((saved) => ({
      kind: 'saved',
      saved,
      resource: { ...saved, kind: 'savedQueries', note: saved.dataset ?? '' },
    }));
  }
}

function emptyText(): string {
  return historySize() === 0
    ? 'The history is off (setting aplomb.history.size).'
    : 'No queries yet. Press Shift+Enter in a query to run it.';
}

function savedItem(node: Extract<Node, { kind: 'saved' }>): vscode.TreeItem {
  const item = resourceItem(node.resource);
  item.tooltip = queryTooltip([node.saved.name], node.saved.apl);
  item.command = { title: 'Open', command: 'aplomb.openSavedQuery', arguments: [node] };
  return item;
}

function entryItem(node: Node, entry: HistoryEntry, activeDeployment: string): vscode.TreeItem {
  const { id, title, query, askedAt, range, deployment, message } = entry;
  const { label, description } = entryWords(entry, activeDeployment, resultsTimeZone());
  const item = new vscode.TreeItem(label);
  const outcome = outcomeOf(entry);
  item.id = `entry/${id}`;
  item.description = description;
  const facts = [new Date(askedAt).toISOString(), outcome, range, deployment];
  item.tooltip = queryTooltip([title, facts.join(' · '), message ?? ''].filter(Boolean), query);
  item.iconPath = new vscode.ThemeIcon(icons[entry.outcome]);
  item.contextValue = 'historyEntry';
  item.command = { title: 'Open', command: 'aplomb.openHistoryEntry', arguments: [node] };
  return item;
}

function queryTooltip(texts: readonly string[], query: string): vscode.MarkdownString {
  return paragraphs(texts, { language: languageId, text: query.slice(0, 2_000) });
}
