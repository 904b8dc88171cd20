// Builds and parses query strings, using the endpoint definitions. A list is built by repeating its name.
import { type EndpointKey, endpointRow, type QueryParams } from './endpoints.ts';

interface ParameterSchema {
  readonly type?: string;
  readonly items?: ParameterSchema;
}

/**
 * Builds a query string with its `?`, or an empty string. Omits undefined and null members. Includes undeclared
 * members.
 */
export function buildQuery<K extends EndpointKey>(_key: K, values: QueryParams<K>): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(values as Record<string, unknown>)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) {
        pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(String(item))}`);
      }
    }
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/**
 * Parses a query string, with or without its `?`. Never throws.
 * - Values are converted to their declared types. All others stay strings, so that the strict reader reports
 *   unconvertible values.
 * - A list may repeat its name, separate its items by commas, or have brackets in its name. If another name is
 *   repeated, its last value counts.
 * - Text that isn't validly percent-encoded is not decoded.
 */
export function parseQuery(key: EndpointKey, search: string): Record<string, unknown> {
  const declared = endpointRow(key).query.properties as Record<string, ParameterSchema>;
  const values: Record<string, unknown> = Object.create(null);
  const body = search.startsWith('?') ? search.slice(1) : search;
  for (const pair of body.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const written = decode(equals < 0 ? pair : pair.slice(0, equals));
    const text = decode(equals < 0 ? '' : pair.slice(equals + 1));
    const name = listName(written, declared) ?? written;
    const schema = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (schema?.type === 'array') {
      const items = text.split(',').filter((item) => item !== '');
      // An empty list means the same as an absent list.
      if (items.length === 0) continue;
      const before = (values[name] ?? []) as unknown[];
      values[name] = [...before, ...items.map((item) => convert(item, schema.items))];
    } else {
      values[name] = convert(text, schema);
    }
  }
  return values;
}

/** Removes the brackets of a list parameter such as `datasets[0]`. */
function listName(
  written: string,
  declared: Readonly<Record<string, ParameterSchema>>,
): string | undefined {
  const name = /^(.+)\[\d*\]$/.exec(written)?.[1];
  const isList =
    name !== undefined && Object.hasOwn(declared, name) && declared[name]!.type === 'array';
  return isList ? name : undefined;
}

function convert(text: string, schema: ParameterSchema | undefined): unknown {
  switch (schema?.type) {
    case 'boolean':
      // A parameter without a value, such as `?nocache`, means true.
      if (text === '' || TRUE_VALUES.has(text)) return true;
      return FALSE_VALUES.has(text) ? false : text;
    case 'integer':
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    default:
      return text;
  }
}

/** Clients in several languages send these strings for true. */
const TRUE_VALUES: ReadonlySet<string> = new Set(['true', 'True', 'TRUE', 't', 'T', '1']);
const FALSE_VALUES: ReadonlySet<string> = new Set(['false', 'False', 'FALSE', 'f', 'F', '0']);

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
