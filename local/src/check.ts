/** Validates a value of a request against its schema. */
import {
  checkStrict,
  type TSchema,
  withDeclaredNames,
  withoutNulls,
  withoutZeroTimes,
} from '../../api/src/index.ts';
import { ApiError } from './errors.ts';

/**
 * Returns the value with member names as in the schema, without optional members that are null or an unset time.
 * Throws an ApiError that lists the problems; `whole` names the value in it.
 */
export function checked<T>(schema: TSchema, value: T, whole: string): T {
  const named = withDeclaredNames(schema, value);
  const counted = withoutZeroTimes(schema, withoutNulls(schema, named));
  const problems = checkStrict(schema, counted, whole);
  if (problems.length === 0) return counted;
  throw new ApiError(
    'bad-request',
    { problems: problems.map((problem) => problem.message).join('; ') },
    { problems },
  );
}
