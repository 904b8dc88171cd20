// Failures of calls as values: a kind for the program and a sentence for the user. A failure never contains a token.
import { errorMessage } from '../words/errors.ts';

export type FailureKind =
  | 'refused'
  /** There was no response, or the connection closed before the response was complete. */
  | 'unreachable'
  | 'certificate'
  | 'timeout'
  | 'cancelled'
  /** The response doesn't have the promised format. */
  | 'unreadable'
  /** The response is a redirect, which is never followed with a token. */
  | 'redirected'
  | 'tooLarge'
  /** No address can be used: several edge deployments, or one that is unknown or must not get the token. */
  | 'routing'
  /** No token is stored for the address, or the endpoint doesn't accept its kind. */
  | 'token';

export interface Failure {
  readonly kind: FailureKind;
  /** A sentence with the problem, and its reason if known. Ends with a full stop. */
  readonly message: string;
  readonly host: string;
  readonly status?: number;
  /** The service's error code, if it is more specific than the status. */
  readonly code?: string;
  /** The error's positions in the query, if known. */
  readonly places?: readonly FailurePlace[];
  readonly traceId?: string;
  /** Whether the request may have been sent if no response arrived. Otherwise, it certainly had no effect. */
  readonly sent?: boolean;
  /** Whether the message comes from the service and not from a proxy. */
  readonly byService?: boolean;
  readonly retryAfterSeconds?: number;
}

/** An error's position in a query and its message. Lines and columns start at 1. */
export interface FailurePlace {
  readonly message: string;
  readonly code?: string;
  readonly line: number;
  readonly column?: number;
  /** The exclusive end position. Either both members are present or neither is. */
  readonly endLine?: number;
  readonly endColumn?: number;
}

export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly traceId?: string }
  | { readonly ok: false; readonly failure: Failure };

export function failed(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure };
}

const networkReasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name does not exist. Check the address and your network connection',
  EAI_AGAIN: 'the host name cannot be resolved. Check your network connection',
  ECONNREFUSED: 'the connection was refused. Check the address, and that the service is running',
  ECONNRESET: 'the connection was closed before the response was complete',
  EPIPE: 'the connection was closed while the request was sent',
  EHOSTUNREACH: 'the host is unreachable. Check your network connection',
  ENETUNREACH: 'the host is unreachable. Check your network connection',
  ETIMEDOUT: 'the connection timed out. Check your network connection',
  UND_ERR_CONNECT_TIMEOUT:
    'the connection timed out. Check the address and your network connection',
  UND_ERR_SOCKET: 'the connection was closed before the response was complete',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the response ended before it was complete',
  UND_ERR_PRX_CONN: 'the proxy rejected the request. Check the http.proxy setting',
  Z_BUF_ERROR: 'the response ended before it was complete',
  Z_DATA_ERROR: 'the compressed response is damaged',
  APLOMB_STRANGER: 'another program uses its port. Restart the local deployment',
  HPE_INVALID_CONSTANT: 'the response is not HTTP. Check the address',
};

const certificateCode = /CERT|^UNABLE_TO_|SELF_SIGNED|^ERR_TLS/;

/** Certificate problems and their remedies, by error code. The last row matches all codes. */
const certificateRows: readonly (readonly [codes: RegExp, wrong: string, advice: string])[] = [
  [
    /HAS_EXPIRED/,
    'has expired',
    'Have it renewed, or set the clock of this machine if that is wrong.',
  ],
  [/NOT_YET_VALID/, 'is not valid yet', 'Check the clock of this machine.'],
  [/ALTNAME/, 'is for another host name', 'Check the address.'],
  [
    /^DEPTH_ZERO_SELF_SIGNED/,
    'is self-signed, and this machine does not trust it',
    'If you trust the host, add the certificate to those of the system.',
  ],
  [
    /^/,
    'is not trusted by this machine',
    'Add its certificate authority, or that of your network proxy, to the certificates of the system.',
  ],
];

export function networkFailure(error: unknown, host: string): Failure {
  const code = errorCode(error);
  if (code && certificateCode.test(code)) {
    const [, wrong, advice] = certificateRows.find(([codes]) => codes.test(code)) ?? [];
    return {
      kind: 'certificate',
      host,
      code,
      message: `The certificate of ${host} ${wrong} (${code}). ${advice}`,
    };
  }
  const other = `${errorMessage(error) || 'the connection failed'}${code ? ` (${code})` : ''}`;
  const reason = (code && networkReasons[code]) ?? other.replace(/\.$/, '');
  return {
    kind: 'unreachable',
    host,
    ...(code && { code }),
    message: `Cannot reach ${host}: ${reason}.`,
  };
}

function errorCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const { code } = at as { code?: unknown };
    if (typeof code === 'string') return code;
    if (at instanceof AggregateError && at.errors[0]) return errorCode(at.errors[0]);
  }
  return undefined;
}
