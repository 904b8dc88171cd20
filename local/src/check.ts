/** Validates the values in requests against their schemas. */
import {
  checkStrict,
  type TSchema,
  withDeclaredNames,
  withoutNulls,
  withoutZeroTimes,
} from '../../api/src/index.ts';
import { ApiError } from './errors.ts';

/** Returns the value with corrected names, nulls and zero times. Throws an ApiError if that value is invalid. */
export function checked<T>(schema: TSchema, value: T, valueName: string): T {
  const renamed = withDeclaredNames(schema, value);
  const cleaned = withoutZeroTimes(schema, withoutNulls(schema, renamed));
  const problems = checkStrict(schema, cleaned, valueName);
  if (problems.length === 0) return cleaned;
  throw new ApiError(
    'bad-request',
    { problems: problems.map((problem) => problem.message).join('; ') },
    { problems },
  );
}
