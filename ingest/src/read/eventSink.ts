// Parses every event, for reports and checks: what the quick path passes on unseen is looked at here.

import { parseJson } from '../../../api/src/plain.ts';
import type { BrokenEvent } from '../contract.ts';
import type { ReadSettings } from '../settings.ts';
import type { Converter } from './convert/converter.ts';
import { withoutNaN } from './convert/jsonObject.ts';
import type { Cutter } from './cut/cutter.ts';
import { jsonProblem } from './jsonProblem.ts';
import { BROKEN_TEXT_BYTES } from './limits.ts';
import { Output } from './output.ts';
import type { WindowSink } from './scan.ts';
import { type SentTime, SentTimes } from './times/sentTime.ts';

export interface ParsedEvent extends SentTime {
  /** Its place among events and what the parser refuses, from 0. */
  readonly index: number;
  readonly line: number;
  readonly lastLine: number;
  /** As in the file. */
  readonly text: string;
  /** For names, types and strings: numbers may differ. */
  readonly value: Readonly<Record<string, unknown>>;
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
  readonly #times: SentTimes;
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
    this.#times = new SentTimes(settings);
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
      ...(this.#converter?.time === undefined
        ? this.#times.of(value)
        : { time: this.#converter.time }),
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
}

/**
 * Whole numbers that are written as floats, which JSON.parse does not tell from integers. They get a fraction, since
 * of a number only its type is asked.
 */
const WHOLE_FLOAT = /([:,[]\s*-?\d+)(?:\.0+(?=[\s,}\]])|(?:\.\d+)?[eE][+-]?\d+)/g;

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
