// Records finished runs, shows them in the History view, and implements the actions on its items.
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { answerIn } from '../answers/slots.ts';
import type { Context } from '../context.ts';
import type { HistoryEntry } from '../history/entry.ts';
import { outcomeOf } from '../history/entryText.ts';
import { History } from '../history/history.ts';
import { HistoryFile } from '../history/historyFile.ts';
import { HistoryTree } from '../history/historyTree.ts';
import { showText } from '../history/showText.ts';
import { openApl } from '../host/openApl.ts';
import { historySize, onSettingChanged } from '../host/settings.ts';
import { fileKey } from '../query/fileKey.ts';
import type { Query } from '../query/query.ts';
import type { EndedRun } from '../query/runner.ts';
import { registerCommands } from '../ui/commands.ts';
import { showQuickPick } from '../ui/inputs.ts';
import { confirm, showInformationMessage } from '../ui/notifications.ts';
import { createTreeView } from '../ui/trees.ts';

export function activate(context: Context): vscode.Disposable {
  const { extension, log, runner, store } = context;
  const path = vscode.Uri.joinPath(extension.globalStorageUri, 'history.jsonl').fsPath;
  const history = new History(new HistoryFile(path), historySize);
  const provider = new HistoryTree(context, history);
  const tree = createTreeView(HistoryTree.viewId, { treeDataProvider: provider });
  const record = (run: EndedRun): void => {
    const answer = run.end.kind === 'result' ? run.end.answer : undefined;
    // Leave out the file of a notebook's result: it is erased with the cell's output, so the entry opens the cell
    // instead.
    const isInTab = context.tabs.tabs.some(({ state }) => answerIn(state) === answer);
    const file = answer !== undefined && isInTab ? store.get(answer)?.kept : undefined;
    history
      .add(entryOf(run, Date.now(), file))
      .catch((error) => log.error('Recording a query in the history', error));
  };
  const onEntry = (run: (entry: HistoryEntry) => unknown) => (node?: unknown) => {
    const { entry } = (node ?? {}) as { readonly entry?: HistoryEntry };
    return entry && run(entry);
  };

  return vscode.Disposable.from(
    tree,
    provider,
    history.onDidChange(() => provider.refresh()),
    runner.onDidFinish(record),
    context.deployments.onDidChange(() => provider.refresh(true)),
    onSettingChanged(['history.size', 'results.timeZone'], () => provider.refresh()),
    tree.onDidChangeVisibility(({ visible }) => visible && provider.refresh()),
    registerCommands({
      'aplomb.refreshHistory': () => provider.refresh(true),
      'aplomb.openHistoryEntry': onEntry((entry) => open(context, entry)),
      'aplomb.runHistoryEntry': onEntry(async ({ query: text, title, variables }) => {
        const { statesColumnOrder, stages } = await context.language.queryFacts(text);
        const query = {
          text,
          title,
          statesColumnOrder,
          ...(stages && { stages }),
          ...(variables && { variables }),
        };
        return (await runner.run([query]))[0]?.end.kind;
      }),
      'aplomb.copyHistoryQuery': onEntry(({ query }) => vscode.env.clipboard.writeText(query)),
      'aplomb.removeHistoryEntry': onEntry(({ id }) => history.remove(id)),
      'aplomb.eraseHistory': () => erase(context, history),
      'aplomb.searchHistory': () => search(context, history),
    }),
  );
}

function entryOf(
  { query, startedAt, rangeLabel: range, end, deployment }: EndedRun,
  now: number,
  file: string | undefined,
): HistoryEntry {
  return {
    id: randomUUID(),
    askedAt: startedAt,
    title: query.title,
    query: query.text,
    deployment,
    range,
    outcome: end.kind,
    milliseconds: serviceMilliseconds(end) ?? now - startedAt,
    ...(query.variables && { variables: query.variables }),
    ...(query.place && placeOf(query.place)),
    ...(end.kind === 'failed' && { message: end.message }),
    ...(end.kind === 'result' && {
      rowCount: end.head.tables[0]?.rowCount ?? 0,
      answer: end.answer,
      ...(file !== undefined && { file }),
    }),
  };
}

function placeOf({ uri, written }: NonNullable<Query['place']>) {
  return { document: fileKey(uri), ...(written !== undefined && { written }) };
}

/** Returns the elapsed time that the result also shows. */
function serviceMilliseconds(end: EndedRun['end']): number | undefined {
  const elapsed = end.kind === 'result' ? end.head.status.elapsedTime : undefined;
  return elapsed === undefined ? undefined : elapsed / 1_000;
}

/** Shows an entry's result if it still exists; otherwise shows its query. */
async function open({ tabs, store, log }: Context, entry: HistoryEntry): Promise<void> {
  const tab = tabs.tabs.find(
    ({ state }) => entry.answer !== undefined && answerIn(state) === entry.answer,
  );
  if (tab) {
    tabs.activate(tab.id);
    await vscode.commands.executeCommand('aplomb.results.focus');
    return;
  }
  if (entry.file !== undefined) {
    try {
      const { id, about } = await store.restoreKept(entry.file);
      const shown = tabs.tabs.find(({ state }) => answerIn(state) === id);
      const { title, query: text, variables } = entry;
      const { statesColumnOrder } = about;
      const query = { text, title, statesColumnOrder, ...(variables && { variables }) };
      if (shown) tabs.activate(shown.id);
      else tabs.open({ query, pinned: false, state: { kind: 'result', answer: id } });
      await vscode.commands.executeCommand('aplomb.results.focus');
      return;
    } catch (error) {
      // Show the query instead, because the result was erased or replaced by newer ones.
      log.info(`The result of a history entry cannot be read: ${(error as Error).message}`);
    }
  }
  if (entry.document !== undefined) {
    const text = (entry.written ?? entry.query).trim();
    if (await showText(entry.document, text)) return;
  }
  await openApl(`${entry.query.trim()}\n`);
}

async function erase({ store }: Context, history: History): Promise<boolean> {
  const isConfirmed = await confirm(
    'Erase the history of all windows and the results kept on disk?',
    'All queries are removed from the history. Open results stay open. This cannot be undone.',
    'Erase History',
  );
  if (!isConfirmed) return false;
  await history.erase();
  await store.eraseKept('all');
  return true;
}

async function search(context: Context, history: History): Promise<void> {
  const items = (await history.entries()).map((entry) => ({
    label: entry.title,
    description: `${outcomeOf(entry)} · ${entry.range} · ${entry.deployment}`,
    detail: entry.query.replace(/\s+/g, ' ').trim(),
    entry,
  }));
  if (items.length === 0) return void showInformationMessage('The history is empty.');
  const chosen = await showQuickPick(items, {
    title: 'Search History',
    placeHolder: 'Part of a query, a title, a range or a deployment',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen) await open(context, chosen.entry);
}
