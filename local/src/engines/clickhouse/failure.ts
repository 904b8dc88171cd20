/** Classifies errors of ClickHouse and of the connection to it. */
import { ApiError } from '../../errors.ts';
import { EngineError, type EngineErrorKind } from '../engineError.ts';

/**
 * - `unreachable`: no connection was made, so the statement didn't run.
 * - `busy`: the server rejected the statement before it changed anything, and may accept it later.
 * - `unknown`: the connection ended early or the server lost another one, so the statement may have run.
 * - `outdated`: a table or column is missing, because another process has changed the dataset.
 * - `refused`: the server rejected the statement before it changed anything, and would reject it again.
 * - `denied`: the user of ClickHouse lacks a right, so the statement didn't run.
 * - `failed`: any other error, which would occur again. The statement may have run in part.
 */
export type FailureKind =
  | 'unreachable'
  | 'busy'
  | 'unknown'
  | 'outdated'
  | 'refused'
  | 'denied'
  | 'failed';

/** Error codes of ClickHouse by kind. Other codes are `failed`. */
const codesByKind: Readonly<Partial<Record<FailureKind, readonly number[]>>> = {
  // TOO_MANY_SIMULTANEOUS_QUERIES, TABLE_IS_READ_ONLY, TOO_MANY_PARTS, TOO_FEW_LIVE_REPLICAS
  busy: [202, 242, 252, 285],
  // TIMEOUT_EXCEEDED, NO_FREE_CONNECTION, SOCKET_TIMEOUT, NETWORK_ERROR, NO_ZOOKEEPER, ABORTED, MEMORY_LIMIT_EXCEEDED,
  // NO_ACTIVE_REPLICAS, ALL_CONNECTION_TRIES_FAILED, UNSATISFIED_QUORUM, UNKNOWN_STATUS_OF_INSERT,
  // QUERY_WAS_CANCELLED, KEEPER_EXCEPTION
  unknown: [159, 203, 209, 210, 225, 236, 241, 254, 279, 286, 319, 394, 999],
  // NO_SUCH_COLUMN_IN_TABLE, UNKNOWN_IDENTIFIER, UNKNOWN_TABLE, UNKNOWN_DATABASE
  outdated: [16, 47, 60, 81],
  // SYNTAX_ERROR, UNKNOWN_SETTING, UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, AUTHENTICATION_FAILED
  refused: [62, 115, 192, 193, 194, 516],
  // READONLY, ACCESS_DENIED
  denied: [164, 497],
};

const kindByCode: ReadonlyMap<string, FailureKind> = new Map(
  Object.entries(codesByKind).flatMap(([kind, codes]) =>
    codes.map((code) => [String(code), kind as FailureKind] as const),
  ),
);

const unreachableCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'EAI_AGAIN']);

export const TABLE_EXISTS = '57';

export function codeOf(error: unknown): string {
  return String((error as { readonly code?: unknown } | undefined)?.code ?? '');
}

export function kindOf(error: unknown): FailureKind {
  const code = codeOf(error);
  if (unreachableCodes.has(code)) return 'unreachable';
  // Errors of the server have a number, and those of the connection a name or nothing.
  return kindByCode.get(code) ?? (/^\d+$/.test(code) ? 'failed' : 'unknown');
}

/** Returns the error to answer with. `isWrite`: the statement stores events, which may be stored in case of doubt. */
export function answerOf(error: unknown, isWrite: boolean): ApiError {
  const kind = kindOf(error);
  const problem = messageOf(error);
  if (isWrite && (kind === 'unknown' || kind === 'failed'))
    return new ApiError('events-unconfirmed', { problem });
  const outcome = isWrite ? ' No events of the request were stored.' : '';
  const reason = kind === 'denied' ? 'clickhouse-refused' : 'clickhouse-unavailable';
  return new ApiError(reason, { problem, outcome });
}

/** Returns the first line of the message without its full stop. It has no more than the error's code, text and address. */
export function messageOf(error: unknown): string {
  const { message = '', code } = error as { readonly message?: string; readonly code?: string };
  const line = (message === '' ? String(code ?? error) : message).split('\n', 1)[0]!;
  const text = line.replace(/[\s.]+$/, '');
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}

/** Error codes of queries by kind. */
const queryKinds: Readonly<Record<string, EngineErrorKind>> = {
  // MEMORY_LIMIT_EXCEEDED
  '241': 'memory',
  // TOO_DEEP_SUBQUERIES, TOO_DEEP_AST, TOO_BIG_AST, TOO_DEEP_RECURSION
  '162': 'depth',
  '167': 'depth',
  '168': 'depth',
  '306': 'depth',
  // TIMEOUT_EXCEEDED, TOO_SLOW
  '159': 'time',
  '160': 'time',
  // QUERY_WAS_CANCELLED
  '394': 'interrupted',
  // Limits of the user of ClickHouse: TOO_MANY_ROWS, TOO_MANY_BYTES, TOO_MANY_ROWS_OR_BYTES
  '158': 'value',
  '307': 'value',
  '396': 'value',
  // FUNCTION_THROW_IF_VALUE_IS_NON_ZERO, CANNOT_COMPILE_REGEXP, VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE, DECIMAL_OVERFLOW
  '395': 'value',
  '427': 'value',
  '321': 'value',
  '407': 'value',
};

/** Returns the error of a query: an EngineError if ClickHouse has run or rejected it, otherwise an ApiError. */
export function queryError(error: unknown): EngineError | ApiError {
  const kind = queryKinds[codeOf(error)];
  if (kind !== undefined) return new EngineError(ownMessage(messageOf(error)), kind);
  if (kindOf(error) === 'outdated') {
    // The statement, which follows, has no names that the user knows.
    return new EngineError(messageOf(error).replace(/ in scope .*$/s, ''), 'statement');
  }
  if (kindOf(error) === 'failed') return new EngineError(messageOf(error), 'other');
  return answerOf(error, false);
}

/** Returns the message of `throwIf`, without the part of the statement that called it. */
function ownMessage(message: string): string {
  return message.replace(/: while executing .*$/s, '');
}
