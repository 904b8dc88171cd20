/** Validates the values in requests against their schemas. */
import {
  checkStrict,
  type TSchema,
  withDeclaredNames,
  withoutNulls,
  withoutZeroTimes,
} from '../../api/src/index.ts';
import { ApiError } from './errors.ts';

/** Corrects names, removes nulls and zero times, and validates the result. Throws an ApiError if it is invalid. */
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
