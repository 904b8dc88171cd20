/** Errors of structured queries, by member. */
import { ApiError } from '../errors.ts';

/** Returns the error for an invalid member: its path in `where`, and the requirement in `must`. */
export function badMember(where: string, must: string): ApiError {
  const message = `${where} must ${must}`;
  return new ApiError('bad-request', { problems: message }, { problems: [{ message }] });
}
