/** Classifies errors of ClickHouse and of the connection to it. */
import { ApiError } from '../../errors.ts';

/**
 * - `unreachable`: no connection was made, so the statement didn't run.
 * - `refused`: the server rejected the statement before it changed anything, and would reject it again.
 * - `busy`: like `refused`, but a later attempt may succeed.
 * - `outdated`: a table or column is missing, because another process has changed the dataset.
 * - `unknown`: the connection ended early or the server failed, so the statement may have run in part or in full.
 */
export type FailureKind = 'unreachable' | 'refused' | 'busy' | 'outdated' | 'unknown';

/** Error codes of ClickHouse. Codes that are missing here, and ones of failures during a statement, are `unknown`. */
const kindByCode: Readonly<Record<string, FailureKind>> = {
  // Of tables and columns: NO_SUCH_COLUMN_IN_TABLE, UNKNOWN_IDENTIFIER, UNKNOWN_TABLE, UNKNOWN_DATABASE
  16: 'outdated',
  47: 'outdated',
  60: 'outdated',
  81: 'outdated',
  // Of the statement: SYNTAX_ERROR, UNKNOWN_SETTING
  62: 'refused',
  115: 'refused',
  // Of access: READONLY, UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, ACCESS_DENIED, AUTHENTICATION_FAILED
  164: 'refused',
  192: 'refused',
  193: 'refused',
  194: 'refused',
  497: 'refused',
  516: 'refused',
  // Of load: TOO_MANY_SIMULTANEOUS_QUERIES, TABLE_IS_READ_ONLY, TOO_MANY_PARTS, TOO_FEW_LIVE_REPLICAS
  202: 'busy',
  242: 'busy',
  252: 'busy',
  285: 'busy',
};

const unreachableCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'EAI_AGAIN']);

export const TABLE_EXISTS = '57';

export function codeOf(error: unknown): string {
  return String((error as { readonly code?: unknown } | undefined)?.code ?? '');
}

export function kindOf(error: unknown): FailureKind {
  const code = codeOf(error);
  return unreachableCodes.has(code) ? 'unreachable' : (kindByCode[code] ?? 'unknown');
}

/** Returns the error to answer with. `isWrite`: the statement stores events, which may be stored in case of doubt. */
export function answerOf(error: unknown, isWrite: boolean): ApiError {
  const kind = kindOf(error);
  const problem = messageOf(error);
  if (isWrite && kind === 'unknown') return new ApiError('events-unconfirmed', { problem });
  return new ApiError('clickhouse-unavailable', { problem });
}

/** Returns the first line of the message, which has no more than the error's code, text and address. */
export function messageOf(error: unknown): string {
  const { message = '', code } = error as { readonly message?: string; readonly code?: string };
  const text = (message === '' ? String(code ?? error) : message).split('\n', 1)[0]!;
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
