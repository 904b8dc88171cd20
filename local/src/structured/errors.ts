/** Creates the errors of structured queries. */
import { ApiError } from '../errors.ts';

/** Creates the error for an invalid member. `where` is the member's path, and `must` states the requirement. */
export function badMember(where: string, must: string): ApiError {
  const message = `${where} must ${must}`;
  return new ApiError('bad-request', { problems: message }, { problems: [{ message }] });
}
