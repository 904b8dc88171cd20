// Previews a file: reads its head, guesses settings that weren't chosen, and shows the first events as stored.

import type { Instant } from '../../../formats/src/rfc3339.ts';
import {
  type BrokenEvent,
  type FileSource,
  PREVIEW_EVENTS,
  type Preview,
  type PreviewCell,
  type PreviewField,
  type TargetSchema,
  type TimeFinding,
} from '../contract.ts';
import { converterOf } from '../read/converters.ts';
import { parseEvent } from '../read/eventSink.ts';
import { jsonOf, NumberText, parseExact, typeOf } from '../read/exactJson.ts';
import type { CsvHeader } from '../read/header.ts';
import { Output } from '../read/output.ts';
import { compareInstants, formatInstant } from '../read/times/instant.ts';
import { type SentTime, SentTimes } from '../read/times/sentTime.ts';
import type { ReadSettings, TimeSettings } from '../settings.ts';
import { type FlatValue, flatten } from './flatten.ts';
import { readHead } from './head.ts';
import { noticesOf } from './notices.ts';
import { type RawEvent, sampleEvents } from './sample.ts';
import { type ChosenSettings, columnTypes, csvColumns, formatSettings } from './settings.ts';
import { type FieldSamples, findTimeFields, type TimeCandidate } from './timeFields.ts';

/** An event of the preview as it will be stored. */
export interface StoredEvent extends SentTime {
  readonly line: number;
  readonly fields: Map<string, FlatValue>;
}

/**
 * Previews a file of any size from its head and its first events. `chosen` has the user's choices; other settings are
 * guessed. Rejects with a FileProblem if there is nothing to preview, or with the signal's reason.
 */
export async function previewFile(
  source: FileSource,
  chosen: ChosenSettings,
  target: TargetSchema | undefined,
  signal: AbortSignal,
): Promise<Preview> {
  const head = await readHead(source, chosen);
  signal.throwIfAborted();
  let settings = formatSettings(source.name, head, chosen);
  const sample = await sampleEvents(source, settings, signal);
  const csv = settings.csv && csvColumns(settings.csv, sample.events);
  if (settings.csv && csv && chosen.csv?.types === undefined) {
    const types = columnTypes(settings.csv, csv.names, csv.rows, csv.header);
    settings = { ...settings, csv: { ...settings.csv, types } };
  }
  const rows = csv?.rows ?? sample.events;
  const header = csv && { names: csv.names, ...(csv.header && { record: csv.header.bytes }) };
  const broken: BrokenEvent[] = [...sample.broken];
  const maps = new Set(target?.mapFields ?? []);

  const untimed = convert(rows, settings, header, maps, []);
  const candidates = findTimeFields(samplesOf(untimed));
  const time = chosen.time === undefined ? chooseTime(candidates) : (chosen.time ?? undefined);
  if (time !== undefined) settings = { ...settings, time };
  const all = convert(rows, settings, header, maps, broken);
  const events = all.slice(0, PREVIEW_EVENTS);
  const fields = fieldsOf(events);
  return {
    settings,
    fields,
    events: events.map(({ line, fields: values, time: at }) => ({
      line,
      cells: fields.map(({ name }) => cellOf(name, values, at)),
    })),
    time: timeFinding(candidates, events),
    broken: broken.sort((a, b) => a.line - b.line),
    notices: noticesOf({ settings, events: all, fields, broken, target, header, candidates }),
    complete: sample.complete && rows.length <= PREVIEW_EVENTS,
  };
}

/** Converts events as the reader does. Events it can't convert are added to `broken`. */
function convert(
  rows: readonly RawEvent[],
  settings: ReadSettings,
  header: CsvHeader | undefined,
  maps: ReadonlySet<string>,
  broken: BrokenEvent[],
): StoredEvent[] {
  const converter = converterOf(settings, header);
  const output = new Output(64 * 1024);
  const times = new SentTimes(settings);
  const events: StoredEvent[] = [];
  for (const { bytes, line, lastLine } of rows) {
    let json: string;
    let reason: string | undefined;
    if (converter === undefined) json = bytes.toString();
    else {
      output.length = 0;
      reason = converter.convert(bytes, 0, bytes.length, output);
      json = output.bytes.toString('utf8', 0, output.length);
    }
    const value = reason ?? parseEvent(json, parseExact);
    if (typeof value === 'string') {
      broken.push({ line, lastLine, reason: value, text: bytes.toString('utf8', 0, 64 * 1024) });
      continue;
    }
    events.push({
      line,
      fields: flatten(value, maps),
      ...(converter?.time === undefined ? times.of(value) : { time: converter.time }),
    });
  }
  return events;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : value instanceof NumberText ? value.text : undefined;
}

function samplesOf(events: readonly StoredEvent[]): FieldSamples[] {
  const samples = new Map<string, string[]>();
  for (const { fields } of events) {
    for (const { nameInFile, value } of fields.values()) {
      const text = textOf(value);
      if (text === undefined || text === '') continue;
      const values = samples.get(nameInFile);
      if (values === undefined) samples.set(nameInFile, [text]);
      else values.push(text);
    }
  }
  return Array.from(samples, ([name, values]) => ({ name, values, events: events.length }));
}

/** Returns the best candidate's settings; undefined if there is none or some of its values can't be stored as times. */
function chooseTime(candidates: readonly TimeCandidate[]): TimeSettings | undefined {
  const [best] = candidates;
  return best === undefined || best.isOutOfRange ? undefined : best.settings;
}

function fieldsOf(events: readonly StoredEvent[]): PreviewField[] {
  const found = new Map<string, { nameInFile: string; types: Set<string>; eventCount: number }>();
  const timed = events.filter(({ time }) => time !== undefined).length;
  found.set('_time', {
    nameInFile: '_time',
    types: new Set(timed > 0 ? ['datetime'] : ['unknown']),
    eventCount: timed,
  });
  for (const { fields } of events) {
    for (const { name, nameInFile, value } of fields.values()) {
      if (name === '_time') continue;
      let field = found.get(name);
      if (field === undefined) {
        field = { nameInFile, types: new Set(), eventCount: 0 };
        found.set(name, field);
      }
      const type = typeOf(value);
      if (type === 'unknown') continue;
      field.types.add(type);
      field.eventCount += 1;
    }
  }
  return Array.from(found, ([name, { nameInFile, types, eventCount }]) => ({
    name,
    ...(nameInFile !== name && { nameInFile }),
    types: types.size === 0 ? ['unknown'] : [...types],
    eventCount,
  }));
}

function cellOf(
  name: string,
  fields: ReadonlyMap<string, FlatValue>,
  time: Instant | undefined,
): PreviewCell {
  if (name === '_time') return time && JSON.stringify(formatInstant(time));
  const found = fields.get(name);
  return found && jsonOf(found.value);
}

function timeFinding(
  candidates: readonly TimeCandidate[],
  events: readonly StoredEvent[],
): TimeFinding {
  const times = events.flatMap(({ time }) => time ?? []).sort(compareInstants);
  const first = times[0];
  const last = times.at(-1);
  return {
    candidates: candidates.map(({ settings, sample, hasZone }) => ({ settings, sample, hasZone })),
    ...(first && { first: formatInstant(first) }),
    ...(last && { last: formatInstant(last) }),
    withoutTime: events.length - times.length,
  };
}
