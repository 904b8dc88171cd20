/** Formats a preview: its caption, columns, and times. */

import { counted, grouped, plural } from '../../../../formats/src/counts.ts';
import type { Preview, PreviewField } from '../../../../ingest/src/contract.ts';
import type { TimeSettings } from '../../../../ingest/src/settings.ts';
import { typeName } from '../../schema/fieldTypes.ts';
import { endsInWords } from '../../words/timeText.ts';
import type { FileView } from '../host/pageFacts.ts';

export function captionOf({ events, complete }: Preview): string {
  if (events.length === 0) return 'No events';
  if (!complete) return `First ${counted(events.length, 'event')}`;
  return events.length === 1 ? 'The only event' : `All ${counted(events.length, 'event')}`;
}

export function fieldType({ name, types }: PreviewField): string {
  return name === '_time' ? 'datetime' : typeName(types.join('|'));
}

export function isNumeric({ types }: PreviewField): boolean {
  return types.length > 0 && types.every((one) => one === 'integer' || one === 'float');
}

/** Describes a column: its names, its type, and the number of events that contain it. */
export function fieldTooltip(field: PreviewField, eventCount: number): string {
  const { name, nameInFile } = field;
  const parts = [
    name,
    nameInFile === undefined ? '' : `${nameInFile} in the file`,
    fieldType(field),
    field.eventCount === eventCount
      ? ''
      : `in ${grouped(field.eventCount)} of ${grouped(eventCount)} events`,
  ];
  return parts.filter(Boolean).join('\n');
}

/** Describes the time span of the events, or the lack of times. */
export function spanText({ settings, time, events, complete }: Preview): string {
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
  const ends = `${endsInWords({ first, last })}${of}`;
  if (withoutTime === 0) return `${ends}.`;
  return `${ends}. ${counted(withoutTime, 'event')} without a readable time ${plural(withoutTime, 'gets', 'get')} the time of arrival.`;
}

interface OrderHint {
  readonly message: string;
  readonly button: string;
  readonly settings: TimeSettings;
}

/** Describes the assumed order of day and month, if the values are ambiguous. */
export function orderHint({ settings, time, notices }: Preview): OrderHint | undefined {
  const chosen = settings.time;
  const format = chosen?.format;
  const isAmbiguous = notices.some(({ code }) => code === 'ambiguous-time');
  if (!isAmbiguous || chosen === undefined || format?.kind !== 'layout') return undefined;
  const other = time.candidates.find(
    ({ settings: { field, format: found } }) =>
      field === chosen.field && found.kind === 'layout' && found.layout !== format.layout,
  );
  if (other === undefined) return undefined;
  const isDay = isDayFirst(format.layout);
  return {
    message: `No value of ${chosen.field} shows whether the day or the month comes first. ${other.sample} is read with the ${isDay ? 'day' : 'month'} first.`,
    button: `Read the ${isDay ? 'Month' : 'Day'} First`,
    settings: { ...other.settings, zone: chosen.zone },
  };
}

export function outsideText({ isApart, range }: NonNullable<FileView['outside']>): string {
  const which = isApart ? 'These times are' : 'Some of these times are';
  return `${which} outside of the current time range, ${range}.`;
}

/** Whether the day precedes the month in a Go time layout, which represents the day as 2 and the month as 1. */
function isDayFirst(layout: string): boolean {
  return layout.search(/(?<!\d)0?2(?!\d)/) < layout.search(/(?<!\d)0?1(?!\d)/);
}
