// Recent time ranges, and the quick pick's items.
import { parseTimeRange } from './parseTimeRange.ts';
import { allTime, rangeDetail, rangeLabel, type TimeRange, timeRangePresets } from './timeRange.ts';
import type { TimeZone } from './timeZone.ts';

export const RECENT_MAX = 8;

export function withRecent(labels: readonly string[], chosen: string): string[] {
  return [chosen, ...labels.filter((label) => label !== chosen)].slice(0, RECENT_MAX);
}

export type RangeChoice =
  | { readonly kind: 'group'; readonly label: string }
  | {
      readonly kind: 'range';
      readonly label: string;
      readonly description?: string;
      readonly detail?: string;
      readonly range: TimeRange;
    }
  /** An error message for invalid input. The item can't be chosen. */
  | { readonly kind: 'invalid'; readonly label: string; readonly detail: string };

/** Returns items for typed text: its range, recent ranges, presets. The first label is the text, so it stays first. */
export function rangeChoices(
  typed: string,
  state: { readonly value: TimeRange; readonly recent: readonly TimeRange[] },
  at: number,
  zone: TimeZone = 'utc',
): RangeChoice[] {
  const text = typed.trim();
  const meant = text === '' ? undefined : parseTimeRange(text, at, zone);
  const current = rangeLabel(state.value, zone);
  const offered = new Set<string>();
  const choices: RangeChoice[] = [];
  if (typeof meant === 'object') {
    const label = rangeLabel(meant, zone);
    offered.add(label);
    choices.push({
      kind: 'range',
      label: text,
      ...(label !== text && { description: label }),
      detail: rangeDetail(meant, at, zone),
      range: meant,
    });
  }
  const group = (title: string, ranges: readonly TimeRange[]): void => {
    const added = ranges.filter((range) => !offered.has(rangeLabel(range, zone)));
    if (added.length > 0) choices.push({ kind: 'group', label: title });
    for (const range of added) {
      const label = rangeLabel(range, zone);
      offered.add(label);
      const notes = [
        ...(label === current ? ['current'] : []),
        ...(range === allTime ? ['all data; may be expensive on a hosted deployment'] : []),
      ];
      const description = notes.join(', ');
      choices.push({ kind: 'range', label, ...(description && { description }), range });
    }
  };
  group('Recent', state.recent);
  group('Ranges', [...timeRangePresets, allTime]);
  if (typeof meant === 'string') {
    choices.push({ kind: 'invalid', label: 'Not a time range', detail: meant });
  }
  return choices;
}
