/** Creates the errors of structured queries. */
import { ApiError } from '../errors.ts';

/** Returns the error for an invalid member. `where` is its path, and `must` states the requirement. */
export function badMember(where: string, must: string): ApiError {
  const message = `${where} must ${must}`;
  return new ApiError('bad-request', { problems: message }, { problems: [{ message }] });
}
