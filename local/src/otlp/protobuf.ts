/** Parses an OTLP request in protobuf, as described by the message definitions. */
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { ApiError } from '../errors.ts';
import type { Field, Message, Scalar } from './messages.ts';
import { MessageBudget, malformed, type ParsedMessage } from './reading.ts';

/** Parses a request. Throws an ApiError if the message is invalid, too large or nested too deeply. */
export function readProtobuf(bytes: Uint8Array, message: Message): ParsedMessage {
  const reader = new BinaryReader(bytes, (text) => decoder.decode(text));
  const read: ParsedMessage = {};
  try {
    readFields(reader, bytes.length, message, read, 1, new MessageBudget());
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw malformed(`it is not valid protobuf: ${(error as Error).message}`);
  }
  return read;
}

// Replace invalid UTF-8, so that one bad string doesn't lose the entire span.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Reads the fields of a message. Merges a submessage that is sent in pieces, as protobuf requires. */
function readFields(
  reader: BinaryReader,
  end: number,
  { fields, oneof }: Message,
  into: ParsedMessage,
  depth: number,
  budget: MessageBudget,
): void {
  budget.take(depth);
  while (reader.pos < end) {
    const [number, wire] = reader.tag();
    const field = fields.get(number);
    if (field === undefined || wire !== wireOf(field)) {
      passOver.call(reader, wire, number);
      if (reader.pos > end) throw new RangeError('a field exceeds its message');
      continue;
    }
    const { name, type, repeated } = field;
    if (oneof) for (const other of Object.keys(into)) if (other !== name) delete into[other];
    if (typeof type === 'string') {
      const value = scalars[type].read(reader);
      if (repeated) list(into, name).push(value);
      else into[name] = value;
    } else {
      const length = reader.uint32();
      if (length > end - reader.pos) throw new RangeError('a field exceeds its message');
      const target = (repeated ? undefined : (into[name] as ParsedMessage | undefined)) ?? {};
      if (repeated) list(into, name).push(target);
      else into[name] = target;
      readFields(reader, reader.pos + length, type, target, depth + 1, budget);
    }
    if (reader.pos > end) throw new RangeError('a field exceeds its message');
  }
}

const { skip: passOver } = BinaryReader.prototype;

function list(into: ParsedMessage, name: string): unknown[] {
  const before = into[name];
  if (before !== undefined) return before as unknown[];
  const made: unknown[] = [];
  into[name] = made;
  return made;
}

function wireOf({ type }: Field): WireType {
  return typeof type === 'string' ? scalars[type].wire : WireType.LengthDelimited;
}

interface ScalarReader {
  readonly wire: WireType;
  readonly read: (reader: BinaryReader) => unknown;
}

const text = (encoding: 'hex' | 'base64') => (reader: BinaryReader) => {
  const bytes = reader.bytes();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding);
};

const scalars: Readonly<Record<Scalar, ScalarReader>> = {
  string: { wire: WireType.LengthDelimited, read: (reader) => reader.string() },
  bytes: { wire: WireType.LengthDelimited, read: text('base64') },
  id: { wire: WireType.LengthDelimited, read: text('hex') },
  bool: { wire: WireType.Varint, read: (reader) => reader.bool() },
  double: { wire: WireType.Bit64, read: (reader) => reader.double() },
  int32: { wire: WireType.Varint, read: (reader) => reader.int32() },
  uint32: { wire: WireType.Varint, read: (reader) => reader.uint32() },
  int64: { wire: WireType.Varint, read: (reader) => BigInt(reader.int64()) },
  fixed32: { wire: WireType.Bit32, read: (reader) => reader.fixed32() },
  fixed64: { wire: WireType.Bit64, read: (reader) => BigInt(reader.fixed64()) },
};
