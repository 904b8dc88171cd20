// Defines the service's endpoints for the client and the local deployment. Paths, statuses and schemas are defined only
// here and in `endpoints/`.
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

export type EndpointKey = keyof Rows;

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

/** The decoded parameters in an endpoint's path. */
export type PathParams<K extends EndpointKey> = { [Name in Names<Rows[K]['path']>]: string };

export type QueryParams<K extends EndpointKey> = Static<Rows[K]['query']>;

/** The headers that are specific to an endpoint. Excludes common request headers such as `authorization`. */
export type HeaderParams<K extends EndpointKey> = Static<Rows[K]['headers']>;

/** The body of a request: a JSON value, bytes, or undefined for no body. */
export type Body<K extends EndpointKey> = Rows[K] extends { body: infer S extends TSchema }
  ? Static<S>
  : Rows[K]['content'] extends 'bytes'
    ? Uint8Array
    : undefined;

/** A complete response. Undefined for an empty response or a stream. */
export type Response<K extends EndpointKey> = Rows[K] extends { response: infer S extends TSchema }
  ? Static<S>
  : undefined;

/** A response from the tolerant reader: members marked `key` are present, and all others may be missing. */
export type ReadResponse<K extends EndpointKey> = Rows[K] extends {
  response: infer S extends TSchema;
}
  ? Tolerant<S>
  : undefined;

/** Returns an endpoint's definition with the general type, for code that handles all endpoints. */
export function endpointRow(key: EndpointKey): EndpointRow {
  return endpoints[key];
}

export const endpointKeys = Object.keys(endpoints) as EndpointKey[];
