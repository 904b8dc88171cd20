// OTLP messages for tests: random ones in the SDK's form, and protobuf written by hand.
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { Random } from '../random.ts';

/** An attribute value, as the SDK accepts it. */
export type Value =
  | string
  | number
  | boolean
  | Uint8Array
  | null
  | Value[]
  | { [key: string]: Value };

const TEXTS = [
  '',
  'x',
  'ÄÖ€😀',
  '"quoted"\\',
  'line\nbreak\t',
  '\u0000',
  '12',
  'null',
  ' ',
  '𝕏'.repeat(40),
];
const NUMBERS = [
  0,
  1,
  -1,
  42,
  2 ** 31,
  -(2 ** 31),
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
];
const DOUBLES = [0.5, -1.25, 1e-300, 123456.789, Math.PI, Number.NaN, Infinity, -Infinity];
const KEYS = [
  '',
  'a',
  'a.b',
  'my.key',
  'ключ',
  'a b',
  '__proto__',
  'constructor',
  'x'.repeat(300),
  '"',
  '.',
];

const pick = <T>(list: readonly T[], below: Random): T => list[below(list.length)]!;

export function randomValue(below: Random, depth = 0): Value {
  const kind = below(depth > 3 ? 5 : 8);
  if (kind === 0) return pick(TEXTS, below);
  if (kind === 1) return pick(NUMBERS, below);
  if (kind === 2) return pick(DOUBLES, below);
  if (kind === 3) return below(2) === 0;
  if (kind === 4) return Uint8Array.from({ length: below(6) }, () => below(256));
  const items = Array.from({ length: below(4) }, () => randomValue(below, depth + 1));
  if (kind < 7) return items;
  return Object.fromEntries(items.map((item) => [pick(KEYS, below), item]));
}

/** Returns attributes that are not in the semantic conventions. */
export function randomAttributes(below: Random): Record<string, Value> {
  const entries = Array.from({ length: below(6) }, () => [pick(KEYS, below), randomValue(below)]);
  return Object.fromEntries(entries);
}

/** Converts a value to its stored form: NaN and infinities become null, and bytes become Base64. */
export function stored(value: Value): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(stored);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, stored(item)]));
}

/** A message: field numbers with their values. */
export type Fields = readonly (readonly [
  number,
  (
    | string
    | bigint
    | number
    | boolean
    | Uint8Array
    | { readonly double: number }
    | { readonly varint: bigint }
  ),
])[];

/**
 * Encodes a message: strings and bytes with their length, bigint as fixed 64 bits, numbers and
 * booleans as varints.
 */
export function protobuf(fields: Fields): Uint8Array {
  const writer = new BinaryWriter();
  for (const [number, value] of fields) {
    if (typeof value === 'string') writer.tag(number, WireType.LengthDelimited).string(value);
    else if (value instanceof Uint8Array) writer.tag(number, WireType.LengthDelimited).bytes(value);
    else if (typeof value === 'bigint') writer.tag(number, WireType.Bit64).fixed64(value);
    else if (typeof value === 'number') writer.tag(number, WireType.Varint).int32(value);
    else if (typeof value === 'boolean') writer.tag(number, WireType.Varint).bool(value);
    else if ('double' in value) writer.tag(number, WireType.Bit64).double(value.double);
    else writer.tag(number, WireType.Varint).int64(value.varint);
  }
  return writer.finish();
}

/** Encodes a protobuf request with one span that has these fields. */
export function spanRequest(span: Fields, ...more: Fields): Uint8Array {
  const scoped = protobuf([[2, protobuf(span)]]);
  return protobuf([[1, protobuf([[2, scoped]])], ...more]);
}

export const keyValue = (key: string, value: Fields): Uint8Array =>
  protobuf([
    [1, key],
    [2, protobuf(value)],
  ]);
