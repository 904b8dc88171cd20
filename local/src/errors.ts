/**
 * Defines every API error: a stable reason, the HTTP status, and the message. The response has the service's members
 * (`code`, which is the status, `message`, and `detail` for a query) and `reason`.
 */
import { randomBytes } from 'node:crypto';

interface ErrorRow {
  readonly status: number;
  /** A template with placeholders in braces. */
  readonly message: string;
  /** Seconds to wait before a retry. */
  readonly retryAfter?: number;
}

export const errorRows = {
  'wrong-host': {
    status: 403,
    message: 'This deployment only accepts requests to its loopback address, not to {host}.',
  },
  'no-token': {
    status: 401,
    message: 'The request has no token. Send the header "Authorization: Bearer TOKEN".',
  },
  'wrong-token': {
    status: 401,
    message:
      'The token is not valid for this deployment. Use a token that it printed at startup, or one that was created on it.',
  },
  'expired-token': {
    status: 401,
    message: 'The token {name} expired at {time}. Regenerate it, or create another one.',
  },
  'wrong-organization': {
    status: 403,
    message:
      'This deployment has no data of the organization {id}. Omit the header x-axiom-org-id, or send "{expected}".',
  },
  'edge-needs-api-token': {
    status: 403,
    message:
      'An edge deployment does not accept personal tokens. Use an API token, which starts with xaat-.',
  },
  'needs-api-token': {
    status: 403,
    message: 'This endpoint needs an API token, which starts with xaat-.',
  },
  'needs-personal-token': {
    status: 403,
    message:
      'This endpoint needs a personal token, which starts with xapt-: an API token does not act as a user.',
  },
  'owner-token-needed': {
    status: 403,
    message: 'Only the tokens that the deployment printed at startup can be used for {path}.',
  },
  'wrong-code': {
    status: 403,
    message:
      'The link was already used, or is older than the deployment. Enter a token, or restart the deployment for a new link.',
  },
  'capability-missing': { status: 403, message: 'The token lacks the capability {capability}.' },
  'dataset-forbidden': {
    status: 403,
    message: 'The token lacks the capability {capability} for {dataset}.',
  },
  'query-forbidden': {
    status: 403,
    message:
      'The query reads {name}. Either it does not exist, or the token lacks the capability query:read for it.',
  },
  'grant-forbidden': {
    status: 403,
    message: 'The token cannot give the capability {capability}, which it lacks itself.',
  },
  'license-limit': {
    status: 403,
    message:
      'The license allows {limit} {things}. Delete one, or raise {member} in license.json of the data folder and restart.',
  },
  'rate-limit': {
    status: 429,
    message: 'The license allows {limit} requests per minute. Try again in {seconds} seconds.',
  },
  'ingest-limit': {
    status: 430,
    message:
      'The license allows {limit} GB of ingest per month, which is used up. Raise monthlyIngestGb in license.json of the data folder and restart.',
  },
  'query-limit': {
    status: 430,
    message:
      'The license allows {limit} GB-hours of queries per month, which is used up. Raise monthlyQueryGbHours in license.json of the data folder and restart.',
  },
  'bad-http': { status: 400, message: 'The request is not valid HTTP: {problem}.' },
  'unknown-expectation': {
    status: 417,
    message:
      'The expectation {expectation} is not supported. Omit the header Expect, or send "100-continue".',
  },
  'head-too-large': {
    status: 431,
    message: 'The headers of the request exceed 16 KiB.',
  },
  'head-too-slow': {
    status: 408,
    message: 'The headers of the request did not arrive in time. Send the request again.',
  },
  'not-found': { status: 404, message: 'Not found: the path {path} does not exist.' },
  'wrong-method': { status: 405, message: '{path} does not support {method}. Use {allowed}.' },
  'bad-path': {
    status: 400,
    message: 'The path segment "{segment}" has an invalid percent-encoding.',
  },
  'bad-request': { status: 400, message: 'The request is not valid: {problems}.' },
  'bad-json': { status: 400, message: 'The body is not valid JSON: {problem}' },
  'json-too-deep': {
    status: 400,
    message: '{what} exceeds the limit of {limit} nested levels.',
  },
  'empty-body': { status: 422, message: 'The body is empty. Send a JSON object.' },
  'body-too-large': {
    status: 413,
    message: 'The uncompressed body exceeds {limit} bytes. Split it into several requests.',
  },
  'body-too-slow': {
    status: 408,
    message: 'The body did not arrive in time: {problem}. Send the request again.',
  },
  'bad-encoding': {
    status: 415,
    message:
      'The content encoding {encoding} is not supported. Use gzip, zstd, deflate or no encoding.',
  },
  'bad-packing': { status: 400, message: 'The body is not valid {encoding}.' },
  'wrong-content-type': {
    status: 415,
    message:
      'The content type {type} is not supported. Use application/json, application/x-ndjson or text/csv.',
  },
  'dataset-not-found': {
    status: 404,
    message: 'Not found: the dataset {name} does not exist. Create it, or check the name.',
  },
  'other-deployment': {
    status: 404,
    message:
      'Not found: the dataset {name} is stored in {own}, not in {requested}. Send the request to {url}, or use the general address.',
  },
  'not-on-edge': {
    status: 404,
    message:
      'Not found: an edge deployment does not have {path}. Send the request to the general address.',
  },
  'dataset-exists': { status: 409, message: 'The dataset {name} already exists.' },
  'field-not-found': {
    status: 404,
    message: 'Not found: the field {name} does not exist in the dataset {dataset}.',
  },
  'vacuumed-today': {
    status: 429,
    message: 'The dataset {name} was vacuumed less than a day ago. Try again in {seconds} seconds.',
  },
  'map-field-exists': {
    status: 409,
    message: 'The map field {name} already exists in the dataset {dataset}.',
  },
  'map-field-not-found': {
    status: 404,
    message: 'Not found: the map field {name} does not exist in the dataset {dataset}.',
  },
  'resource-not-found': { status: 404, message: 'Not found: the {kind} {id} does not exist.' },
  'resource-hidden': {
    status: 404,
    message:
      'Not found: the {kind} {id} does not exist, or the token lacks access to one of its datasets.',
  },
  'name-taken': { status: 409, message: 'Another {kind} has the name {name}.' },
  'reference-missing': {
    status: 400,
    message: 'The {kind} {id} does not exist. Create it first, or leave it out.',
  },
  'role-in-use': {
    status: 409,
    message: 'The role {id} is used by {users}. Give them another role first.',
  },
  'last-owner': {
    status: 409,
    message: 'The user {id} is the last owner. Make another user an owner first.',
  },
  'built-in': { status: 409, message: 'The {kind} {id} is built in and cannot be {done}.' },
  'resource-unreadable': {
    status: 409,
    message: 'The stored {kind} {id} is damaged. Delete it, and create it again.',
  },
  'resource-exists': { status: 409, message: 'The {kind} {id} already exists.' },
  'view-is-dataset': {
    status: 409,
    message: 'A dataset has the name {name}. Choose another name for the view.',
  },
  'dataset-is-view': {
    status: 409,
    message: 'A view has the name {name}. Choose another name for the dataset, or delete the view.',
  },
  'view-refers-to-itself': {
    status: 400,
    message: 'The view {name} refers to itself, directly or through other views.',
  },
  'dashboard-exists': { status: 409, message: 'The dashboard {problem}.' },
  'version-conflict': {
    status: 412,
    message:
      'The dashboard {uid} has version {current}, but the change is based on version {version}. Fetch it again, or set overwrite.',
  },
  'events-malformed': {
    status: 400,
    message: '{where}: {problem}. No events of the request were stored.',
  },
  'events-empty': { status: 400, message: 'The body has no events.' },
  'events-too-many': {
    status: 400,
    message:
      'The request exceeds {limit} events. Split it into several requests. No events were stored.',
  },
  'events-too-different': {
    status: 400,
    message: 'The events of the request have {count} different fields. The limit is {limit}.',
  },
  'otlp-malformed': {
    status: 400,
    message: 'The OTLP request is not valid: {problem}. No part of it was stored.',
  },
  'otlp-too-large': {
    status: 400,
    message:
      'The OTLP request has more than {limit} values, attributes and spans together. Send smaller batches. No part of it was stored.',
  },
  'bulk-malformed': {
    status: 400,
    message: 'Line {line} of the bulk request: {problem}. No part of the request was stored.',
  },
  'bad-labels': { status: 400, message: 'The labels must be a JSON object.' },
  'bad-csv-options': { status: 400, message: 'The CSV is not valid: {problem}.' },
  'bad-time-format': {
    status: 400,
    message:
      'timestamp-format "{layout}" is not a valid layout. Write the reference time in the layout of the data, such as 2006-01-02T15:04:05Z07:00.',
  },
  'query-malformed': { status: 400, message: '{problem}' },
  'query-failed': { status: 400, message: 'The query failed: {problem}' },
  'query-too-deep': {
    status: 400,
    message:
      'The expressions or stages of the query are nested too deeply. Compute inner parts with extend first, or split it into several queries.',
  },
  'library-not-found': {
    status: 422,
    message:
      'The library {id} does not exist. The local deployment does not have libraries; omit them.',
  },
  'bad-cursor': {
    status: 400,
    message: '{cursor} is not a valid cursor. Use minCursor or maxCursor of a response.',
  },
  'metrics-unsupported': {
    status: 501,
    message: 'The local deployment does not support metrics or MPL.',
  },
  'bad-range': { status: 400, message: '{problem}.' },
  'query-memory': {
    status: 432,
    message: 'The query exceeds the memory limit of the local deployment. Narrow the time range.',
  },
  memory: {
    status: 503,
    message: 'The local deployment is out of memory. No data of the request was stored.',
    retryAfter: 5,
  },
  'query-time': {
    status: 408,
    message: 'The query exceeded the time limit of {seconds} seconds. Narrow the time range.',
  },
  'disk-trouble': {
    status: 507,
    message: 'The local deployment cannot use its folder: {problem}.',
  },
  'backup-running': {
    status: 409,
    message: 'A backup is being made already. Wait until it is complete, or cancel it.',
  },
  'database-lost': {
    status: 503,
    message: 'The database is being reopened: {problem}. Try again in a moment.',
    retryAfter: 2,
  },
  'shutting-down': {
    status: 503,
    message: 'The local deployment is shutting down.',
    retryAfter: 2,
  },
  opening: {
    status: 503,
    message: 'The local deployment is opening its data. Try again in a moment.',
    retryAfter: 1,
  },
  restarting: {
    status: 503,
    message: 'The local deployment is restarting. Try again in a moment.',
    retryAfter: 2,
  },
  internal: {
    status: 500,
    message: 'Internal error of the local deployment. See its log for the trace id {trace}.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorReason = keyof typeof errorRows;

/** Additional members of an error response. */
export type ErrorExtra = Readonly<Record<string, unknown>>;

/** An error that the API responds with. */
export class ApiError extends Error {
  readonly reason: ErrorReason;
  readonly status: number;
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined;
  readonly extra: ErrorExtra;

  /**
   * `values` fill the placeholders of the message. `extra` are additional members of the response. `retryAfter`
   * overrides that of the error's definition.
   */
  constructor(
    reason: ErrorReason,
    values: Readonly<Record<string, string | number>> = {},
    extra: ErrorExtra = {},
    retryAfter?: number,
  ) {
    const row: ErrorRow = errorRows[reason];
    super(row.message.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? '')));
    this.name = 'ApiError';
    this.reason = reason;
    this.status = row.status;
    this.retryAfter = retryAfter ?? row.retryAfter;
    this.extra = extra;
  }

  /** Returns the body of the response. */
  toJSON(): object {
    return { code: this.status, message: this.message, reason: this.reason, ...this.extra };
  }
}

/** Returns an ID by which a request can be found in a log. */
export function newTraceId(): string {
  return randomBytes(16).toString('hex');
}
