// The quick pick in which a time range is typed or chosen.
import * as vscode from 'vscode';
import { resultsTimeZone } from '../host/settings.ts';
import { answerOf, createQuickPick, type PickItem } from '../ui/inputs.ts';
import { parseTimeRange } from './parseTimeRange.ts';
import { type RangeChoice, rangeChoices } from './recentTimeRanges.ts';
import { rangeLabel, type TimeRange } from './timeRange.ts';
import type { TimeRangeState } from './timeRangeState.ts';
import { offsetName } from './timeZone.ts';

/** The time after a keystroke during which the list may be outdated. */
const LIST_MS = 400;

interface RangeItem extends PickItem {
  readonly range?: TimeRange;
}

function itemFor(choice: RangeChoice): RangeItem {
  if (choice.kind === 'group') {
    return { label: choice.label, kind: vscode.QuickPickItemKind.Separator };
  }
  const { kind, ...item } = choice;
  return kind === 'invalid' || item.detail !== undefined ? { ...item, alwaysShow: true } : item;
}

export function pickTimeRange(
  title: string,
  state: Pick<TimeRangeState, 'value' | 'recent'>,
): Promise<TimeRange | undefined> {
  const zone = resultsTimeZone();
  const offset = offsetName(Date.now(), zone);
  const input = createQuickPick<RangeItem>();
  input.title = title;
  input.placeholder = `Current: ${rangeLabel(state.value, zone)}. Type a range such as 30m or 19:00 to 20:00 (${offset})`;
  input.matchOnDescription = true;
  const offer = (): void => {
    input.items = rangeChoices(input.value, state, Date.now(), zone).map(itemFor);
  };
  offer();
  let typedAt = Number.NEGATIVE_INFINITY;
  /** Returns the range of the typed text, unless the user chose another item from the list for that text. */
  const accepted = (): TimeRange | undefined => {
    const selected = input.selectedItems[0];
    const text = input.value.trim();
    const isListed = performance.now() - typedAt > LIST_MS && selected !== input.items[0];
    if (text === '' || isListed) return selected?.range;
    const meant = parseTimeRange(text, Date.now(), zone);
    if (typeof meant === 'object') return meant;
    return performance.now() - typedAt > LIST_MS ? selected?.range : undefined;
  };
  input.onDidChangeValue(() => {
    typedAt = performance.now();
    offer();
  });
  return answerOf(input, (done) => {
    const range = accepted();
    if (range !== undefined) done(range);
  });
}
