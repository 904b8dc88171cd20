/** Converts typed text to parameter values, according to the declared types. */
import { isTimestamp, parseJson } from '../../../api/src/plain.ts';
import type { ParameterType } from '../../../server/src/protocol.ts';
import { parseTimeRange } from '../time/parseTimeRange.ts';
import { boundNanoseconds, timestamp } from '../time/timeRange.ts';

/** A value to send, or a message with an example for invalid text. */
type Typed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

const LONG_BITS = 64;

type Reader = (text: string, at: number) => Typed;

const readers: Readonly<Record<ParameterType, Reader>> = {
  string: (text) => value(text),
  bool: (text) => {
    const word = text.trim().toLowerCase();
    if (word === 'true' || word === 'false') return value(word === 'true');
    return wrong('Enter true or false.');
  },
  long: (text) => {
    const digits = text.trim();
    if (!/^[+-]?\d+$/.test(digits)) return wrong('Enter an integer, such as 500.');
    const number = BigInt(digits);
    if (BigInt.asIntN(LONG_BITS, number) !== number)
      return wrong('The integer does not fit in 64 bits.');
    return value(Number.isSafeInteger(Number(number)) ? Number(number) : number);
  },
  real: (text) => {
    const written = text.trim();
    const plain = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(written);
    const number = Number(written);
    if (!plain || !Number.isFinite(number)) return wrong('Enter a number, such as 0.5 or 1e-7.');
    // Send negative zero as text, because some JSON parsers drop its sign. The service converts it to the type.
    return value(Object.is(number, -0) ? '-0.0' : number);
  },
  datetime: (text, at) => {
    const time = instant(text.trim(), at);
    if (time === undefined)
      return wrong('Enter a time, such as 2026-01-31, 2026-01-31 08:00 (UTC), now or 2h ago.');
    return value(time);
  },
  timespan: (text) => {
    const written = text.trim();
    const length = /^-?\d+(?:\.\d+)?\s*(?:d|h|m|s|ms|microsecond|us|tick)$/i;
    const clock = /^-?(?:\d+\.)?\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,7})?)?$/;
    if (!length.test(written) && !clock.test(written))
      return wrong('Enter a length of time, such as 5m, 1.5h or 01:30:00.');
    return value(written.replace(/\s+/g, ''));
  },
  dynamic: (text) => {
    try {
      return value(parseJson(text));
    } catch {
      return wrong('Enter JSON, such as ["a","b"] or {"a":1}.');
    }
  },
};

/** Converts text to a value of a type. `at` is the current time in milliseconds since 1970. */
export function readParameter(type: ParameterType, text: string, at: number): Typed {
  return readers[type](text, at);
}

/** Returns a time as RFC 3339. A time that was typed as RFC 3339 keeps its fraction and offset. */
function instant(text: string, at: number): string | undefined {
  if (isTimestamp(text.toUpperCase())) return text.toUpperCase();
  if (text.toLowerCase() === 'now') return timestamp(BigInt(at) * 1_000_000n);
  if (/\s(?:to|until|till|through)\s|^(?:last|since|from|between)\b/i.test(text)) return undefined;
  const range = parseTimeRange(text, at);
  if (typeof range === 'string') return undefined;
  return timestamp(boundNanoseconds(range.start, at));
}

function value(of: unknown): Typed {
  return { ok: true, value: of };
}

function wrong(message: string): Typed {
  return { ok: false, message };
}
