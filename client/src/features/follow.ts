// Follow (Live Tail): shows new events as they arrive, or repeats a query whose rows aren't events. The status bar
// shows the followed queries.
import * as vscode from 'vscode';
import type { TabId } from '../answers/tabs.ts';
import type { Context } from '../context.ts';
import { showFailure } from '../host/notify.ts';
import { onSettingChanged, resultsTimeZone } from '../host/settings.ts';
import { fillParameters } from '../query/fillParameters.ts';
import { editorFor, noQueryHere, queriesToRun } from '../query/inEditor.ts';
import { type Query, tabQuery } from '../query/query.ts';
import { rangeLabel, rangeParameters, sinceTime } from '../time/timeRange.ts';
import { registerCommands } from '../ui/commands.ts';
import { showErrorMessage, showInformationMessage } from '../ui/notifications.ts';
import { withIcons } from '../ui/plain.ts';
import { createStatusBarItem } from '../ui/statusItems.ts';

/** The context key for the visible tab's follow state: `following`, `paused`, `stopped` or empty. */
const stateKey = 'aplomb.followState';

export function activate(context: Context): vscode.Disposable {
  const { follows, tabs, results, runner, deployments } = context;
  const item = createStatusBarItem('aplomb.follow', vscode.StatusBarAlignment.Left, 8);
  item.name = 'APL Live Tail';
  item.command = 'aplomb.stopFollowing';
  /** Hidden tabs whose end of following was already reported. */
  const reported = new Set<TabId>();

  const show = (): void => {
    const active = tabs.active && follows.view(tabs.active.id);
    void vscode.commands.executeCommand('setContext', stateKey, active?.state ?? '');
    const [first, ...others] = follows.following;
    if (first === undefined) return item.hide();
    const { title, view } = first;
    const rate = view.counts.at(-1);
    item.text =
      others.length > 0
        ? withIcons`$(broadcast) Following ${String(others.length + 1)} queries`
        : withIcons`$(broadcast) ${view.label}${rate ? ` · ${rate}` : ''}`;
    item.tooltip =
      others.length > 0
        ? 'Click to stop following the query in view, or all if it is not followed'
        : `${title}${view.notice ? `\n${view.notice.message}` : ''}\nClick to stop`;
    item.show();
  };

  const changed = (tab: TabId): void => {
    show();
    const view = follows.view(tab);
    const stoppedUnseen = view?.state === 'stopped' && view.notice?.severity === 'info';
    if (!stoppedUnseen) {
      reported.delete(tab);
      return;
    }
    if (reported.has(tab)) return;
    reported.add(tab);
    const title = tabs.tab(tab)?.title ?? 'A query';
    const message = `${title} is no longer followed, because its result was not in view.`;
    void showInformationMessage(message, 'Resume').then((chosen) => {
      if (chosen === undefined) return;
      tabs.activate(tab);
      results.reveal();
      follows.resume(tab);
    });
  };

  const follow = async (query: Query): Promise<TabId | undefined> => {
    const range = runner.rangeOf(query);
    if (typeof range === 'string')
      return void showErrorMessage(`The time range of this file is not valid. ${range}`);
    const found = runner.profileOf(query);
    if (!found.ok) return showFailure('Cannot follow the query', found.failure, { local: false });
    const profile = found.value;
    return follows.start({
      query: tabQuery(query),
      deployment: profile.name,
      isLocal: profile.kind === 'local',
      rangeLabel: rangeLabel(range, resultsTimeZone()),
      followedSince: (at) => `followed ${rangeLabel(sinceTime(at), resultsTimeZone())}`,
      times: (now) => rangeParameters(range, now, resultsTimeZone()),
    });
  };

  const tabOf = (value: unknown): TabId | undefined => {
    const { aplombTab } = (value ?? {}) as { readonly aplombTab?: unknown };
    if (typeof aplombTab === 'string') return aplombTab;
    return typeof value === 'string' && tabs.tab(value) ? value : tabs.active?.id;
  };

  const onTab = (act: (tab: TabId) => void) => (value?: unknown) => {
    const tab = tabOf(value);
    if (tab) act(tab);
  };

  const queryFor = async (value: unknown): Promise<Query | undefined> => {
    if (typeof value === 'string' && tabs.tab(value)) return runner.queryOf(value);
    const uri = value instanceof vscode.Uri || typeof value === 'string' ? value : undefined;
    const editor = await editorFor(uri);
    const [found] = editor ? await queriesToRun(context.language, editor, undefined) : [];
    if (found !== undefined) return (await fillParameters([found], context))?.[0];
    // If there is no query at the cursor, follow the visible result's query.
    return tabs.active && runner.queryOf(tabs.active.id);
  };

  return vscode.Disposable.from(
    item,
    follows.onDidChange(changed),
    tabs.onDidChange(show),
    results.onDidChangeVisibility(() => follows.setVisible(results.visible)),
    deployments.onDidChange(() => follows.retry()),
    deployments.local.onDidChange(() => follows.retry()),
    onSettingChanged(['follow.newestFirst'], () => void follows.orderChanged()),
    registerCommands({
      // The message about a failed query passes its tab. The palette passes nothing, and the editor's title a document.
      'aplomb.follow': async (value?: unknown) => {
        const query = await queryFor(value);
        if (query !== undefined) return follow(query);
        void showInformationMessage(noQueryHere);
        return undefined;
      },
      'aplomb.results.follow': async (value?: unknown) => {
        const tab = tabOf(value);
        const query = tab && runner.queryOf(tab);
        return query && follow(query);
      },
      'aplomb.pauseFollowing': onTab((tab) => follows.pause(tab)),
      'aplomb.resumeFollowing': onTab((tab) => follows.resume(tab)),
      'aplomb.stopFollowing': (value?: unknown) => {
        const tab = tabOf(value);
        const state = tab && follows.view(tab)?.state;
        if (tab && state && state !== 'stopped') return follows.stop(tab);
        for (const { view } of follows.following) follows.stop(view.tab);
      },
    }),
  );
}
