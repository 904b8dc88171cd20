/**
 * Writes events as JSON lines. Conventional attributes become fields with dotted names. Custom attributes go into map
 * fields, so that they can have any names. A double always has a fraction or an exponent, so that 2.0 isn't read as an
 * integer.
 */
import { ApiError } from '../errors.ts';
import { INGEST_BODY_BYTES_MAX } from '../limits.ts';
import type { Addition } from '../store/datasetRecords.ts';
import { isConventional, PROMOTED } from './conventions.ts';
import type { AnyValue, KeyValue, Resource, Scope } from './messages.ts';

const SCOPE_MAP = 'scope.attributes';
export const MAP_FIELDS = ['attributes.custom', 'resource.custom', SCOPE_MAP] as const;

/** Fields that every dataset of traces or logs has from the start, so that queries can use them. */
export const COMMON_FIELDS: readonly Addition[] = [
  { field: 'trace_id', type: 'string' },
  { field: 'span_id', type: 'string' },
  { field: 'service.name', type: 'string' },
  { field: 'attributes.custom', type: 'map' },
  { field: 'resource.custom', type: 'map' },
];

/** The members of a JSON object, as text. Each member is followed by a comma. */
export class Members {
  text = '';

  add(name: string, json: string | undefined): void {
    if (json !== undefined) this.text += `${JSON.stringify(name)}:${json},`;
  }

  /** Returns the JSON object, or undefined if there are no members. */
  object(): string | undefined {
    return this.text === '' ? undefined : `{${this.text.slice(0, -1)}}`;
  }
}

/** Writes a string as JSON. Returns undefined for '', which protobuf sends for absent strings. */
export function stringJson(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : JSON.stringify(text);
}

export function integerJson(number: bigint | number | undefined): string | undefined {
  return number === undefined ? undefined : String(number);
}

/** Writes a value as JSON. NaN and infinities become null, as in all events. */
export function valueJson(value: AnyValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  const { stringValue, boolValue, intValue, doubleValue, bytesValue } = value;
  if (stringValue !== undefined) return JSON.stringify(stringValue);
  if (boolValue !== undefined) return String(boolValue);
  if (intValue !== undefined) return String(intValue);
  if (doubleValue !== undefined) return doubleJson(doubleValue);
  if (bytesValue !== undefined) return JSON.stringify(bytesValue);
  if (value.arrayValue !== undefined) {
    const items = value.arrayValue.values ?? [];
    return `[${items.map((item) => valueJson(item) ?? 'null').join(',')}]`;
  }
  if (value.kvlistValue !== undefined) return attributesJson(value.kvlistValue.values) ?? '{}';
  return undefined;
}

function doubleJson(number: number): string {
  if (!Number.isFinite(number)) return 'null';
  const text = Object.is(number, -0) ? '-0' : String(number);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** Returns the JSON of each attribute by key. The last value of a repeated key counts. */
function byKey(attributes: readonly KeyValue[] | undefined): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const { key = '', value } of attributes ?? []) values.set(key, valueJson(value) ?? 'null');
  return values;
}

export function attributesJson(attributes: readonly KeyValue[] | undefined): string | undefined {
  const members = new Members();
  for (const [key, json] of byKey(attributes)) members.add(key, json);
  return members.object();
}

/** Adds conventional attributes as fields, and all other attributes to a map field. */
export function addAttributes(
  to: Members,
  attributes: readonly KeyValue[] | undefined,
  prefix: 'attributes' | 'resource' = 'attributes',
): void {
  const custom = new Members();
  for (const [key, json] of byKey(attributes)) {
    if (prefix === 'resource' && PROMOTED.has(key)) to.add(key, json);
    else if (isConventional(key)) to.add(`${prefix}.${key}`, json);
    else custom.add(key, json);
  }
  to.add(`${prefix}.custom`, custom.object());
}

/** Returns the members that all records of a resource and scope have. */
export function sharedMembers(resource: Resource | undefined, scope: Scope | undefined): string {
  const members = new Members();
  addAttributes(members, resource?.attributes, 'resource');
  members.add('scope.name', stringJson(scope?.name));
  members.add('scope.version', stringJson(scope?.version));
  members.add(SCOPE_MAP, attributesJson(scope?.attributes));
  return members.text;
}

export class EventLines {
  readonly #lines: string[] = [];
  #length = 0;

  /** Adds an event. Throws an ApiError if the events are too large in total. */
  add(own: Members, shared: string): void {
    const members = own.text + shared;
    this.#length += members.length;
    if (this.#length > INGEST_BODY_BYTES_MAX) {
      throw new ApiError('body-too-large', { limit: INGEST_BODY_BYTES_MAX });
    }
    this.#lines.push(`{${members.slice(0, -1)}}\n`);
  }

  get count(): number {
    return this.#lines.length;
  }

  bytes(): Buffer {
    return Buffer.from(this.#lines.join(''));
  }
}
