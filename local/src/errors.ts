/** Defines the API's errors. Each has a stable reason, an HTTP status and a message. */
import { randomBytes } from 'node:crypto';

/** Message templates by status and reason. Placeholders are in braces. */
const messages = {
  400: {
    'bad-http': 'The request is not valid HTTP: {problem}.',
    'bad-path': 'The path segment "{segment}" has an invalid percent-encoding.',
    'bad-request': 'The request is not valid: {problems}.',
    'bad-json': 'The body is not valid JSON: {problem}',
    'json-too-deep': '{what} exceeds the limit of {limit} nested levels.',
    'bad-packing': 'The body is not valid {encoding}.',
    'reference-missing': 'The {kind} {id} does not exist. Create it first, or leave it out.',
    'view-refers-to-itself': 'The view {name} refers to itself, directly or through other views.',
    'events-malformed': '{where}: {problem}. No events of the request were stored.',
    'events-empty': 'The body has no events.',
    'events-too-many':
      'The request exceeds {limit} events. Split it into several requests. No events were stored.',
    'events-too-different':
      'The events of the request have {count} different fields. The limit is {limit}.',
    'otlp-malformed': 'The OTLP request is not valid: {problem}. No part of it was stored.',
    'otlp-too-large':
      'The OTLP request has more than {limit} values, attributes and spans together. Send smaller batches. No part of it was stored.',
    'bulk-malformed':
      'Line {line} of the bulk request: {problem}. No part of the request was stored.',
    'source-unreadable':
      'ClickHouse cannot read {tables}: {problem}. Check the table and the rights of the user of ClickHouse.',
    'source-unusable':
      'The table {table} of ClickHouse cannot be the source of the dataset {name}: {problem}',
    'bad-labels': 'The labels must be a JSON object.',
    'bad-csv-options': 'The CSV is not valid: {problem}.',
    'bad-time-format':
      'timestamp-format "{layout}" is not a valid layout. Write the reference time in the layout of the data, such as 2006-01-02T15:04:05Z07:00.',
    'query-malformed': '{problem}',
    'query-failed': 'The query failed: {problem}',
    'query-too-deep':
      'The expressions or stages of the query are nested too deeply. Compute inner parts with extend first, or split it into several queries.',
    'bad-cursor': '{cursor} is not a valid cursor. Use minCursor or maxCursor of a response.',
    'bad-range': '{problem}.',
  },
  401: {
    'no-token': 'The request has no token. Send the header "Authorization: Bearer TOKEN".',
    'wrong-token':
      'The token is not valid for this deployment. Use a token that it printed at startup, or one that was created on it.',
    'expired-token': 'The token {name} expired at {time}. Regenerate it, or create another one.',
  },
  403: {
    'wrong-host': 'This deployment only accepts requests to its loopback address, not to {host}.',
    'wrong-organization':
      'This deployment has no data of the organization {id}. Omit the header x-axiom-org-id, or send "{expected}".',
    'edge-needs-api-token':
      'An edge deployment does not accept personal tokens. Use an API token, which starts with xaat-.',
    'needs-api-token': 'This endpoint needs an API token, which starts with xaat-.',
    'needs-personal-token':
      'This endpoint needs a personal token, which starts with xapt-: an API token does not act as a user.',
    'owner-token-needed':
      'Only the tokens that the deployment printed at startup can be used for {path}.',
    'wrong-code':
      'The link was already used, or is older than the deployment. Enter a token, or restart the deployment for a new link.',
    'capability-missing': 'The token lacks the capability {capability}.',
    'dataset-forbidden': 'The token lacks the capability {capability} for {dataset}.',
    'query-forbidden':
      'The query reads {name}. Either it does not exist, or the token lacks the capability query:read for it.',
    'dataset-read-only':
      'The dataset {name} has the rows of the table {table} of ClickHouse, and is read-only here. Change the rows in ClickHouse.',
    'grant-forbidden': 'The token cannot give the capability {capability}, which it lacks itself.',
    'license-limit':
      'The license allows {limit} {things}. Delete one, or raise {member} in license.json of the data folder and restart.',
  },
  404: {
    'not-found': 'Not found: the path {path} does not exist.',
    'dataset-not-found':
      'Not found: the dataset {name} does not exist. Create it, or check the name.',
    'other-deployment':
      'Not found: the dataset {name} is stored in {own}, not in {requested}. Send the request to {url}, or use the general address.',
    'not-on-edge':
      'Not found: an edge deployment does not have {path}. Send the request to the general address.',
    'field-not-found': 'Not found: the field {name} does not exist in the dataset {dataset}.',
    'map-field-not-found':
      'Not found: the map field {name} does not exist in the dataset {dataset}.',
    'resource-not-found': 'Not found: the {kind} {id} does not exist.',
    'resource-hidden':
      'Not found: the {kind} {id} does not exist, or the token lacks access to one of its datasets.',
  },
  405: {
    'wrong-method': '{path} does not support {method}. Use {allowed}.',
  },
  408: {
    'head-too-slow': 'The headers of the request did not arrive in time. Send the request again.',
    'body-too-slow': 'The body did not arrive in time: {problem}. Send the request again.',
    'query-time': 'The query exceeded the time limit of {seconds} seconds. Narrow the time range.',
  },
  409: {
    'dataset-exists': 'The dataset {name} already exists.',
    'map-field-exists': 'The map field {name} already exists in the dataset {dataset}.',
    'name-taken': 'Another {kind} has the name {name}.',
    'role-in-use': 'The role {id} is used by {users}. Give them another role first.',
    'last-owner': 'The user {id} is the last owner. Make another user an owner first.',
    'built-in': 'The {kind} {id} is built in and cannot be {done}.',
    'resource-unreadable': 'The stored {kind} {id} is damaged. Delete it, and create it again.',
    'table-exists':
      'ClickHouse has another table with the name {name}. Choose another name for the dataset.',
    'resource-exists': 'The {kind} {id} already exists.',
    'view-is-dataset': 'A dataset has the name {name}. Choose another name for the view.',
    'dataset-is-view':
      'A view has the name {name}. Choose another name for the dataset, or delete the view.',
    'dashboard-exists': 'The dashboard {problem}.',
    'backup-elsewhere':
      'This data folder has no resources and no events. Back up the data folder of {url}, and ClickHouse.',
    'backup-running': 'A backup is being made already. Wait until it is complete, or cancel it.',
  },
  412: {
    'version-conflict':
      'The dashboard {uid} has version {current}, but the change is based on version {version}. Fetch it again, or set overwrite.',
  },
  413: {
    'body-too-large':
      'The uncompressed body exceeds {limit} bytes. Split it into several requests.',
  },
  415: {
    'bad-encoding':
      'The content encoding {encoding} is not supported. Use gzip, zstd, deflate or no encoding.',
    'wrong-content-type':
      'The content type {type} is not supported. Use application/json, application/x-ndjson or text/csv.',
  },
  417: {
    'unknown-expectation':
      'The expectation {expectation} is not supported. Omit the header Expect, or send "100-continue".',
  },
  422: {
    'empty-body': 'The body is empty. Send a JSON object.',
    'library-not-found':
      'The library {id} does not exist. The local deployment does not have libraries; omit them.',
  },
  429: {
    'rate-limit': 'The license allows {limit} requests per minute. Try again in {seconds} seconds.',
    'vacuumed-today':
      'The dataset {name} was vacuumed less than a day ago. Try again in {seconds} seconds.',
  },
  430: {
    'ingest-limit':
      'The license allows {limit} GB of ingest per month, which is used up. Raise monthlyIngestGb in license.json of the data folder and restart.',
    'query-limit':
      'The license allows {limit} GB-hours of queries per month, which is used up. Raise monthlyQueryGbHours in license.json of the data folder and restart.',
  },
  431: {
    'head-too-large': 'The headers of the request exceed 16 KiB.',
  },
  432: {
    'query-memory':
      'The query exceeds the memory limit of the local deployment. Narrow the time range.',
  },
  500: {
    internal: 'Internal error of the local deployment. See its log for the trace id {trace}.',
    'clickhouse-refused':
      'ClickHouse refused a statement: {problem}.{outcome} Give its user the rights in docs/many-machines.md.',
  },
  501: {
    'metrics-unsupported': 'The local deployment does not support metrics or MPL.',
    'source-unsupported':
      'This deployment keeps events in its own folder. A dataset with a source needs aplomb serve --engine clickhouse.',
    'export-unsupported':
      'A deployment on ClickHouse does not export files. Run the query in the format tabular-rows, or export from ClickHouse.',
  },
  503: {
    memory: 'The local deployment is out of memory. No data of the request was stored.',
    'clickhouse-unavailable':
      'ClickHouse cannot handle the request: {problem}.{outcome} Check that it is running, and try again.',
    'primary-unavailable':
      'The process that keeps the tokens and resources is not available: {problem}. Nothing was stored or changed. Check that it is running and that --resources and APLOMB_RESOURCES_TOKEN are correct.',
    'database-lost': 'The database is being reopened: {problem}. Try again in a moment.',
    'shutting-down': 'The local deployment is shutting down.',
    opening: 'The local deployment is opening its data. Try again in a moment.',
    restarting: 'The local deployment is restarting. Try again in a moment.',
  },
  504: {
    'primary-unconfirmed':
      'The process that keeps the resources did not confirm the change: {problem}. It may have been made.',
    'events-unconfirmed':
      'ClickHouse did not confirm the events: {problem}. They may be stored in full, in part or not at all.',
  },
  507: {
    'disk-trouble': 'The local deployment cannot use its folder: {problem}.',
  },
} as const satisfies Readonly<Record<number, Readonly<Record<string, string>>>>;

type Messages = typeof messages;
export type ErrorReason = { [Status in keyof Messages]: keyof Messages[Status] }[keyof Messages];

const errorsByReason = new Map(
  Object.entries(messages).flatMap(([status, rows]) =>
    Object.entries(rows).map(([reason, message]) => [reason, { status: Number(status), message }]),
  ),
) as ReadonlyMap<ErrorReason, { readonly status: number; readonly message: string }>;

/** Default number of seconds before a retry. */
const retrySeconds: { readonly [Reason in ErrorReason]?: number } = {
  opening: 1,
  restarting: 2,
  'shutting-down': 2,
  'clickhouse-unavailable': 5,
  'primary-unavailable': 5,
  'database-lost': 2,
  memory: 5,
};

type ErrorExtra = Readonly<Record<string, unknown>>;

/** An error that is sent to the client as the response. */
export class ApiError extends Error {
  readonly reason: ErrorReason;
  readonly status: number;
  /** Seconds before a retry. */
  readonly retryAfter: number | undefined;
  readonly extra: ErrorExtra;

  /** `values` fill the message's placeholders, and `extra` is added to the response. `retryAfter` is in seconds. */
  constructor(
    reason: ErrorReason,
    values: Readonly<Record<string, string | number>> = {},
    extra: ErrorExtra = {},
    retryAfter?: number,
  ) {
    const { status, message } = errorsByReason.get(reason)!;
    super(message.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? '')));
    this.name = 'ApiError';
    this.reason = reason;
    this.status = status;
    this.retryAfter = retryAfter ?? retrySeconds[reason];
    this.extra = extra;
  }

  toJSON(): object {
    return { code: this.status, message: this.message, reason: this.reason, ...this.extra };
  }
}

export function newTraceId(): string {
  return randomBytes(16).toString('hex');
}
