// A preview as the page draws it: values cut and made visible, the time span and its relation to the
// current time range in words.
import type {
  BrokenEvent,
  Preview,
  PreviewCell,
  PreviewField,
} from '../../../../ingest/src/contract.ts';
import { visibleText } from '../../results/visibleText.ts';
import { typeName } from '../../schema/fieldTypes.ts';
import { covers, endsInWords, rangeAround } from '../../time/extentWords.ts';
import { boundNanoseconds, rangeLabel, type TimeRange } from '../../time/timeRange.ts';
import type { TimeZone } from '../../time/timeZone.ts';
import { counted, grouped } from '../../words/counts.ts';
import type {
  PreviewView,
  TimeView,
  ViewBroken,
  ViewCell,
  ViewColumn,
  ViewNotice,
} from './messages.ts';
import { linesInWords } from './words.ts';

/** Beyond this a cell is cut; its exact value is in the file. */
const CELL_CHARACTERS_MAX = 300;
/** Broken events that are listed; all are in the report of a run. */
const BROKEN_MAX = 50;
const OTHERS_MAX = 1_000;

export interface RangeInEffect {
  readonly range: TimeRange;
  readonly zone: TimeZone;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Said where the time is chosen, and where broken events are listed. */
const saidElsewhere: ReadonlySet<string> = new Set(['no-time', 'broken-events', 'ambiguous-time']);

export function previewView(preview: Preview, current: RangeInEffect): PreviewView {
  const { settings, fields, events } = preview;
  const { csv } = settings;
  const types = csv?.types ?? {};
  const columns = fields.map((field) => viewColumn(field, events.length, csv && types));
  return {
    time: timeView(preview, current),
    columns,
    rows: events.map(({ line, cells }) => ({
      line,
      cells: cells.map((cell, at) =>
        fields[at]?.name === '_time' ? timeCell(cell) : viewCell(cell),
      ),
    })),
    brokenEvents: preview.broken.slice(0, BROKEN_MAX).map(viewBroken),
    notices: preview.notices
      .filter(({ code }) => !saidElsewhere.has(code))
      .map(
        ({ message, code }): ViewNotice => ({
          message: visibleText(message),
          severity: code === 'reserved-field' || code === 'map-field' ? 'info' : 'warning',
        }),
      ),
    caption: caption(preview),
  };
}

function caption({ events, complete }: Preview): string {
  if (events.length === 0) return 'No events';
  if (!complete) return `First ${counted(events.length, 'event')}`;
  return events.length === 1 ? 'The only event' : `All ${counted(events.length, 'event')}`;
}

function viewColumn(
  { name, nameInFile, types, eventCount }: PreviewField,
  events: number,
  csvTypes: Readonly<Record<string, ColumnTypes>> | undefined,
): ViewColumn {
  const type = name === '_time' ? 'datetime' : typeName(types.join('|'));
  const key = nameInFile ?? name;
  const about = [
    name,
    nameInFile === undefined ? '' : `${nameInFile} in the file`,
    type,
    eventCount === events ? '' : `in ${grouped(eventCount)} of ${grouped(events)} events`,
  ];
  // The time is chosen above the table.
  const hasType = csvTypes !== undefined && name !== '_time';
  return {
    name: visibleText(name),
    type,
    numeric: types.length > 0 && types.every((one) => one === 'integer' || one === 'float'),
    tooltip: about.filter(Boolean).map(visibleText).join('\n'),
    ...(hasType && { csv: { key, type: csvTypes[key] ?? 'string' } }),
  };
}

type ColumnTypes = 'string' | 'integer' | 'number' | 'boolean';

export function viewCell(cell: PreviewCell): ViewCell {
  if (cell === undefined) return { kind: 'missing' };
  if (cell === 'null') return { kind: 'null' };
  if (!cell.startsWith('"')) return { kind: 'other', text: visibleText(cut(cell)) };
  const text: unknown = JSON.parse(cell);
  return { kind: 'string', text: visibleText(cut(String(text))) };
}

/** The time as the service stores it, without digits that say nothing. */
function timeCell(cell: PreviewCell): ViewCell {
  if (cell === undefined || cell === 'null') return { kind: 'arrival' };
  const shown = viewCell(cell);
  return 'text' in shown ? { ...shown, text: shown.text.replace(/\.?0+Z$/, 'Z') } : shown;
}

function cut(text: string): string {
  return text.length > CELL_CHARACTERS_MAX ? `${text.slice(0, CELL_CHARACTERS_MAX)}…` : text;
}

export function viewBroken({ line, lastLine, reason, text }: BrokenEvent): ViewBroken {
  return {
    line,
    place: linesInWords(line, lastLine),
    reason: visibleText(reason),
    text: visibleText(cut(text)),
  };
}

function timeView(preview: Preview, current: RangeInEffect): TimeView {
  const { time, settings, fields } = preview;
  const candidates = time.candidates.map(({ settings, sample }) => ({
    settings,
    label: visibleText(`${settings.field} (${cut(sample).slice(0, 60)})`),
  }));
  const offered = new Set(time.candidates.map(({ settings }) => settings.field));
  const others = fields
    .map(({ name, nameInFile }) => nameInFile ?? name)
    .filter((name) => !offered.has(name))
    .slice(0, OTHERS_MAX);
  const chosen = settings.time;
  const known = time.candidates.find(({ settings }) => settings.field === chosen?.field);
  const outside = chosen === undefined ? undefined : outsideOf(preview, current);
  return {
    candidates,
    others,
    ...(chosen && { settings: chosen }),
    zoneNeeded: chosen !== undefined && chosen.format.kind !== 'epoch' && known?.hasZone !== true,
    span: span(preview),
    ...(outside && { outside }),
    ...(preview.notices.some(({ code }) => code === 'ambiguous-time') && orderOf(preview)),
  };
}

function orderOf({ settings, time }: Preview): Pick<TimeView, 'order'> {
  const { field, format } = settings.time ?? {};
  if (format?.kind !== 'layout') return {};
  const other = time.candidates.find(
    ({ settings }) =>
      settings.field === field &&
      settings.format.kind === 'layout' &&
      settings.format.layout !== format.layout,
  );
  if (other === undefined) return {};
  const [first, second] = isDayFirst(format.layout) ? ['day', 'month'] : ['month', 'day'];
  return {
    order: {
      message: `No value of ${visibleText(field ?? '')} shows whether the day or the month comes first. ${visibleText(cut(other.sample).slice(0, 60))} is read with the ${first} first.`,
      button: `Read the ${second === 'day' ? 'Day' : 'Month'} First`,
      settings: { ...other.settings, zone: settings.time?.zone ?? other.settings.zone },
    },
  };
}

/** Of a Go layout, in which 2 is the day and 1 the month. */
function isDayFirst(layout: string): boolean {
  return layout.search(/(?<!\d)0?2(?!\d)/) < layout.search(/(?<!\d)0?1(?!\d)/);
}

function span({ settings, time, events, complete }: Preview): string {
  if (settings.time === undefined) {
    const found = time.candidates.length === 0 ? 'No time was found. ' : '';
    return `${found}Each event gets the time of its arrival.`;
  }
  const { first, last, withoutTime } = time;
  if (events.length === 0) return '';
  const of = complete ? '' : ` in the first ${counted(events.length, 'event')}`;
  if (first === undefined || last === undefined) {
    return `No value is a time in this format${of}.`;
  }
  const ends = `${endsInWords({ events: 0, first, last })}${of}`;
  if (withoutTime === 0) return `${ends}.`;
  return `${ends}. ${counted(withoutTime, 'event')} without a readable time ${withoutTime === 1 ? 'gets' : 'get'} the time of arrival.`;
}

/** The span of the previewed times as a range; undefined where there is none. */
export function spanRange({ time, settings }: Preview): TimeRange | undefined {
  const { first, last } = time;
  if (settings.time === undefined || first === undefined || last === undefined) return undefined;
  return rangeAround({ events: 0, first, last });
}

function outsideOf(preview: Preview, { range, zone, now }: RangeInEffect): TimeView['outside'] {
  const { first, last } = preview.time;
  const around = spanRange(preview);
  if (around === undefined || first === undefined || last === undefined) return undefined;
  if (covers(range, { events: 0, first, last }, now)) return undefined;
  const point = (time: string) => boundNanoseconds({ kind: 'at', time }, now);
  const apart =
    point(last) < boundNanoseconds(range.start, now, zone) ||
    point(first) > boundNanoseconds(range.end, now, zone);
  const which = apart ? 'These times are' : 'Some of these times are';
  return {
    message: `${which} outside of the current time range, ${rangeLabel(range, zone)}.`,
    button: `Set Time Range to ${rangeLabel(around)}`,
  };
}
