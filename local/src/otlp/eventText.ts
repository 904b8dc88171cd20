/**
 * Events as lines of JSON, for DuckDB to read. Fields are written with dots, so that attributes of any name stay
 * apart; a floating-point number is always written as one, so that 2 among 1.5 and 2.5 is not an integer.
 */
import { ApiError } from '../errors.ts';
import { INGEST_BODY_BYTES_MAX } from '../limits.ts';
import type { Addition } from '../store/datasets.ts';
import { isConventional, PROMOTED } from './conventions.ts';
import type { AnyValue, KeyValue, Resource, Scope } from './messages.ts';

/** Fields that are maps, because any number of attributes may be in them. */
const SCOPE_MAP = 'scope.attributes';
export const MAPS = ['attributes.custom', 'resource.custom', SCOPE_MAP] as const;

/** Fields that every dataset of traces or logs has, so that queries name them before an event has them. */
export const COMMON_FIELDS: readonly Addition[] = [
  { field: 'trace_id', type: 'string' },
  { field: 'span_id', type: 'string' },
  { field: 'service.name', type: 'string' },
  { field: 'attributes.custom', type: 'map' },
  { field: 'resource.custom', type: 'map' },
];

/** The members of one JSON object, each followed by a comma. */
export class Members {
  text = '';

  /** Adds a member whose value is JSON text; none where it is undefined. */
  add(name: string, json: string | undefined): void {
    if (json !== undefined) this.text += `${JSON.stringify(name)}:${json},`;
  }

  /** The object; undefined without members. */
  object(): string | undefined {
    return this.text === '' ? undefined : `{${this.text.slice(0, -1)}}`;
  }
}

/** A string that was sent; undefined for an empty one, which protobuf does not distinguish from none. */
export function textJson(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : JSON.stringify(text);
}

export function integerJson(number: bigint | number | undefined): string | undefined {
  return number === undefined ? undefined : String(number);
}

/** A value as JSON; undefined where there is none. NaN and the infinities are null, as in all events. */
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

/** Attributes by key: of equal ones the last counts. */
function byKey(attributes: readonly KeyValue[] | undefined): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const { key = '', value } of attributes ?? []) values.set(key, valueJson(value) ?? 'null');
  return values;
}

/** Attributes as one object; undefined without any. */
export function attributesJson(attributes: readonly KeyValue[] | undefined): string | undefined {
  const members = new Members();
  for (const [key, json] of byKey(attributes)) members.add(key, json);
  return members.object();
}

/** Attributes of a span or record: those of the conventions are fields, the others are in a map. */
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

/** The fields that all spans or records of a resource and a scope have. */
export function sharedText(resource: Resource | undefined, scope: Scope | undefined): string {
  const members = new Members();
  addAttributes(members, resource?.attributes, 'resource');
  members.add('scope.name', textJson(scope?.name));
  members.add('scope.version', textJson(scope?.version));
  members.add(SCOPE_MAP, attributesJson(scope?.attributes));
  return members.text;
}

/** The events of a request, a line each. */
export class EventLines {
  readonly #lines: string[] = [];
  #length = 0;

  /** Adds an event of its own members and of those that it shares. Throws an ApiError when it is too much. */
  add(own: Members, shared: string): void {
    const members = own.text + shared;
    // What is shared is there once in a request, and in all of its events.
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
