/** What is wrong with a structured query, said by its members. */
import { ApiError } from '../errors.ts';

/** The refusal of a member: `where` as people write it, and what it must be. */
export function badMember(where: string, must: string): ApiError {
  const message = `${where} must ${must}`;
  return new ApiError('bad-request', { problems: message }, { problems: [{ message }] });
}
