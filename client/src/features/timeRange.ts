// The time range in the status bar, while an APL editor is active: shown in words, changed by a click.
// While a query runs, the elapsed time takes its place, and a click cancels.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { languageId } from '../languageClient.ts';
import { parseTimeRange } from '../parseTimeRange.ts';
import { type RangeChoice, rangeChoices } from '../recentTimeRanges.ts';
import { rangeDetail, rangeLabel, type TimeRange } from '../timeRange.ts';
import type { TimeRangeState } from '../timeRangeState.ts';

const TICK_MS = 200;

export function activate({ timeRange, runner }: Context): vscode.Disposable {
  const item = vscode.window.createStatusBarItem(
    'aplomb.timeRange',
    vscode.StatusBarAlignment.Right,
    100,
  );
  item.name = 'APL Time Range';
  let ticking: NodeJS.Timeout | undefined;

  const show = (): void => {
    const [first, ...others] = runner.running;
    if (first !== undefined) {
      const seconds = ((Date.now() - first.startedAt) / 1000).toFixed(1);
      const queries = others.length === 0 ? '' : `${others.length + 1} queries, `;
      item.text = `$(sync~spin) ${queries}${seconds} s`;
      item.tooltip =
        others.length === 0
          ? 'A query is running. Click to cancel it'
          : `${others.length + 1} queries are running. Click to cancel them`;
      item.command = 'aplomb.cancelQuery';
      item.show();
      return;
    }
    const label = rangeLabel(timeRange.value);
    item.text = `$(clock) ${label.charAt(0).toUpperCase()}${label.slice(1)}`;
    item.tooltip = `Time range of queries: ${rangeDetail(timeRange.value, Date.now())}. Click to change it`;
    item.command = 'aplomb.setTimeRange';
    if (vscode.window.activeTextEditor?.document.languageId === languageId) item.show();
    else item.hide();
  };
  const tick = (): void => {
    clearInterval(ticking);
    if (runner.running.length > 0) ticking = setInterval(show, TICK_MS);
    show();
  };

  show();
  return vscode.Disposable.from(
    item,
    { dispose: () => clearInterval(ticking) },
    timeRange.onDidChange(show),
    vscode.window.onDidChangeActiveTextEditor(show),
    vscode.workspace.onDidOpenTextDocument(show),
    runner.onDidStart(tick),
    runner.onDidFinish(tick),
    // With text, as from a key binding, no quick pick opens. Returns the range in words.
    vscode.commands.registerCommand('aplomb.setTimeRange', async (text?: unknown) => {
      const range =
        typeof text === 'string' ? parseTimeRange(text, Date.now()) : await pick(timeRange);
      if (typeof range === 'string') throw new Error(range);
      if (range === undefined) return undefined;
      await timeRange.set(range);
      return rangeLabel(range);
    }),
  );
}

interface RangeItem extends vscode.QuickPickItem {
  readonly range?: TimeRange;
}

function itemFor(choice: RangeChoice): RangeItem {
  if (choice.kind === 'group') {
    return { label: choice.label, kind: vscode.QuickPickItemKind.Separator };
  }
  const { kind, ...item } = choice;
  return kind === 'invalid' || item.detail !== undefined ? { ...item, alwaysShow: true } : item;
}

/** Asks for a range; the person types one or chooses one. Undefined where neither is done. */
function pick(state: TimeRangeState): Promise<TimeRange | undefined> {
  const input = vscode.window.createQuickPick<RangeItem>();
  input.title = 'Time Range';
  input.placeholder = `Current: ${rangeLabel(state.value)}. Type a range such as 30m or 19:00 to 20:00 (UTC)`;
  input.matchOnDescription = true;
  const offer = (): void => {
    input.items = rangeChoices(input.value, state, Date.now()).map(itemFor);
  };
  offer();
  return new Promise((resolve) => {
    input.onDidChangeValue(offer);
    input.onDidAccept(() => {
      const range = input.selectedItems[0]?.range;
      if (range === undefined) return;
      resolve(range);
      input.hide();
    });
    input.onDidHide(() => {
      resolve(undefined);
      input.dispose();
    });
    input.show();
  });
}
