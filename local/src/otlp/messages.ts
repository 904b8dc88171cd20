/** Defines the OTLP messages that are stored (opentelemetry-proto 1.x). Fields that aren't listed are ignored. */

/** `id` is like `bytes`, but hexadecimal in JSON instead of Base64. */
export type Scalar = 'string' | 'bytes' | 'id' | 'bool' | 'double' | Integer;
type Integer = 'int32' | 'uint32' | 'int64' | 'fixed32' | 'fixed64';

export interface Field {
  readonly name: string;
  readonly type: Scalar | Message;
  readonly repeated?: true;
}

/** The definition of a message. If several fields of a `oneof` are sent, the last one counts. */
export interface Message {
  readonly name: string;
  readonly oneof?: true;
  readonly fields: ReadonlyMap<number, Field>;
  readonly byName: ReadonlyMap<string, Field>;
}

type Row = readonly [name: string, type: Scalar | Message, repeated?: 'repeated'];

function defineMessage(name: string, rows: Readonly<Record<number, Row>>, oneof?: true): Message {
  const fields = new Map<number, Field>();
  const byName = new Map<string, Field>();
  const definition: Message = { name, fields, byName, ...(oneof && { oneof }) };
  for (const [number, [fieldName, type, repeated]] of Object.entries(rows)) {
    const field: Field = { name: fieldName, type, ...(repeated && { repeated: true }) };
    fields.set(Number(number), field);
    byName.set(fieldName, field);
  }
  return definition;
}

/** Adds fields to a recursive type, which refers to itself, directly or through other types. */
function addRecursiveFields(of: Message, rows: Readonly<Record<number, Row>>): void {
  const { fields, byName } = defineMessage(of.name, rows);
  for (const [number, field] of fields) (of.fields as Map<number, Field>).set(number, field);
  for (const [name, field] of byName) (of.byName as Map<string, Field>).set(name, field);
}

const anyValue = defineMessage(
  'AnyValue',
  {
    1: ['stringValue', 'string'],
    2: ['boolValue', 'bool'],
    3: ['intValue', 'int64'],
    4: ['doubleValue', 'double'],
    7: ['bytesValue', 'bytes'],
  },
  true,
);
const keyValue = defineMessage('KeyValue', { 1: ['key', 'string'], 2: ['value', anyValue] });
addRecursiveFields(anyValue, {
  5: ['arrayValue', defineMessage('ArrayValue', { 1: ['values', anyValue, 'repeated'] })],
  6: ['kvlistValue', defineMessage('KeyValueList', { 1: ['values', keyValue, 'repeated'] })],
});

const resource = defineMessage('Resource', { 1: ['attributes', keyValue, 'repeated'] });
const scope = defineMessage('InstrumentationScope', {
  1: ['name', 'string'],
  2: ['version', 'string'],
  3: ['attributes', keyValue, 'repeated'],
});

const event = defineMessage('Event', {
  1: ['timeUnixNano', 'fixed64'],
  2: ['name', 'string'],
  3: ['attributes', keyValue, 'repeated'],
});
const link = defineMessage('Link', {
  1: ['traceId', 'id'],
  2: ['spanId', 'id'],
  3: ['traceState', 'string'],
  4: ['attributes', keyValue, 'repeated'],
});
const span = defineMessage('Span', {
  1: ['traceId', 'id'],
  2: ['spanId', 'id'],
  3: ['traceState', 'string'],
  4: ['parentSpanId', 'id'],
  5: ['name', 'string'],
  6: ['kind', 'int32'],
  7: ['startTimeUnixNano', 'fixed64'],
  8: ['endTimeUnixNano', 'fixed64'],
  9: ['attributes', keyValue, 'repeated'],
  11: ['events', event, 'repeated'],
  13: ['links', link, 'repeated'],
  15: ['status', defineMessage('Status', { 2: ['message', 'string'], 3: ['code', 'int32'] })],
});
const logRecord = defineMessage('LogRecord', {
  1: ['timeUnixNano', 'fixed64'],
  2: ['severityNumber', 'int32'],
  3: ['severityText', 'string'],
  5: ['body', anyValue],
  6: ['attributes', keyValue, 'repeated'],
  8: ['flags', 'fixed32'],
  9: ['traceId', 'id'],
  10: ['spanId', 'id'],
  11: ['observedTimeUnixNano', 'fixed64'],
  12: ['eventName', 'string'],
});

function defineRequest(of: 'Spans' | 'Logs', records: string, record: Message): Message {
  const scoped = defineMessage(`Scope${of}`, {
    1: ['scope', scope],
    2: [records, record, 'repeated'],
  });
  return defineMessage(`Export${of}Request`, {
    1: [
      `resource${of}`,
      defineMessage(`Resource${of}`, {
        1: ['resource', resource],
        2: [`scope${of}`, scoped, 'repeated'],
      }),
      'repeated',
    ],
  });
}

export const traceRequest = defineRequest('Spans', 'spans', span);
export const logsRequest = defineRequest('Logs', 'logRecords', logRecord);

// Types of parsed requests. Absent fields are undefined. Absent repeated fields may also be empty arrays.

/** At most one of the members is present. Bytes are in Base64. */
export interface AnyValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: bigint;
  readonly doubleValue?: number;
  readonly bytesValue?: string;
  readonly arrayValue?: { readonly values?: readonly AnyValue[] };
  readonly kvlistValue?: { readonly values?: readonly KeyValue[] };
}

export interface KeyValue {
  readonly key?: string;
  readonly value?: AnyValue;
}

type Attributes = readonly KeyValue[];

export interface Span {
  readonly traceId?: string;
  readonly spanId?: string;
  readonly traceState?: string;
  readonly parentSpanId?: string;
  readonly name?: string;
  readonly kind?: number;
  readonly startTimeUnixNano?: bigint;
  readonly endTimeUnixNano?: bigint;
  readonly attributes?: Attributes;
  readonly events?: readonly {
    readonly timeUnixNano?: bigint;
    readonly name?: string;
    readonly attributes?: Attributes;
  }[];
  readonly links?: readonly {
    readonly traceId?: string;
    readonly spanId?: string;
    readonly traceState?: string;
    readonly attributes?: Attributes;
  }[];
  readonly status?: { readonly message?: string; readonly code?: number };
}

export interface LogRecord {
  readonly timeUnixNano?: bigint;
  readonly observedTimeUnixNano?: bigint;
  readonly severityNumber?: number;
  readonly severityText?: string;
  readonly body?: AnyValue;
  readonly attributes?: Attributes;
  readonly flags?: number;
  readonly traceId?: string;
  readonly spanId?: string;
  readonly eventName?: string;
}

export interface Scope {
  readonly name?: string;
  readonly version?: string;
  readonly attributes?: Attributes;
}

export interface Resource {
  readonly attributes?: Attributes;
}
