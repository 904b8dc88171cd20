// The commands Compare with Earlier and Add Annotation, which act on the visible result's chart.
import * as vscode from 'vscode';
import { chartShape } from '../../../table/src/chart/shape.ts';
import { type EarlierOffset, earlierOffsets } from '../charts/marks.ts';
import { offsetMinutes, offsetProblem } from '../charts/offset.ts';
import type { Context } from '../context.ts';
import { resultsTimeZone } from '../host/settings.ts';
import { answerRange } from '../query/nextPage.ts';
import { resultOf, type TabResult } from '../results/resultOf.ts';
import { parseTimeRange } from '../time/parseTimeRange.ts';
import { boundNanoseconds, rangeText } from '../time/timeRange.ts';
import { registerCommand } from '../ui/commands.ts';
import { showInputBox, showQuickPick } from '../ui/inputs.ts';
import { showInformationMessage } from '../ui/notifications.ts';

export function activate(context: Context): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('aplomb.compareWithEarlier', () => compare(context)),
    registerCommand('aplomb.addAnnotation', () => annotate(context)),
  );
}

async function compare(context: Context): Promise<void> {
  const found = resultInView(context);
  if (found === undefined) return;
  const [head] = found.answer.head.tables;
  const shape = head && chartShape(head, found.answer.head.aggregated);
  if (shape?.kinds.includes('timeSeries') !== true)
    return void showInformationMessage(
      'The result has no values over time to compare. Summarize by bin(_time, …) first.',
    );
  const isCompared = context.charts.state(found.tab, found.answer).earlier !== undefined;
  const offset = await askOffset(isCompared);
  if (offset === undefined) return;
  await context.results.focus();
  context.results.act('showChart', {});
  context.charts.compare(found.tab, found.answer, offset);
}

/** Returns null to end the comparison, or undefined if the user cancels. */
async function askOffset(isCompared: boolean): Promise<EarlierOffset | null | undefined> {
  const other = { label: 'Other…', offset: undefined };
  const chosen = await showQuickPick(
    [
      ...earlierOffsets.map(({ label, minutes }) => ({ label, offset: { minutes } })),
      other,
      ...(isCompared ? [{ label: 'Stop Comparing', offset: null }] : []),
    ],
    { title: 'Compare with Earlier', placeHolder: 'Select the time range to compare with' },
  );
  if (chosen !== other) return chosen?.offset;
  const text = await showInputBox({
    title: 'Compare with Earlier',
    prompt: 'How much earlier?',
    placeHolder: 'Such as 90m, 6h, 3d or 4w',
    validateInput: (typed) => (offsetMinutes(typed) === undefined ? offsetProblem : undefined),
  });
  const minutes = offsetMinutes(text ?? '');
  return minutes === undefined ? undefined : { minutes };
}

async function annotate(context: Context): Promise<void> {
  const found = resultInView(context);
  if (found === undefined) return;
  const zone = resultsTimeZone();
  const { about, head } = found.answer;
  const [table] = head.tables;
  const { startTime, endTime } = table ? answerRange(about, table) : about;
  const suggested = parseTimeRange(`${startTime} to ${endTime}`, Date.now(), zone);
  const text = await showInputBox({
    title: 'Add Annotation: Time Range',
    prompt: 'When did it happen?',
    placeHolder: 'Such as last 10m, or 2026-01-31 08:00 to 09:30',
    ...(typeof suggested !== 'string' && { value: rangeText(suggested, zone) }),
    ignoreFocusOut: true,
    validateInput: (typed) => {
      const range = parseTimeRange(typed, Date.now(), zone);
      return typeof range === 'string' ? range : undefined;
    },
  });
  if (text === undefined) return;
  const now = Date.now();
  const range = parseTimeRange(text, now, zone);
  if (typeof range === 'string') return;
  const [from, to] = [range.start, range.end].map((bound) =>
    Number(boundNanoseconds(bound, now, zone) / 1_000_000n),
  ) as [number, number];
  await context.charts.annotate(found.answer, from, to);
}

function resultInView({ tabs, store }: Context): TabResult | undefined {
  const found = resultOf(tabs.active, store);
  if (found === undefined)
    void showInformationMessage(
      'There is no result. Run a query, and wait until its rows have arrived.',
    );
  return found;
}
