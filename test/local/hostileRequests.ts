/**
 * Generates hostile requests from the contract: a valid request for any endpoint, of which some
 * parts are then made invalid: body members, the body, path and query parameters, headers, the
 * media type, or the method. The same seed gives the same requests.
 */
import {
  type EndpointKey,
  type EndpointRow,
  endpointKeys,
  endpointRow,
  REQUEST_HEADERS,
  type TSchema,
} from '../../api/src/index.ts';
import { samples } from '../api/samples.ts';
import { placesOf, put } from '../api/schemas.ts';
import { hostileText } from './hostileTexts.ts';
import type { Random } from './random.ts';

export interface HostileRequest {
  readonly key: EndpointKey;
  readonly method: string;
  /** The path with its query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** Identifiers for requests, by path parameter. Created resources are added. */
export type Known = Readonly<Record<string, string[]>>;

/**
 * The datasets that requests may change and delete, except the last one, which only receives
 * events.
 */
export const DATASETS = ['http-logs', 'logs.2', 'other_one'] as const;

const queries = [
  '{d}',
  '{d} | count',
  '{d} | where status >= 400 | project _time, status, service',
  '{d} | summarize count(), avg(duration) by bin_auto(_time), service',
  '{d} | summarize percentile(duration, 95) by bin(_time, 1h)',
  '{d} | extend v = strcat(service, tostring(status)) | sort by v asc | take 3',
  '{d} | join kind=inner (["http-logs"] | take 5) on service',
  'union http-logs, {d} | distinct service',
  'search "x"',
  'print x = 1',
  'slow',
  '{d} | make-series count() on _time step 1h by service',
  'declare query_parameters (status:long = 200); {d} | where status == status',
];

/** Query members and parameters that most requests omit, because few queries can use them. */
const RARELY: ReadonlySet<string> = new Set(['cursor', 'libraries', 'streaming-duration']);

/** Endpoints with complex bodies, which are used more often than the others. */
const BUSIEST: readonly EndpointKey[] = [
  'ingest',
  'queryEdge',
  'queryGeneral',
  'queryBatch',
  'createVirtualField',
  'createView',
];

/** Returns a random request. The same seed gives the same requests. */
export function hostileRequest(below: Random, known: Known): HostileRequest {
  const key = below(3) === 0 ? pick(BUSIEST, below) : pick(endpointKeys, below);
  const row = endpointRow(key);
  const mutate = (chance: number) => below(chance) === 0;
  const params = Object.fromEntries(
    [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [
      name!,
      mutate(8) ? hostileText(below) : pick(known[paramKind(row, name!)] ?? ['nothing'], below),
    ]),
  );
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    mutate(60) ? pick(ODD_SEGMENTS, below) : encodeText(params[name]!),
  );
  const method = mutate(60) ? pick(METHODS, below) : row.method;
  // A `Request` with one of these methods cannot have a body.
  const hasBody = !['GET', 'HEAD'].includes(method.toUpperCase());
  const body = hasBody ? bodyOf(key, row, below, known) : undefined;
  return {
    key,
    method,
    path: path + queryString(row, below),
    headers: headersOf(row, below),
    ...(body === undefined ? {} : { body }),
  };
}

/**
 * Returns the kind of identifier for a path parameter. Kinds of documents share the name `id`, so
 * the path segment before it decides.
 */
export function paramKind(row: EndpointRow, name: string): string {
  const words = row.path.split('/');
  const kind = words[words.indexOf('{id}') - 1] ?? words[2]!;
  return name === 'id' ? kind : name.startsWith('dataset') ? 'dataset' : name;
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'get', 'PROPFIND'];

const ODD_SEGMENTS = [
  '%',
  '%ff',
  '%00',
  '%2f',
  '..%2f..',
  '%2e%2e',
  '',
  'a/b',
  '%ed%a0%80',
  ';x=1',
];

function pick<T>(from: readonly T[], below: Random): T {
  return from[below(from.length)]!;
}

/** Percent-encodes a string, with U+FFFD for a lone surrogate. */
function encodeText(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

// ── The query string ──────────────────────────────────────────────────────────────────────────────

function queryString(row: EndpointRow, below: Random): string {
  const pairs: string[] = [];
  const schema = samples[`${row.path.includes('datasets') ? 'General' : 'Edge'}QueryParameters`]!;
  for (const [name, member] of Object.entries(row.query.properties)) {
    const required = (row.query.required ?? []).includes(name as never);
    if (RARELY.has(name) && below(20) > 0) continue;
    if (below(20) === 0 || (!required && below(3) > 0)) continue;
    const sample = (schema.value as Record<string, unknown>)[name] ?? VALID_PARAMETERS[name];
    const valid = String(sample ?? (member as { default?: unknown }).default ?? 1);
    const values = below(6) === 0 ? [oddParameter(below)] : [encodeText(valid)];
    if (below(20) === 0) values.push(oddParameter(below));
    for (const value of values) pairs.push(`${name}=${value}`);
  }
  if (below(20) === 0) pairs.push(`${encodeText(hostileText(below))}=${oddParameter(below)}`);
  if (below(60) === 0) pairs.push(pick(['&', '=', '%', '%=%', '=x', '?', '__proto__=1'], below));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

const VALID_PARAMETERS: Readonly<Record<string, unknown>> = {
  dataset: 'http-logs',
  datasets: 'http-logs',
  start: '2026-01-01T00:00:00Z',
  end: '2026-12-01T00:00:00Z',
  who: 'all',
  qs: 'a',
  'timestamp-field': 'at',
  'timestamp-format': '2006-01-02',
  'csv-delimiter': ';',
};

function oddParameter(below: Random): string {
  const values = [
    '',
    'NaN',
    '-1',
    '1.5',
    '1e999',
    '99999999999999999999',
    'true',
    'null',
    '[]',
    '%00',
    '%ff',
    '%',
    '+',
    'x'.repeat(5_000),
    'constructor',
    '2026-02-30T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '0001-01-01T00:00:00Z',
    'now-99999999999999999d',
    '2006-01-02T15:04:05.999999999Z07:00',
  ];
  return below(2) === 0 ? pick(values, below) : encodeText(hostileText(below));
}

// ── Headers ───────────────────────────────────────────────────────────────────────────────────────

function headersOf(row: EndpointRow, below: Random): Record<string, string> {
  const headers: Record<string, string> = {};
  if (row.contentTypes.length > 0) headers['content-type'] = pick(row.contentTypes, below);
  if (below(15) === 0) headers['content-type'] = pick(ODD_TYPES, below);
  if (row.content === 'bytes') {
    if (REQUEST_HEADERS.dataset in row.headers.properties && below(10) > 0) {
      headers[REQUEST_HEADERS.dataset] = pick(DATASETS, below);
    }
    if (below(8) === 0) headers[REQUEST_HEADERS.eventLabels] = pick(LABELS, below);
    if (below(12) === 0) headers[REQUEST_HEADERS.csvFields] = pick(CSV_FIELDS, below);
  }
  if (below(30) === 0) headers[REQUEST_HEADERS.contentEncoding] = pick(ENCODINGS, below);
  if (below(60) === 0) headers[pick(['accept', 'x-axiom-org-id', 'range', 'expect'], below)] = '?';
  if (below(100) === 0) headers['authorization'] = pick(['', 'Bearer', 'Bearer x', '???'], below);
  return headers;
}

const ODD_TYPES = [
  'text/plain',
  'application/json; charset=utf-16',
  ';',
  'APPLICATION/JSON',
  'application/x-ndjson;;',
  'multipart/form-data',
  `text/${'x'.repeat(4_000)}`,
];

const LABELS = [
  '{"team":"a","n":1,"f":1.5,"b":true,"o":{"x":[1,{"y":null}]}}',
  '{"":1}',
  '{"_time":"x","_sysTime":1,"_rowID":2}',
  '{"a\\u0000b":"\\u0000\\ud800"}',
  '{"__proto__":{"a":1},"constructor":2}',
  `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
  `{"${'x'.repeat(300)}":1}`,
  '{"n":1e999,"m":-0,"big":123456789012345678901234567890}',
  '{',
  '[]',
  'null',
  '"x"',
  ' ',
];

const CSV_FIELDS = ['a,b', ',', 'a,a', '_time,_time', ' ', `${'x,'.repeat(2_000)}y`, '"a",\'b\''];

const ENCODINGS = [
  'gzip',
  'zstd',
  'br',
  'identity',
  '1',
  '',
  'GZIP',
  'gzip, gzip',
  'x'.repeat(999),
];

// ── Bodies ────────────────────────────────────────────────────────────────────────────────────────

/** JSON that no JavaScript value represents. It replaces a marked string in the serialized body. */
const RAW = [
  'NaN',
  '-Infinity',
  '1e999',
  '-0',
  '123456789012345678901234567890',
  '0.1e-400',
  '01',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  `"${'\\u0000'.repeat(1_000)}"`,
  '"\\u0000\\u0001\\u001f"',
  '"\u0000"',
  `${'['.repeat(50)}${']'.repeat(50)}`,
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `${'{"a":'.repeat(98)}1${'}'.repeat(98)}`,
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  '{"a":1,"a":2}',
  '{"__proto__":{"length":1},"constructor":{"prototype":1}}',
  '{"length":-1,"toString":1,"valueOf":2}',
  `"${'x'.repeat(200_000)}"`,
  `[${'null,'.repeat(5_000)}null]`,
] as const;

const RAW_TEXTS = RAW.flatMap((raw, index) => (raw.startsWith('"') ? [index] : []));

const VALUES: readonly unknown[] = [
  undefined,
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  2 ** 53,
  -(2 ** 63),
  Number.MAX_VALUE,
  '',
  ' ',
  'abc',
  '0',
  'NaN',
  'zzz',
  [],
  {},
  [[]],
  [null],
  [1, 'a', {}],
  { '': '' },
  { field: '_time' },
  'x'.repeat(3_000),
  '2026-01-01T00:00:00Z',
  '0000-00-00T00:00:00Z',
  'now-1h',
];

function odd(below: Random): unknown {
  const kind = below(4);
  if (kind === 0) return hostileText(below);
  if (kind === 1) return `@raw ${below(RAW.length)}`;
  return structuredClone(pick(VALUES, below));
}

/**
 * Returns an unusual value of the expected type, which passes more checks than one of another type.
 */
function oddOfType(type: string | readonly string[] | undefined, below: Random): unknown {
  switch (typeof type === 'string' ? type : type?.[0]) {
    case 'string':
      return below(3) === 0 ? `@raw ${pick(RAW_TEXTS, below)}` : hostileText(below);
    case 'integer':
      return pick([0, -1, 1, 7, 2 ** 31, 2 ** 53, -(2 ** 63), 10_001, 999_999], below);
    case 'number':
      return pick([0, -1, 1.5, 1e-320, 1e308, -1e308, 2 ** 63, 100], below);
    case 'boolean':
      return below(2) === 0;
    case 'array':
      return Array.from({ length: below(4) }, () => odd(below));
    case 'object':
      return { [hostileText(below)]: odd(below) };
    default:
      return odd(below);
  }
}

/** Serializes a value to JSON and inserts the marked raw JSON. */
function toJson(value: unknown): string {
  return (JSON.stringify(value) ?? '').replace(
    /"@raw (\d+)"/g,
    (_, at: string) => RAW[Number(at)]!,
  );
}

function bodyOf(
  key: EndpointKey,
  row: EndpointRow,
  below: Random,
  known: Known,
): Uint8Array | undefined {
  if (row.content === 'none') return below(100) === 0 ? Buffer.from('{}') : undefined;
  const text = row.content === 'bytes' ? events(below) : jsonBody(key, row, below, known);
  const bytes = Buffer.from(text);
  return below(25) === 0 ? spoiled(bytes, below) : bytes;
}

/** Returns the bytes truncated, doubled, or with one changed. The result may not be valid UTF-8. */
function spoiled(bytes: Buffer, below: Random): Buffer {
  const at = below(bytes.length + 1);
  switch (below(5)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes, bytes]);
    case 2:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    case 3:
      return Buffer.from(pick(['', ' ', 'null', '[]', '5', '"x"', '\0', '{}'], below));
    default:
      return Buffer.from(bytes.map((byte, index) => (index === at ? below(256) : byte)));
  }
}

function jsonBody(key: EndpointKey, row: EndpointRow, below: Random, known: Known): string {
  const schema = row.body as TSchema;
  const sample = Object.values(samples).find((each) => each.schema === schema);
  if (sample === undefined) throw new Error(`There is no sample for the body of ${key}.`);
  let value = valid(key, structuredClone(sample.value), below, known);
  const places = placesOf(schema, value);
  for (let count = pick([0, 0, 1, 1, 1, 1, 2, 3], below); count > 0; count--) {
    const { segments, node } = pick(places, below);
    if (segments.length === 0 && below(10) > 0) continue;
    // An earlier change may have removed this part.
    if (owner(value, segments) === undefined) continue;
    value = put(value, segments, below(2) === 0 ? oddOfType(node.type, below) : odd(below));
  }
  if (below(15) === 0 && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    value = { ...value, [hostileText(below)]: odd(below) };
  }
  return toJson(value);
}

function owner(value: unknown, segments: readonly string[]): object | undefined {
  let at = value;
  for (const name of segments.slice(0, -1)) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return typeof at === 'object' && at !== null ? at : undefined;
}

/** Returns a valid sample that uses existing names. */
function valid(key: EndpointKey, sample: unknown, below: Random, known: Known): unknown {
  const dataset = pick(known['dataset'] ?? [], below);
  if (Array.isArray(sample)) return key === 'queryBatch' ? sample.map(batchItem) : sample;
  const value = sample as Record<string, unknown>;
  if ('apl' in value) return query(value);
  switch (key) {
    case 'createDataset':
      return { ...value, name: pick([...DATASETS, `fresh-${below(20)}`], below) };
    case 'createVirtualField':
    case 'updateVirtualField':
      return { ...value, dataset, name: `v${below(10)}`, expression: pick(EXPRESSIONS, below) };
    case 'createView':
    case 'updateView':
      return {
        ...value,
        name: pick(['slow', 'view2'], below),
        aplQuery: pick(queries, below).replaceAll('{d}', quoted(dataset)),
      };
    case 'createDashboard':
    case 'updateDashboard':
      return { ...value, uid: pick(known['uid'] ?? [], below), overwrite: true };
    default:
      return value;
  }

  function batchItem(item: Record<string, unknown>): unknown {
    const { aplRequest } = item;
    return aplRequest === undefined
      ? item
      : { ...item, aplRequest: query(aplRequest as Record<string, unknown>) };
  }

  function query(members: Record<string, unknown>): Record<string, unknown> {
    const kept = Object.entries(members).filter(([name]) =>
      RARELY.has(name) ? below(25) === 0 : below(3) === 0,
    );
    const apl = pick(queries, below).replaceAll('{d}', quoted(pick(known['dataset'] ?? [], below)));
    return {
      ...Object.fromEntries(kept),
      apl: below(8) === 0 ? `${apl} ${hostileText(below)}` : apl,
    };
  }
}

function quoted(name: string): string {
  return `[${JSON.stringify(name)}]`;
}

const EXPRESSIONS = [
  'status + 1',
  'a + *',
  "iff(status >= 400, 'bad', 'good')",
  'strcat(service, tostring(v1))',
  'nowhere + 1',
  'count()',
  'v1',
  '1 | where false',
  'dynamic({"a":[1]})',
  'toscalar(["http-logs"] | count)',
  'status in ((print 200))',
];

/** Returns an ingest body in a random format, independent of the headers. */
function events(below: Random): string {
  const field = () => (below(12) === 0 ? hostileText(below) : pick(FIELDS, below));
  const event = (): unknown => {
    if (below(25) === 0) return odd(below);
    const members = Array.from({ length: below(6) }, () => [
      field(),
      below(3) === 0 ? odd(below) : pick<unknown>(['x', 200, 1.5, true, ['a'], { b: 1 }], below),
    ]);
    return Object.fromEntries(members);
  };
  const count = pick([0, 1, 2, 3, 20], below);
  const list = Array.from({ length: count }, event);
  switch (below(4)) {
    case 0:
      return toJson(list);
    case 1:
      return list.map((each) => Object.values(Object(each)).map(toJson).join(',')).join('\n');
    default:
      return list.map(toJson).join(pick(['\n', '\n', '\n', '\r\n', '\n\n', ' ', ','], below));
  }
}

const FIELDS = [
  '_time',
  'status',
  'service',
  'duration',
  'at',
  'labels',
  'a.b',
  'a',
  'geo',
  '_sysTime',
  '_rowID',
  '',
  'v1',
  '__proto__',
];
