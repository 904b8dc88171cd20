// The time range in the status bar, while an APL editor is active: shown in words, changed by a click.
// While a query runs its place is taken by the time elapsed, and a click cancels.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { languageId } from '../languageClient.ts';
import {
  parseTimeRange,
  rangeLabel,
  rangeText,
  type TimeRange,
  timeRangeHint,
  timeRangePresets,
} from '../timeRange.ts';

const TICK_MS = 200;

export function activate({ timeRange, runner }: Context): vscode.Disposable {
  const item = vscode.window.createStatusBarItem(
    'aplomb.timeRange',
    vscode.StatusBarAlignment.Right,
    100,
  );
  item.name = 'APL Time Range';
  let startedAt: number | undefined;
  let ticking: NodeJS.Timeout | undefined;

  const show = (): void => {
    if (startedAt !== undefined) {
      item.text = `$(sync~spin) ${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
      item.tooltip = 'A query is running. Click to cancel it.';
      item.command = 'aplomb.cancelQuery';
      item.show();
      return;
    }
    const label = rangeLabel(timeRange.value);
    item.text = `$(clock) ${label.charAt(0).toUpperCase()}${label.slice(1)}`;
    item.tooltip = 'The time range that queries read. Click to change it.';
    item.command = 'aplomb.setTimeRange';
    if (vscode.window.activeTextEditor?.document.languageId === languageId) item.show();
    else item.hide();
  };
  const stop = (): void => {
    clearInterval(ticking);
    startedAt = undefined;
    show();
  };

  show();
  return vscode.Disposable.from(
    item,
    { dispose: () => clearInterval(ticking) },
    timeRange.onDidChange(show),
    vscode.window.onDidChangeActiveTextEditor(show),
    vscode.workspace.onDidOpenTextDocument(show),
    runner.onDidStart(() => {
      clearInterval(ticking);
      startedAt = Date.now();
      ticking = setInterval(show, TICK_MS);
      show();
    }),
    runner.onDidFinish(stop),
    // With text, as from a key binding, nothing is asked. Returns the range in words.
    vscode.commands.registerCommand('aplomb.setTimeRange', async (text?: unknown) => {
      const range = typeof text === 'string' ? parseTimeRange(text) : await pick(timeRange.value);
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

async function pick(current: TimeRange): Promise<TimeRange | undefined> {
  const presets = timeRangePresets.map(
    (range): RangeItem => ({
      label: rangeLabel(range),
      range,
      ...(rangeText(range) === rangeText(current) && { description: 'in use' }),
    }),
  );
  const all: RangeItem = {
    label: 'since 1970',
    detail: 'Everything the deployment holds. On a hosted one this may read a lot.',
    range: { kind: 'absolute', start: '1970-01-01T00:00:00Z' },
  };
  const chosen = await vscode.window.showQuickPick<RangeItem>(
    [...presets, all, { label: 'Another range…', alwaysShow: true }],
    { title: 'Time Range', placeHolder: `Now: ${rangeLabel(current)}` },
  );
  if (chosen === undefined || chosen.range !== undefined) return chosen?.range;
  const typed = await vscode.window.showInputBox({
    title: 'Time Range',
    prompt: timeRangeHint,
    value: rangeText(current),
    validateInput: (text) => {
      const range = parseTimeRange(text);
      return typeof range === 'string' ? range : undefined;
    },
  });
  const range = typed === undefined ? undefined : parseTimeRange(typed);
  return typeof range === 'string' ? undefined : range;
}
