/**
 * Every error of the API as a row: a stable reason, the HTTP status, and what it says. The answer has
 * the service's shape (`code` is the status, `message`, and `detail` for a query), and `reason` besides.
 */

interface ErrorRow {
  readonly status: number;
  /** Values are named in braces. */
  readonly message: string;
}

export const errorRows = {
  'wrong-host': {
    status: 403,
    message: 'This deployment answers on its own loopback address only, not as {host}.',
  },
  'no-token': {
    status: 401,
    message: 'The request has no token. Send it as "Authorization: Bearer TOKEN".',
  },
  'wrong-token': {
    status: 403,
    message:
      'The token is not the one of this deployment. Take the one it printed when it started.',
  },
  'not-found': { status: 404, message: 'There is nothing at {path}.' },
  'wrong-method': { status: 405, message: '{path} does not take {method}; it takes {allowed}.' },
  'bad-path': { status: 400, message: 'The path has a broken percent-encoding in "{segment}".' },
  'not-supported': {
    status: 501,
    message: 'The local deployment does not have this endpoint: {endpoint}',
  },
  'bad-request': { status: 400, message: 'The request cannot be taken: {problems}.' },
  'bad-json': { status: 400, message: 'The body is not JSON: {problem}' },
  'empty-body': { status: 422, message: 'The body is empty. Send a JSON object.' },
  'body-too-large': {
    status: 413,
    message: 'The body has more than {limit} bytes, unpacked. Send it in several requests.',
  },
  'bad-encoding': {
    status: 415,
    message: 'A body packed with {encoding} cannot be read. Send gzip, zstd or plain bytes.',
  },
  'bad-packing': { status: 400, message: 'The body is not valid {encoding}.' },
  'wrong-content-type': {
    status: 415,
    message:
      'Events cannot be read from {type}. Send application/json, application/x-ndjson or text/csv.',
  },
  'dataset-not-found': {
    status: 404,
    message: 'There is no dataset {name}. Make it first, or check the name.',
  },
  'dataset-exists': { status: 409, message: 'There is a dataset {name} already.' },
  'field-not-found': { status: 404, message: 'The dataset {dataset} has no field {name}.' },
  'map-field-exists': {
    status: 409,
    message: 'The dataset {dataset} has the map field {name} already.',
  },
  'map-field-not-found': { status: 404, message: 'The dataset {dataset} has no map field {name}.' },
  'resource-not-found': { status: 404, message: 'There is no {kind} {id}.' },
  'resource-exists': { status: 409, message: 'There is a {kind} {id} already.' },
  'dashboard-exists': { status: 409, message: 'The dashboard {problem}.' },
  'version-conflict': {
    status: 412,
    message:
      'The dashboard {uid} is at version {current}, and the change starts from {version}. Read it again, or set overwrite.',
  },
  'events-empty': { status: 400, message: 'The body has no events.' },
  'events-malformed': {
    status: 400,
    message: '{where}: {problem}. Nothing of the request is stored.',
  },
  'events-too-many': {
    status: 400,
    message:
      'The request has more than {limit} events. Send it in several requests; nothing of it is stored.',
  },
  'events-too-different': {
    status: 400,
    message: 'The events of the request have {count} different fields; {limit} is the most.',
  },
  'bad-labels': { status: 400, message: 'The labels are not a JSON object.' },
  'bad-csv-options': { status: 400, message: 'The CSV cannot be read: {problem}.' },
  'bad-time-format': {
    status: 400,
    message:
      'timestamp-format "{layout}" is no layout of a date. Write the reference time as wanted, for example 2006-01-02T15:04:05Z07:00.',
  },
  'query-malformed': { status: 400, message: '{problem}' },
  'query-failed': { status: 400, message: 'The query cannot be computed: {problem}' },
  'option-unsupported': {
    status: 400,
    message: 'The local deployment does not have {option}.',
  },
  'bad-cursor': {
    status: 400,
    message: '{cursor} is no cursor of this deployment. Take minCursor or maxCursor of an answer.',
  },
  'metrics-unsupported': {
    status: 501,
    message: 'The local deployment has no metrics, so it cannot run MPL.',
  },
  'bad-range': { status: 400, message: '{problem}.' },
  'query-memory': {
    status: 432,
    message: 'The query needs more memory than the local deployment has. Narrow its time range.',
  },
  'query-time': {
    status: 408,
    message:
      'The query ran for {seconds} seconds, which is as long as it may. Narrow its time range.',
  },
  'disk-trouble': {
    status: 507,
    message: 'The local deployment cannot write to its folder: {problem}',
  },
  'shutting-down': { status: 503, message: 'The local deployment is ending.' },
  internal: {
    status: 500,
    message: 'Something went wrong in the local deployment. Its log has the trace id {trace}.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorReason = keyof typeof errorRows;

/** Members of an answer beyond the usual ones. */
export type ErrorExtra = Readonly<Record<string, unknown>>;

/** An error that the API answers with. */
export class ApiError extends Error {
  readonly reason: ErrorReason;
  readonly status: number;
  readonly extra: ErrorExtra;

  /** `values` fill the braces of the row's message; `extra` are further members of the answer. */
  constructor(
    reason: ErrorReason,
    values: Readonly<Record<string, string | number>> = {},
    extra: ErrorExtra = {},
  ) {
    const row: ErrorRow = errorRows[reason];
    super(row.message.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? '')));
    this.name = 'ApiError';
    this.reason = reason;
    this.status = row.status;
    this.extra = extra;
  }

  /** The body of the answer. */
  toJSON(): object {
    return { code: this.status, message: this.message, reason: this.reason, ...this.extra };
  }
}
