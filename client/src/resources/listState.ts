// The state of the list in a tree. The manifest has a welcome text for each state without items.
import type { Failure } from '../service/failure.ts';

export type ListState =
  | 'loading'
  | 'listed'
  | 'empty'
  | 'noToken'
  /** The token is invalid, expired or revoked. */
  | 'rejected'
  | 'noAccess'
  | 'unreachable'
  /** A proxy responded instead of the service. */
  | 'gateway'
  | 'failing';

export function listState(failure: Failure | undefined, count: number): ListState {
  if (failure === undefined) return count === 0 ? 'empty' : 'listed';
  if (failure.kind === 'token') return 'noToken';
  if (failure.kind !== 'refused') return 'unreachable';
  return byStatus[failure.status ?? 0] ?? 'failing';
}

const byStatus: Readonly<Record<number, ListState>> = {
  401: 'rejected',
  403: 'noAccess',
  502: 'gateway',
  504: 'gateway',
};
