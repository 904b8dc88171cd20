// The status bar item with the time range of the file or window, for APL editors. If a query takes longer than a second,
// the item shows the elapsed time and cancels the query.

import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { rangeLine } from '../deployments/fileLines.ts';
import { onActiveTextChanged } from '../host/activeText.ts';
import { languageId } from '../host/languageId.ts';
import { resultsTimeZone, runsAfterRange } from '../host/settings.ts';
import { writeFileLine } from '../query/writeFileLine.ts';
import { parseTimeRange } from '../time/parseTimeRange.ts';
import { pickTimeRange } from '../time/pickTimeRange.ts';
import { rangeDetail, rangeLabel, rangeText, type TimeRange } from '../time/timeRange.ts';
import { registerCommand } from '../ui/commands.ts';
import { Icon, withIcons } from '../ui/plain.ts';
import { createStatusBarItem } from '../ui/statusItems.ts';
import { capitalized } from '../words/lists.ts';

const TICK_MS = 200;
/** Short runs show no spinning icon, because VS Code draws the window again for each of its steps. */
const RUNNING_AFTER_MS = 1_000;

export function activate({ timeRange, runner, results, tabs }: Context): vscode.Disposable {
  const item = createStatusBarItem('aplomb.timeRange', vscode.StatusBarAlignment.Right, 100);
  item.name = 'APL Time Range';
  let ticking: NodeJS.Timeout | undefined;

  // Skip followed queries, because they have a separate item.
  const running = () => runner.running.filter(({ following }) => !following);
  const show = (): void => {
    const [first, ...others] = running();
    if (first !== undefined && Date.now() - first.startedAt >= RUNNING_AFTER_MS) {
      const seconds = ((Date.now() - first.startedAt) / 1000).toFixed(1);
      const what = others.length === 0 ? first.progress : `${others.length + 1} queries`;
      item.text = withIcons`$(sync~spin) ${what ? `${what}, ` : ''}${seconds} s`;
      item.tooltip =
        others.length === 0
          ? 'A query is running. Click to cancel it'
          : `${others.length + 1} queries are running. Click to cancel them`;
      item.command = 'aplomb.cancelQuery';
      item.show();
      return;
    }
    if (vscode.window.activeTextEditor?.document.languageId !== languageId) {
      item.hide();
      return;
    }
    const zone = resultsTimeZone();
    const own = fileRange();
    item.command = 'aplomb.setTimeRange';
    if (own !== undefined && typeof own.range === 'string') {
      item.text = withIcons`$(warning) Invalid time range`;
      item.tooltip = `The time range of this file, "// range: ${own.line.text}", is not valid. ${own.range} Click to change it`;
    } else {
      const ofFile = own === undefined ? timeRange.ownOf(activeUri()) : (own.range as TimeRange);
      const isOfFile = ofFile !== undefined;
      const range = ofFile ?? timeRange.value;
      const label = rangeLabel(range, zone);
      const whose = isOfFile ? 'this file' : 'the window';
      const icon = new Icon(isOfFile ? 'file' : 'clock');
      item.text = withIcons`${icon} ${capitalized(label)}`;
      item.tooltip = `Time range of ${whose}: ${rangeDetail(range, Date.now(), zone)}. Click to change it`;
    }
    item.show();
  };
  /** Runs the visible query again if its range has changed. `written` is the active file's new range. */
  const runInView = (written: string | undefined): void => {
    const { active } = tabs;
    const query = active && runner.queryOf(active.id);
    if (query === undefined || !results.visible || active?.state.kind === 'running') return;
    if (written === undefined && query.rangeText === undefined) void runner.run([query]);
    else if (written !== undefined && query.place?.uri.toString() === activeUri())
      void runner.run([{ ...query, rangeText: written }]);
  };
  const tick = (): void => {
    clearTimeout(ticking);
    const [first] = running();
    if (first !== undefined) {
      const next = first.startedAt + RUNNING_AFTER_MS - Date.now();
      ticking = setTimeout(tick, Math.max(TICK_MS, next));
    }
    show();
  };

  show();
  return vscode.Disposable.from(
    item,
    { dispose: () => clearTimeout(ticking) },
    timeRange.onDidChange(show),
    onActiveTextChanged(show),
    runner.onDidChangeActivity(tick),
    // Changes the file's range comment, or the window's range if the file has none. Returns the formatted range.
    // Doesn't show the quick pick if `text` is given, for example by a key binding.
    registerCommand('aplomb.setTimeRange', async (text?: unknown) => {
      const zone = resultsTimeZone();
      const own = fileRange();
      const value = typeof own?.range === 'object' ? own.range : timeRange.of(activeUri());
      const fromResults = results.hasKeyboard;
      const range =
        typeof text === 'string'
          ? parseTimeRange(text, Date.now(), zone)
          : await pickTimeRange(own === undefined ? 'Time Range' : 'Time Range of This File', {
              value,
              recent: timeRange.recent,
            });
      if (typeof range === 'string') throw new Error(range);
      if (fromResults) await results.focus();
      if (range === undefined) return undefined;
      const uri = activeUri();
      if (own !== undefined) await writeFileLine(own.document, own.line, rangeText(range, zone));
      else {
        await timeRange.set(range);
        if (uri !== undefined) timeRange.setOf(uri, undefined);
      }
      if (typeof text !== 'string' && runsAfterRange()) runInView(own && rangeText(range, zone));
      return rangeLabel(range, zone);
    }),
  );
}

function activeUri(): string | undefined {
  return vscode.window.activeTextEditor?.document.uri.toString();
}

/** Returns the active file's range comment, with its range or an error message; undefined if there is none. */
function fileRange() {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== languageId) return undefined;
  const line = rangeLine(document.getText());
  const range = line && parseTimeRange(line.text, Date.now(), resultsTimeZone());
  return range === undefined || line === undefined ? undefined : { document, line, range };
}
