/** Checks a value of a request against its schema. */
import {
  checkStrict,
  type TSchema,
  withDeclaredNames,
  withoutNulls,
  withoutZeroTimes,
} from '../../api/src/index.ts';
import { ApiError } from './errors.ts';

/**
 * The value as it counts: its members under the names of the schema, without those that are optional and null
 * or a time that is not set. Throws an ApiError
 * that lists what is wrong; `whole` names the value in it.
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
