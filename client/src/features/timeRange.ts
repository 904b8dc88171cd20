// The time range in the status bar, while an APL editor is active: shown in words, changed by a click.
// A file may state its own. While a query runs, the elapsed time takes its place, and a click cancels.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { languageId } from '../languageClient.ts';
import { parseTimeRange } from '../parseTimeRange.ts';
import { type RangeLine, rangeLine } from '../query/rangeLine.ts';
import { type RangeChoice, rangeChoices } from '../recentTimeRanges.ts';
import { resultsTimeZone } from '../settings.ts';
import { rangeDetail, rangeLabel, rangeText, type TimeRange } from '../timeRange.ts';
import type { TimeRangeState } from '../timeRangeState.ts';
import { offsetName } from '../timeZone.ts';

const TICK_MS = 200;

/** An item that is accepted so soon after a key may be one of the list that the key has replaced. */
const LIST_MS = 400;

/** The line of a file that states its range is read again after so long without a key. */
const AFTER_TYPING_MS = 300;

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
      const what = others.length === 0 ? first.progress : `${others.length + 1} queries`;
      item.text = `$(sync~spin) ${what ? `${what}, ` : ''}${seconds} s`;
      item.tooltip =
        others.length === 0
          ? 'A query is running. Click to cancel it'
          : `${others.length + 1} queries are running. Click to cancel them`;
      item.command = 'aplomb.cancelQuery';
      item.show();
      return;
    }
    const zone = resultsTimeZone();
    const own = fileRange();
    item.command = 'aplomb.setTimeRange';
    if (own !== undefined && typeof own.range === 'string') {
      item.text = '$(warning) Invalid time range';
      item.tooltip = `The time range of this file, "// range: ${own.line.text}", is not valid. ${own.range} Click to change it`;
    } else {
      const range = own === undefined ? timeRange.value : (own.range as TimeRange);
      const label = rangeLabel(range, zone);
      const whose = own === undefined ? 'queries' : 'the queries of this file';
      item.text = `$(${own ? 'file' : 'clock'}) ${label.charAt(0).toUpperCase()}${label.slice(1)}`;
      item.tooltip = `Time range of ${whose}: ${rangeDetail(range, Date.now(), zone)}. Click to change it`;
    }
    if (vscode.window.activeTextEditor?.document.languageId === languageId) item.show();
    else item.hide();
  };
  let waiting: NodeJS.Timeout | undefined;
  const showSoon = (): void => {
    clearTimeout(waiting);
    waiting = setTimeout(show, AFTER_TYPING_MS);
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
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document === vscode.window.activeTextEditor?.document) showSoon();
    }),
    { dispose: () => clearTimeout(waiting) },
    runner.onDidChangeActivity(tick),
    // With text, as from a key binding, no quick pick opens. Returns the range in words. A file that states
    // its range has its line changed.
    vscode.commands.registerCommand('aplomb.setTimeRange', async (text?: unknown) => {
      const zone = resultsTimeZone();
      const own = fileRange();
      const value = typeof own?.range === 'object' ? own.range : timeRange.value;
      const range =
        typeof text === 'string'
          ? parseTimeRange(text, Date.now(), zone)
          : await pick({ value, recent: timeRange.recent }, own !== undefined);
      if (typeof range === 'string') throw new Error(range);
      if (range === undefined) return undefined;
      if (own === undefined) await timeRange.set(range);
      else await writeRange(own, rangeText(range, zone));
      return rangeLabel(range, zone);
    }),
  );
}

interface FileRange {
  readonly document: vscode.TextDocument;
  readonly line: RangeLine;
  /** The range, or why the text is not one. */
  readonly range: TimeRange | string;
}

/** The range that the active file states, if it does. */
function fileRange(): FileRange | undefined {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== languageId) return undefined;
  const line = rangeLine(document.getText());
  const range = line && parseTimeRange(line.text, Date.now(), resultsTimeZone());
  return range === undefined || line === undefined ? undefined : { document, line, range };
}

async function writeRange({ document, line }: FileRange, text: string): Promise<void> {
  const range = new vscode.Range(document.positionAt(line.start), document.positionAt(line.end));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, text);
  await vscode.workspace.applyEdit(edit);
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
function pick(
  state: Pick<TimeRangeState, 'value' | 'recent'>,
  ofFile: boolean,
): Promise<TimeRange | undefined> {
  const zone = resultsTimeZone();
  const offset = offsetName(Date.now(), zone);
  const input = vscode.window.createQuickPick<RangeItem>();
  input.title = ofFile ? 'Time Range of This File' : 'Time Range';
  input.placeholder = `Current: ${rangeLabel(state.value, zone)}. Type a range such as 30m or 19:00 to 20:00 (${offset})`;
  input.matchOnDescription = true;
  const offer = (): void => {
    input.items = rangeChoices(input.value, state, Date.now(), zone).map(itemFor);
  };
  offer();
  let typedAt = Number.NEGATIVE_INFINITY;
  /** What was typed counts unless another item was chosen from the list that belongs to it. */
  const accepted = (): TimeRange | undefined => {
    const selected = input.selectedItems[0];
    const text = input.value.trim();
    const isListed = performance.now() - typedAt > LIST_MS && selected !== input.items[0];
    if (text === '' || isListed) return selected?.range;
    const meant = parseTimeRange(text, Date.now(), zone);
    if (typeof meant === 'object') return meant;
    return performance.now() - typedAt > LIST_MS ? selected?.range : undefined;
  };
  return new Promise((resolve) => {
    input.onDidChangeValue(() => {
      typedAt = performance.now();
      offer();
    });
    input.onDidAccept(() => {
      const range = accepted();
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
