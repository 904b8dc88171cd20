// Query strings from values and values from query strings, by the schemas of the rows: truth values
// and numbers are text on the wire, lists are a name given several times, and are read in other forms too.
import { type EndpointKey, endpointRow, type QueryParams } from './endpoints.ts';

interface ParameterSchema {
  readonly type?: string;
  readonly items?: ParameterSchema;
}

/**
 * The query string of an endpoint, with its `?`, or empty text where nothing is given. Members that
 * are undefined are left out; members the endpoint does not have are sent all the same.
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
 * The values of a query string (with or without its `?`), converted to the types the endpoint
 * declares. What does not convert stays text, for the strict reader to name; of a name given several
 * times the last counts, unless it is a list, whose items may also be separated by commas or follow the name with
 * brackets. Parameters the endpoint does not have are kept as
 * text. Text that is not valid percent-encoding is kept as it stands. Never throws.
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
      // A list without items asks for nothing.
      if (items.length === 0) continue;
      const before = (values[name] ?? []) as unknown[];
      values[name] = [...before, ...items.map((item) => convert(item, schema.items))];
    } else {
      values[name] = convert(text, schema);
    }
  }
  return values;
}

/** The name of a list that is written with brackets, `datasets[]` or `datasets[0]`; otherwise undefined. */
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
      // A bare name, `?nocache`, means true.
      if (text === '' || TRUE_VALUES.has(text)) return true;
      return FALSE_VALUES.has(text) ? false : text;
    case 'integer':
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    default:
      return text;
  }
}

/** Truth values as clients in several languages write them. */
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
