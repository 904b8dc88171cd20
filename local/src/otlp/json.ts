/** Parses OTLP requests in JSON: IDs are hexadecimal, 64-bit integers may be strings, and null means absent. */
import { parseJson } from '../../../api/src/index.ts';
import { ApiError } from '../errors.ts';
import { isDeeper } from '../jsonDepth.ts';
import { JSON_DEPTH_MAX } from '../limits.ts';
import type { Message, Scalar } from './messages.ts';
import { MessageBudget, malformed, OTLP_MESSAGES_MAX, type ParsedMessage } from './reading.ts';

/** Parses a request. Throws an ApiError if the message is invalid, too large or nested too deeply. */
export function readJsonForm(bytes: Buffer, message: Message): ParsedMessage {
  if (isDeeper(bytes, JSON_DEPTH_MAX)) {
    throw new ApiError('json-too-deep', { what: 'The body', limit: JSON_DEPTH_MAX });
  }
  // Count before parsing, because the parser allocates memory for each object and array.
  if (countOpenings(bytes) > OTLP_MESSAGES_MAX) {
    throw new ApiError('otlp-too-large', { limit: OTLP_MESSAGES_MAX });
  }
  let value: unknown;
  try {
    value = parseJson(decoder.decode(bytes));
  } catch (error) {
    throw new ApiError('bad-json', { problem: (error as Error).message });
  }
  return readMessage(value, message, 'the body', 1, new MessageBudget());
}

const decoder = new TextDecoder();

function countOpenings(bytes: Buffer): number {
  let count = 0;
  // Iterating over the bytes takes many times as long as this loop.
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === 0x7b || byte === 0x5b) count += 1;
  }
  return count;
}

function readMessage(
  value: unknown,
  message: Message,
  location: string,
  depth: number,
  budget: MessageBudget,
): ParsedMessage {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed(`${location} must be an object`);
  }
  budget.take(depth);
  const into: ParsedMessage = {};
  for (const [name, member] of Object.entries(value)) {
    const field = message.byName.get(name);
    if (field === undefined || member === null) continue;
    const at = `${name} of ${message.name}`;
    if (message.oneof) for (const other of Object.keys(into)) delete into[other];
    const { type } = field;
    const readOne = (one: unknown) =>
      typeof type === 'string'
        ? readScalar(one, type, at)
        : readMessage(one, type, at, depth + 1, budget);
    if (field.repeated !== true) into[name] = readOne(member);
    else if (Array.isArray(member)) into[name] = member.map(readOne);
    else throw malformed(`${at} must be an array`);
  }
  return into;
}

function readScalar(value: unknown, type: Scalar, at: string): unknown {
  const [description, read] = scalars[type];
  const scalar = read(value);
  if (scalar === undefined) throw malformed(`${at} must be ${description}`);
  return scalar;
}

/** Converts an integer or a string of digits. Returns undefined if the value is neither, or is out of bounds. */
function bigInteger(value: unknown, min: bigint, max: bigint): bigint | undefined {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value);
  const isText = typeof value === 'string' && /^-?\d{1,20}$/.test(value);
  if (!isNumber && !isText && typeof value !== 'bigint') return undefined;
  const number = BigInt(value as string);
  return number >= min && number <= max ? number : undefined;
}

function smallInteger(value: unknown, min: number, max: number): number | undefined {
  const number = bigInteger(value, BigInt(min), BigInt(max));
  return number === undefined ? undefined : Number(number);
}

const specialNumbers: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

const readString = (value: unknown) =>
  typeof value === 'string' ? value.toWellFormed() : undefined;

const stringReader = (form: RegExp, convert: (text: string) => string) => (value: unknown) =>
  typeof value === 'string' && form.test(value) ? convert(value) : undefined;

const readBase64 = stringReader(/^[\w+/-]*={0,2}$/, (text) =>
  Buffer.from(text, 'base64').toString('base64'),
);
const readHex = stringReader(/^([\da-f]{2})*$/i, (text) => text.toLowerCase());

function readDouble(value: unknown): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string') return undefined;
  if (Object.hasOwn(specialNumbers, value)) return specialNumbers[value];
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value) ? Number(value) : undefined;
}

/** Reads a 64-bit integer. Some exporters send large integers as floating-point numbers, which are stored as floats. */
function readInt64(value: unknown): bigint | undefined {
  return typeof value === 'bigint' || Number.isInteger(value)
    ? BigInt(value as number)
    : bigInteger(value, -(2n ** 63n), 2n ** 63n - 1n);
}

type ScalarReader = readonly [description: string, read: (value: unknown) => unknown];

const int32: ScalarReader = [
  'an integer of 32 bits',
  (value) => smallInteger(value, -(2 ** 31), 2 ** 31 - 1),
];
const uint32: ScalarReader = [
  'a positive integer of 32 bits',
  (value) => smallInteger(value, 0, 2 ** 32 - 1),
];

const scalars: Readonly<Record<Scalar, ScalarReader>> = {
  string: ['a string', readString],
  bytes: ['a string in Base64', readBase64],
  id: ['a string of hexadecimal digits', readHex],
  bool: ['true or false', (value) => (typeof value === 'boolean' ? value : undefined)],
  double: ['a number', readDouble],
  int32,
  uint32,
  fixed32: uint32,
  int64: ['an integer of 64 bits', readInt64],
  fixed64: ['a positive integer of 64 bits', (value) => bigInteger(value, 0n, 2n ** 64n - 1n)],
};
