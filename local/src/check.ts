/** Checks a value of a request against its schema. */
import { checkStrict, type TSchema, withoutNulls } from '../../api/src/index.ts';
import { ApiError } from './errors.ts';

/**
 * The value as it counts, without the null members that the schema declares as optional. Throws an ApiError
 * that lists what is wrong; `whole` names the value in it.
 */
export function checked<T>(schema: TSchema, value: T, whole: string): T {
  const counted = withoutNulls(schema, value);
  const problems = checkStrict(schema, counted, whole);
  if (problems.length === 0) return counted;
  throw new ApiError(
    'bad-request',
    { problems: problems.map((problem) => problem.message).join('; ') },
    { problems },
  );
}
