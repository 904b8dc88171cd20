/**
 * Writes events as lines of JSON. Field names contain dots, so that attributes of any name stay separate. A
 * floating-point number has a fraction or an exponent, so that 2 next to 1.5 is not read as an integer.
 */
import { ApiError } from '../errors.ts';
import { INGEST_BODY_BYTES_MAX } from '../limits.ts';
import type { Addition } from '../store/datasetRecords.ts';
import { isConventional, PROMOTED } from './conventions.ts';
import type { AnyValue, KeyValue, Resource, Scope } from './messages.ts';

/** Map fields, which can hold any number of attributes. */
const SCOPE_MAP = 'scope.attributes';
export const MAP_FIELDS = ['attributes.custom', 'resource.custom', SCOPE_MAP] as const;

/** Fields of every dataset of traces or logs, so that queries can use them before an event has them. */
export const COMMON_FIELDS: readonly Addition[] = [
  { field: 'trace_id', type: 'string' },
  { field: 'span_id', type: 'string' },
  { field: 'service.name', type: 'string' },
  { field: 'attributes.custom', type: 'map' },
  { field: 'resource.custom', type: 'map' },
];

/** Collects the members of one JSON object, each followed by a comma. */
export class Members {
  text = '';

  add(name: string, json: string | undefined): void {
    if (json !== undefined) this.text += `${JSON.stringify(name)}:${json},`;
  }

  /** Returns the object; undefined without members. */
  object(): string | undefined {
    return this.text === '' ? undefined : `{${this.text.slice(0, -1)}}`;
  }
}

/** Returns a string as JSON; undefined if empty, which protobuf doesn't distinguish from absent. */
export function stringJson(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : JSON.stringify(text);
}

export function integerJson(number: bigint | number | undefined): string | undefined {
  return number === undefined ? undefined : String(number);
}

/** Returns a value as JSON; undefined if absent. NaN and infinities are null, as in all events. */
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

/** Returns attributes by key. The last of equal keys counts. */
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

/** Adds attributes of a span, record or resource: conventional ones as fields, others in a map. */
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

/** Returns the fields common to all spans or records of a resource and a scope. */
export function sharedMembers(resource: Resource | undefined, scope: Scope | undefined): string {
  const members = new Members();
  addAttributes(members, resource?.attributes, 'resource');
  members.add('scope.name', stringJson(scope?.name));
  members.add('scope.version', stringJson(scope?.version));
  members.add(SCOPE_MAP, attributesJson(scope?.attributes));
  return members.text;
}

/** Collects the events of a request, one per line. */
export class EventLines {
  readonly #lines: string[] = [];
  #length = 0;

  /** Adds an event with its own and its shared members. Throws an ApiError if the events become too large. */
  add(own: Members, shared: string): void {
    const members = own.text + shared;
    // Count the shared members for each event, because they are repeated in each.
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
