// Defines the service's endpoints. Paths, statuses and schemas are defined only here and in `endpoints/`, and both the
// client and the local deployment use them.
import { datasetEndpoints } from './endpoints/datasets.ts';
import { documentEndpoints } from './endpoints/documents.ts';
import { ingestEndpoints } from './endpoints/ingest.ts';
import { organizationEndpoints } from './endpoints/organization.ts';
import { queryEndpoints } from './endpoints/queries.ts';
import type { EndpointRow } from './endpoints/row.ts';
import type { Static, TSchema } from './schema.ts';
import type { Tolerant } from './tolerant.ts';

export {
  BULK_CONTENT_TYPES,
  INGEST_CONTENT_TYPES,
  INGEST_ENCODINGS,
  OTLP_CONTENT_TYPES,
  UNSPECIFIED_CONTENT_TYPES,
} from './endpoints/ingest.ts';
export type { EndpointRow, Host, Method, Scope, ScopedDocument } from './endpoints/row.ts';

export const endpoints = {
  ...ingestEndpoints,
  ...queryEndpoints,
  ...datasetEndpoints,
  ...documentEndpoints,
  ...organizationEndpoints,
} satisfies Record<string, EndpointRow>;

type Rows = typeof endpoints;

/** The key of an endpoint in `endpoints`. */
export type EndpointKey = keyof Rows;

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

/** The parameters in an endpoint's path, decoded. */
export type PathParams<K extends EndpointKey> = { [Name in Names<Rows[K]['path']>]: string };

/** The parameters of an endpoint's query string. */
export type QueryParams<K extends EndpointKey> = Static<Rows[K]['query']>;

/** The headers that an endpoint declares, without common request headers such as `authorization`. */
export type HeaderParams<K extends EndpointKey> = Static<Rows[K]['headers']>;

/** The type of an endpoint's request body: the JSON value, bytes, or undefined if there is no body. */
export type Body<K extends EndpointKey> = Rows[K] extends { body: infer S extends TSchema }
  ? Static<S>
  : Rows[K]['content'] extends 'bytes'
    ? Uint8Array
    : undefined;

/** The type of a response with all members that a service must send. Undefined for an empty response or a stream. */
export type Response<K extends EndpointKey> = Rows[K] extends { response: infer S extends TSchema }
  ? Static<S>
  : undefined;

/** The type of a response from the tolerant reader: members marked `key` are present, others may be missing. */
export type ReadResponse<K extends EndpointKey> = Rows[K] extends {
  response: infer S extends TSchema;
}
  ? Tolerant<S>
  : undefined;

/** Returns an endpoint's definition as the general type `EndpointRow`, for code that handles all endpoints. */
export function endpointRow(key: EndpointKey): EndpointRow {
  return endpoints[key];
}

/** The keys of all endpoints, in the order of `endpoints`. */
export const endpointKeys = Object.keys(endpoints) as EndpointKey[];
