// Parses every event, for reports and checks: what the quick path passes on unseen is looked at here.

import { parseJson } from '../../../api/src/plain.ts';
import type { BrokenEvent } from '../contract.ts';
import type { ReadSettings, TimeSettings } from '../settings.ts';
import type { Converter } from './convert/converter.ts';
import { withoutNaN } from './convert/jsonObject.ts';
import type { Cutter } from './cut/cutter.ts';
import { jsonProblem } from './jsonProblem.ts';
import { BROKEN_TEXT_BYTES } from './limits.ts';
import { Output } from './output.ts';
import { convertsTimes } from './request.ts';
import type { WindowSink } from './scan.ts';
import type { Instant } from './times/instant.ts';
import { type TimeReader, timeReader } from './times/reader.ts';

export interface ParsedEvent {
  /** Its place among events and what the parser refuses, from 0. */
  readonly index: number;
  readonly line: number;
  readonly lastLine: number;
  /** As in the file. */
  readonly text: string;
  /** For names, types and strings: numbers may differ. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly time: Instant | undefined;
  /** A time that is not RFC 3339, which the service reads if it can; it refuses the event otherwise. */
  readonly unreadTime?: string;
}

export interface EventHandler {
  event(event: ParsedEvent): void;
  /** `index` where it was taken for an event when the file was cut. */
  broken(event: BrokenEvent & { readonly index?: number }): void;
}

export class EventSink implements WindowSink {
  readonly #handler: EventHandler;
  readonly #converter: Converter | undefined;
  readonly #output = new Output(64 * 1024);
  readonly #json: boolean;
  readonly #time: {
    readonly settings: TimeSettings;
    readonly read: TimeReader;
  };
  readonly #converted: boolean;
  #header: boolean;
  #cutter: Cutter | undefined;
  #index = 0;
  full = false;

  constructor(
    settings: ReadSettings,
    converter: Converter | undefined,
    header: boolean,
    handler: EventHandler,
  ) {
    this.#handler = handler;
    this.#converter = converter;
    this.#json = settings.format === 'json' || settings.format === 'ndjson';
    this.#header = header;
    this.#converted = convertsTimes(settings);
    const time = settings.time ?? defaultTime;
    this.#time = { settings: time, read: timeReader(time) };
  }

  begin(_base: number, _stored: number, cutter: Cutter): void {
    this.#cutter = cutter;
  }

  release(): void {}

  event(
    buffer: Buffer,
    start: number,
    end: number,
    _next: number,
    line: number,
    nextLine: number,
  ): void {
    if (this.#header) {
      this.#header = false;
      return;
    }
    const lastLine = this.#cutter?.inArray === undefined ? nextLine - 1 : nextLine;
    let json: string;
    if (this.#converter === undefined) json = buffer.toString('utf8', start, end);
    else {
      const output = this.#output;
      output.length = 0;
      const reason = this.#converter.convert(buffer, start, end, output);
      if (reason !== undefined) {
        this.broken(buffer, start, end, line, lastLine, reason);
        return;
      }
      json = output.bytes.toString('utf8', 0, output.length);
    }
    const index = this.#index;
    this.#index += 1;
    const value = parseEvent(json.replace(WHOLE_FLOAT, '$1.5'));
    if (typeof value === 'string') {
      this.#handler.broken({
        index,
        line,
        lastLine,
        reason: value,
        text: textOf(buffer, start, end),
      });
      return;
    }
    this.#handler.event({
      index,
      line,
      lastLine,
      text:
        this.#json && this.#converter === undefined ? json : buffer.toString('utf8', start, end),
      value,
      ...(this.#converted ? { time: this.#converter?.time } : this.#sentTime(value)),
    });
  }

  broken(
    buffer: Buffer,
    start: number,
    end: number,
    line: number,
    lastLine: number,
    reason: string,
  ): void {
    this.#handler.broken({ line, lastLine, reason, text: textOf(buffer, start, end) });
  }

  /** The time that the service will read. */
  #sentTime(value: Readonly<Record<string, unknown>>): Pick<ParsedEvent, 'time' | 'unreadTime'> {
    const { settings, read } = this.#time;
    const found = valueAt(value, settings.field) ?? valueAt(value, '_time');
    return sentTime(typeof found === 'string' ? found : undefined, read);
  }
}

/**
 * Whole numbers that are written as floats, which JSON.parse does not tell from integers. They get a fraction, since
 * of a number only its type is asked.
 */
const WHOLE_FLOAT = /([:,[]\s*-?\d+)(?:\.0+(?=[\s,}\]])|(?:\.\d+)?[eE][+-]?\d+)/g;

const defaultTime: TimeSettings = { field: '_time', format: { kind: 'rfc3339' }, zone: 'UTC' };

function textOf(buffer: Buffer, start: number, end: number): string {
  return buffer.toString('utf8', start, Math.min(end, start + BROKEN_TEXT_BYTES));
}

/** The object that JSON text is, or why it is not one. NaN and Infinity are null, as the service has them. */
export function parseEvent(
  json: string,
  parse: (json: string) => unknown = parseJson,
): Readonly<Record<string, unknown>> | string {
  let value: unknown;
  try {
    value = parse(json);
  } catch (error) {
    try {
      // What nests too deep for a recursion is left to the engine, which has none.
      value = error instanceof RangeError ? JSON.parse(json) : parse(withoutNaN(json));
    } catch {
      return jsonProblem(json);
    }
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : 'It is not a JSON object.';
}

/** The time of an event that is sent as it is, or the text in its place. */
export function sentTime(
  text: string | undefined,
  read: TimeReader,
): Pick<ParsedEvent, 'time' | 'unreadTime'> {
  const time = text === undefined ? undefined : read(text);
  if (time !== undefined || text === undefined || text.trim() === '') return { time };
  return { time, unreadTime: text };
}

/** The value of a field whose name has dots between or in the names of objects. */
export function valueAt(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const members = value as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(members, path)) return members[path];
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot);
    if (!Object.hasOwn(members, name)) continue;
    const found = valueAt(members[name], path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}
