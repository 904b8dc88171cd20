// A preview as the page gets it: long values are cut, and its times are compared with the current time range.
import type { BrokenEvent, Preview, PreviewCell } from '../../../../ingest/src/contract.ts';
import { covers, rangeAround } from '../../time/extentWords.ts';
import { boundNanoseconds, rangeLabel, type TimeRange } from '../../time/timeRange.ts';
import type { TimeZone } from '../../time/timeZone.ts';
import type { FileView } from './pageFacts.ts';

/** The maximum number of characters of a cell. Its exact value is in the file. */
const CELL_CHARACTERS_MAX = 300;
const SAMPLE_CHARACTERS_MAX = 60;
/** The maximum number of broken events. All of them are in the report of a run. */
const BROKEN_MAX = 50;

export interface RangeInEffect {
  readonly range: TimeRange;
  readonly zone: TimeZone;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Cuts the values of a preview, so that a message to the page stays small. */
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

/** A string stays JSON. */
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

/** Returns the span of the previewed times as a range; undefined if there is none. */
export function spanRange({ time, settings }: Preview): TimeRange | undefined {
  const { first, last } = time;
  if (settings.time === undefined || first === undefined || last === undefined) return undefined;
  return rangeAround({ events: 0, first, last });
}

/** Compares the previewed times with the current range; undefined if it has all of them. */
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
