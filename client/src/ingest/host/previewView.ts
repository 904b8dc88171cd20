// A preview's content on the page: shortened values, and times compared with the current time range.
import type { BrokenEvent, Preview, PreviewCell } from '../../../../ingest/src/contract.ts';
import { covers, rangeAround } from '../../time/extentWords.ts';
import { boundNanoseconds, rangeLabel, type TimeRange } from '../../time/timeRange.ts';
import type { TimeZone } from '../../time/timeZone.ts';
import type { FileView } from './pageFacts.ts';

const CELL_CHARACTERS_MAX = 300;
const SAMPLE_CHARACTERS_MAX = 60;
/** The maximum number of broken events to show. A run's report lists more of them. */
const BROKEN_MAX = 50;

export interface RangeInEffect {
  readonly range: TimeRange;
  readonly zone: TimeZone;
  /** The current time in milliseconds since 1970. */
  readonly now: number;
}

/** Shortens the values of a preview, so that the message to the page stays small. */
export function shortPreview(preview: Preview): Preview {
  return {
    ...preview,
    time: {
      ...preview.time,
      candidates: preview.time.candidates.map((one) => ({
        ...one,
        sample: one.sample.slice(0, SAMPLE_CHARACTERS_MAX),
      })),
    },
    events: preview.events.map(({ line, cells }) => ({ line, cells: cells.map(shortCell) })),
    broken: preview.broken.slice(0, BROKEN_MAX).map(shortEvent),
  };
}

/** Shortens a cell, and keeps strings valid JSON. */
function shortCell(cell: PreviewCell): PreviewCell {
  if (cell === undefined || cell.length <= CELL_CHARACTERS_MAX) return cell;
  return cell.startsWith('"') ? JSON.stringify(cut(JSON.parse(cell))) : cut(cell);
}

export function shortEvent<T extends BrokenEvent>(event: T): T {
  return { ...event, text: cut(event.text) };
}

function cut(text: string): string {
  return text.length > CELL_CHARACTERS_MAX ? `${text.slice(0, CELL_CHARACTERS_MAX)}…` : text;
}

/** Returns a range that contains the previewed times; undefined if there are no times. */
export function spanRange({ time, settings }: Preview): TimeRange | undefined {
  const { first, last } = time;
  if (settings.time === undefined || first === undefined || last === undefined) return undefined;
  return rangeAround({ events: 0, first, last });
}

/** Compares the previewed times with the current range; undefined if it contains all of them. */
export function outsideOf(
  preview: Preview,
  { range, zone, now }: RangeInEffect,
): FileView['outside'] {
  const { first, last } = preview.time;
  const around = spanRange(preview);
  if (around === undefined || first === undefined || last === undefined) return undefined;
  if (covers(range, { events: 0, first, last }, now)) return undefined;
  const point = (time: string) => boundNanoseconds({ kind: 'at', time }, now);
  const isApart =
    point(last) < boundNanoseconds(range.start, now, zone) ||
    point(first) > boundNanoseconds(range.end, now, zone);
  return { isApart, range: rangeLabel(range, zone), around: rangeLabel(around) };
}
