// Parses every event for reports and checks, including what the fast path doesn't verify.

import { parseJson } from '../../../api/src/plain.ts';
import type { BrokenEvent } from '../contract.ts';
import type { ReadSettings } from '../settings.ts';
import type { Converter } from './convert/converter.ts';
import { withoutNaN } from './convert/jsonObject.ts';
import { jsonProblem } from './jsonProblem.ts';
import { BROKEN_TEXT_BYTES } from './limits.ts';
import { Output } from './output.ts';
import type { WindowSink } from './scan.ts';
import type { Splitter } from './split/splitter.ts';
import { type SentTime, SentTimes } from './times/sentTime.ts';

export interface ParsedEvent extends SentTime {
  /** The index among events, including those the parser rejects, from 0. */
  readonly index: number;
  readonly line: number;
  readonly lastLine: number;
  /** The text as in the file. */
  readonly text: string;
  /** The parsed event, for names, types and strings. Numbers may differ. */
  readonly value: Readonly<Record<string, unknown>>;
}

export interface EventHandler {
  event(event: ParsedEvent): void;
  /** Receives a broken event. `index` is set if it was split off as an event. */
  broken(event: BrokenEvent & { readonly index?: number }): void;
}

export class EventSink implements WindowSink {
  readonly #handler: EventHandler;
  readonly #converter: Converter | undefined;
  readonly #output = new Output(64 * 1024);
  readonly #json: boolean;
  readonly #times: SentTimes;
  #header: boolean;
  #splitter: Splitter | undefined;
  #index = 0;
  isFull = false;

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

  begin(_base: number, _stored: number, splitter: Splitter): void {
    this.#splitter = splitter;
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
    const lastLine = this.#splitter?.inArray === undefined ? nextLine - 1 : nextLine;
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
    const value = parseEvent(json.replace(INTEGRAL_FLOAT, '$1.5'));
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
 * Matches whole numbers written as floats, which JSON.parse can't distinguish from integers. They get a fraction,
 * because only a number's type is used.
 */
const INTEGRAL_FLOAT = /([:,[]\s*-?\d+)(?:\.0+(?=[\s,}\]])|(?:\.\d+)?[eE][+-]?\d+)/g;

function textOf(buffer: Buffer, start: number, end: number): string {
  return buffer.toString('utf8', start, Math.min(end, start + BROKEN_TEXT_BYTES));
}

/**
 * Parses JSON text to an object, or returns the reason it isn't one. NaN and Infinity become null, as in the service.
 */
export function parseEvent(
  json: string,
  parse: (json: string) => unknown = parseJson,
): Readonly<Record<string, unknown>> | string {
  let value: unknown;
  try {
    value = parse(json);
  } catch (error) {
    try {
      // Text nested too deep for recursion goes to the native parser, which doesn't recurse.
      value = error instanceof RangeError ? JSON.parse(json) : parse(withoutNaN(json));
    } catch {
      return jsonProblem(json);
    }
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : 'It is not a JSON object.';
}
