// What a tree has to say about its list. The manifest has a welcome text for each state in which the tree
// is empty.
import type { Failure } from '../api/failure.ts';

export type ListState = 'loading' | 'listed' | 'empty' | 'noToken' | 'noAccess' | 'unreachable';

export function listState(failure: Failure | undefined, count: number): ListState {
  if (failure === undefined) return count === 0 ? 'empty' : 'listed';
  if (failure.kind === 'token' || failure.status === 401) return 'noToken';
  return failure.status === 403 ? 'noAccess' : 'unreachable';
}
